// A state to hash, save and load, and a folder to do it in.
#pragma once

#include "base/rng.h"
#include "grid/archive.h"
#include "io/temporary_folder.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

namespace whorl {

// A little of everything that a State may list: fields on two topologies, a vector, scalars.
template <int D>
struct Sample {
  MacField<float, D> velocity;
  Field<double, D> pressure;  // on the velocity's topology
  Field<float, D> heat;       // on one of its own
  std::vector<int> ids;
  double time = 0;
  std::int64_t steps = 0;

  template <class Self, class Visitor>
  static void visit(Self& s, Visitor& v) {
    v("velocity", s.velocity);
    v("pressure", s.pressure);
    v("heat", s.heat);
    v("ids", s.ids);
    v("time", s.time);
    v("steps", s.steps);
  }
};

template <class T, int D>
void randomise(Field<T, D>& field, Rng& rng) {
  for (std::size_t i = 0; i < field.size(); ++i) field.data()[i] = T(rng.uniform(-1.f, 1.f)) / T(3);
}

template <int D>
Sample<D> make_sample(Exec& ex, int side = 6, std::uint64_t seed = 0) {
  const Domain<D> closed = box_domain<D>({Coord<D>::filled(0), Coord<D>::filled(side)}, Side::wall);
  const Domain<D> periodic = box_domain<D>({Coord<D>::filled(-16), Coord<D>::filled(16)}, Side::periodic);
  const TopologyPtr<D> whole = Topology<D>::of_box(ex, closed);
  const TopologyPtr<D> sparse =
      Topology<D>::of_tiles(ex, periodic, {Coord<D>::filled(-1), Coord<D>::unit(0)});

  Rng rng(31, D, seed);
  Sample<D> s;
  s.velocity = MacField<float, D>(ex, whole, Vec<float, D>::filled(0.25f));
  s.pressure = Field<double, D>(ex, whole, 1.5);
  s.heat = Field<float, D>(ex, sparse, 290.f);
  for (int a = 0; a < D; ++a) randomise(s.velocity[a], rng);
  randomise(s.pressure, rng);
  randomise(s.heat, rng);
  s.ids = {3, 1, 4, 1, 5, 9, 2, 6};
  s.time = 0.1;
  s.steps = 7;
  return s;
}

using Names = std::set<std::string>;

// `part` somewhere in the message, which begins with the path of the file.
inline void expect_refused(const Result<void>& result, ErrorCode code, const std::string& path,
                           const std::string& part) {
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, code);
  EXPECT_NE(result.error().message.find(path), std::string::npos) << result.error().message;
  EXPECT_NE(result.error().message.find(part), std::string::npos) << result.error().message;
}

template <class Dimension>
class Archive : public testing::Test {
 protected:
  // Every damaged file must be refused, and leave the state it was to be loaded into alone.
  void expect_refused_and_untouched(const std::string& what) {
    const Result<void> result = load_state(exec, path, state);
    ASSERT_FALSE(result) << what;
    ASSERT_EQ(result.error().code, ErrorCode::usage) << what;
    ASSERT_FALSE(result.error().message.empty()) << what;
    ASSERT_EQ(state_hash(exec, state), untouched) << what;
  }

  Exec exec{{.threads = 1}};
  TemporaryFolder folder;
  const std::filesystem::path path = folder / "state";
  Sample<Dimension::value> state = make_sample<Dimension::value>(exec, 6, 1);
  const std::uint64_t untouched = state_hash(exec, state);
};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Archive, Dimensions);

class ArchiveFile : public Archive<std::integral_constant<int, 2>> {};  // where the dimension does not matter

}  // namespace whorl
