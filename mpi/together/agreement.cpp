#include "agreement.hpp"

#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstring>
#include <sstream>

#include "../../include/headrace_mpi.h"

namespace headrace {
namespace {

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

}  // namespace

status no_memory() noexcept {
  try {
    return status::system(ENOMEM, "no memory left for a buffer");
  } catch (const std::bad_alloc&) {
    return status::no_memory(ENOMEM);
  }
}

status agreement(const communicator& comm, const status& mine, int& stage_of_all,
                 message_maker whole_message, std::uint64_t digest, bool* same_digests) noexcept {
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

// FNV-1a: what is compared is short.
std::uint64_t digest_of(const std::string& text) noexcept {
  std::uint64_t value = 0xcbf29ce484222325;
  for (const char letter : text)
    value = (value ^ static_cast<unsigned char>(letter)) * std::uint64_t{0x100000001b3};
  return value;
}

}  // namespace

status agree_same(const communicator& comm, status mine, const char* what,
                  const std::string& text) {
  int stage_of_all = on_the_way;
  bool same = false;
  const std::uint64_t digest = digest_of(text);
  if (status s = agreement(comm, mine, stage_of_all, nullptr, digest, &same); !s.ok() || same)
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

}  // namespace headrace
