// VDB files that cannot be written or read: an error that names the file, and nothing left half done.
#include "io/full_disk.h"
#include "io/temporary_folder.h"
#include "io/vdb_contents.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace whorl {
namespace {

TEST(Vdb, NowhereToWrite) {
  Exec ex;
  const VdbCase<2> c(ex);
  const TemporaryFolder folder;
  write_text(folder / "file", "");
  for (const char* name : {"nosuch/frame.vdb", "file/frame.vdb"}) {
    const auto written = write_vdb(ex, folder / name, c.snapshot(), {});
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ErrorCode::resources);
    EXPECT_NE(written.error().message.find(folder / name), std::string::npos) << written.error().message;
  }
  EXPECT_EQ(folder.names(), std::set<std::string>{"file"});
}

TEST(Vdb, DiskFull) {
  Exec ex;
  const VdbCase<3> c(ex);
  const TemporaryFolder folder;
  write(folder / "frame.vdb", c);
  const std::uint64_t whole = std::filesystem::file_size(folder / "frame.vdb"),
                      first = hash(folder / "frame.vdb");
  for (const std::uint64_t room : {std::uint64_t(0), std::uint64_t(100), whole / 2, whole - 1}) {
    const auto written = [&] {
      const FullDisk full(room);
      return write_vdb(ex, folder / "frame.vdb", c.snapshot(), {});
    }();
    ASSERT_FALSE(written) << "room for " << room << " of " << whole << " bytes";
    EXPECT_EQ(written.error().code, ErrorCode::resources);
    EXPECT_NE(written.error().message.find(folder / "frame.vdb"), std::string::npos)
        << written.error().message;
    EXPECT_EQ(hash(folder / "frame.vdb"), first);
    EXPECT_EQ(folder.names(), std::set<std::string>{"frame.vdb"});
  }
}

TEST(Vdb, WhatIsNoVdbFile) {
  Exec ex;
  const VdbCase<3> c(ex);
  const TemporaryFolder folder;
  write(folder / "frame.vdb", c);
  const std::string bytes = text_in(folder / "frame.vdb");
  write_text(folder / "text.vdb", "density, but in words");
  write_text(folder / "empty.vdb", "");
  std::vector<std::string> names = {"nosuch.vdb", ".", "text.vdb", "empty.vdb"};
  for (std::size_t part = 0; part < 20; ++part) {
    names.push_back("cut" + std::to_string(part));
    write_text(folder / names.back(), bytes.substr(0, (bytes.size() - 1) * part / 19));
  }
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const auto found = read_vdb_info(folder / name);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::usage);
    EXPECT_NE(found.error().message.find(folder / name), std::string::npos) << found.error().message;
    EXPECT_EQ(found.error().message.find('\n'), std::string::npos) << found.error().message;
    EXPECT_FALSE(hash_vdb(folder / name));
    EXPECT_FALSE(read_vdb_voxels(folder / name, "vel"));
  }
}

}  // namespace
}  // namespace whorl
