// checkpoint_seeds FOLDER: files for the fuzzer of checkpoints to begin with. They are not in the repository:
// those of another version would be refused at once.
#include "fuzz/tiny_checkpoints.h"

#include <cstdio>

int main(int argc, char** argv) {
  if (argc == 2 && whorl::write_tiny_checkpoints(argv[1])) return 0;
  std::fputs(argc == 2 ? "checkpoint_seeds: they could not be made\n" : "usage: checkpoint_seeds FOLDER\n",
             stderr);
  return argc == 2 ? 1 : 2;
}
