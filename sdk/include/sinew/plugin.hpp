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

// An error with a status and a message, which says what is wrong and what to do.
class failure : public std::exception {
public:
  failure(sn_status status, std::string text) : status_(status), text_(std::move(text)) {}
  sn_status status() const noexcept {
    return status_;
  }
  const char *what() const noexcept override {
    return text_.c_str();
  }

private:
  sn_status status_;
  std::string text_;
};

namespace detail {

inline sn_status fail(const sn_host *host, sn_error *error, sn_status status, const char *text) {
  if (error) {
    return sn_host_fail(host, error, status, text);
  }
  host->log(host, SN_LOG_ERROR, "plugin", text);
  return status;
}

// Calls a function and turns exceptions into a status. In results of other types a failure is -1,
// or NaN, which the host rejects with the name of the plugin.
template <class Result, class Call>
Result guard(const sn_host *host, sn_error *error, Call call) noexcept {
  sn_status status = SN_EPLUGIN;
  try {
    return call();
  } catch (const failure &f) {
    status = fail(host, error, f.status(), f.what());
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

// An operation as a member of the class of the instance.
template <auto Method> inline constexpr auto operation = detail::member<Method>::operation;

// An operation as a member of the class of the bound object.
template <auto Method>
inline constexpr auto bound_operation = detail::member<Method>::bound_operation;

}   // namespace sinew

#endif
