# Each fuzz_NAME of tests/fuzz as a program of libFuzzer's, and what makes the words and the files that two of
# them begin with.
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang" OR NOT WHORL_APPS)
  message(FATAL_ERROR "WHORL_FUZZ needs WHORL_APPS and clang, which has libFuzzer (Debian: clang-14 libclang-rt-14-dev).")
endif()

set(fuzz ${PROJECT_SOURCE_DIR}/tests/fuzz)

# whorl_fuzz_program(NAME LIBRARY SOURCE...)
function(whorl_fuzz_program name library)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE whorl_flags ${library})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
endfunction()

# whorl_fuzzer(NAME LIBRARY [SOURCE...])
function(whorl_fuzzer name library)
  whorl_fuzz_program(fuzz_${name} ${library} ${fuzz}/fuzz_${name}.cpp ${fuzz}/memory_limit.cpp ${fuzz}/libfuzzer/entry.cpp ${ARGN})
  target_compile_definitions(fuzz_${name} PRIVATE WHORL_FUZZER=fuzz_${name})
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
endfunction()

whorl_fuzzer(scene whorl::sim)
whorl_fuzzer(checkpoint whorl::sim ${fuzz}/libfuzzer/checkpoint_mutator.cpp)
whorl_fuzzer(vdb whorl::io)
whorl_fuzzer(mesh whorl::io)
whorl_fuzzer(ply whorl::io)
whorl_fuzz_program(scene_words whorl::scene ${fuzz}/libfuzzer/scene_words.cpp)
whorl_fuzz_program(checkpoint_seeds whorl::sim ${fuzz}/libfuzzer/checkpoint_seeds.cpp)
