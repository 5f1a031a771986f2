// SPDX-License-Identifier: Apache-2.0
//
// SANITIZED is defined where the address sanitizer is on: it has its own allocator, and is slower.

#ifndef SN_TEST_SANITIZED_H
#define SN_TEST_SANITIZED_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#endif

#endif
