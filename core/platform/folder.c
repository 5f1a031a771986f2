// SPDX-License-Identifier: Apache-2.0

#include "platform/folder.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "platform/file.h"

static int is_folder_at(const char *path, const struct dirent *e) {
  if (e->d_type != DT_LNK && e->d_type != DT_UNKNOWN) {
    return e->d_type == DT_DIR;
  }
  char *whole = si_text("%s/%s", path, e->d_name);
  const int is_folder = whole && si_file_is_folder(whole);
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

// ------------------------------------------------------------------ sorted

sn_status si_listing_add(si_listing *l, const char *name, size_t length, int32_t is_folder) {
  si_entry_name *more = si_more(l->entries, l->n, sizeof *more);
  l->entries = more ? more : l->entries;
  char *copy = more ? strndup(name, length) : NULL;
  if (!copy) {
    return SN_ENOMEM;
  }
  l->entries[l->n++] = (si_entry_name){ copy, is_folder };
  return SN_OK;
}

sn_status si_listing_visit(void *context, const char *name, int32_t is_folder) {
  si_listing *l = context;
  return l->n < SI_ENTRIES_MAX ? si_listing_add(l, name, strlen(name), is_folder) : SN_ENOTFOUND;
}

static int compare(const void *a, const void *b) {
  const si_entry_name *x = a, *y = b;
  const int order = strcmp(x->name, y->name);
  return order ? order : y->is_folder - x->is_folder;
}

void si_listing_each(si_listing *l, si_entry_visit *each, void *context) {
  if (l->n > 0) {
    qsort(l->entries, (size_t)l->n, sizeof *l->entries, compare);
  }
  for (int64_t i = 0; i < l->n; i++) {
    if (i == 0 || strcmp(l->entries[i].name, l->entries[i - 1].name) != 0) {
      each(context, l->entries[i].name, l->entries[i].is_folder);
    }
  }
}

void si_listing_free(si_listing *l) {
  for (int64_t i = 0; i < l->n; i++) {
    free(l->entries[i].name);
  }
  free(l->entries);
}

void si_folder_sorted(const char *path, si_entry_visit *each, void *context) {
  si_listing l = { 0 };
  if (si_folder_each(path, si_listing_visit, &l) != SN_ENOMEM) {
    si_listing_each(&l, each, context);
  }
  si_listing_free(&l);
}
