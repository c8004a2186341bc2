#include <whorl/error.h>
#include <whorl/version.h>

#include <iostream>

#ifdef CONSUMER_SIMULATES
int simulate();
#else
static int simulate() { return 0; }
#endif

int main() {
  const whorl::Result<int> none = whorl::Error{whorl::ErrorCode::usage, "as a user would see it"};
  if (none || none.error().code != whorl::ErrorCode::usage) return 1;
  if (simulate() != 0) return 1;
  std::cout << "whorl " << whorl::version() << '\n';
}
