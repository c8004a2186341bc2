# The scripts of src/sim/scripts, which `whorl export` writes, as a source of whorl_sim.
foreach(name open_in_blender open_in_houdini)
  set(script ${PROJECT_SOURCE_DIR}/src/sim/scripts/${name}.py)
  file(READ ${script} ${name})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${script})
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/cmake/export_scripts.cpp.in ${PROJECT_BINARY_DIR}/export_scripts.cpp @ONLY)
target_sources(whorl_sim PRIVATE ${PROJECT_BINARY_DIR}/export_scripts.cpp)
