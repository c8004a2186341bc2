// As many threads as a process may use, not as the machine has.
#include "exec/usable_cores.h"
#include "exec/exec.h"

#include <gtest/gtest.h>

#ifdef __linux__
#include <sched.h>
#endif

namespace whorl {
namespace {

TEST(UsableCores, AreThoseOfAContainersLimit) {
  EXPECT_EQ(cores_of_quota("200000 100000"), 2);
  EXPECT_EQ(cores_of_quota("150000 100000"), 2);
  EXPECT_EQ(cores_of_quota("5000 100000"), 1);
  EXPECT_EQ(cores_of_quota("max 100000"), 0);
  for (const char* nonsense : {"", "max", "200000", "-1 100000", "200000 0"})
    EXPECT_EQ(cores_of_quota(nonsense), 0) << nonsense;
}

#ifdef __linux__
TEST(UsableCores, AreThoseThatTheProcessIsLeft) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  int first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(usable_cores(), 1);
  EXPECT_EQ(Exec().threads(), 1);
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(Exec().threads(), usable_cores());
}
#endif

}  // namespace
}  // namespace whorl
