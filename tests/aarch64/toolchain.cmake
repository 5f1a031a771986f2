# SPDX-License-Identifier: Apache-2.0
#
# Programs for aarch64, which run in an emulator. sysroot.sh makes the folder of libraries.

get_filename_component(sysroot "${CMAKE_CURRENT_LIST_DIR}/../../build/aarch64-sysroot" ABSOLUTE)
set(libraries "${sysroot}/usr/lib/aarch64-linux-gnu")

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_SYSROOT "${sysroot}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${sysroot}")
set(ENV{PKG_CONFIG_LIBDIR} "${libraries}/pkgconfig:${sysroot}/usr/share/pkgconfig")

# with -L the emulator would look for every file of a program below the sysroot first, also for the
# root of paths
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 "${sysroot}/lib/ld-linux-aarch64.so.1"
    --library-path "${sysroot}/lib/aarch64-linux-gnu:${libraries}")
