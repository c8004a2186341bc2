// The hash of a state sees every bit of it, and nothing else.
#include "base/check.h"
#include "unit/archive_case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace whorl {
namespace {

// The same values on a topology with as many tiles.
template <class T, int D>
Field<T, D> moved_to(Exec& ex, const Field<T, D>& field, const TopologyPtr<D>& topology) {
  CHECK(topology->tile_count() == field.topology()->tile_count(), "other tiles");
  auto moved = Field<T, D>::unfilled(ex, topology, field.background());
  std::copy_n(field.data(), field.size(), moved.data());
  return moved;
}

TYPED_TEST(Archive, HashDoesNotDependOnThreads) {
  constexpr int D = TypeParam::value;
  const int side = D == 2 ? 300 : 44;  // several of the blocks that are hashed in parallel
  std::set<std::uint64_t> hashes;
  for (const Backend backend : built_backends())
    for (const int threads : {1, 2, 7}) {
      Exec ex({.threads = threads, .backend = backend});
      const Sample<D> s = make_sample<D>(ex, side);
      ASSERT_GT(s.pressure.size() * sizeof(double), std::size_t(2) << 18);
      hashes.insert(state_hash(ex, s));
    }
  EXPECT_EQ(hashes.size(), 1u);
}

template <class T>
void flip_bit(T& x, std::size_t bit) {
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, &x, sizeof(T));
  bytes[bit / 8] = static_cast<unsigned char>(bytes[bit / 8] ^ 1u << bit % 8);
  std::memcpy(&x, bytes, sizeof(T));
}

// A topology like another but for one thing, with the same number of tiles.
template <int D, class Change>
TopologyPtr<D> altered(Exec& ex, const Topology<D>& t, const Change& change) {
  Domain<D> domain = t.domain();
  std::vector<Coord<D>> tiles(t.tiles().begin(), t.tiles().end());
  std::vector<std::uint8_t> active(t.active().begin(), t.active().end());
  change(domain, tiles, active);
  return Topology<D>::of_cells(ex, domain, tiles, active);
}

TYPED_TEST(Archive, HashSeesEveryMember) {
  constexpr int D = TypeParam::value;
  using S = Sample<D>;
  Exec& ex = this->exec;
  std::vector<std::pair<std::string, std::function<void(S&)>>> changes;
  const auto change = [&](const std::string& name, std::function<void(S&)> f) {
    changes.push_back({name, std::move(f)});
  };
  for (int a = 0; a < D; ++a) {
    change(concat("velocity cell ", a),
           [a](S& s) { flip_bit(s.velocity[a].data()[s.velocity[a].size() / 2], 0); });
    change(concat("velocity background ", a), [a](S& s) { s.velocity[a].set_background(0.5f); });
  }
  change("first pressure", [](S& s) { flip_bit(s.pressure.data()[0], 63); });
  change("last pressure", [](S& s) { flip_bit(s.pressure.data()[s.pressure.size() - 1], 0); });
  change("pressure background", [](S& s) { s.pressure.set_background(std::nextafter(1.5, 2.)); });
  change("first heat", [](S& s) { flip_bit(s.heat.data()[0], 31); });
  change("heat background", [](S& s) { s.heat.set_background(0.f); });
  // Of a topology that only one field uses, so that who shares what stays as it is.
  const auto alter = [&](S& s, const auto& how) {
    s.heat = moved_to(ex, s.heat, altered(ex, *s.heat.topology(), how));
  };
  change("one active cell less", [&](S& s) {
    alter(s, [](auto&, auto&, auto& active) {
      const auto row = std::find_if(active.begin(), active.end(), [](std::uint8_t r) { return r != 0; });
      *row = std::uint8_t(*row & (*row - 1));
    });
  });
  change("other sides", [&](S& s) {
    alter(s, [](auto& domain, auto&, auto&) { domain.sides[D - 1] = {Side::open, Side::open}; });
  });
  change("other tiles", [&](S& s) {
    alter(s, [](auto&, auto& tiles, auto&) {
      for (auto& tile : tiles) --tile[D - 1];
    });
  });
  change("a topology of its own", [&](S& s) {
    s.pressure = moved_to(ex, s.pressure, altered(ex, *s.pressure.topology(), [](auto&...) {}));
  });
  change("first id", [](S& s) { flip_bit(s.ids.front(), 0); });
  change("last id", [](S& s) { flip_bit(s.ids.back(), 31); });
  change("one id less", [](S& s) { s.ids.pop_back(); });
  change("one id more", [](S& s) { s.ids.push_back(0); });
  change("two ids swapped", [](S& s) { std::swap(s.ids[0], s.ids[1]); });
  change("sign of the time", [](S& s) { s.time = -s.time; });
  change("time", [](S& s) { flip_bit(s.time, 0); });
  change("steps", [](S& s) { ++s.steps; });

  std::set<std::uint64_t> hashes = {state_hash(ex, make_sample<D>(ex))};
  for (const auto& [name, apply] : changes) {
    S s = make_sample<D>(ex);
    apply(s);
    EXPECT_TRUE(hashes.insert(state_hash(ex, s)).second) << name;
  }
}

