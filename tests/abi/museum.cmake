# SPDX-License-Identifier: Apache-2.0
#
# Each folder NUMBER of tests/abi keeps a version of the ABI: its public headers, one plugin of each
# kind, and an application. They are built with those headers alone, whatever the headers of today
# are, and must work with the library of today (museum.sh).

# use_headers(TARGET FOLDER): compiles with the headers of this folder, quickly
function(use_headers target folder)
  target_include_directories(${target} PRIVATE "${folder}")
  target_compile_options(${target} PRIVATE -O0)
  set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
endfunction()

# old_plugin(TARGET FILE HEADERS OUTPUT_FOLDER NAME): as a plugin is built that knows no more of
# Sinew than these headers
function(old_plugin target file headers folder name)
  add_library(${target} MODULE "${file}")
  use_headers(${target} "${headers}")
  target_link_libraries(${target} PRIVATE Threads::Threads m)
  target_link_options(${target} PRIVATE
    "LINKER:--version-script=${SINEW_PLUGIN_MAP}" ${SINEW_LINK_WHOLE})
  set_target_properties(${target} PROPERTIES
    PREFIX "" SUFFIX ".so" OUTPUT_NAME "${name}" LIBRARY_OUTPUT_DIRECTORY "${folder}")
endfunction()

# old_application(TARGET FILE HEADERS OUTPUT_FOLDER LIBRARY): linked with a library, but not with
# the headers that belong to it
function(old_application target file headers folder library)
  add_executable(${target} "${file}")
  use_headers(${target} "${headers}")
  target_link_libraries(${target} PRIVATE $<TARGET_FILE:${library}>)
  target_link_options(${target} PRIVATE LINKER:--enable-new-dtags)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME application
    RUNTIME_OUTPUT_DIRECTORY "${folder}" BUILD_RPATH "$<TARGET_FILE_DIR:${library}>")
  add_dependencies(${target} ${library})
endfunction()

file(GLOB versions CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/[0-9]*")
foreach(folder ${versions})
  get_filename_component(version "${folder}" NAME)
  set(museum_${version} "${CMAKE_CURRENT_BINARY_DIR}/${version}")
  file(GLOB plugins CONFIGURE_DEPENDS "${folder}/plugins/*/my_plugin.c")
  foreach(file ${plugins})
    get_filename_component(kind "${file}" DIRECTORY)
    get_filename_component(kind "${kind}" NAME)
    old_plugin(abi_${version}_${kind} "${file}" "${folder}/include" "${museum_${version}}" ${kind})
  endforeach()
  old_application(abi_${version}_application "${folder}/application.c" "${folder}/include"
    "${museum_${version}}" sinew)

  add_test(NAME abi_${version} COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/museum.sh"
    "${folder}" "${museum_${version}}" "${PROJECT_BINARY_DIR}")
  sinew_register(abi_${version})
endforeach()
