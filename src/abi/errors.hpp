// The one way out of every C function: a status becomes a number and an hr_error.
#pragma once

#include <cerrno>
#include <cstring>
#include <new>

#include "../../include/headrace.h"
#include "../core/status.hpp"

namespace headrace {

// Says success. Its 2,048 bytes of text are not cleared for every call.
struct fresh_error : hr_error {
  fresh_error() noexcept {
    status = HR_SUCCESS;
    message[0] = '\0';
  }
};

// Fills error, which may be null; returns the number.
inline int deliver(int number, std::string_view message, hr_error* error) noexcept {
  if (error == nullptr) return number;
  const std::size_t length = fitting_length(message, sizeof error->message - 1);
  error->status = number;
  std::memcpy(error->message, message.data(), length);
  error->message[length] = '\0';
  return number;
}

// Runs body, which returns a status; no exception passes.
template <class Body>
int guarded(hr_error* error, Body&& body) noexcept {
  status result;
  try {
    result = body();
    if (result.ok()) return deliver(HR_SUCCESS, "", error);
    return deliver(result.code(), result.message(), error);
  } catch (const std::bad_alloc&) {
    if (!result.ok()) return deliver(result.code(), "no memory left for the message", error);
    return deliver(ENOMEM, "no memory left for a buffer (errno ENOMEM)", error);
  }
}

}  // namespace headrace
