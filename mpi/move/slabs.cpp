#include "slabs.hpp"

#include <algorithm>
#include <new>

#include "../../src/core/buffer.hpp"
#include "lines.hpp"
#include "plans.hpp"

namespace headrace {
namespace {

// Parts of a block: whole lower dimensions, a few indices of one, one index of all higher ones.
class slab_walk {
 public:
  slab_walk(const box& own, std::int64_t most_elements) : own_(own) {
    if (is_empty(own)) return;
    std::int64_t below = 1;
    while (split_ < own.array_rank && below * own.count[dim()] <= most_elements) {
      below *= own.count[dim()];
      ++split_;
    }
    count_ = 1;
    if (split_ == own.array_rank) return;
    step_ = std::max<std::int64_t>(1, most_elements / below);
    count_ = (own.count[dim()] + step_ - 1) / step_;
    for (auto d = dim() + 1; d < static_cast<std::size_t>(own.array_rank); ++d)
      count_ *= own.count[d];
  }

  std::int64_t count() const noexcept { return count_; }

  box at(std::int64_t number) const {
    box part = own_;
    if (number >= count_) {
      part.count.fill(0);
      if (own_.array_rank == 0) part = own_;
      return part;
    }
    if (split_ == own_.array_rank) return part;
    const std::int64_t steps = (own_.count[dim()] + step_ - 1) / step_;
    const std::int64_t first = number % steps * step_;
    part.start[dim()] = own_.start[dim()] + first;
    part.count[dim()] = std::min(step_, own_.count[dim()] - first);
    number /= steps;
    for (auto d = dim() + 1; d < static_cast<std::size_t>(own_.array_rank); ++d) {
      part.start[d] = own_.start[d] + number % own_.count[d];
      part.count[d] = 1;
      number /= own_.count[d];
    }
    return part;
  }

 private:
  std::size_t dim() const noexcept { return static_cast<std::size_t>(split_); }

  box own_;
  int split_ = 0;  // the dimension that is cut
  std::int64_t step_ = 1;
  std::int64_t count_ = 0;
};

bool goes_whole(const array_view& local, const element_form& form) {
  return !form.logical && contiguous_dimensions(local) == local.array_rank;
}

// Elements of a block before a part of it that whole lower dimensions precede.
std::int64_t elements_before(const box& part, const box& block) {
  std::int64_t before = 0;
  for (auto d = static_cast<std::size_t>(block.array_rank); d-- > 0;)
    before = before * block.count[d] + part.start[d] - block.start[d];
  return before;
}

status pass_slabs(const array_layout& layout, const array_view& local, const element_form& form,
                  const slab_function& act, bool writes) {
  const bool whole = is_empty(layout.own()) || goes_whole(local, form);
  const auto file_bytes = static_cast<std::int64_t>(std::max<std::size_t>(1, form.file_bytes));
  const std::int64_t most = whole ? largest_call_bytes : largest_slab_bytes;
  const slab_walk parts(layout.own(), std::max<std::int64_t>(1, most / file_bytes));
  std::int64_t mine = parts.count();
  std::int64_t calls = 0;  // on every MPI rank
  reduce(layout.comm(), &mine, &calls, 1, MPI_INT64_T, MPI_MAX);
  status result;
  buffer block;
  for (std::int64_t number = 0; number < calls; ++number) {
    const box part = parts.at(number);
    const std::int64_t bytes = number < mine ? volume(part) * file_bytes : 0;
    if (bytes == 0 || whole) {
      char* const data =
          bytes == 0 ? nullptr : local.base + elements_before(part, layout.own()) * file_bytes;
      result.keep_first(caught([&] { return act(part, data); }));
      continue;
    }
    try {
      block.reserve(static_cast<std::size_t>(bytes));
    } catch (const std::bad_alloc&) {
      result.keep_first(no_memory());
      // The call is collective.
      result.keep_first(caught([&] { return act(parts.at(mine), nullptr); }));
      continue;
    }
    const array_view elements = view_of_box(local, layout.own(), part);
    if (writes) store_elements(elements, form, block.data());
    status passed = caught([&] { return act(part, block.data()); });
    if (!writes && passed.ok()) load_elements(elements, form, block.data());
    result.keep_first(std::move(passed));
  }
  return agree(layout.comm(), result);
}

status pass_by_root(const array_layout& layout, const array_view& local, const element_form& form,
                    timeline& line, const slab_function& act, bool writes) {
  const auto file_bytes = static_cast<std::int64_t>(form.file_bytes);
  std::unique_ptr<piece_plan> plan;
  if (status s = plan_shared_file(layout, file_bytes, default_piece_bytes, 1, plan); !s.ok())
    return s;
  const auto pass = [&](const piece& part, char* data, std::size_t) {
    for (const box& one : boxes_of_range(part.of, part.first, part.last)) {
      if (status s = act(one, data); !s.ok()) return s;
      data += volume(one) * file_bytes;
    }
    return status();
  };
  return writes ? exchange_out(layout, local, form, *plan, line, pass)
                : exchange_in(layout, local, form, *plan, line, pass);
}

}  // namespace

status write_by_root(const array_layout& layout, const array_view& local, const element_form& form,
                     timeline& line, const slab_function& put) {
  return pass_by_root(layout, local, form, line, put, true);
}

status read_by_root(const array_layout& layout, const array_view& local, const element_form& form,
                    timeline& line, const slab_function& get) {
  return pass_by_root(layout, local, form, line, get, false);
}

status write_slabs(const array_layout& layout, const array_view& local, const element_form& form,
                   const slab_function& put) {
  return pass_slabs(layout, local, form, put, true);
}

status read_slabs(const array_layout& layout, const array_view& local, const element_form& form,
                  const slab_function& get) {
  return pass_slabs(layout, local, form, get, false);
}

}  // namespace headrace
