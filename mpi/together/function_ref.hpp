// What is called and not kept: unlike std::function it takes no memory, whose lack would keep one
// MPI rank from a call for which the others wait.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace headrace {

template <class Signature>
class function_ref;

// Of something that lives longer, as an argument of the same call does.
template <class Result, class... Arguments>
class function_ref<Result(Arguments...)> {
 public:
  template <class Act, class = std::enable_if_t<!std::is_same_v<std::decay_t<Act>, function_ref>>>
  function_ref(Act&& act) noexcept
      : act_(const_cast<void*>(static_cast<const void*>(std::addressof(act)))),
        call_([](void* what, Arguments... arguments) -> Result {
          return (*static_cast<std::remove_reference_t<Act>*>(what))(
              std::forward<Arguments>(arguments)...);
        }) {}

  Result operator()(Arguments... arguments) const {
    return call_(act_, std::forward<Arguments>(arguments)...);
  }

 private:
  void* act_;
  Result (*call_)(void*, Arguments...);
};

}  // namespace headrace
