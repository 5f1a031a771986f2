// SPDX-License-Identifier: Apache-2.0
//
// A passive force without a force, whose parameters say what it does wrong, in which operation, and
// in which call of it. `plugins check` uses the default parameters: then an environment variable
// says fault and operation. A second force does nothing wrong.

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "sinew/passive.h"

namespace {

struct instance {
  const sn_host *host;
  char fault[32], operation[32];
  int64_t left;   // calls of the operation until then
  sn_field qvel;
};

constexpr sn_param param(const char *name, const char *value, const char *choices, double max,
                         int32_t type) {
  return { name, value, choices, "see above", 1, max, type, 0, 0, 0, {} };
}

const sn_param params[] = {
  param("fault", "none",
        "none|exit|_exit|_Exit|quick_exit|fork|abort|throw|status|locale|thread_locale|velocity|"
        "pointer|recursion|endless|thread_exit|print|print_error|file|folder|child|twice|handler|"
        "mask|log|log_error|copy|umask|close_input|close_output|replace_error|close_some|"
        "close_all|close_range|reopen|put_back|slow",
        0, SN_PARAM_TEXT),
  param("operation", "apply", "create|bind|apply|destroy", 0, SN_PARAM_TEXT),
  param("call", "1", nullptr, 1000, SN_PARAM_INT),
  param(nullptr, nullptr, nullptr, 0, 0),
};

// Calls itself until the stack is full.
volatile char *deeper(int depth) {
  volatile char frame[4096];
  frame[depth % 4096] = 1;
  return depth < 0 ? &frame[0] : deeper(depth + 1) + frame[0] - frame[0];
}

sn_status misbehave(instance *self, const char *operation) {
  if (std::strcmp(self->operation, operation) != 0) {
    return SN_OK;
  }
  const char *fault = self->fault;
  if (std::strcmp(fault, "slow") == 0) {   // in every call, which is right
    usleep(20000);
  }
  if (--self->left != 0) {
    return SN_OK;
  }
  if (std::strcmp(fault, "exit") == 0) {
    std::exit(0);
  } else if (std::strcmp(fault, "thread_exit") == 0) {
    std::thread([] { std::exit(0); }).join();
  } else if (std::strcmp(fault, "_exit") == 0) {
    _exit(0);
  } else if (std::strcmp(fault, "_Exit") == 0) {
    std::_Exit(0);
  } else if (std::strcmp(fault, "quick_exit") == 0) {
    std::quick_exit(0);
  } else if (std::strcmp(fault, "fork") == 0) {
    const pid_t child = fork();
    if (child == 0) {
      _exit(7);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 7 ? SN_OK : SN_EINVAL;
  } else if (std::strcmp(fault, "print") == 0) {
    std::printf("the coil is hot\n");
  } else if (std::strcmp(fault, "print_error") == 0) {
    std::fprintf(stderr, "the coil is cold\n");
  } else if (std::strcmp(fault, "file") == 0) {
    std::FILE *file = std::fopen("/dev/null", "w");
    std::fputs("the coil is lukewarm\n", file);
    std::fclose(file);
  } else if (std::strcmp(fault, "log") == 0) {   // which is right
    self->host->log(self->host, SN_LOG_WARNING, "coil", "the coil is logged");
  } else if (std::strcmp(fault, "log_error") == 0) {
    self->host->log(self->host, SN_LOG_ERROR, "plugin", "the coil is broken");
  } else if (std::strcmp(fault, "handler") == 0) {
    std::signal(SIGUSR1, SIG_IGN);
  } else if (std::strcmp(fault, "put_back") == 0) {   // which is right
    struct sigaction before {};
    sigaction(SIGUSR1, nullptr, &before);
    std::signal(SIGUSR1, SIG_IGN);
    sigaction(SIGUSR1, &before, nullptr);
    std::signal(SIGUSR2, std::signal(SIGUSR2, SIG_IGN));
  } else if (std::strcmp(fault, "mask") == 0) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
  } else if (std::strcmp(fault, "umask") == 0) {
    umask(0);
  } else if (std::strcmp(fault, "close_input") == 0) {
    close(STDIN_FILENO);
  } else if (std::strcmp(fault, "close_output") == 0) {
    close(STDOUT_FILENO);
  } else if (std::strcmp(fault, "replace_error") == 0) {
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, STDERR_FILENO);
    close(null);
  } else if (std::strcmp(fault, "close_some") == 0 || std::strcmp(fault, "close_all") == 0) {
    for (int i = 3, end = std::strcmp(fault, "close_all") == 0 ? 100 : 30; i < end; i++) {
      close(i);
    }
  } else if (std::strcmp(fault, "close_range") == 0) {
    close_range(3, ~0U, 0);
  } else if (std::strcmp(fault, "reopen") == 0) {   // the numbers are those of other files then
    close_range(3, ~0U, 0);
    for (int i = 3; i < 30; i++) {
      open("/dev/null", O_RDONLY | O_CLOEXEC);
    }
  } else if (std::strcmp(fault, "folder") == 0) {
    return chdir("/") == 0 ? SN_OK : SN_EINVAL;
  } else if (std::strcmp(fault, "child") == 0) {
    if (fork() == 0) {
      _exit(0);
    }
  } else if (std::strcmp(fault, "twice") == 0) {   // both processes go on with the operation
    return fork() >= 0 ? SN_OK : SN_EINVAL;
  } else if (std::strcmp(fault, "copy") == 0) {   // likewise, one after the other
    const pid_t child = fork();
    return child <= 0 || waitpid(child, nullptr, 0) == child ? SN_OK : SN_EINVAL;
  } else if (std::strcmp(fault, "abort") == 0) {
    std::abort();
  } else if (std::strcmp(fault, "pointer") == 0) {
    volatile int *volatile nowhere = nullptr;
    *nowhere = 1;
  } else if (std::strcmp(fault, "recursion") == 0) {
    *deeper(0) = 1;
  } else if (std::strcmp(fault, "endless") == 0) {
    for (;;) {
      usleep(1000);
    }
  } else if (std::strcmp(fault, "throw") == 0) {
    throw std::runtime_error("the field coil is not connected");
  } else if (std::strcmp(fault, "locale") == 0) {
    std::setlocale(LC_ALL, "de_DE.UTF-8");
  } else if (std::strcmp(fault, "thread_locale") == 0) {
    const auto none = static_cast<locale_t>(nullptr);
    static const locale_t german = newlocale(LC_ALL_MASK, "de_DE.UTF-8", none);
    static const locale_t other = german ? german : newlocale(LC_ALL_MASK, "C.UTF-8", none);
    uselocale(other);
  }
  return std::strcmp(fault, "status") == 0 ? 12345 : SN_OK;
}

