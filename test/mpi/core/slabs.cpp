// Blocks of several GiB reach a library in calls of at most 1 GiB, as many on all MPI ranks: ROMIO
// counts what an MPI rank reads together with others in 32 bits. The elements are never touched, so
// the memory is only reserved.
#include "move/slabs.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "checks.hpp"

namespace {

using headrace::array_view;
using headrace::box;
using headrace::status;
using spread::checks;

constexpr std::int64_t gibibyte = std::int64_t{1} << 30;
constexpr std::int64_t reserved = 16 * gibibyte;

struct call_made {
  box part;
  const char* data;
};

// What happens when all MPI ranks pass their blocks.
class passing {
 public:
  passing(checks& check, char* memory, std::int64_t element_bytes, const box& own,
          const headrace::index_list& global)
      : check_(check), memory_(memory), element_bytes_(element_bytes), own_(own) {
    headrace::communicator_ptr comm;
    status made = headrace::communicator::duplicate(MPI_COMM_WORLD, comm);
    if (made.ok()) made = headrace::array_layout::make(comm, own, global, false, layout_);
    check.that(made.ok(), "a layout: " + made.message());
    local_.base = memory;
    local_.type =
        element_bytes == 1 ? headrace::type_class::integer : headrace::type_class::character;
    local_.elem_len = static_cast<std::size_t>(element_bytes);
    local_.array_rank = own.array_rank;
    std::int64_t stride = element_bytes;
    for (std::size_t d = 0; d < static_cast<std::size_t>(own.array_rank); ++d) {
      local_.extent[d] = static_cast<std::ptrdiff_t>(own.count[d]);
      local_.stride[d] = static_cast<std::ptrdiff_t>(stride);
      stride *= own.count[d];
    }
  }

  void is_cut(const std::string& what) {
    const auto keep = [&](const box& part, char* data) {
      made_.push_back({part, data});
      return status();
    };
    const headrace::element_form form = headrace::form_of(local_);
    status done = headrace::pass_slabs(*layout_, local_, form, headrace::direction::out, keep);
    look(done, "written, " + what);
    made_.clear();
    done = headrace::pass_slabs(*layout_, local_, form, headrace::direction::in, keep);
    look(done, "read, " + what);
  }

  // All go on when a call of one MPI rank fails, and hear of it.
  void goes_on_after_a_failure(const std::string& what) {
    const bool fails = check_.rank() == check_.size() - 1;
    made_.clear();
    const auto fail = [&](const box& part, char* data) {
      made_.push_back({part, data});
      return fails && made_.size() == 1 ? status::system(5, "no") : status();
    };
    const status done = headrace::pass_slabs(*layout_, local_, headrace::form_of(local_),
                                             headrace::direction::in, fail);
    check_.that(done.code() == 5, "the failure, " + what + ": " + done.message());
    has_as_many_everywhere("after a failure, " + what);
  }

 private:
  void look(const status& done, const std::string& what) {
    check_.that(done.ok(), what + ": " + done.message());
    std::int64_t elements = 0;
    std::int64_t largest = 0;
    bool in_order = true;
    for (const call_made& one : made_) {
      if (one.data == nullptr) continue;
      in_order = in_order && one.data == memory_ + elements * element_bytes_ &&
                 first_of(one.part) == elements;
      elements += volume(one.part);
      largest = std::max(largest, volume(one.part));
    }
    check_.that(in_order, "the calls follow one another in the block, " + what);
    check_.that(elements == volume(own_),
                "all elements: " + std::to_string(elements) + ", " + what);
    check_.that(largest <= 1 || largest * element_bytes_ <= gibibyte,
                "a call has " + std::to_string(largest * element_bytes_) + " bytes, " + what);
    has_as_many_everywhere(what);
  }

  void has_as_many_everywhere(const std::string& what) {
    const auto own = static_cast<std::int64_t>(made_.size());
    std::array<std::int64_t, 2> all{own, -own};
    MPI_Allreduce(MPI_IN_PLACE, all.data(), 2, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    check_.that(all[0] == -all[1], std::to_string(own) + " calls here and " +
                                       std::to_string(all[0]) + " elsewhere, " + what);
    check_.that(all[0] >= 2, "there is something to cut, " + what);
  }

  // Elements of the block before a part.
  std::int64_t first_of(const box& part) const {
    std::int64_t before = 0;
    for (auto d = static_cast<std::size_t>(own_.array_rank); d-- > 0;)
      before = before * own_.count[d] + part.start[d] - own_.start[d];
    return before;
  }

  checks& check_;
  char* memory_;
  std::int64_t element_bytes_;
  box own_;
  headrace::layout_ptr layout_;
  array_view local_;
  std::vector<call_made> made_;
};

void test(checks& check) {
  void* const memory =
      ::mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (!check.that(memory != MAP_FAILED, "reserving addresses")) return;
  char* const base = static_cast<char*>(memory);
  const std::int64_t me = check.rank();
  const std::int64_t ranks = check.size();
  box own;
  own.array_rank = 2;

  // Lines of all MPI ranks in turn: 2.25 GiB each.
  own.start = {me << 15, 0};
  own.count = {1 << 15, 72 << 10};
  passing lines(check, base, 1, own, {ranks << 15, 72 << 10});
  lines.is_cut("lines in turn");
  lines.goes_on_after_a_failure("lines in turn");

  // Nearly all columns on MPI rank 0, nothing on the third and later ones.
  constexpr std::int64_t columns = 72 << 10;
  own.start = {0, me == 0 ? 0 : columns - 100};
  own.count = {1 << 16, me == 0 ? columns - (ranks == 1 ? 0 : 100) : me == 1 ? 100 : 0};
  passing(check, base, 1, own, {1 << 16, columns}).is_cut("columns");

  // A plane has more than a call.
  own.array_rank = 3;
  own.start = {0, 0, 2 * me};
  own.count = {3000, 500000, 2};
  passing(check, base, 1, own, {3000, 500000, 2 * ranks}).is_cut("large planes");

  // An element has more than a call.
  own.array_rank = 1;
  own.start = {3 * me};
  own.count = {3};
  passing(check, base, 3 * gibibyte / 2, own, {3 * ranks}).is_cut("large elements");
  ::munmap(memory, reserved);
}

}  // namespace

int main(int count, char** arguments) {
  return spread::run(count, arguments, "calls of bounded size", test);
}
