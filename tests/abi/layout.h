// SPDX-License-Identifier: Apache-2.0
//
// The list that layout_list.c fills and layout.c prints or compares.

#ifndef SN_TEST_LAYOUT_H
#define SN_TEST_LAYOUT_H

#include <stddef.h>

// Begins a struct; frozen: it may never change.
void show_struct(const char *name, size_t bytes, int frozen);
void show_member(const char *name, size_t offset, size_t bytes);
void show_all(void);

#endif
