// SPDX-License-Identifier: Apache-2.0
//
// What a configuration can say; see ini.h. The core reads and checks it (core/host/config.c).

#include "ini.h"

#include <stddef.h>

const ini_row ini_rows[] = {
  { "", "include", "FILE",
    "reads another ini first; `installed` is that of the installation. A line replaces those of "
    "included files with the same section and key" },
  { "", "profile", "NAME",
    "selects the profile of that name, or `none`, unless --profile or $SINEW_PROFILE does" },
  { "", "root", "true | false",
    "true: this file takes the place of the installed one; of the weaker layers only the profile "
    "is read" },
  { "", "check_plugins", "yes | no",
    "yes: check what plugins write and change in each step, as --check-plugins does" },

  { "plugins", "NAME", "FILE.so [optional] | none",
    "loads a plugin, in the order of the lines. `optional`: it is left out if it cannot be loaded, "
    "with a warning unless it, or a library that it needs, is not installed. none: the plugin of "
    "that name in a weaker layer is not loaded" },

  { "select", "solver", "NAME", "the solver of the constraint forces" },
  { "select", "integrator", "NAME", "the integrator" },
  { "select", "executor", "NAME", "what runs many simulations: one after another, or in threads" },
  { "select", "post_solver", "NAME", "runs after the solver, on its result" },
  { "select", "decomposition", "NAME",
    "concave meshes collide as the convex pieces that this plugin makes, instead of as their "
    "convex hulls" },

  { "select", "renderer", "NAME", "the renderer of images and videos" },

  { "option", "NAME", "VALUE",
    "an option or flag of every model, in place of the model's own: timestep = 0.001, "
    "exactequality = enable" },

  { "collision", "TYPE-TYPE", "NAME",
    "the collider of a pair of geom types; either type may be *. A pair takes precedence over "
    "TYPE-*, that over convex, and that over *-*" },
  { "collision", "convex", "NAME", "the collider of all pairs without a closed form" },

  { "override", "KIND.NAME", "PLUGIN",
    "which plugin, a name of [plugins], is used if several provide the same name" },

  { "limits", "memory", "BYTES | none",
    "what loading one file may allocate; K, M, G and T are powers of 1024" },
  { "limits", "elements", "N | none", "the number of elements of one file" },
  { "limits", "time", "SECONDS | none", "time to load a file, and again to compile it" },

  { "cache", "models", "yes | no",
    "whether models that were compiled are kept in files, and used as long as nothing has changed; "
    "the default is yes for this command, no for programs" },
  { "cache", "folder", "FOLDER",
    "where they are kept, an absolute path; by default $XDG_CACHE_HOME/sinew/models or "
    "~/.cache/sinew/models" },
  { "cache", "size", "BYTES | none",
    "what they may take in all, by default 512M; those that were used longest ago are removed" },

  { "plugin.NAME", "PARAMETER", "VALUE",
    "a parameter of the provider of that name; `sinew plugins inspect NAME` lists them" },
  { "plugin.KIND.NAME", "PARAMETER", "VALUE",
    "the same, needed where providers of several kinds have that name" },
  { NULL, NULL, NULL, NULL },
};

const ini_layer ini_layers[] = {
  { "installed", "sinew.ini beside the library" },
  { "profile", "profiles/NAME.ini beside the installed file, or beside that of the user" },
  { "user", "$XDG_CONFIG_HOME/sinew/sinew.ini, by default ~/.config/sinew/sinew.ini" },
  { "named",
    "the file after --config, or the argument of sn_engine_open; otherwise $SINEW_CONFIG" },
  { "set", "--set and --plugin on the command line, sn_engine_set and sn_select in a program" },
  { NULL, NULL },
};

const ini_variable ini_variables[] = {
  { "SINEW_CONFIG", "the named configuration, where --config is not given" },
  { "SINEW_PROFILE", "the profile, where --profile is not given" },
  { "XDG_CONFIG_HOME", "the folder of the user's configuration and profiles; otherwise ~/.config" },
  { "XDG_CACHE_HOME", "the folder of what is kept of compiled models; otherwise ~/.cache" },
  { NULL, NULL },
};

const char *const ini_rules[] = {
  "Each file contains only the lines that it changes; a line replaces those of weaker layers with "
  "the same section and key. `sinew config` prints every value with the line that it comes from.",
  "Lines that start with ; or # are comments, and so is what follows a space and a semicolon. A "
  "line has at most 198 characters. Relative paths are relative to the file that contains them.",
  "An unknown section, key, name or value, a key that is set twice in a file, and a plugin that "
  "cannot be loaded are errors. A file that other users can write is rejected, because a "
  "configuration names code that will be run.",
  NULL,
};
