# SPDX-License-Identifier: Apache-2.0
#
# Profile-guided optimization, with GCC. SINEW_PGO is
#
#   ON        When a build folder is configured and has no profile of the present sources, Sinew is
#             built in its folder profile/build with counters, and simulates the models below, each
#             for a fixed number of steps in one thread: the same sources give the same counts. The
#             build then knows how often each branch is taken. A change of the sources is noticed
#             when the folder is configured again.
#   COUNTERS  what that first build is
#
# No result changes: the compiler only arranges and inlines code in another way.

if(NOT gcc)
  message(FATAL_ERROR "SINEW_PGO needs GCC, and this compiler is ${CMAKE_C_COMPILER_ID}. "
                      "Configure with -DSINEW_PGO=OFF or with -DCMAKE_C_COMPILER=gcc")
endif()
if(CMAKE_CONFIGURATION_TYPES)
  message(FATAL_ERROR "SINEW_PGO needs a generator with one configuration, such as Ninja")
endif()

# a cache may shorten the paths of sources, which counts contain
set(CMAKE_C_COMPILER_LAUNCHER "")

function(sinew_use_profile)
  # counts are found by the path of the object file in its build folder
  set(counts "-fprofile-update=single" "-fprofile-prefix-path=${PROJECT_BINARY_DIR}")
  if(SINEW_PGO STREQUAL "COUNTERS")
    add_compile_options("$<$<COMPILE_LANGUAGE:C>:-fprofile-generate=${SINEW_PGO_COUNTS};${counts}>")
    add_link_options("-fprofile-generate")
    return()
  endif()

  set(profile "${PROJECT_BINARY_DIR}/profile")
  set(steps 400)
  set(models pendulum double_pendulum cart_pole chain arm ant figure stack tray slider paddle rows)
  list(TRANSFORM models REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/samples/models/\\1.xml")
  file(GLOB larger "${PROJECT_SOURCE_DIR}/sdk/cmake/profile/*.xml")
  list(APPEND models ${larger})
  set(solvers newton cg)

  set(sources)
  foreach(folder core plugins loaders sdk)
    file(GLOB_RECURSE files "${PROJECT_SOURCE_DIR}/${folder}/*.[ch]")
    list(APPEND sources ${files})
  endforeach()
  set(hashes)
  foreach(file ${sources} ${models} "${CMAKE_CURRENT_FUNCTION_LIST_FILE}")
    file(SHA256 "${file}" hash)
    string(APPEND hashes "${hash}")
  endforeach()
  # the path of the counts is an option of the compiler: with other counts all is compiled again
  set(options "${CMAKE_C_COMPILER_VERSION} ${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_RELEASE} ${SINEW_LTO}")
  string(SHA256 name "${hashes}${options}")
  string(SUBSTRING "${name}" 0 16 name)
  set(counted "${profile}/counts-${name}")

  if(NOT EXISTS "${counted}/complete")
    message(STATUS "Making a profile in ${profile}, which takes as long as a build")
    file(GLOB old "${profile}/counts-*")
    file(REMOVE_RECURSE ${old} "${counted}")
    file(MAKE_DIRECTORY "${profile}")
    set(build "${profile}/build")
    set(same)
    foreach(name CMAKE_C_COMPILER CMAKE_CXX_COMPILER CMAKE_BUILD_TYPE CMAKE_C_FLAGS
        CMAKE_C_FLAGS_RELEASE CMAKE_CXX_FLAGS_RELEASE SINEW_LTO)
      list(APPEND same "-D${name}=${${name}}")
    endforeach()
    set(log OUTPUT_FILE "${profile}/log" ERROR_FILE "${profile}/log")
    execute_process(${log} COMMAND_ERROR_IS_FATAL ANY
      COMMAND "${CMAKE_COMMAND}" -S "${PROJECT_SOURCE_DIR}" -B "${build}" -G "${CMAKE_GENERATOR}"
        -DSINEW_PGO=COUNTERS "-DSINEW_PGO_COUNTS=${counted}" -DBUILD_TESTING=OFF
        -DCMAKE_C_COMPILER_LAUNCHER= ${same})
    execute_process(${log} COMMAND_ERROR_IS_FATAL ANY
      COMMAND "${CMAKE_COMMAND}" --build "${build}" --target runtime)
    foreach(model ${models})
      foreach(solver ${solvers})
        execute_process(${log} COMMAND_ERROR_IS_FATAL ANY
          COMMAND "${CMAKE_COMMAND}" -E env --unset=SINEW_PROFILE "SINEW_CONFIG=${build}/sinew.ini"
            "${build}/sinew" run "${model}" --no-cache --quiet --steps ${steps}
            --set "solver=${solver}" --set threads=1)
      endforeach()
    endforeach()
    file(TOUCH "${counted}/complete")
  endif()

  # Functions that the models do not call are compiled as without a profile, and so are those that
  # were changed since it was made, with a warning.
  set(use "-fprofile-use=${counted}" ${counts} "-fprofile-partial-training"
      "-Wno-missing-profile" "-Wno-error=coverage-mismatch")
  add_compile_options("$<$<COMPILE_LANGUAGE:C>:${use}>")
endfunction()
sinew_use_profile()
