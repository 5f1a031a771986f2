// SPDX-License-Identifier: Apache-2.0

#include "platform/folder.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/text.h"

static int is_folder_at(const char *path, const struct dirent *e) {
  if (e->d_type != DT_LNK && e->d_type != DT_UNKNOWN) {
    return e->d_type == DT_DIR;
  }
  struct stat s;
  char *whole = si_text("%s/%s", path, e->d_name);
  const int is_folder = whole && stat(whole, &s) == 0 && S_ISDIR(s.st_mode);
  free(whole);
  return is_folder;
}

sn_status si_folder_each(const char *path, si_folder_visit *each, void *context) {
  DIR *folder = opendir(path[0] ? path : ".");
  if (!folder) {
    return SN_ENOTFOUND;
  }
  sn_status status = SN_OK;
  for (struct dirent *e; status >= 0 && (e = readdir(folder));) {
    if (e->d_name[0] != '.') {
      status = each(context, e->d_name, is_folder_at(path, e));
    }
  }
  closedir(folder);
  return status;
}
