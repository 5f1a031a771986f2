// SPDX-License-Identifier: Apache-2.0
//
// Plugins as classes, in C++ from C++17 on: member functions become the operations of a table, and
// exceptions that leave them become errors.
//
//   class motor : public sn_instance {                        the instance of a provider
//    public:
//     motor(const sn_instance &base, const sn_value *values);   values of the declared parameters
//     std::unique_ptr<bound_motor> bind(sn_lookup &lookup, const sn_value *values) const;
//   };
//   class bound_motor {                                       what it keeps for one model
//    public:
//     sn_status control(const sn_data_view *data, ...) const;
//   };
//
//   .head = { ..., .create = sinew::create<motor>, .destroy = sinew::destroy<motor> },
//   .bind = sinew::bind<&motor::bind>,
//   .unbind = sinew::unbind<bound_motor>,
//   .control = sinew::bound_operation<&bound_motor::control>,
//
// An operation that does not need a bound object is a member of the class of the instance,
// sinew::operation<&motor::check>. The member functions are const, because threads share the
// objects, and have the arguments of the operation without `self` and `bound`.
//
// The canvas of a renderer and the file of a resource are objects, too. One thread at a time uses
// them, so their member functions may change them:
//
//   .open = sinew::open<&ray_tracer::open>,     std::unique_ptr<canvas> open(int32_t how) const
//   .close = sinew::close<canvas>,
//   .render = sinew::opened_operation<&canvas::render>,
//
// Errors are thrown: sinew::failure, or any other exception. Its text becomes the message of the
// operation's sn_error; without one, it goes to the log of the host. std::bad_alloc is SN_ENOMEM.
//
// It is not part of the ABI: all of it is compiled into the plugin.

#ifndef SINEW_PLUGIN_HPP
#define SINEW_PLUGIN_HPP

#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "sinew/instance.h"

namespace sinew {

// An error with a status and a message, which says what is wrong and what to do. A loader, or what
// else reads files, also gives the location: the name of the file, and line and column, 0: not
// known.
class failure : public std::exception {
public:
  failure(sn_status status, std::string text) : status_(status), text_(std::move(text)) {}
  failure(sn_status status, std::string text, std::string file, int32_t line = 0,
          int32_t column = 0)
      : status_(status), text_(std::move(text)), file_(std::move(file)), line_(line),
        column_(column) {}
  sn_status status() const noexcept {
    return status_;
  }
  const char *what() const noexcept override {
    return text_.c_str();
  }
  // Null: it has no location.
  const char *file() const noexcept {
    return file_.empty() ? nullptr : file_.c_str();
  }
  int32_t line() const noexcept {
    return line_;
  }
  int32_t column() const noexcept {
    return column_;
  }

private:
  sn_status status_;
  std::string text_, file_;
  int32_t line_ = 0, column_ = 0;
};

namespace detail {

inline sn_status fail(const sn_host *host, sn_error *error, sn_status status, const char *text) {
  if (error) {
    return sn_host_fail(host, error, status, text);
  }
  host->log(host, SN_LOG_ERROR, "plugin", text);
  return status;
}

inline sn_status fail(const sn_host *host, sn_error *error, const failure &f) {
  return error && f.file()
             ? host->error(host, error, f.status(), f.file(), f.line(), f.column(), f.what())
             : fail(host, error, f.status(), f.what());
}

// Calls a function and turns exceptions into a status. In results of other types a failure is -1,
// or NaN, which the host rejects with the name of the plugin.
template <class Result, class Call>
Result guard(const sn_host *host, sn_error *error, Call call) noexcept {
  sn_status status = SN_EPLUGIN;
  try {
    return call();
  } catch (const failure &f) {
    status = fail(host, error, f);
  } catch (const std::bad_alloc &) {
    status = fail(host, error, SN_ENOMEM, "out of memory");
  } catch (const std::exception &e) {
    status = fail(host, error, SN_EPLUGIN, e.what());
  } catch (...) {
    status = fail(host, error, SN_EPLUGIN, "an exception that is not a std::exception");
  }
  if constexpr (std::is_same_v<Result, sn_status>) {
    return status;
  } else if constexpr (std::is_floating_point_v<Result>) {
    return std::numeric_limits<Result>::quiet_NaN();
  } else if constexpr (!std::is_void_v<Result>) {
    return Result(-1);
  }
}

// The sn_error among the arguments of an operation; null: it has none.
inline sn_error *error_of() {
  return nullptr;
}
template <class First, class... Rest> sn_error *error_of(First first, Rest... rest) {
  if constexpr (std::is_same_v<First, sn_error *>) {
    return first;
  } else {
    return error_of(rest...);
  }
}

template <class T> const T *object(const void *self) {
  return static_cast<const T *>(static_cast<const sn_instance *>(self));
}

inline const sn_host *host_of(const void *self) {
  return static_cast<const sn_instance *>(self)->host;
}

template <auto Method> struct member;

template <class T, class Result, class... Arguments, Result (T::*Method)(Arguments...) const>
struct member<Method> {
  static Result operation(const void *self, Arguments... a) noexcept {
    return guard<Result>(host_of(self), error_of(a...),
                         [&] { return (object<T>(self)->*Method)(a...); });
  }