sn_status create(const sn_host *host, const sn_value *values, void **self, sn_error *) {
  auto *made = static_cast<instance *>(host->alloc(host, sizeof(instance)));
  made->host = host;
  std::strcpy(made->fault, values[0].text);
  std::strcpy(made->operation, values[1].text);
  if (const char *words = std::getenv("SN_TEST_MISBEHAVE")) {
    std::sscanf(words, "%31s %31s", made->fault, made->operation);
  }
  made->left = values[2].integer;
  *self = made;
  return misbehave(made, "create");
}

void destroy(void *self) {
  auto *made = static_cast<instance *>(self);
  misbehave(made, "destroy");
  made->host->free(made->host, made);
}

sn_status bind(const void *self, const sn_model_view *model, const sn_value *, void **bound,
               sn_error *) {
  *bound = const_cast<void *>(self);
  auto *made = static_cast<instance *>(*bound);
  const auto *fields = static_cast<const sn_fields_service *>(
      made->host->query(made->host, SN_SERVICE_FIELDS));
  fields->data_field(model, "qvel", SN_REAL, &made->qvel, nullptr);
  return misbehave(static_cast<instance *>(*bound), "bind");
}

void unbind(const void *, void *) {}

sn_status apply(const void *, const void *bound, const sn_data_view *data, const double *, double *,
                sn_scratch *) {
  auto *self = static_cast<instance *>(const_cast<void *>(bound));
  const sn_status status = misbehave(self, "apply");
  if (self->left == 0 && std::strcmp(self->fault, "velocity") == 0) {
    const_cast<double *>(sn_field_reals(data->fields, self->qvel))[0] = 0.25;
  }
  return status;
}

const sn_passive_ops ops = {
  { sizeof(sn_passive_ops), 0, "misbehaves", params, create, destroy },
  nullptr,
  nullptr,
  bind,
  unbind,
  nullptr,
  nullptr,
  nullptr,
  apply,
  nullptr,
  nullptr,
  nullptr,
  nullptr,
};

sn_status bind_nothing(const void *, const sn_model_view *, const sn_value *, void **, sn_error *) {
  return SN_OK;
}

sn_status apply_nothing(const void *, const void *, const sn_data_view *, const double *, double *,
                        sn_scratch *) {
  return SN_OK;
}

const sn_passive_ops good_ops = {
  { sizeof(sn_passive_ops), 0, "behaves", nullptr, nullptr, nullptr },
  nullptr,
  nullptr,
  bind_nothing,
  unbind,
  nullptr,
  nullptr,
  nullptr,
  apply_nothing,
  nullptr,
  nullptr,
  nullptr,
  nullptr,
};

const sn_provide provides[] = { SN_PROVIDE_PASSIVE("misbehaves", &ops),
                                SN_PROVIDE_PASSIVE("behaves", &good_ops),
                                { nullptr, nullptr, nullptr } };

}   // namespace

SN_PLUGIN_OF("org.example.misbehaving", "1.0", "Apache-2.0", "misbehaves", provides, nullptr,
             nullptr)
