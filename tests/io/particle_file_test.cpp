// Particles through a file and back, and files that are no particles.
#include "io/particle_file.h"

#include "base/rng.h"
#include "io/full_disk.h"
#include "io/temporary_folder.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace whorl {
namespace {

ParticleSet<3> some_particles(Exec& ex, const Domain<3>& domain) {
  NewParticles<3> made;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    Rng rng(3, i);
    made.position.push_back(
        {16 * double(rng.uniform()), 16 * double(rng.uniform()), 16 * double(rng.uniform())});
    made.velocity.push_back({rng.uniform(), rng.uniform(), rng.uniform()});
  }
  ParticleSet<3> p;
  add_particles(ex, p, domain, made);
  std::vector<std::uint8_t> keep;
  for (const std::uint64_t id : p.id) keep.push_back(id % 3 != 0);
  keep_particles(ex, p, keep);
  p.others.push_back(ex.buffer<float>(std::size_t(p.size())));
  for (std::size_t i = 0; i < p.others[0].size(); ++i) p.others[0][i] = float(p.id[i]) * 0.5f;
  return p;
}

TEST(ParticleFile, RoundTrip) {
  const TemporaryFolder folder;
  Exec ex({.threads = 2});
  const Domain<3> domain = box_domain<3>({{}, Coord<3>::filled(16)}, Side::wall);
  const double h = 0.037;
  const ParticleSet<3> p = some_particles(ex, domain);
  ASSERT_TRUE(write_particles_ply(folder / "p.ply", particle_table(p, h, {"age"})));
  const Result<ParticleTable> table = read_particles_ply(folder / "p.ply");
  ASSERT_TRUE(table) << table.error().message;
  const ParticleSet<3> read = particle_set(ex, table.value(), domain, h);
  ASSERT_EQ(read.size(), p.size());
  EXPECT_TRUE(read.topology->same_cells(*p.topology));
  ASSERT_EQ(read.others.size(), 1u);
  for (std::size_t i = 0; i < std::size_t(p.size()); ++i) {
    EXPECT_EQ(read.id[i], p.id[i]);
    for (std::size_t a = 0; a < 3; ++a) {
      EXPECT_EQ(read.position[a][i], p.position[a][i]);
      EXPECT_EQ(read.velocity[a][i], p.velocity[a][i]);
    }
    EXPECT_EQ(read.others[0][i], p.others[0][i]);
  }
  EXPECT_EQ(read.made, 5000u);
}

TEST(ParticleFile, MayHaveZUp) {
  const TemporaryFolder folder;
  const ParticleTable table{{{1, 2, 3}}, {{4, 5, 6}}, {7}, {{"age", {8}}}};
  ASSERT_TRUE(write_particles_ply(folder / "p.ply", table, UpAxis::z));
  const Result<ParticleTable> read = read_particles_ply(folder / "p.ply");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read.value().position[0], (Vec<double, 3>{1, -3, 2}));
  EXPECT_EQ(read.value().velocity[0], (Vec<float, 3>{4, -6, 5}));
  EXPECT_EQ(read.value().id[0], 7u);
}

TEST(ParticleFile, OfNoneAndOutside) {
  const TemporaryFolder folder;
  Exec ex({.threads = 1});
  ASSERT_TRUE(write_particles_ply(folder / "p.ply", particle_table({}, 1)));
  const Result<ParticleTable> none = read_particles_ply(folder / "p.ply");
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_EQ(particle_set(ex, none.value(), {}, 1).size(), 0);

  const Domain<3> domain = box_domain<3>({{}, Coord<3>::filled(13)}, Side::wall);
  const ParticleTable outside{{{-5, 20, 1e30}, {13, 13, 13}}, {{}, {}}, {4, 2}, {}};
  const ParticleSet<3> p = particle_set(ex, outside, domain, 1);
  EXPECT_EQ(p.size(), 2);
  EXPECT_EQ(p.made, 5u);
}

std::string whole_file() {
  const TemporaryFolder folder;
  Exec ex({.threads = 1});
  EXPECT_TRUE(write_particles_ply(folder / "p.ply", particle_table(some_particles(ex, {}), 0.1, {"age"})));
  return text_in(folder / "p.ply");
}

// Cut anywhere, and with any bytes changed: an error or other numbers, never a crash.
TEST(ParticleFile, BrokenFilesAreErrors) {
  const TemporaryFolder folder;
  const std::string good = whole_file(), path = folder / "p.ply";
  const auto read = [&](const std::string& bytes) {
    write_text(path, bytes);
    return read_particles_ply(path);
  };
  ASSERT_TRUE(read(good));
  const auto refused = [&](const std::string& bytes, const std::string& why) {
    const Result<ParticleTable> table = read(bytes);
    ASSERT_FALSE(table) << why;
    EXPECT_EQ(table.error().code, ErrorCode::usage);
    EXPECT_EQ(table.error().message.find(path), 0u);
    EXPECT_NE(table.error().message.find(why), std::string::npos) << table.error().message;
  };
  const std::size_t header = good.find("end_header\n") + 11;
  for (std::size_t size = 0; size < header; size += 7) refused(good.substr(0, size), "");
  for (const std::size_t size : {header, header + 1, good.size() / 2, good.size() - 1})
    refused(good.substr(0, size), "it should hold");
  refused(good + "x", "it should hold");
  refused("", "its header has no end");
  refused("hello\n", "it is no PLY file");
  refused(std::string(1 << 20, 'a'), "endless line");
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string bytes = good;
    return bytes.replace(bytes.find(from), from.size(), to);
  };
  refused(replaced("binary_little_endian", "ascii"), "its format is 'ascii 1.0'");
  refused(replaced("element vertex 3333", "element vertex 99999999999999999999999"),
          "is no number of vertex");
  refused(replaced("element vertex 3333", "element vertex 18446744073709551615"), "it should hold");
  refused(replaced("element vertex 3333", "element vertex -1"), "is no number of vertex");
  refused(replaced("double y", "float y"), "it has 'float y' where 'double y' belongs");
  refused(replaced("float age", "int age"), "is no column of floats");
  refused(replaced("property float age\n", "property float age\nproperty float age\n"),
          "is no column of floats");
  refused(replaced("property float age\n", "element face 0\n"), "it has an element 'face'");
  std::string not_a_number = good;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::memcpy(not_a_number.data() + header + 48 * 5, &nan, 8);
  refused(not_a_number, "particle 5 has a place");
  for (std::uint64_t k = 0; k < 300; ++k) {
    Rng rng(1, k);
    std::string bytes = good;
    for (int n = 0; n < 3; ++n) bytes[rng.bits() % (k < 150 ? header : bytes.size())] = char(rng.bits());
    const Result<ParticleTable> table = read(bytes);
    EXPECT_TRUE(table || !table.error().message.empty());
  }
  ASSERT_FALSE(read_particles_ply(folder / "missing.ply"));
  EXPECT_FALSE(read_particles_ply(folder / ""));
}

TEST(ParticleFile, AFullDiskIsAnError) {
  const TemporaryFolder folder;
  Exec ex({.threads = 1});
  const ParticleTable table = particle_table(some_particles(ex, {}), 0.1);
  const FullDisk full(50'000);
  const auto written = write_particles_ply(folder / "p.ply", table);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::resources);
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace whorl
