#include "slabs.hpp"

#include <algorithm>
#include <limits>

#include "../../src/core/buffer.hpp"
#include "lines.hpp"
#include "plans.hpp"

namespace headrace {
namespace {

bool goes_whole(const array_view& local, const element_form& form) {
  return !form.logical && contiguous_dimensions(local) == local.array_rank;
}

}  // namespace

status pass_slabs(const array_layout& layout, const array_view& local, const element_form& form,
                  direction way, const slab_function& act) {
  const bool writes = way == direction::out;
  const box& own = layout.own();
  const bool whole = is_empty(own) || goes_whole(local, form);
  const auto file_bytes = static_cast<std::int64_t>(std::max<std::size_t>(1, form.file_bytes));
  const std::int64_t most =
      std::max<std::int64_t>(1, (whole ? largest_call_bytes : largest_slab_bytes) / file_bytes);
  std::vector<box> parts;
  buffer block;
  status result = caught([&] {
    parts = parts_for_calls(own, most);
    if (!whole) block.reserve(static_cast<std::size_t>(std::min(most, volume(own)) * file_bytes));
    return status();
  });
  constexpr auto no_memory_for_them = std::numeric_limits<std::int64_t>::max();
  const std::int64_t mine =
      result.ok() ? static_cast<std::int64_t>(parts.size()) : no_memory_for_them;
  std::int64_t calls = 0;  // on every MPI rank
  reduce(layout.comm(), &mine, &calls, 1, MPI_INT64_T, MPI_MAX);
  if (calls == no_memory_for_them) return agree(layout.comm(), result);
  box nothing = own;
  nothing.count.fill(0);
  char* next = local.base;
  for (std::int64_t number = 0; number < calls; ++number) {
    const bool has_part = number < mine;
    const box& part = has_part ? parts[static_cast<std::size_t>(number)] : nothing;
    char* const data = !has_part ? nullptr : whole ? next : block.data();
    const bool is_copied = data != nullptr && !whole;
    const auto elements = [&] { return view_of_box(local, own, part); };
    if (is_copied && writes) store_elements(elements(), form, data);
    status passed = caught([&] { return act(part, data); });
    if (is_copied && !writes && passed.ok()) load_elements(elements(), form, data);
    result.keep_first(std::move(passed));
    if (has_part) next += volume(part) * file_bytes;
  }
  return agree(layout.comm(), result);
}

status pass_by_root(const array_layout& layout, const array_view& local, const element_form& form,
                    timeline& line, direction way, const slab_function& act,
                    std::int64_t piece_bytes) {
  const auto file_bytes = static_cast<std::int64_t>(form.file_bytes);
  std::unique_ptr<piece_plan> plan;
  const status planned = agree_on(layout.comm(), [&] {
    plan = make_shared_plan(layout, file_bytes, piece_bytes, 1);
    return status();
  });
  if (!planned.ok()) return planned;
  const auto pass = [&](const piece& part, char* data, std::size_t) {
    for (const box& one : boxes_of_range(part.of, part.first, part.last)) {
      if (status s = act(one, data); !s.ok()) return s;
      data += volume(one) * file_bytes;
    }
    return status();
  };
  return way == direction::out ? exchange_out(layout, local, form, *plan, line, pass)
                               : exchange_in(layout, local, form, *plan, line, pass);
}

}  // namespace headrace
