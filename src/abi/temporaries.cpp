// hr_reserve_temporary and hr_release_temporary. Next: ../core/temporaries.hpp.
#include <sys/stat.h>

#include <cstring>

#include "../../include/headrace_convert.h"
#include "../core/file_target.hpp"
#include "../core/temporaries.hpp"
#include "errors.hpp"
#include "handles.hpp"
#include "options.hpp"

namespace headrace {
namespace {

handle_registry<temporary_name>& reserved() {
  static handle_registry<temporary_name> registry;
  return registry;
}

}  // namespace
}  // namespace headrace

extern "C" int hr_reserve_temporary(const char* target, char* temporary, size_t capacity,
                                    int64_t* handle, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&]() -> status {
    const std::string name = text_of(target);
    if (name.empty())
      return status::failure(stat_code::file_name_empty, "the file name is empty")
          .advise("name what is to be written");
    if (temporary == nullptr || handle == nullptr)
      return status::failure(stat_code::argument_invalid, "temporary or handle is a null pointer")
          .in_file(name)
          .advise("see headrace_convert.h");
    *handle = 0;
    file_target place;
    place.path = name;
    place.replaces = ::stat(name.c_str(), &place.old) == 0;
    auto made = std::make_shared<temporary_name>();
    if (status s = made->reserve(place); !s.ok()) return s;
    if (made->path().size() >= capacity)
      return status::system(ENAMETOOLONG, "the temporary name is too long").in_file(name);
    std::memcpy(temporary, made->path().c_str(), made->path().size() + 1);
    *handle = reserved().add(std::move(made));
    return {};
  });
}

extern "C" int hr_release_temporary(int64_t* handle, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&]() -> status {
    if (handle == nullptr) return {};
    if (const auto held = reserved().remove(*handle)) held->remove();
    *handle = 0;
    return {};
  });
}
