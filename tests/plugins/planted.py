#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""planted.py COMPILER SOURCES HEADERS SINEW

Breaks plugins of Sinew in known ways, in a copy of their sources, and requires that `sinew plugins
check` finds each fault by the requirement that it breaks. The toys of the tests of the kit have one
fault each, too; here the plugin is a real one.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

# by the file that is broken: all files of the plugin beside it, and libraries
PLUGINS = {
    "plugins/resources/zip.c": (["zip.c"], ["-lminizip", "-lz"]),
    "plugins/mesh/stl/stl.c": (["stl.c", "merge.c"], []),
    "plugins/executors/threads.c": (["threads.c"], ["-pthread"]),
    "plugins/integrators/euler.c": (["euler.c"], []),
    "plugins/integrators/implicit_step.h": (["euler.c"], []),
    "plugins/passive/spring.c": (["passive.c", "tree.c", "spring.c", "gravcomp.c", "fluid.c",
                                  "fluid_inertia.c", "fluid_ellipsoid.c"], []),
    "samples/plugins/passive_strut/strut.c": (["strut.c"], []),
}

# the file, the fault, the requirement, what to replace, by what
PLANTED = [
    ("samples/plugins/passive_strut/strut.c", "a step adds a force, however short", "advance",
     "state[0] = state[0] * exp(x) -",
     "state[0] = 1 + state[0] * exp(x) -"),
    ("plugins/passive/spring.c", "the stiffness has the wrong sign", "stiffness",
     "add_diagonal(pattern, dof, K, -s->stiffness[dof]);",
     "add_diagonal(pattern, dof, K, s->stiffness[dof]);"),
    ("plugins/resources/zip.c", "the checksum is ignored", "damaged archives",
     "closed == UNZ_OK\n",
     "1\n"),
    ("plugins/resources/zip.c", "the end of the content is missing", "damaged archives",
     "return n == m->count && !longer",
     "return !longer"),
    ("plugins/resources/zip.c", "names in any case", "files that are not there",
     "unzLocateFile(m->zip, name, 1)",
     "unzLocateFile(m->zip, name, 2)"),
    ("plugins/resources/zip.c", "nothing is listed", "folders of a zip archive",
     "status = each(context, rest, is_folder);",
     "(void)is_folder;"),
    ("plugins/resources/zip.c", "folders are listed, files are not", "folders of a zip archive",
     "status = each(context, rest, is_folder);",
     "status = is_folder ? SN_OK : each(context, rest, is_folder);"),
    ("plugins/resources/zip.c", "a failed list succeeds", "end of a list",
     "return status < 0 ? status : any ? SN_OK : SN_ENOTFOUND;",
     "return any ? SN_OK : SN_ENOTFOUND;"),
    ("plugins/resources/zip.c", "a list goes on after a failure", "end of a list",
     "next == UNZ_OK && status >= 0;",
     "next == UNZ_OK;"),
    ("plugins/resources/zip.c", "any folder is there", "unknown folders",
     "return status < 0 ? status : any ? SN_OK : SN_ENOTFOUND;",
     "return status < 0 ? status : SN_OK;"),
    ("plugins/resources/zip.c", "folders by the beginning of their name", "unknown folders",
     "strncmp(path, folder, n) == 0 && path[n] == '/' ? path + n + 1",
     "strncmp(path, folder, n) == 0 ? path + n + 1"),
    ("plugins/resources/zip.c", "folders are listed as files", "folders of a zip archive",
     "const int is_folder = *end == '/';",
     "const int is_folder = 0;"),
    ("plugins/resources/zip.c", "files are listed as folders", "folders of a zip archive",
     "const int is_folder = *end == '/';",
     "const int is_folder = 1;"),
    ("plugins/resources/zip.c", "encrypted files are read", "encrypted files",
     "if (info.flag & 1) {",
     "if (0) {"),
    ("plugins/resources/zip.c", "missing files cannot be read", "files that are not there",
     "return fail(self, SN_ENOTFOUND, name",
     "return fail(self, SN_EIO, name"),
    ("plugins/resources/zip.c", "archives without files are not recognized", "recognition",
     "|| memcmp(bytes, \"PK\\5\\6\", 4) == 0",
     "|| 0"),
    ("plugins/resources/zip.c", "everything is an archive", "recognition",
     "count >= 22 && (memcmp(bytes, \"PK\\3\\4\", 4) == 0 || memcmp(bytes, \"PK\\5\\6\", 4) == 0)"
     " ? 90",
     "count >= 2 ? 90"),
    ("plugins/mesh/stl/stl.c", "binary files are texts", "forms of the format",
     "if (n >= 0 && count == HEAD + n * FACET) {",
     "if (0) {"),
    ("plugins/mesh/stl/stl.c", "numbers in the wrong byte order", "forms of the format",
     "(uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24",
     "(uint32_t)p[3] | (uint32_t)p[2] << 8 | (uint32_t)p[1] << 16 | (uint32_t)p[0] << 24"),
    ("plugins/mesh/stl/stl.c", "the normal is a corner", "forms of the format",
     "i / 9 * FACET + 12 +",
     "i / 9 * FACET +"),
    ("plugins/mesh/stl/stl.c", "infinite numbers of binary files", "errors of the format",
     "if (!isfinite(t->xyz[i])) {",
     "if (0) {"),
    ("plugins/mesh/stl/stl.c", "infinite numbers of texts", "line of errors",
     "== '\\0' && isfinite(*out)",
     "== '\\0'"),
    ("plugins/mesh/stl/stl.c", "keywords in lower case alone", "forms of the format",
     "tolower((unsigned char)word[i]) != expected[i]",
     "word[i] != expected[i]"),
    ("plugins/mesh/stl/stl.c", "the first solid alone", "forms of the format",
     "      return reject(t, SN_EPARSE, s.line, \"expected 'facet' or 'endsolid'\");\n    }\n    "
     "skip_line(&s);",
     "      return reject(t, SN_EPARSE, s.line, \"expected 'facet' or 'endsolid'\");\n    }\n    "
     "return SN_OK;"),
    ("plugins/mesh/stl/stl.c", "the name of a solid is a keyword", "example",
     "    skip_line(&s);   // its name\n",
     ""),
    ("plugins/mesh/stl/stl.c", "triangles are lost when memory grows", "forms of the format",
     "memcpy(xyz, t->xyz, (size_t)(9 * t->n) * sizeof *xyz);",
     ";"),
    ("plugins/mesh/stl/stl.c", "lines are not counted", "line of errors",
     "s->line += *s->at++ == '\\n';",
     "s->at++;"),
    ("plugins/mesh/stl/stl.c", "files without triangles", "errors of the format",
     "if (t->n == 0) {",
     "if (0) {"),
    ("plugins/mesh/stl/stl.c", "triangles are not freed", "memory",
     "  host->free(host, t.xyz);\n",
     ""),
    ("plugins/mesh/stl/stl.c", "only one triangle", "forms of the format",
     "n > MOST_FACETS ?",
     "n > 1 ?"),
    ("plugins/mesh/stl/stl.c", "a failed sink is ignored", "sink",
     ": sink->faces(sink, t->n, face);",
     ": (sink->faces(sink, t->n, face), SN_OK);"),
    ("plugins/mesh/stl/stl.c", "the end of a solid may be anything", "errors of the format",
     "return reject(t, SN_EPARSE, s.line, \"expected 'facet' or 'endsolid'\");",
     "return SN_OK;"),
    ("plugins/executors/threads.c", "no threads are started", "at the same time",
     "start_threads(t, c->wanted - 1);",
     ";"),
    ("plugins/executors/threads.c", "progress is reported at once by several threads", "progress",
     "static void report(crew *c, int64_t n) {\n  pthread_mutex_lock(&c->progress);",
     "static void report(crew *c, int64_t n) {\n  if (c->job->progress && "
     "c->job->progress(c->job, c->done += n)) {\n    atomic_store(&c->canceled, 1);\n  }\n"
     "  return;\n"
     "  pthread_mutex_lock(&c->progress);"),
    ("plugins/executors/threads.c", "all workers have the same index", "indices of workers",
     "const int64_t index = c->joined++;",
     "const int64_t index = 0; c->joined++;"),
    ("plugins/executors/threads.c", "run does not wait until others begin", "remaining workers",
     "while (c->first < 0 && t->nthread > 0 && wants_worker(c)) {",
     "while (0) {"),
    ("plugins/executors/threads.c", "worker 0 has to be there", "remaining workers",
     "return atomic_load(&c->opened) ? SN_OK : c->first;",
     "return c->first;"),
    ("plugins/executors/threads.c", "no worker is a success", "no workers",
     "return atomic_load(&c->opened) ? SN_OK : c->first;",
     "return SN_OK;"),
    ("plugins/executors/threads.c", "results of 8 bytes", "results",
     "results + task * job->nresult : NULL",
     "results + task * 8 : NULL"),
    ("plugins/executors/threads.c", "finished tasks are counted too late", "cancel",
     "c->job->progress(c->job, c->done)",
     "c->job->progress(c->job, c->done - n)"),
    ("plugins/executors/threads.c", "the status of a task is lost", "failures",
     "job->status[task] = job->run(",
     "job->status[task] = SN_OK; job->run("),
    ("plugins/executors/threads.c", "a canceled job goes on", "cancel",
     "while (task < c->job->ntask && !atomic_load(&c->canceled)) {",
     "while (task < c->job->ntask && !(atomic_load(&c->canceled) && task == end)) {"),
    ("plugins/integrators/euler.c", "derivatives are not declared", "derivatives",
     "  .derivatives = SN_DERIV_DAMPING,\n",
     ""),
    ("plugins/integrators/euler.c", "declared derivatives are not used", "derivatives",
     "implicit_step(s, SN_DERIV_DAMPING",
     "implicit_step(s, 0"),
    ("plugins/integrators/implicit_step.h", "the derivatives are multiplied by 0", "stability",
     "s->implicit(s, derivatives, h, a)",
     "s->implicit(s, derivatives, 0, a)"),
    ("plugins/integrators/implicit_step.h", "a quarter of the derivatives", "stability",
     "s->implicit(s, derivatives, h, a)",
     "s->implicit(s, derivatives, h / 4, a)"),
    ("plugins/integrators/implicit_step.h", "the derivatives have the wrong sign", "stability",
     "s->implicit(s, derivatives, h, a)",
     "s->implicit(s, derivatives, -h, a)"),
    ("plugins/integrators/implicit_step.h", "the implicit acceleration is not used", "stability",
     "s->qvel[i] += h * a[i];",
     "s->qvel[i] += h * s->qacc[i];"),
    ("plugins/integrators/implicit_step.h", "positions are advanced twice", "order",
     "  double h = s->h, *a;\n",
     "  double h = s->h, *a;\n  s->advance_position(s, s->qvel, h);\n"),
    ("plugins/integrators/implicit_step.h", "activations are not advanced", "order",
     "  s->advance_activation(s, s->act_dot, h);\n",
     ""),
    ("plugins/integrators/implicit_step.h", "activations leave their range", "activation range",
     "  s->advance_activation(s, s->act_dot, h);\n",
     "  for (int64_t i = 0; i < s->na; i++) s->act[i] += h * s->act_dot[i];\n"),
    ("plugins/passive/spring.c", "several simulations are damped as the first", "lanes",
     "qvel[dof * width + w]",
     "qvel[dof * width]"),
    ("plugins/passive/spring.c", "tendons of several simulations replace forces", "lanes",
     "qfrc[col[k] * width + w] += force",
     "qfrc[col[k] * width + w] = force"),
]


