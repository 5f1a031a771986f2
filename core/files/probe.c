// SPDX-License-Identifier: Apache-2.0

#include "files/probe.h"

#include "host/watching.h"
#include "platform/fpenv.h"

sn_status si_engine_probe(const sn_engine *engine, const char *kind, const sn_source *source,
                          si_probe_fn *(*probe_of)(const void *ops), const si_provider **best,
                          sn_error *error) {
  const si_provider *p;
  int32_t most = 0;
  *best = NULL;
  for (int64_t i = 0; (p = si_engine_each(engine, kind, i)); i++) {
    si_probe_fn *probe = probe_of(p->ops);
    if (!probe) {
      continue;
    }
    si_fpenv before;
    si_fpenv_save(&before);
    si_watch call;
    si_watch_source(&call, engine, source);
    si_watch_enter(&call, p, "probe");
    const int32_t score = probe(p->self, source->bytes, source->count, source->name);
    SN_TRY(si_watch_end(&call, SN_OK, error));
    SN_TRY(si_fpenv_check(&before, p->kind, p->name, error));
    if (score < 0 || score > 100) {
      char subject[SI_PROVIDER_TITLE];
      si_engine_log(
          engine, SN_LOG_WARNING, "load",
          "%s: its operation 'probe' returned %d, which is not in 0 to 100; it is ignored",
          si_provider_title(p, subject), (int)score);
    } else if (score > most) {
      most = score;
      *best = p;
    }
  }
  return SN_OK;
}
