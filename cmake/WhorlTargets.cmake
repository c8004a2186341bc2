# whorl_precompile(TARGET OWNER [HEADER...]): these headers and the common ones of the standard library are parsed once,
# for OWNER and all that name it.
function(whorl_precompile target owner)
  if(target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <functional> <map> <memory> <numeric>
                              <optional> <set> <span> <sstream> <string> <variant> <vector> ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()

# whorl_library(NAME [DEPENDS FOLDER...])
# The library of src/NAME: target whorl_NAME, alias whorl::NAME. A folder of headers alone is an interface.
function(whorl_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS")
  set(folder ${PROJECT_SOURCE_DIR}/src/${name})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp ${folder}/cpu/*.cpp)
  if(NOT WHORL_TBB)
    list(FILTER sources EXCLUDE REGEX "/exec/tbb_backend\\.cpp$")
  endif()

  set(target whorl_${name})
  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:whorl_flags>)
    # In sanitized builds alone: GCC 12 sees false overruns in optimised code where headers were compiled in advance,
    # and an include that is missing has to be found somewhere.
    if(WHORL_SANITIZE)
      whorl_precompile(${target} whorl_base)
    endif()
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(whorl::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_include_directories(${target} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  list(TRANSFORM arg_DEPENDS PREPEND whorl_)
  target_link_libraries(${target} ${scope} ${arg_DEPENDS})
  whorl_install_library(${target})
endfunction()

# whorl_cuda_library(DEPENDS FOLDER...)
# Every folder's cuda/*.cu in one library, whorl_cuda; no target when there is no such file yet.
function(whorl_cuda_library)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "DEPENDS")
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*/cuda/*.cu)
  if(NOT sources)
    return()
  endif()
  add_library(whorl_cuda STATIC ${sources})
  add_library(whorl::cuda ALIAS whorl_cuda)
  set_target_properties(whorl_cuda PROPERTIES EXPORT_NAME cuda)
  list(TRANSFORM arg_DEPENDS PREPEND whorl_)
  target_link_libraries(whorl_cuda PUBLIC ${arg_DEPENDS} CUDA::cudart_static
    PRIVATE $<BUILD_INTERFACE:whorl_flags>)
  target_compile_definitions(whorl_cuda PUBLIC WHORL_HAVE_CUDA=1)
  whorl_install_library(whorl_cuda)
endfunction()

# whorl_link_core(TARGET): our flags, all of the core, and its CUDA half where that is built.
function(whorl_link_core target)
  target_link_libraries(${target} PRIVATE whorl_flags whorl::solvers)
  if(TARGET whorl_cuda)
    target_link_libraries(${target} PRIVATE whorl_cuda)
  endif()
endfunction()

# whorl_program(NAME FOLDER DIR [PARTS OBJECTS]): the program made of the sources in DIR, where there are any; those
# that an object library has are taken from it.
function(whorl_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER;PARTS" "")
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${arg_FOLDER}/*.cpp)
  if(WHORL_CUDA)
    file(GLOB cuda_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${arg_FOLDER}/*.cu)
    list(APPEND sources ${cuda_sources})
  endif()
  if(NOT sources)
    return()
  endif()
  if(arg_PARTS)
    get_target_property(compiled ${arg_PARTS} SOURCES)
    list(REMOVE_ITEM sources ${compiled})
  endif()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE ${arg_PARTS})
  whorl_link_core(${name})
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

function(whorl_install_library target)
  install(TARGETS ${target} EXPORT whorlTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()
