# SPDX-License-Identifier: Apache-2.0
#
# Profile-guided optimization, with GCC. SINEW_PGO is
#
#   ON        When a build folder is configured and has no profile yet, Sinew is built in its folder
#             profile/build with counters, and simulates the sample models below, each for a fixed
#             number of steps in one thread: the same sources give the same counts. The build then
#             knows how often each branch is taken. After large changes of the sources, delete the
#             folder profile/ and configure again.
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
  set(solvers newton cg)

  if(NOT EXISTS "${profile}/complete")
    message(STATUS "Making a profile of the sample models, which takes as long as a build")
    file(REMOVE_RECURSE "${profile}/counts")
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
        -DSINEW_PGO=COUNTERS "-DSINEW_PGO_COUNTS=${profile}/counts" -DBUILD_TESTING=OFF
        -DCMAKE_C_COMPILER_LAUNCHER= ${same})
    execute_process(${log} COMMAND_ERROR_IS_FATAL ANY
      COMMAND "${CMAKE_COMMAND}" --build "${build}" --target runtime)
    foreach(model ${models})
      foreach(solver ${solvers})
        execute_process(${log} COMMAND_ERROR_IS_FATAL ANY
          COMMAND "${CMAKE_COMMAND}" -E env --unset=SINEW_PROFILE "SINEW_CONFIG=${build}/sinew.ini"
            "${build}/sinew" run "${PROJECT_SOURCE_DIR}/samples/models/${model}.xml"
            --no-cache --quiet --steps ${steps} --set "solver=${solver}" --set threads=1)
      endforeach()
    endforeach()
    file(TOUCH "${profile}/complete")
  endif()

  # Functions that the models do not call are compiled as without a profile, and so are those that
  # were changed since it was made, with a warning.
  set(use "-fprofile-use=${profile}/counts" ${counts} "-fprofile-partial-training"
      "-Wno-missing-profile" "-Wno-error=coverage-mismatch")
  add_compile_options("$<$<COMPILE_LANGUAGE:C>:${use}>")
endfunction()
sinew_use_profile()
