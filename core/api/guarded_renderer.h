// SPDX-License-Identifier: Apache-2.0
//
// Programs call renderers themselves, by the operations that sn_engine_use returns. These are
// functions of the host, which call those of the plugin: so what a renderer does wrong is named, as
// in all other kinds. A status that the interface does not have, a failure without a message and
// pixels that cannot be are errors of the plugin.

#ifndef SI_API_GUARDED_RENDERER_H
#define SI_API_GUARDED_RENDERER_H

#include "host/engine.h"

// Begins with a table of operations, sn_renderer_ops, and is the `self` of all of them.
typedef struct si_guarded_renderer si_guarded_renderer;

// Of a provider with an instance, which must outlive it; freed with `free`. NULL: no memory.
si_guarded_renderer *si_guarded_renderer_new(const si_provider *provider);

#endif
