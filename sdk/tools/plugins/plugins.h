// SPDX-License-Identifier: Apache-2.0
//
// Actions of `sinew plugins` that have a file of their own.

#ifndef SINEW_TOOLS_PLUGINS_H
#define SINEW_TOOLS_PLUGINS_H

#include "tools/command.h"
#include "tools/json/json.h"

// sinew plugins new KIND NAME [FOLDER]
int new_plugin(const options *o);
// The kinds that have a template.
void each_template(void (*each)(void *context, const char *kind), void *context);
// What a model can set of one element of a provider: ends with a NULL name. NULL: nothing.
const sn_param *attributes_of(const sn_provider_info *p);
// Those of an actuator's function that are numbers of its parameter row, dynprm ...; NULL: none.
const sn_param *numbers_of(const sn_provider_info *p);
// What a sensor measures, and when; which transmissions a function supports; where a force acts.
void put_nature(const sn_provider_info *p, char *out, size_t capacity);
// collider.c: the pairs of types that a collider supports, and those that it is used for.
void collider_text(const sn_engine *engine, const sn_provider_info *p);
void collider_json(const sn_engine *engine, const sn_provider_info *p, json *j);
// help/plugin_page.c: Markdown. 0: there is no plugin of that name.
int plugin_page(const sn_engine *engine, const char *name);
void plugin_list(const sn_engine *engine);
// Has a provider this name, or its plugin? The error that nothing has: with the nearest name.
int is_selected(const sn_provider_info *p, const char *word);
int unknown_plugin(const session *s, const char *word, const char *otherwise);
// sinew plugins check [NAME | FILE.so]
int check_plugins(const options *o);
// Whether an operand is the path of a plugin, not the name of one.
int names_plugin_file(const char *word);
#define FILE_HINT \
  "for a file, write a name that ends in .so, or a path with a slash, such as ./FILE"
// rights.c: a line for each folder of a path, and for its file. j NULL: text.
void show_rights(json *j, const char *path);
// sinew plugins doctor [NAME | FILE.so]
int doctor(const options *o);

#endif
