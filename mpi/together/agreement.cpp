// What all MPI ranks know afterwards: the failure of one of them, what MPI rank 0 found out alone,
// and whether what they give is the same.

#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <string_view>

#include "../../include/headrace_mpi.h"
#include "../../src/core/array_view.hpp"
#include "../../src/core/hash.hpp"
#include "../../src/core/name_text.hpp"
#include "from_root.hpp"

namespace headrace {
namespace {

// What agree() and the outcome of MPI rank 0 have in common: each of them meets all others, so an
// MPI rank that left a part alone is met wherever the others are. Where one agrees; the lowest of
// all is known afterwards.
enum stage : int { at_the_end = 0, on_the_way = 1, left_alone = 2 };

// The whole message of a failure, to which nobody adds an MPI rank.
using message_maker = std::string (*)(const communicator& comm, const status& failure);

// As MPI ranks send it.
struct failure_message {
  int code = 0;
  int is_whole = 0;
  char text[HR_MESSAGE_BYTES] = "";  // users get no more of it

  bool operator==(const failure_message& other) const noexcept {
    return code == other.code && std::strcmp(text, other.text) == 0;
  }
};

void tell(const communicator& comm, const status& mine, message_maker whole_message,
          failure_message& told) noexcept {
  told.code = mine.code();
  told.is_whole = whole_message == nullptr ? 0 : 1;
  try {
    const std::string text = whole_message == nullptr ? mine.message() : whole_message(comm, mine);
    text.copy(told.text, fitting_length(text, sizeof told.text - 1));
  } catch (const std::bad_alloc&) {
    std::strcpy(told.text, "no memory left for the message");
  }
}

// Collective: the failure of that MPI rank.
status failure_of(const communicator& comm, int rank, const status& mine,
                  message_maker whole_message) noexcept {
  failure_message own;
  if (!mine.ok()) tell(comm, mine, whole_message, own);
  failure_message all = own;
  copy_from(comm, rank, &all, sizeof all, MPI_BYTE);
  int all_same = 0;
  if (all.is_whole == 0) {
    // What several have alike, such as a file that is missing for all, needs no MPI rank.
    const int same = own == all ? 1 : 0;
    reduce(comm, &same, &all_same, 1, MPI_INT, MPI_MIN);
  }
  try {
    if (all_same != 0) return mine;
    return status::passed_on(all.code, all.is_whole != 0
                                           ? all.text
                                           : "MPI rank " + std::to_string(rank) + ": " + all.text);
  } catch (const std::bad_alloc&) {
    return status::no_memory(all.code);
  }
}

// Collective: the failure of the lowest MPI rank that has one, on all. Gets no memory between the
// first call for which others wait and the last, and throws nothing after it.
status agreement(const communicator& comm, const status& mine, int& stage_of_all,
                 message_maker whole_message = nullptr, std::uint64_t digest = 0,
                 bool* same_digests = nullptr) noexcept {
  // The lowest MPI rank that failed, and the least and the largest digest: one small reduction when
  // all is well, the same in every agreement, because any two may meet.
  const std::uint64_t own[4] = {static_cast<std::uint64_t>(mine.ok() ? INT_MAX : comm.rank()),
                                static_cast<std::uint64_t>(stage_of_all), digest, ~digest};
  std::uint64_t lowest[4] = {};
  reduce(comm, own, lowest, 4, MPI_UINT64_T, MPI_MIN);
  stage_of_all = static_cast<int>(lowest[1]);
  if (same_digests != nullptr) *same_digests = lowest[2] == ~lowest[3];
  const auto failed = static_cast<int>(lowest[0]);
  return failed == INT_MAX ? status() : failure_of(comm, failed, mine, whole_message);
}

}  // namespace

status no_memory() noexcept {
  try {
    return status::system(ENOMEM, "no memory left for a buffer");
  } catch (const std::bad_alloc&) {
    return status::no_memory(ENOMEM);
  }
}

status agree(const communicator& comm, status mine) {
  int stage_of_all = on_the_way;
  return agreement(comm, mine, stage_of_all);
}

status agree_at_end(const communicator& comm, status mine, bool left) {
  for (;;) {
    int stage_of_all = left ? left_alone : at_the_end;
    mine = agreement(comm, mine, stage_of_all);
    if (stage_of_all != on_the_way) return mine;
  }
}

namespace {

// The first line in which a text differs from another.
std::string different_line(const std::string& text, const std::string& other) {
  std::istringstream lines(text);
  std::istringstream others(other);
  std::string line;
  for (std::string against; std::getline(lines, line);) {
    if (!std::getline(others, against) || line != against) break;
  }
  return line;
}

// Collective.
bool is_same_everywhere(const communicator& comm, std::uint64_t value) noexcept {
  const std::uint64_t own[2] = {value, ~value};
  std::uint64_t least[2] = {};
  reduce(comm, own, least, 2, MPI_UINT64_T, MPI_MIN);
  return least[0] == ~least[1];  // the least and the largest
}

}  // namespace

status agree_same(const communicator& comm, status mine, const char* what,
                  const std::string& text) {
  int stage_of_all = on_the_way;
  bool same = false;
  if (status s = agreement(comm, mine, stage_of_all, nullptr, hash_of(text), &same);
      !s.ok() || same)
    return s;
  // Who has no memory for the text of MPI rank 0 has taken part in all of text_from().
  return agree_on(comm, [&] {
    const std::string first = text_from(comm, 0, text);
    if (text == first) return status();
    return status::failure(stat_code::ranks_disagree,
                           std::string("MPI ranks gave different ") + what)
        .expected("\"" + different_line(first, text) + "\" as on MPI rank 0",
                  "\"" + different_line(text, first) + "\"")
        .advise("make the call with the same arguments on every MPI rank");
  });
}

namespace {

std::string text_of_root(const communicator& comm, const status& mine) {
  const std::string text = mine.message();
  const bool is_its_own = (mine.code() > 0 && mine.code() < 1000) ||
                          mine.code() == static_cast<int>(stat_code::library_failed);
  const bool names_it = comm.size() < 2 || text.rfind("MPI rank ", 0) == 0;
  return is_its_own && !names_it ? "MPI rank 0: " + text : text;
}

}  // namespace

status status_of_root(const communicator& comm, const status& mine) {
  int stage_of_all = on_the_way;
  const status nothing;
  return agreement(comm, comm.rank() == 0 ? mine : nothing, stage_of_all, text_of_root);
}

status status_of_all(const communicator& comm, const status& mine) {
  int stage_of_all = on_the_way;
  return agreement(comm, mine, stage_of_all, comm.rank() == 0 ? text_of_root : nullptr);
}

void small_message::unpack(root_message& all) const {
  if (!is_used) return;
  const auto count = static_cast<std::size_t>(lengths[0]);
  all.numbers.resize(count);
  if (count > 0) std::memcpy(all.numbers.data(), bytes, count * sizeof(std::int64_t));
  all.text.assign(bytes + count * sizeof(std::int64_t), static_cast<std::size_t>(lengths[1]));
}

status send_from_root(const communicator& comm, const status& mine, root_message& all,
                      small_message& small) {
  if (status s = status_of_root(comm, mine); !s.ok()) return s;
  if (comm.rank() == 0) {
    small.lengths[0] = static_cast<std::int64_t>(all.numbers.size());
    small.lengths[1] = static_cast<std::int64_t>(all.text.size());
    const std::size_t before = all.numbers.size() * sizeof(std::int64_t);
    if (before + all.text.size() <= small_message::most_bytes) {
      if (before > 0) std::memcpy(small.bytes, all.numbers.data(), before);
      all.text.copy(small.bytes + before, all.text.size());
    }
  }
  copy_from(comm, 0, &small, offsetof(small_message, is_used), MPI_BYTE);
  const std::int64_t* const lengths = small.lengths;
  const std::int64_t bytes =
      lengths[0] * static_cast<std::int64_t>(sizeof(std::int64_t)) + lengths[1];
  small.is_used = bytes <= static_cast<std::int64_t>(small_message::most_bytes);
  if (small.is_used) return {};
  const status ready = agree_on(comm, [&] {
    all.numbers.resize(static_cast<std::size_t>(lengths[0]));
    all.text.resize(static_cast<std::size_t>(lengths[1]));
    return status();
  });
  if (!ready.ok()) return ready;
  if (lengths[0] > 0)
    copy_from(comm, 0, all.numbers.data(), static_cast<int>(lengths[0]), MPI_INT64_T);
  if (lengths[1] > 0) copy_from(comm, 0, all.text.data(), static_cast<int>(lengths[1]), MPI_CHAR);
  return {};
}

void message_pass::text(std::string& value) {
  if (packs_) {
    all_.text += value + '\0';
    return;
  }
  const std::size_t end = all_.text.find('\0', text_at_);
  value = all_.text.substr(text_at_, end - text_at_);
  text_at_ = end + 1;
}

std::string joined_texts(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += text + '\0';
  return all;
}

std::vector<std::string> split_texts(const std::string& all) {
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = all.find('\0', at);
    texts.push_back(all.substr(at, end - at));
    at = end + 1;
  }
  return texts;
}

