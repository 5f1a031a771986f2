// SPDX-License-Identifier: Apache-2.0
//
// SHA-256 (FIPS 180-4), as `sha256sum` prints it.

#ifndef SINEW_TOOLS_SHA256_H
#define SINEW_TOOLS_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_TEXT = 65 };   // hexadecimal digits and the zero at the end

// The hash of n bytes; out: SHA256_TEXT characters.
void sha256_bytes(const void *bytes, size_t n, char *out);
// The hash of a file. False: it cannot be read; errno says why.
int sha256_file(const char *path, char *out);

#endif