  static Result bound_operation(const void *self, const void *bound, Arguments... a) noexcept {
    return guard<Result>(host_of(self), error_of(a...),
                         [&] { return (static_cast<const T *>(bound)->*Method)(a...); });
  }
};

template <auto Method> struct binding;

template <class T, class Bound, class... Arguments,
          std::unique_ptr<Bound> (T::*Method)(sn_lookup &, Arguments...) const>
struct binding<Method> {
  static sn_status bind(const void *self, const sn_model_view *model, Arguments... a, void **bound,
                        sn_error *error) noexcept {
    return guard<sn_status>(host_of(self), error, [&] {
      sn_lookup lookup = sn_lookup_start(self, model, error);
      std::unique_ptr<Bound> made = (object<T>(self)->*Method)(lookup, a...);
      SN_TRY(lookup.status);
      *bound = made.release();
      return sn_status(SN_OK);
    });
  }
};

template <auto Method> struct making;

template <class T, class Made, class... Arguments,
          std::unique_ptr<Made> (T::*Method)(Arguments...) const>
struct making<Method> {
  static sn_status make(const void *self, Arguments... a, void **data, sn_error *error) noexcept {
    return guard<sn_status>(host_of(self), error, [&] {
      *data = (object<T>(self)->*Method)(a...).release();
      return sn_status(SN_OK);
    });
  }
};

// What `open` keeps is called a canvas or a file.
template <auto Method> struct opening;

template <class Made, class Call>
sn_status open_with(const sn_host *host, void **opened, sn_error *error, Call call) noexcept {
  return guard<sn_status>(host, error, [&] {
    std::unique_ptr<Made> made = call();
    if (!made) {
      throw failure(SN_EPLUGIN, "open returned a null pointer; throw the reason instead");
    }
    *opened = made.release();
    return sn_status(SN_OK);
  });
}

template <class T, class Canvas, std::unique_ptr<Canvas> (T::*Method)(int32_t) const>
struct opening<Method> {
  static sn_status open(const void *self, int32_t how, void **canvas, sn_error *error) noexcept {
    return open_with<Canvas>(host_of(self), canvas, error,
                             [&] { return (object<T>(self)->*Method)(how); });
  }
};

template <class T, class File, class Archive,
          std::unique_ptr<File> (T::*Method)(Archive, const char *, int64_t *) const>
struct opening<Method> {
  static sn_status open(const void *self, Archive archive, const char *name, void **file,
                        int64_t *count, sn_error *error) noexcept {
    return open_with<File>(host_of(self), file, error,
                           [&] { return (object<T>(self)->*Method)(archive, name, count); });
  }
};

template <auto Method> struct opened;

template <class T, class Result, class... Arguments, Result (T::*Method)(Arguments...)>
struct opened<Method> {
  static Result operation(const void *self, void *object, Arguments... a) noexcept {
    return guard<Result>(host_of(self), error_of(a...),
                         [&] { return (static_cast<T *>(object)->*Method)(a...); });
  }
};

template <class T, class Result, class... Arguments, Result (T::*Method)(Arguments...) const>
struct opened<Method> {
  static Result operation(const void *self, void *object, Arguments... a) noexcept {
    return guard<Result>(host_of(self), error_of(a...),
                         [&] { return (static_cast<const T *>(object)->*Method)(a...); });
  }
};

}   // namespace detail

// [load] `create` of a table: makes a T, which is derived from sn_instance, from the services of
// the host and the values of the declared parameters.
template <class T>
sn_status create(const sn_host *host, const sn_value *values, void **self,
                 sn_error *error) noexcept {
  return detail::guard<sn_status>(host, error, [&] {
    const void *fields = host->query(host, SN_SERVICE_FIELDS);
    if (!fields) {
      throw failure(SN_EUNSUPPORTED, "this engine lacks the service " SN_SERVICE_FIELDS);
    }
    const sn_instance base = { host, static_cast<const sn_fields_service *>(fields) };
    *self = static_cast<sn_instance *>(new T(base, values));
    return sn_status(SN_OK);
  });
}

// [load] `destroy` of a table.
template <class T> void destroy(void *self) noexcept {
  delete static_cast<T *>(static_cast<sn_instance *>(self));
}

// `bind` of a table. The member function gets an sn_lookup, which has the model, in place of the
// model; a name that it does not find is an error without further tests. It returns what it keeps
// for the model; null: nothing.
template <auto Method> inline constexpr auto bind = detail::binding<Method>::bind;

// `make` of a table of shapes. The member function returns the data of the shape.
template <auto Method> inline constexpr auto make = detail::making<Method>::make;

// [load] `unbind` of a table, and `drop` of shapes.
template <class Bound> void unbind(const void *, void *bound) noexcept {
  delete static_cast<Bound *>(bound);
}

// `open` of a table of renderers, std::unique_ptr<canvas> (int32_t how) const, or of resources,
// std::unique_ptr<file> (const sn_source *archive, const char *name, int64_t *count) const.
template <auto Method> inline constexpr auto open = detail::opening<Method>::open;

// [load] or [any] `close` of a table of renderers or resources.
template <class Opened> void close(const void *, void *opened) noexcept {
  delete static_cast<Opened *>(opened);
}

// An operation as a member of the class of the canvas or the file that `open` returned.
template <auto Method> inline constexpr auto opened_operation = detail::opened<Method>::operation;

// An operation as a member of the class of the instance.
template <auto Method> inline constexpr auto operation = detail::member<Method>::operation;

// An operation as a member of the class of the bound object.
template <auto Method>
inline constexpr auto bound_operation = detail::member<Method>::bound_operation;

}   // namespace sinew

#endif