namespace {

std::string_view text_at(const char* element, std::size_t bytes) noexcept {
  while (bytes > 0 && element[bytes - 1] == ' ') --bytes;
  return {element, bytes};
}

bool is_true(const char* element, std::size_t bytes) noexcept {
  for (std::size_t i = 0; i < bytes; ++i)
    if (element[i] != 0) return true;
  return false;
}

std::uint64_t digest_of(const array_view& value) noexcept {
  const std::size_t count = element_count(value).value_or(0);
  if (value.type != type_class::character && value.type != type_class::logical) {
    return hash_of({value.base, count * value.elem_len});
  }
  std::uint64_t made = hash_of({});
  const char* element = value.base;
  for (std::size_t i = 0; i < count; ++i, element += value.elem_len) {
    if (value.type == type_class::logical) {
      const char truth = is_true(element, value.elem_len) ? '\1' : '\0';
      made = hash_of({&truth, 1}, made);
      continue;
    }
    const std::string_view text = text_at(element, value.elem_len);
    const std::size_t length = text.size();  // else "ab" and "c" would be "a" and "bc"
    made = hash_of({reinterpret_cast<const char*>(&length), sizeof length}, made);
    made = hash_of(text, made);
  }
  return made;
}

template <class Number>
std::string number_at(const char* element, const char* format) {
  Number number;
  std::memcpy(&number, element, sizeof number);
  char text[40] = "";
  std::snprintf(text, sizeof text, format, number);
  return text;
}

// Of a scalar, for a message; empty: too much to say.
std::string scalar_text(const array_view& value) {
  if (value.array_rank > 0) return {};
  if (value.type == type_class::character) return shown(text_at(value.base, value.elem_len));
  if (value.type == type_class::logical) return is_true(value.base, value.elem_len) ? "T" : "F";
  const bool is_long = value.elem_len == 8;
  if (value.elem_len != 4 && !is_long) return {};
  if (value.type == type_class::integer)
    return is_long ? number_at<long long>(value.base, "%lld") : number_at<int>(value.base, "%d");
  if (value.type != type_class::real) return {};
  return is_long ? number_at<double>(value.base, "%.17g") : number_at<float>(value.base, "%.9g");
}

}  // namespace

status same_value_everywhere(const communicator& comm, const std::string& file,
                             const std::string& array, const std::string& name,
                             const array_view& value) {
  const std::uint64_t mine = digest_of(value);
  if (is_same_everywhere(comm, mine)) return {};
  std::int64_t first = 0;
  std::string wanted;
  const auto tell = [&](root_message& all) {
    all.numbers.assign(1, static_cast<std::int64_t>(mine));
    all.text = scalar_text(value);
    return status();
  };
  const status told = from_root(comm, tell, [&](root_message& all) {
    first = all.numbers.front();
    wanted.swap(all.text);
  });
  if (!told.ok()) return told;
  return agree_on(comm, [&] {
    if (first == static_cast<std::int64_t>(mine)) return status();
    const std::string found = scalar_text(value);
    return status::failure(stat_code::ranks_disagree, "the value of attribute " + shown(name) +
                                                          " differs from that on MPI rank 0")
        .in_file(file)
        .in_array(array)
        .expected(wanted.empty() ? "the values of MPI rank 0" : wanted,
                  found.empty() ? "others" : found)
        .advise(
            "an attribute has one value for all MPI ranks: broadcast it before, or write what "
            "differs as an array");
  });
}

}  // namespace headrace
