# SPDX-License-Identifier: Apache-2.0
#
# sinew_add_plugin(NAME [KIND plugins|loaders] [OUTPUT FOLDER] [PART FILE]
#                  SOURCES file... [LIBS library...] [INCLUDES folder...])
#
# Makes the shared object NAME.so from C or C++ sources, as a target NAME. It sees the public
# headers and nothing else of Sinew, never links libsinew, has no undefined symbol and exports one:
# sn_plugin_entry. Sinew's own plugins are built with this very function.
#
# KIND says which folder of an installation it belongs to (plugins when not said), and `install`
# puts it there, below the project's own prefix. With OUTPUT it is built into that folder and not
# installed. With PART it is a part of a plugin, sinew/part.h: parts/FILE.so beside the plugins.

include_guard(GLOBAL)
include(GNUInstallDirs)

set(SINEW_PLUGIN_MAP "${CMAKE_CURRENT_LIST_DIR}/plugin.map")

# No undefined symbol may remain. Except with clang's sanitizers: their runtime is in the program.
set(SINEW_LINK_WHOLE "LINKER:-z,defs")
if((SINEW_SANITIZE OR "${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS}" MATCHES "-fsanitize=")
   AND NOT CMAKE_C_COMPILER_ID STREQUAL "GNU")
  set(SINEW_LINK_WHOLE "")
endif()

function(sinew_add_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "KIND;OUTPUT;PART" "SOURCES;LIBS;INCLUDES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "sinew_add_plugin(${name} [KIND plugins|loaders] [OUTPUT FOLDER] "
                        "[PART FILE] SOURCES file... [LIBS library...] [INCLUDES folder...])")
  endif()
  if(NOT arg_KIND)
    set(arg_KIND plugins)
  endif()
  if(NOT arg_KIND MATCHES "^(plugins|loaders)$")
    message(FATAL_ERROR "sinew_add_plugin(${name}): KIND is plugins or loaders, not ${arg_KIND}")
  endif()

  add_library(${name} MODULE ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES
    PREFIX "" SUFFIX ".so"
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LINK_DEPENDS "${SINEW_PLUGIN_MAP}")
  target_include_directories(${name} PRIVATE ${arg_INCLUDES})
  target_link_libraries(${name} PRIVATE sinew::sdk ${arg_LIBS} m)
  # a plugin is small, and its code and constants are together in memory: half the mappings
  target_link_options(${name} PRIVATE
    "LINKER:--version-script=${SINEW_PLUGIN_MAP}" "LINKER:-z,noseparate-code" ${SINEW_LINK_WHOLE})

  if(arg_PART)
    set_target_properties(${name} PROPERTIES OUTPUT_NAME "${arg_PART}")
    set(arg_PART "/parts")
  endif()
  if(arg_OUTPUT)
    set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${arg_OUTPUT}${arg_PART}")
    return()
  endif()
  if(SINEW_MODULE_ROOT)   # the build tree of Sinew itself
    set_target_properties(${name} PROPERTIES
      LIBRARY_OUTPUT_DIRECTORY "${SINEW_MODULE_ROOT}/${arg_KIND}${arg_PART}")
    if(TARGET modules)
      add_dependencies(modules ${name})
    endif()
  elseif(arg_PART)   # beside the plugin, which has the same file name
    set_target_properties(${name} PROPERTIES
      LIBRARY_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}${arg_PART}")
  endif()
  install(TARGETS ${name}
          LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/sinew/${arg_KIND}${arg_PART}")
endfunction()
