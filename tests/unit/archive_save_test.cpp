// A save that fails says so and leaves the old file as it was.
#include "io/full_disk.h"
#include "unit/archive_case.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <string>

namespace whorl {
namespace {

TEST_F(ArchiveFile, AnUnfinishedSaveKeepsTheOldFile) {
  ASSERT_TRUE(save_state(exec, path, make_sample<2>(exec)));
  const std::string before = text_in(path);
  {
    SaveArchive archive(exec, path);
    Sample<2>::visit(state, archive);
    EXPECT_EQ(text_in(path), before) << "while the new one is being written";
  }
  EXPECT_EQ(text_in(path), before);
  EXPECT_EQ(folder.names(), Names{"state"});
}

TEST_F(ArchiveFile, ASaveReplacesTheOldFile) {
  ASSERT_TRUE(save_state(exec, path, make_sample<2>(exec)));
  write_text(folder / "state.tmp", "left by a crash");
  ASSERT_TRUE(save_state(exec, path, state));
  Sample<2> loaded;
  ASSERT_TRUE(load_state(exec, path, loaded));
  EXPECT_EQ(state_hash(exec, loaded), untouched);
  EXPECT_EQ(folder.names(), Names{"state"});
}

TEST_F(ArchiveFile, AFolderThatCannotBeWrittenIsAnError) {
  const std::filesystem::path missing = folder / "no_such_folder/state";
  expect_refused(save_state(exec, missing, state), ErrorCode::resources, missing.string(), "cannot write");
  write_text(folder / "file", "");
  const std::filesystem::path under_a_file = folder / "file/state";
  expect_refused(save_state(exec, under_a_file, state), ErrorCode::resources, under_a_file.string(),
                 "cannot write");
  EXPECT_EQ(folder.names(), Names{"file"});
}

TEST_F(ArchiveFile, AFolderWithoutWritePermissionIsAnError) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  using std::filesystem::perms;
  const std::filesystem::path locked = folder / "locked";
  std::filesystem::create_directory(locked);
  std::filesystem::permissions(locked, perms::owner_read | perms::owner_exec);
  expect_refused(save_state(exec, locked / "state", state), ErrorCode::resources, locked.string(),
                 "Permission denied");
  EXPECT_TRUE(std::filesystem::is_empty(locked));
  std::filesystem::permissions(locked, perms::owner_all);
}

TEST_F(ArchiveFile, ANameThatIsTakenByAFolderIsAnErrorAndLeavesNothing) {
  std::filesystem::create_directory(path);
  expect_refused(save_state(exec, path, state), ErrorCode::resources, path.string(), "cannot rename");
  EXPECT_EQ(folder.names(), Names{"state"});
}

TEST_F(ArchiveFile, AFullDiskIsAnErrorAndKeepsTheOldFile) {
  ASSERT_TRUE(save_state(exec, path, make_sample<2>(exec)));
  const std::string before = text_in(path);
  for (const std::size_t room : {std::size_t(0), std::size_t(100), before.size() / 2, before.size() - 1}) {
    const Result<void> result = [&] {
      const FullDisk full(room);
      return save_state(exec, path, state);
    }();
    expect_refused(result, ErrorCode::resources, path.string(), "cannot write");
    EXPECT_EQ(text_in(path), before);
    EXPECT_EQ(folder.names(), Names{"state"});
  }
}

}  // namespace
}  // namespace whorl
