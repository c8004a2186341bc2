# Headers, exported targets and the files that find_package(whorl) reads.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/whorl)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/whorl DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT whorlTargets NAMESPACE whorl:: DESTINATION ${package_dir})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/whorlConfig.cmake.in
  ${PROJECT_BINARY_DIR}/whorlConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/whorlConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/whorlConfig.cmake ${PROJECT_BINARY_DIR}/whorlConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/WhorlOpenVDB.cmake DESTINATION ${package_dir})
