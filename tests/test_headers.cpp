// Nothing: CMake compiles headers in advance only for a target with a source.
