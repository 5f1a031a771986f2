// SPDX-License-Identifier: Apache-2.0
//
// What a model depends on, collected while it is loaded: files that were read, paths where there
// was none, folders that were listed, code. As long as all of these are as they were, loading it
// again gives the same model.

#ifndef SI_FILES_READING_H
#define SI_FILES_READING_H

#include "base/text.h"
#include "host/engine.h"
#include "platform/stamp.h"

enum {
  SI_READ_FILE,        // of the model
  SI_READ_CODE,        // of the library, or of a plugin or library that may take part
  SI_READ_FOLDER,      // whose entries were listed
  SI_READ_NO_FILE,     // there is nothing, or no regular file
  SI_READ_NO_FOLDER,   // there is nothing, or no folder
  SI_NREADS
};

typedef struct si_dependency {
  int32_t kind;   // SI_READ_*
  int32_t reserved;
  si_stamp stamp;   // of a file or folder that is there
  char *path;       // as it was opened: it may be relative to the working folder
} si_dependency;

typedef struct si_reading {
  si_dependency *at;
  int64_t n, capacity;
  int is_open;       // it depends on something else as well, or it is not known on what
  int has_members;   // files in archives were read too
  int64_t started;   // when this process was; 0: not asked yet
} si_reading;

// Note what was found. reading NULL: nothing is collected. A change that the stamp would not show
// makes the reading open.
void si_reading_add(si_reading *reading, int32_t kind, const char *path);
// An open file of the model.
void si_reading_add_open(si_reading *reading, const char *path, int descriptor);
// Code of this process, of which the mapped file has this inode (platform/loaded.h). If the path
// leads to another file by now, the reading is open.
void si_reading_add_code(si_reading *reading, const char *path, uint64_t inode);
void si_reading_open(si_reading *reading);
void si_reading_free(si_reading *reading);
// Is it still so?
int si_dependency_holds(const si_dependency *dependency);

#endif
