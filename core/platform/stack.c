// SPDX-License-Identifier: Apache-2.0
//
// A walk from the innermost function outwards. A function's frame begins at its stack pointer and
// ends at that of its caller.

#include "platform/stack.h"

#include <unwind.h>

typedef struct walk {
  uintptr_t frame, returns;
  uintptr_t inner;   // the stack pointer of the function inside
  int left, found;   // found: the walk has come to the frame
} walk;

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *argument) {
  walk *w = argument;
  const uintptr_t pointer = (uintptr_t)_Unwind_GetCFA(context);
  if (pointer > w->frame) {   // the function inside contains it, and would return to here
    w->left = w->inner > w->frame || (uintptr_t)_Unwind_GetIP(context) != w->returns;
    w->found = 1;
    return _URC_END_OF_STACK;
  }
  w->inner = pointer;
  return _URC_NO_REASON;
}

int si_stack_has_left(uintptr_t frame, uintptr_t returns) {
  walk w = { .frame = frame, .returns = returns };
  _Unwind_Backtrace(visit, &w);
  return w.found && w.left;
}