def check(row, compiler, sources, headers, sinew, folder):
    """Builds a plugin with one fault and tests it. What is wrong; None: the fault is found."""
    file, fault, requirement, old, new = row
    title = f"{file}: {fault}"
    home = os.path.join(sources, os.path.dirname(file))
    for name in os.listdir(home):
        if name.endswith((".c", ".h")):
            shutil.copy(os.path.join(home, name), folder)
    path = os.path.join(folder, os.path.basename(file))
    with open(path, encoding="utf-8") as f:
        text = f.read()
    if text.count(old) == 0:
        return f"{title}: the source has changed; write the fault anew"
    with open(path, "w", encoding="utf-8") as f:
        f.write(text.replace(old, new))
    names, libraries = PLUGINS[file]
    plugin = os.path.join(folder, "planted.so")
    subprocess.run(
        [compiler, "-std=c17", "-D_GNU_SOURCE", "-O1", "-w", "-fPIC", "-shared",
         "-fvisibility=hidden", "-I" + headers, "-I/usr/include/minizip", "-o", plugin]
        + [os.path.join(folder, name) for name in names] + libraries + ["-lm"], check=True)
    run = subprocess.run([sinew, "plugins", "check", plugin, "--json"], capture_output=True,
                         check=False, encoding="utf-8")
    failed = [line["requirement"] for line in findings(run.stdout) if line["result"] == "FAILED"]
    if requirement in failed:
        return None
    return f"{title}: '{requirement}' does not fail; {failed or 'nothing'} does"


def findings(text):
    """The findings of the command; none, if it could not say them."""
    try:
        return json.loads(text)["findings"]
    except (ValueError, KeyError):
        return []


def main():
    """Tests all faults."""
    compiler, sources, headers, sinew = sys.argv[1:]

    def one(row):
        # under TMPDIR, where plugins are trusted
        with tempfile.TemporaryDirectory() as folder:
            return check(row, compiler, sources, headers, sinew, folder)

    with ThreadPoolExecutor(2) as pool:
        wrong = [text for text in pool.map(one, PLANTED) if text]
    print("\n".join(wrong) if wrong else f"{len(PLANTED)} faults are found")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
