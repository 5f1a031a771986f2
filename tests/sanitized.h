// SPDX-License-Identifier: Apache-2.0
//
// SANITIZED is defined where the address or thread sanitizer is on: they have their own allocators,
// and are slower.

#ifndef SN_TEST_SANITIZED_H
#define SN_TEST_SANITIZED_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif

// Of n cases of one kind, so many: sanitizers judge which memory they use, which a fifth shows as
// well as all, and not their results.
#ifdef SANITIZED
#define SOME(n) (((n) + 4) / 5)
#else
#define SOME(n) (n)
#endif

#endif