TEST(HashBytes, SeesEveryBitAtEveryPlace) {
  Exec ex({.threads = 1});
  for (std::size_t size = 1; size < 80; ++size) {
    std::vector<unsigned char> data(size, 0x5a);
    std::set<std::uint64_t> hashes = {hash_bytes(ex, data.data(), size)};
    for (std::size_t bit = 0; bit < 8 * size; ++bit) {
      flip_bit(data[bit / 8], bit % 8);
      hashes.insert(hash_bytes(ex, data.data(), size));
      flip_bit(data[bit / 8], bit % 8);
    }
    EXPECT_EQ(hashes.size(), 8 * size + 1) << size << " bytes";
  }
}

TEST(HashBytes, SeesBothSidesOfEveryBlock) {
  constexpr std::size_t block = 1 << 18;  // hashed at a time
  Exec ex({.threads = 2});
  for (const std::size_t size : {block - 1, block, block + 1, 3 * block + 5}) {
    std::vector<unsigned char> data(size, 0);
    std::set<std::uint64_t> hashes = {hash_bytes(ex, data.data(), size)};
    std::size_t places = 0;
    for (std::size_t place = 0; place < size; place += (place + 1) % block == 0 ? 1 : block - 1, ++places) {
      data[place] = 1;
      hashes.insert(hash_bytes(ex, data.data(), size));
      data[place] = 0;
    }
    EXPECT_EQ(hashes.size(), places + 1) << size << " bytes";
  }
}

TEST(HashBytes, SeesHowManyZerosThereAre) {
  Exec ex({.threads = 1});
  const std::vector<unsigned char> zeros((1 << 18) + 40, 0);
  std::set<std::uint64_t> hashes;
  for (std::size_t size = 0; size < 200; ++size) hashes.insert(hash_bytes(ex, zeros.data(), size));
  for (std::size_t size = (1 << 18) - 40; size < zeros.size(); ++size)
    hashes.insert(hash_bytes(ex, zeros.data(), size));
  EXPECT_EQ(hashes.size(), 280u);
}

TEST(HashBytes, SeesBlocksSwapped) {
  constexpr std::size_t block = 1 << 18;
  Exec ex({.threads = 2});
  std::vector<unsigned char> data(2 * block, 1);
  std::fill_n(data.begin(), block, static_cast<unsigned char>(2));
  const std::uint64_t before = hash_bytes(ex, data.data(), data.size());
  std::rotate(data.begin(), data.begin() + block, data.end());
  EXPECT_NE(hash_bytes(ex, data.data(), data.size()), before);
}

}  // namespace
}  // namespace whorl
