// SPDX-License-Identifier: Apache-2.0
//
// A template for executors in C++: threads of one process. Each thread opens a worker and takes the
// next task until none is left. The result of a task does not depend on the thread that runs it.
//
// The class `threads` is the provider, `crew` one run of a job; sinew/plugin.hpp makes operations
// of the member functions of `threads`, and errors of the exceptions that leave them. Replace the
// way in which tasks are run by your own.

#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "sinew/executor.h"
#include "sinew/plugin.hpp"

namespace {

// Threads that run the tasks of one job.
class crew {
public:
  explicit crew(sn_job *job) : job_(job) {}

  // What each thread does, with a worker of its own.
  void work(int64_t index) {
    void *worker = open(index);
    for (int64_t task; worker && (task = next()) >= 0;) {
      auto *results = static_cast<char *>(job_->results);
      job_->status[task] = job_->run(job_, worker, task,
                                     results ? results + task * job_->nresult : nullptr,
                                     &job_->reached[task]);
      report();
    }
    if (worker) {
      job_->close(job_, worker);
    }
  }

  // SN_OK if there was a worker; otherwise why not.
  sn_status status() const {
    return opened_ > 0 ? SN_OK : status_;
  }

private:
  void *open(int64_t index) {
    void *worker = nullptr;
    const sn_status status = job_->open(job_, index, &worker);
    const std::lock_guard guard(lock_);
    opened_ += status >= 0;
    status_ = status_ < 0 ? status_ : status;
    return status < 0 ? nullptr : worker;
  }

  // -1: none is left.
  int64_t next() {
    const std::lock_guard guard(lock_);
    return canceled_ || next_ >= job_->ntask ? -1 : next_++;
  }

  void report() {
    const std::lock_guard guard(lock_);
    done_++;
    canceled_ |= job_->progress && job_->progress(job_, done_);
  }

  sn_job *job_;
  std::mutex lock_;            // of the members below
  sn_status status_ = SN_OK;   // of the first worker that could not be opened
  int64_t opened_ = 0, next_ = 0, done_ = 0;
  bool canceled_ = false;
};

// Joins its threads in any case: no thread may be left behind.
class joined_threads {
public:
  joined_threads() = default;
  joined_threads(const joined_threads &) = delete;
  joined_threads &operator=(const joined_threads &) = delete;
  ~joined_threads() {
    for (std::thread &t : threads_) {
      t.join();
    }
  }

  template <class Work> void start(int64_t n, Work work) {
    threads_.reserve(static_cast<size_t>(n));
    for (int64_t i = 1; i <= n; i++) {
      try {
        threads_.emplace_back(work, i);
      } catch (const std::system_error &) {
        return;   // the others do all of the work
      }
    }
  }

private:
  std::vector<std::thread> threads_;
};

class threads : public sn_instance {
public:
  threads(const sn_instance &base, const sn_value *values)
      : sn_instance(base), n_(values[0].integer) {}

  int64_t workers() const {
    return n_;
  }

  sn_status run(sn_job *job, sn_error *) const {
    crew c(job);
    {
      joined_threads others;
      others.start(n_ - 1, [&c](int64_t index) { c.work(index); });
      c.work(0);   // this thread is a worker too: without others it runs all tasks
    }
    return c.status();   // the host keeps the reason why a worker cannot be opened
  }

private:
  int64_t n_;
};

const sn_param params[] = {
  { .name = "threads",
    .default_value = "4",
    .summary = "number of threads",
    .min = 1,
    .max = 256,
    .type = SN_PARAM_INT },
  {},
};

const sn_executor_ops ops = {
  .head = { .size = sizeof(sn_executor_ops),
            .summary = "threads of one process",
            .params = params,
            .create = sinew::create<threads>,
            .destroy = sinew::destroy<threads> },
  .workers = sinew::operation<&threads::workers>,
  .run = sinew::operation<&threads::run>,
};

const sn_provide provides[] = {
  SN_PROVIDE_EXECUTOR("my_plugin", &ops),
  {},
};

}   // namespace

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "an executor", .provides = provides)
