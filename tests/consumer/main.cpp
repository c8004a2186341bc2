#include <whorl/error.h>
#include <whorl/version.h>

#include <iostream>

int main() {
  const whorl::Result<int> none = whorl::Error{whorl::ErrorCode::usage, "as a user would see it"};
  if (none || none.error().code != whorl::ErrorCode::usage) return 1;
  std::cout << "whorl " << whorl::version() << '\n';
}
