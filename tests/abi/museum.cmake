# SPDX-License-Identifier: Apache-2.0
#
# Each folder NUMBER of tests/abi keeps a version of the ABI: its public headers, one plugin of each
# kind, and an application. They are built with those headers alone, whatever the headers of today
# are, and must work with the library of today (museum.sh).

# use_headers(TARGET FOLDER): compiles with the headers of this folder, in little time
function(use_headers target folder)
  target_include_directories(${target} PRIVATE "${folder}")
  target_compile_options(${target} PRIVATE -O0 -g0)
  set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
endfunction()

# old_plugin(TARGET FILES HEADERS OUTPUT_FOLDER NAME): as a plugin is built that knows no more of
# Sinew than these headers
function(old_plugin target file headers folder name)
  add_library(${target} MODULE ${file})
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

  # one fault in place of each operation
  add_test(NAME abi_${version}_operations COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/operations.sh"
    "${folder}" "${museum_${version}}" "${objects}/instead.so" "${PROJECT_BINARY_DIR}")
  sinew_register(abi_${version}_operations)
endforeach()

# ---------------------------------------------------------------- a pretended next version

# The sources of ABI 1.1: today's with what a later version may append (next/make.py); its library,
# an application, and a plugin that needs 1.0 and one that needs 1.1.
if(PYTHON3)
  set(next "${CMAKE_CURRENT_BINARY_DIR}/next")
  file(GLOB_RECURSE core RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS
    "${PROJECT_SOURCE_DIR}/core/*.[ch]" "${PROJECT_SOURCE_DIR}/core/*.map")
  file(GLOB_RECURSE added RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}/next" CONFIGURE_DEPENDS
    "${CMAKE_CURRENT_SOURCE_DIR}/next/include/*.h" "${CMAKE_CURRENT_SOURCE_DIR}/next/core/*.c")
  file(GLOB_RECURSE headers RELATIVE "${PROJECT_SOURCE_DIR}/sdk" CONFIGURE_DEPENDS
    "${PROJECT_SOURCE_DIR}/sdk/include/*.h")
  set(made ${core} ${headers} ${added})
  list(TRANSFORM made PREPEND "${next}/")
  list(TRANSFORM core PREPEND "${PROJECT_SOURCE_DIR}/")
  list(TRANSFORM headers PREPEND "${PROJECT_SOURCE_DIR}/sdk/")
  list(TRANSFORM added PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/next/")
  add_custom_command(OUTPUT ${made}
    COMMAND "${PYTHON3}" -B "${CMAKE_CURRENT_SOURCE_DIR}/next/make.py" "${PROJECT_SOURCE_DIR}"
      "${next}"
    DEPENDS ${core} ${headers} ${added} "${CMAKE_CURRENT_SOURCE_DIR}/next/make.py"
      "${CMAKE_CURRENT_SOURCE_DIR}/interface.txt" VERBATIM)
  add_custom_target(abi_next_sources DEPENDS ${made})

  set(sources ${made})
  list(FILTER sources INCLUDE REGEX "/core/[^/]*/[^/]*[.]c$")
  list(FILTER sources EXCLUDE REGEX "/core/numerics/")   # it knows nothing of the interface
  add_library(abi_next SHARED ${sources})
  use_headers(abi_next "${next}/include")
  target_include_directories(abi_next PRIVATE "${next}/core")
  target_compile_options(abi_next PRIVATE -w)
  target_compile_definitions(abi_next PRIVATE "SN_DEFAULT_CONFIG=\"\"")
  set(heavy compile/compile.h assets/assets.h host/engine_state.h data/worker.h)
  list(TRANSFORM heavy PREPEND "${next}/core/")
  target_precompile_headers(abi_next PRIVATE ${heavy})   # half the time
  target_link_libraries(abi_next PRIVATE
    $<TARGET_FILE:sinew_numerics> PkgConfig::INIH Threads::Threads ${CMAKE_DL_LIBS} m)
  if(TARGET PkgConfig::MINIZIP)
    set_source_files_properties("${next}/core/platform/archive.c" PROPERTIES
      COMPILE_DEFINITIONS SINEW_MINIZIP)
    target_link_libraries(abi_next PRIVATE PkgConfig::MINIZIP)
  endif()
  target_link_options(abi_next PRIVATE "LINKER:--version-script=${next}/core/sinew.map")
  set_target_properties(abi_next PROPERTIES OUTPUT_NAME sinew SOVERSION "${SINEW_ABI_MAJOR}"
    LIBRARY_OUTPUT_DIRECTORY "${next}")
  add_dependencies(abi_next sinew_numerics abi_next_sources)

  set(own "${CMAKE_CURRENT_SOURCE_DIR}/next")
  old_application(abi_next_application "${own}/application.c" "${next}/include" "${next}" abi_next)
  foreach(needs 0 1)
    old_plugin(abi_next_plugin${needs} "${own}/plugin.c" "${next}/include" "${next}"
      plugin${needs})
    target_compile_definitions(abi_next_plugin${needs} PRIVATE NEEDS=${needs})
    add_dependencies(abi_next_plugin${needs} abi_next_sources)
  endforeach()

  # a solver and an executor of today, as if they were built with the headers of 1.1
  foreach(plugin solvers/newton executors/threads executors/lanes)
    get_filename_component(name "${plugin}" NAME)
    get_filename_component(kind "${plugin}" DIRECTORY)
    set(room "${PROJECT_SOURCE_DIR}/plugins/${kind}")
    file(GLOB parts CONFIGURE_DEPENDS "${room}/${name}/*.c" "${room}/common/*.c"
      "${PROJECT_SOURCE_DIR}/core/numerics/*.c")
    if(kind STREQUAL "executors")
      set(parts "${room}/${name}.c")
    endif()
    old_plugin(abi_next_${name} "${parts}" "${next}/include" "${next}/shipped" "${name}")
    target_include_directories(abi_next_${name} PRIVATE "${room}" "${PROJECT_SOURCE_DIR}/core")
    add_dependencies(abi_next_${name} abi_next_sources)
  endforeach()

  add_test(NAME abi_next COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/next.sh" "${next}"
    "${PROJECT_BINARY_DIR}")
  sinew_register(abi_next)
  add_test(NAME abi_next_sources COMMAND "${PYTHON3}" -B "${own}/check_make.py"
    "${PROJECT_SOURCE_DIR}")
  sinew_register(abi_next_sources)

  # what was built with earlier versions, and the command and plugins of today, with the library of
  # the next one
  foreach(folder ${versions})
    get_filename_component(version "${folder}" NAME)
    add_test(NAME abi_${version}_in_next COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/museum.sh"
      "${folder}" "${museum_${version}}" "${PROJECT_BINARY_DIR}" "${next}")
    sinew_register(abi_${version}_in_next)
  endforeach()
endif()
