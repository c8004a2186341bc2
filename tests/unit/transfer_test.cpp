// Between particles and faces: what each scheme gives back, and what is conserved.
#include "stages/transfer.h"

#include "base/rng.h"
#include "grid/archive.h"
#include "grid/trace.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace whorl {
namespace {

template <class T>
class Transfer : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Transfer, Dimensions);

constexpr int side = 21;  // cells that have particles

// On a topology with a cell more all round, which the particles reach.
template <int D>
ParticleSet<D> block_of_particles(Exec& ex, TransferScheme scheme, int per_cell = 4) {
  NewParticles<D> made;
  Rng rng(7, 0);
  for_each_coord(Box<D>{{}, Coord<D>::filled(side)}, [&](const Coord<D>& cell) {
    for (int k = 0; k < per_cell; ++k) {
      Vec<double, D> x;
      for (int a = 0; a < D; ++a) x[a] = cell[a] + double(rng.uniform());
      made.position.push_back(x);
      made.velocity.push_back({});
    }
  });
  ParticleSet<D> p;
  add_particles(ex, p, Domain<D>{}, made);
  put_on(ex, p, Topology<D>::of_box(ex, Domain<D>{}, {Coord<D>::filled(-1), Coord<D>::filled(side + 1)}));
  set_transfer(ex, p, scheme);
  return p;
}

template <int D>
Vec<double, D> place(const ParticleSet<D>& p, int tile, std::uint32_t i) {
  Vec<double, D> x;
  for (int a = 0; a < D; ++a)
    x[a] =
        double(p.topology->tiles()[std::size_t(tile)][a]) * tile_side + double(p.position[std::size_t(a)][i]);
  return x;
}

template <int D, class F>
void for_each_particle(const ParticleSet<D>& p, const F& f) {
  for (int tile = 0; tile < p.topology->tile_count(); ++tile)
    for (std::uint32_t i = p.tile_begin(tile); i < p.tile_end(tile); ++i) f(i, place(p, tile, i));
}

template <int D>
Vec<double, D> face_place(const Coord<D>& cell, int axis) {
  Vec<double, D> x;
  for (int b = 0; b < D; ++b) x[b] = cell[b] + double(sample_offset(axis, b));
  return x;
}

template <int D>
using Flow = std::function<double(const Vec<double, D>&, int axis)>;

template <int D>
MacField<float, D> on_faces(Exec& ex, const TopologyPtr<D>& topology, const Flow<D>& flow) {
  MacField<float, D> u(ex, topology);
  for (const Coord<D>& tile : topology->tiles())
    for_each_coord(Box<D>{tile * tile_side, tile * tile_side + Coord<D>::filled(tile_side)},
                   [&](const Coord<D>& c) {
                     for (int a = 0; a < D; ++a) u[a].set(c, float(flow(face_place(c, a), a)));
                   });
  return u;
}

template <int D>
double affine(const Vec<double, D>& x, int axis) {
  double u = 0.3 * axis - 0.2;
  for (int b = 0; b < D; ++b) u += (0.01 * (axis + 1) - 0.02 * b) * x[b];
  return u;
}
template <int D>
double multilinear(const Vec<double, D>& x, int axis) {
  double u = 0.1;
  for (int b = 0; b < D; ++b) u *= 1 + (0.3 + 0.1 * axis) * (x[b] - 10) / 10;
  return u;
}

// From faces to particles and back, away from the edge: `flow` is unchanged.
template <int D>
void expect_kept(TransferScheme scheme, const Flow<D>& flow, double tolerance) {
  Exec ex;
  ParticleSet<D> p = block_of_particles<D>(ex, scheme);
  faces_to_particles<D>(ex, p, scheme, on_faces<D>(ex, p.topology, flow), {});
  double worst = 0;
  for_each_particle(p, [&](std::uint32_t i, const Vec<double, D>& x) {
    for (int a = 0; a < D; ++a)
      worst = std::max(worst, std::abs(double(p.velocity[std::size_t(a)][i]) - flow(x, a)));
  });
  EXPECT_LE(worst, 2e-6) << "on particles";
  const FaceVelocity<D> faces = particles_to_faces(ex, p, scheme);
  worst = 0;
  for_each_coord(Box<D>{Coord<D>::filled(2), Coord<D>::filled(side - 2)}, [&](const Coord<D>& c) {
    for (int a = 0; a < D; ++a)
      worst = std::max(worst, std::abs(double(faces.velocity[a].get(c)) - flow(face_place(c, a), a)));
  });
  EXPECT_LE(worst, tolerance) << "on faces";
}

TYPED_TEST(Transfer, ApicKeepsAffineFlows) {
  expect_kept<TypeParam::value>(TransferScheme::apic, affine<TypeParam::value>, 3e-6);
}
TYPED_TEST(Transfer, PolypicKeepsMultilinearFlows) {
  expect_kept<TypeParam::value>(TransferScheme::polypic, affine<TypeParam::value>, 3e-6);
  expect_kept<TypeParam::value>(TransferScheme::polypic, multilinear<TypeParam::value>, 3e-6);
}

template <int D>
double swirl(const Vec<double, D>& x, int axis) {
  return std::sin(0.9 * x[(axis + 1) % D] + axis) * (1 + 0.5 * std::cos(0.7 * x[axis]));
}

