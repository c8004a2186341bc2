# The peers of `whorl bench poisson`: each a program around one solver of other people's, built where its
# library is found.
add_library(whorl_peer STATIC
  ${PROJECT_SOURCE_DIR}/bench/peers/peer.cpp ${PROJECT_SOURCE_DIR}/bench/poisson_file.cpp)
target_include_directories(whorl_peer PUBLIC ${PROJECT_SOURCE_DIR}/bench ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(whorl_peer PUBLIC whorl_flags Threads::Threads)

# whorl_peer(NAME LIBRARY...): the program whorl-peer-NAME; building whorl-bench builds it too.
function(whorl_peer name)
  set(target whorl-peer-${name})
  add_executable(${target} ${PROJECT_SOURCE_DIR}/bench/peers/${name}.cpp)
  target_link_libraries(${target} PRIVATE whorl_peer ${ARGN})
  add_dependencies(whorl-bench ${target})
  install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

set(MPI_CXX_SKIP_MPICXX ON)
find_package(MPI QUIET COMPONENTS CXX)
find_path(HYPRE_INCLUDE_DIR HYPRE_struct_ls.h PATH_SUFFIXES hypre DOC "Headers of hypre")
find_library(HYPRE_LIBRARY HYPRE DOC "The hypre library")
if(MPI_CXX_FOUND AND HYPRE_INCLUDE_DIR AND HYPRE_LIBRARY)
  whorl_peer(hypre ${HYPRE_LIBRARY} MPI::MPI_CXX)
  target_include_directories(whorl-peer-hypre SYSTEM PRIVATE ${HYPRE_INCLUDE_DIR})
else()
  message(STATUS "Peer hypre is left out: it needs hypre and MPI (Debian: libhypre-dev openmpi-bin)")
endif()

find_package(Eigen3 3.3 QUIET NO_MODULE)
if(TARGET Eigen3::Eigen)
  find_package(OpenMP QUIET COMPONENTS CXX)
  whorl_peer(eigen Eigen3::Eigen $<TARGET_NAME_IF_EXISTS:OpenMP::OpenMP_CXX>)
  # g++ 12 takes its own AVX-512 header, as Eigen uses it, for a mistake.
  target_compile_options(whorl-peer-eigen PRIVATE -Wno-maybe-uninitialized)
else()
  message(STATUS "Peer eigen is left out: it needs Eigen (Debian: libeigen3-dev)")
endif()

find_path(OPENVDB_INCLUDE_DIR openvdb/openvdb.h DOC "Headers of OpenVDB")
find_package(TBB QUIET)
if(OPENVDB_INCLUDE_DIR AND TBB_FOUND)
  include(WhorlOpenVDB)
  whorl_peer(openvdb whorl_openvdb)
else()
  message(STATUS "Peer openvdb is left out: it needs OpenVDB (Debian: libopenvdb-dev libboost-dev)")
endif()
