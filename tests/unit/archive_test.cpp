// A state that is saved and loaded: nothing is lost.
#include "unit/archive_case.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>

namespace whorl {
namespace {

template <class T, int D>
void expect_equal(const Field<T, D>& found, const Field<T, D>& expected) {
  EXPECT_TRUE(found.topology()->same_cells(*expected.topology()));
  EXPECT_EQ(found.background(), expected.background());
  ASSERT_EQ(found.size(), expected.size());
  EXPECT_EQ(std::memcmp(found.data(), expected.data(), found.size() * sizeof(T)), 0);
  for (int i = 0; i < tile_cells<D>; ++i)
    EXPECT_EQ(found.data()[found.size() + std::size_t(i)], T(0)) << "tile of zeros";
}

TYPED_TEST(Archive, WhatIsLoadedIsWhatWasSaved) {
  constexpr int D = TypeParam::value;
  Exec& ex = this->exec;
  const Sample<D> saved = make_sample<D>(ex);
  Sample<D>& loaded = this->state;
  ASSERT_NE(state_hash(ex, loaded), state_hash(ex, saved));
  ASSERT_TRUE(save_state(ex, this->path, saved));
  ASSERT_TRUE(load_state(ex, this->path, loaded));
  EXPECT_EQ(state_hash(ex, loaded), state_hash(ex, saved));
  for (int a = 0; a < D; ++a) expect_equal(loaded.velocity[a], saved.velocity[a]);
  expect_equal(loaded.pressure, saved.pressure);
  expect_equal(loaded.heat, saved.heat);
  EXPECT_EQ(loaded.ids, saved.ids);
  EXPECT_EQ(loaded.time, saved.time);
  EXPECT_EQ(loaded.steps, saved.steps);
  EXPECT_EQ(this->folder.names(), Names{"state"}) << "no temporary file stays";
}

TYPED_TEST(Archive, FieldsThatShareATopologyShareItAfterLoading) {
  Exec& ex = this->exec;
  ASSERT_TRUE(save_state(ex, this->path, make_sample<TypeParam::value>(ex)));
  ASSERT_TRUE(load_state(ex, this->path, this->state));
  const auto& topology = this->state.pressure.topology();
  for (int a = 0; a < TypeParam::value; ++a) EXPECT_EQ(this->state.velocity[a].topology(), topology);
  EXPECT_NE(this->state.heat.topology(), topology);
}

TYPED_TEST(Archive, EmptyAndTinyThingsComeBack) {
  constexpr int D = TypeParam::value;
  Exec& ex = this->exec;
  Sample<D> saved = make_sample<D>(ex);
  saved.ids.clear();
  saved.heat = Field<float, D>(ex, Topology<D>::of_tiles(ex, Domain<D>{}, {}), 2.f);
  ASSERT_TRUE(save_state(ex, this->path, saved));
  ASSERT_TRUE(load_state(ex, this->path, this->state));
  EXPECT_TRUE(this->state.ids.empty());
  EXPECT_EQ(this->state.heat.size(), 0u);
  EXPECT_EQ(this->state.heat.background(), 2.f);
  EXPECT_EQ(state_hash(ex, this->state), state_hash(ex, saved));
}

struct Note {
  std::string text, empty;

  template <class Self, class Visitor>
  static void visit(Self& s, Visitor& v) {
    v("text", s.text);
    v("empty", s.empty);
  }
};

TEST_F(ArchiveFile, TextsComeBackAndOtherVersionsAreKnown) {
  const Note saved{"a line\nand one more", ""};
  ASSERT_TRUE(save_state(exec, path, saved));
  Note loaded{"", "not empty"};
  ASSERT_TRUE(load_state(exec, path, loaded));
  EXPECT_EQ(loaded.text, saved.text);
  EXPECT_EQ(loaded.empty, "");
  EXPECT_FALSE(is_foreign_archive(path));
  std::string bytes = text_in(path);
  bytes[7] = 'x';
  write_text(path, bytes);
  EXPECT_TRUE(is_foreign_archive(path));
  bytes[0] = 'x';
  write_text(path, bytes);
  EXPECT_FALSE(is_foreign_archive(path)) << "no archive at all";
}

TYPED_TEST(Archive, FileDoesNotDependOnThreads) {
  constexpr int D = TypeParam::value;
  std::set<std::string> contents;
  for (const Backend backend : built_backends())
    for (const int threads : {1, 2, 7}) {
      Exec ex({.threads = threads, .backend = backend});
      ASSERT_TRUE(save_state(ex, this->path, make_sample<D>(ex)));
      contents.insert(text_in(this->path));
    }
  EXPECT_EQ(contents.size(), 1u);
}

}  // namespace
}  // namespace whorl
