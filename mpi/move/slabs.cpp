#include "slabs.hpp"

#include <algorithm>
#include <new>

#include "../../src/core/buffer.hpp"
#include "lines.hpp"

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

// The parts of this MPI rank's block: its own slabs, or where the slabs of the global array, which
// are the same on all MPI ranks, cut it.
class part_walk {
 public:
  part_walk(const array_layout& layout, std::int64_t own_elements, std::int64_t global_elements)
      : own_(layout.own()),
        of_global_(global_elements > 0),
        slabs_(of_global_ ? layout.global() : own_, of_global_ ? global_elements : own_elements) {
    std::int64_t mine = slabs_.count();
    calls_ = mine;
    if (!of_global_) reduce(layout.comm(), &mine, &calls_, 1, MPI_INT64_T, MPI_MAX);
  }

  // As many on all MPI ranks.
  std::int64_t calls() const noexcept { return calls_; }

  box at(std::int64_t call) const {
    return of_global_ ? intersection(own_, slabs_.at(call)) : slabs_.at(call);
  }
  std::int64_t elements_at(std::int64_t call) const {
    return call < slabs_.count() ? volume(at(call)) : 0;
  }
  box nothing() const { return slabs_.at(slabs_.count()); }
  // What the call spans of the global array, when its slabs are cut.
  box of_all_at(std::int64_t call) const { return slabs_.at(call); }

 private:
  box own_;
  bool of_global_;
  slab_walk slabs_;
  std::int64_t calls_ = 0;
};

// Elements of a block before a part of it that whole lower dimensions precede.
std::int64_t elements_before(const box& part, const box& block) {
  std::int64_t before = 0;
  for (auto d = static_cast<std::size_t>(block.array_rank); d-- > 0;)
    before = before * block.count[d] + part.start[d] - block.start[d];
  return before;
}

// Collective. most, or fewer where an MPI rank can stage (0: need not) so many only; 0: no limit.
std::int64_t elements_together(const communicator& comm, std::int64_t most, std::int64_t staged) {
  if (most == 0) return 0;
  std::int64_t all = staged > 0 ? staged : most;
  reduce(comm, MPI_IN_PLACE, &all, 1, MPI_INT64_T, MPI_MIN);
  return std::min(most, all);
}

bool looks_before(const bytes_ahead& stored) {
  return stored.look_before && !stored.places.empty();
}

// Collective. The bytes that the next call reads.
status look_ahead(const communicator& comm, const bytes_ahead& stored, const box& global,
                  const box& part, std::int64_t file_bytes) {
  const std::int64_t first = elements_before(part, global);
  return look_together(comm, stored, first * file_bytes, (first + volume(part)) * file_bytes);
}

// Why a part could not be read, where the library has no errno.
status explained(status failed, const bytes_ahead& stored, const box& global, const box& part,
                 std::int64_t file_bytes) {
  const bool has_errno = failed.code() > 0 && failed.code() < 1000;
  if (failed.ok() || has_errno || is_empty(part)) return failed;
  box last = part;
  for (std::size_t d = 0; d < static_cast<std::size_t>(part.array_rank); ++d)
    last.start[d] += part.count[d] - 1;
  const status seen = look_at(stored, elements_before(part, global) * file_bytes,
                              (elements_before(last, global) + 1) * file_bytes);
  return seen.ok() ? failed : seen;
}

// bytes_together: of the file, that a call on all MPI ranks may span; 0: any number.
status pass_slabs(const array_layout& layout, const array_view& local, const element_form& form,
                  const slab_function& act, bool writes, std::int64_t bytes_together,
                  const bytes_ahead& stored) {
  const bool whole = is_empty(layout.own()) || goes_whole(local, form);
  const auto file_bytes = static_cast<std::int64_t>(std::max<std::size_t>(1, form.file_bytes));
  const std::int64_t staged = std::max<std::int64_t>(1, largest_slab_bytes / file_bytes);
  const std::int64_t plain = std::max<std::int64_t>(1, largest_call_bytes / file_bytes);
  const std::int64_t most_together =
      bytes_together > 0 ? std::max<std::int64_t>(1, bytes_together / file_bytes) : 0;
  const part_walk parts(layout, whole ? plain : staged,
                        elements_together(layout.comm(), most_together, whole ? 0 : staged));
  status result;
  buffer block;
  for (std::int64_t number = 0; number < parts.calls(); ++number) {
    if (looks_before(stored))
      if (status s = look_ahead(layout.comm(), stored, layout.global(), parts.of_all_at(number),
                                file_bytes);
          !s.ok())
        return s;
    const std::int64_t bytes = parts.elements_at(number) * file_bytes;
    const box part = bytes == 0 ? parts.nothing() : parts.at(number);
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
      result.keep_first(caught([&] { return act(parts.nothing(), nullptr); }));
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

}  // namespace

status write_slabs(const array_layout& layout, const array_view& local, const element_form& form,
                   const slab_function& put, std::int64_t bytes_together) {
  return pass_slabs(layout, local, form, put, true, bytes_together, {});
}

status read_slabs(const array_layout& layout, const array_view& local, const element_form& form,
                  const slab_function& get, const bytes_ahead& stored) {
  const auto file_bytes = static_cast<std::int64_t>(std::max<std::size_t>(1, form.file_bytes));
  const std::int64_t together = looks_before(stored) ? most_bytes_ahead(layout.comm()) : 0;
  const auto read = [&](const box& part, char* data) {
    return explained(get(part, data), stored, layout.global(), part, file_bytes);
  };
  return pass_slabs(layout, local, form, read, false, together, stored);
}

}  // namespace headrace
