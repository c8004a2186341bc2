# whorl_flags: how every file of Whorl is compiled. Linked for the build alone, so a user of the installed
# library compiles with flags of their own.
include(CheckCXXCompilerFlag)

add_library(whorl_flags INTERFACE)

# -ffp-contract=fast: strict C++20 mode would turn fused multiply-add off.
set(flags -Wall -Wextra -Wshadow -Wno-psabi -fno-math-errno -fno-trapping-math -ffp-contract=fast)
if(WHORL_WERROR)
  list(APPEND flags -Werror)
endif()

if(NOT WHORL_PORTABLE)
  check_cxx_compiler_flag(-march=native WHORL_HAS_MARCH_NATIVE)
  if(WHORL_HAS_MARCH_NATIVE)
    list(APPEND flags -march=native)
  endif()
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  list(APPEND flags -march=x86-64-v3)
endif()

if(WHORL_SANITIZE)
  list(JOIN WHORL_SANITIZE "," sanitizers)
  # Tests are many, and what they spend their time in is in the libraries.
  list(APPEND flags $<IF:$<BOOL:$<TARGET_PROPERTY:WHORL_IS_TEST>>,-O0,-O1> -g1 -fno-omit-frame-pointer -fsanitize=${sanitizers} -fno-sanitize-recover=all)
  if("address" IN_LIST WHORL_SANITIZE)
    set(unchecked null,object-size) # the address sanitizer stops at these itself
    if(NOT WHORL_FUZZ)
      string(APPEND unchecked ,alignment) # a fifth of the time to compile; the presets ubsan and fuzz check it
    endif()
    list(APPEND flags -fno-sanitize=${unchecked})
  endif()
  target_link_options(whorl_flags INTERFACE -fsanitize=${sanitizers})
endif()

target_compile_options(whorl_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${flags}>")
target_compile_definitions(whorl_flags INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)

if(WHORL_CUDA)
  # The host half of a .cu file sees the same headers, so it gets the same flags.
  list(JOIN flags "," host_flags)
  target_compile_options(whorl_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr;-Xcompiler=${host_flags}>")
endif()
