// SPDX-License-Identifier: Apache-2.0
//
// Keyframes of a spec that is edited: their numbers follow the joints, actuators and mocap bodies
// that they belong to.

#ifndef SI_SPEC_KEYFRAME_H
#define SI_SPEC_KEYFRAME_H

#include "spec/numbering.h"

// The arrays of a keyframe.
enum { SI_KEY_qpos, SI_KEY_qvel, SI_KEY_act, SI_KEY_ctrl, SI_KEY_mpos, SI_KEY_mquat, SI_NKEYPARTS };

// Where the numbers of each element stand: element i of the kind that the array is about has
// count[i] numbers from adr[i] on.
typedef struct si_key_part {
  int64_t n;        // elements
  int64_t total;    // numbers
  int32_t *adr, *count;
} si_key_part;

typedef struct si_key_layout {
  si_key_part part[SI_NKEYPARTS];
} si_key_layout;

sn_status si_key_layout_make(sn_spec *spec, si_key_layout *layout, sn_error *error);
void si_key_layout_free(si_key_layout *layout);
// Arranges the numbers of keyframes [begin, end), which are as `before` says, for the spec as it
// is. old[kind][i]: what element i was before; -1: new, it gets the numbers of a reset. old[kind]
// NULL: nothing changed. An array that did not fit before stays for the compiler to reject.
sn_status si_key_arrange(sn_spec *spec, int64_t begin, int64_t end, const si_key_layout *before,
                         int32_t *const *old, sn_error *error);

// Elements may be added to a spec whose keyframes are complete. mark: notes where the numbers of
// the keyframes stand. complete: they get the numbers of a reset for the elements that were added
// since the mark, if there is one, and are marked again. incomplete: whether something was added.
// copy_mark: gives a copy of the spec the same mark. unmark: forgets it.
sn_status si_key_mark(sn_spec *spec, sn_error *error);
sn_status si_key_complete(sn_spec *spec, sn_error *error);
int si_key_incomplete(const sn_spec *spec);
sn_status si_key_copy_mark(sn_spec *copy, const sn_spec *spec, sn_error *error);
void si_key_unmark(sn_spec *spec);

#endif