// Linear and angular momentum, from particles to faces. A particle's modes turn about it: mode b of component
// a counts E[d_b²] = t (1 - t), the spread of its weights.
template <int D>
void expect_momentum_kept(TransferScheme scheme) {
  Exec ex;
  ParticleSet<D> p = block_of_particles<D>(ex, scheme);
  const MacField<float, D> start = on_faces<D>(ex, p.topology, swirl<D>);
  const MacField<float, D>* before = scheme == TransferScheme::flip ? &start : nullptr;
  faces_to_particles<D>(ex, p, scheme, start, {}, before);
  const int modes = mode_count<D>(scheme);
  Vec<double, D> linear{};
  double turn = 0, size = 0;
  for_each_particle(p, [&](std::uint32_t i, const Vec<double, D>& x) {
    for (int a = 0; a < D; ++a) linear[a] += double(p.velocity[std::size_t(a)][i]);
    turn += x[0] * double(p.velocity[1][i]) - x[1] * double(p.velocity[0][i]);
    size += std::abs(double(p.velocity[0][i]));
    for (int a = 0; a < 2 && modes > 0; ++a) {
      const int b = 1 - a, slot = modes == D ? b : (1 << b) - 1;
      const double t = x[b] - 0.5 - std::floor(x[b] - 0.5);
      turn += (a == 1 ? 1 : -1) * t * (1 - t) * double(p.modes[std::size_t(a * modes + slot)][i]);
    }
  });
  const FaceVelocity<D> faces = particles_to_faces(ex, p, scheme);
  Vec<double, D> linear_there{};
  double turn_there = 0;
  for_each_coord(Box<D>{Coord<D>::filled(-1), Coord<D>::filled(side + 2)}, [&](const Coord<D>& c) {
    for (int a = 0; a < D; ++a) {
      const double m = double(faces.weight[a].get(c)) * double(faces.velocity[a].get(c));
      linear_there[a] += m;
      if (a == 0) turn_there -= face_place(c, 0)[1] * m;
      if (a == 1) turn_there += face_place(c, 1)[0] * m;
    }
  });
  for (int a = 0; a < D; ++a) EXPECT_NEAR(linear_there[a], linear[a], 1e-6 * size);
  EXPECT_NEAR(turn_there, turn, 1e-6 * size * side);
}

TYPED_TEST(Transfer, KeepsMomentum) {
  constexpr int D = TypeParam::value;
  expect_momentum_kept<D>(TransferScheme::pic);
  expect_momentum_kept<D>(TransferScheme::flip);
  expect_momentum_kept<D>(TransferScheme::apic);
  expect_momentum_kept<D>(TransferScheme::polypic);
}

// There and back many times: PIC smears a swirl out, APIC less, PolyPIC hardly, FLIP not at all.
TYPED_TEST(Transfer, SchemesDampAsTheyShould) {
  constexpr int D = TypeParam::value;
  Exec ex;
  const auto kept = [&](TransferScheme scheme) {
    ParticleSet<D> p = block_of_particles<D>(ex, scheme, 8);
    MacField<float, D> u = on_faces<D>(ex, p.topology, swirl<D>);
    const auto energy = [&] {
      double sum = 0;
      for_each_coord(Box<D>{Coord<D>::filled(4), Coord<D>::filled(side - 4)}, [&](const Coord<D>& c) {
        for (int a = 0; a < D; ++a) sum += double(u[a].get(c)) * double(u[a].get(c));
      });
      return sum;
    };
    const MacField<float, D> start = u.clone(ex);
    const double before = energy();
    faces_to_particles<D>(ex, p, scheme, u, {}, scheme == TransferScheme::flip ? &start : nullptr, 0.f);
    for (int k = 0; k < 5; ++k) {
      u = particles_to_faces(ex, p, scheme).velocity;
      faces_to_particles<D>(ex, p, scheme, u, {}, scheme == TransferScheme::flip ? &u : nullptr, 1.f);
    }
    return energy() / before;
  };
  const double pic = kept(TransferScheme::pic), flip = kept(TransferScheme::flip),
               apic = kept(TransferScheme::apic), polypic = kept(TransferScheme::polypic);
  std::printf("energy left: PIC %.3f, APIC %.3f, PolyPIC %.3f, FLIP %.3f\n", pic, apic, polypic, flip);
  EXPECT_LT(pic, 0.7);
  EXPECT_GT(apic, pic + 0.1);
  EXPECT_GT(polypic, apic);
  EXPECT_GT(flip, pic + 0.1);
}

TYPED_TEST(Transfer, SameBitsOnAnyThreads) {
  constexpr int D = TypeParam::value;
  // An odd number of tiles round a periodic box: every tile is a neighbour of every other.
  const Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(24)}, Side::periodic);
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 7})
    for (const Backend backend : built_backends()) {
      Exec ex({.threads = threads, .backend = backend});
      NewParticles<D> made;
      for (std::uint64_t k = 0; k < 5000; ++k) {
        Rng rng(3, k);
        Vec<double, D> x;
        Vec<float, D> v;
        for (int a = 0; a < D; ++a) {
          x[a] = double(rng.uniform(0, 24));
          v[a] = rng.uniform(-1, 1);
        }
        made.position.push_back(x);
        made.velocity.push_back(v);
      }
      ParticleSet<D> p;
      add_particles(ex, p, domain, made);
      set_transfer(ex, p, TransferScheme::apic);
      double sum = 0;
      for (int k = 0; k < 3; ++k) {
        const FaceVelocity<D> faces = particles_to_faces(ex, p, TransferScheme::apic);
        faces_to_particles<D>(ex, p, TransferScheme::apic, faces.velocity, {});
        sum = 0;
        for_each_coord(domain.cells, [&](const Coord<D>& c) { sum += double(faces.weight[0].get(c)); });
      }
      EXPECT_NEAR(sum, 5000, 0.01) << "weights are whole round the circle";
      std::uint64_t hash = 0;
      p.for_each_array([&]<class T>(const Buffer<T>& array) {
        hash = mix64(hash, hash_bytes(ex, array.data(), array.size() * sizeof(T)));
      });
      hashes.push_back(hash);
    }
  for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes[0]);
}

}  // namespace
}  // namespace whorl
