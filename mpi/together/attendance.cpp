#include "attendance.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>

namespace headrace {
namespace {

constexpr int here_tag = 7118;
constexpr int answer_tag = 7119;
using name_text = std::array<char, 64>;
using answer_text = std::array<char, 512>;

double seconds_allowed() {
  const char* const text = std::getenv("HEADRACE_CHECK_SECONDS");
  const double seconds = text == nullptr ? 0 : std::atof(text);
  return seconds > 0 ? seconds : 30;
}

// Until all requests are complete or the time is over; the completed ones become MPI_REQUEST_NULL.
bool wait_until(std::vector<MPI_Request>& requests, double seconds) {
  const double end = MPI_Wtime() + seconds;
  for (;;) {
    int all = 0;
    for (MPI_Request& request : requests) {
      int done = 0;
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    all = std::all_of(requests.begin(), requests.end(),
                      [](MPI_Request r) { return r == MPI_REQUEST_NULL; });
    if (all != 0 || MPI_Wtime() > end) return all != 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::string list_of(const std::vector<int>& ranks) {
  std::string text;
  for (std::size_t i = 0; i < ranks.size() && i < 20; ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(ranks[i]);
  return ranks.size() > 20 ? text + ", ..." : text;
}

// MPI rank 0: what the others are told. Empty: all is well.
std::string take_roll(MPI_Comm comm, int size, const char* call, std::vector<bool>& came) {
  const auto others = static_cast<std::size_t>(size - 1);
  std::vector<name_text> names(others);
  std::vector<MPI_Request> requests(others, MPI_REQUEST_NULL);
  for (std::size_t i = 0; i < others; ++i)
    MPI_Irecv(names[i].data(), static_cast<int>(names[i].size()), MPI_CHAR, static_cast<int>(i) + 1,
              here_tag, comm, &requests[i]);
  wait_until(requests, seconds_allowed());
  std::vector<int> missing;
  std::string other_call;
  for (std::size_t i = 0; i < others; ++i) {
    came[i] = requests[i] == MPI_REQUEST_NULL;
    if (!came[i]) {
      missing.push_back(static_cast<int>(i) + 1);
      MPI_Cancel(&requests[i]);
      MPI_Request_free(&requests[i]);
    } else if (std::strcmp(names[i].data(), call) != 0) {
      other_call = "MPI rank 0 called " + std::string(call) + ", MPI rank " +
                   std::to_string(i + 1) + " called " + names[i].data();
    }
  }
  if (!missing.empty())
    return "did not call " + std::string(call) + ": MPI rank " + list_of(missing);
  return other_call;
}

status failure_of(const std::string& text) {
  if (text.rfind("did not", 0) != 0)
    return status::failure(stat_code::ranks_disagree, text)
        .advise("make the same calls in the same order on every MPI rank");
  return status::failure(stat_code::rank_missing,
                         "after " + std::to_string(static_cast<int>(seconds_allowed())) +
                             " s some MPI ranks " + text)
      .advise("the call is collective: every MPI rank of the communicator makes it");
}

status told(const answer_text& answer) {
  return answer[0] == '\0' ? status() : failure_of(answer.data());
}

status ask_others(MPI_Comm comm, int size, const char* call) {
  std::vector<bool> came(static_cast<std::size_t>(size - 1));
  answer_text answer{};
  take_roll(comm, size, call, came).copy(answer.data(), answer.size() - 1);
  for (int other = 1; other < size; ++other)
    if (came[static_cast<std::size_t>(other - 1)])
      MPI_Send(answer.data(), static_cast<int>(answer.size()), MPI_CHAR, other, answer_tag, comm);
  return told(answer);
}

status answer_roll(MPI_Comm comm, const char* call) {
  struct roll_call {
    name_text name{};
    answer_text answer{};
  };
  auto both = std::make_unique<roll_call>();
  std::string(call).copy(both->name.data(), both->name.size() - 1);
  std::vector<MPI_Request> requests(2, MPI_REQUEST_NULL);
  MPI_Irecv(both->answer.data(), static_cast<int>(both->answer.size()), MPI_CHAR, 0, answer_tag,
            comm, &requests[0]);
  MPI_Isend(both->name.data(), static_cast<int>(both->name.size()), MPI_CHAR, 0, here_tag, comm,
            &requests[1]);
  if (wait_until(requests, seconds_allowed() + 5)) return told(both->answer);
  if (requests[0] != MPI_REQUEST_NULL) MPI_Cancel(&requests[0]);
  for (MPI_Request& request : requests)
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  static_cast<void>(both.release());  // MPI may still read or write it when MPI rank 0 comes
  return failure_of("did not call " + std::string(call) + ": MPI rank 0");
}

}  // namespace

bool attendance_is_checked() noexcept {
  const char* const wanted = std::getenv("HEADRACE_CHECK");
  return wanted != nullptr && std::strcmp(wanted, "1") == 0;
}

status check_attendance(MPI_Comm comm, const char* call) {
  if (!attendance_is_checked()) return {};
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  if (size == 1) return {};
  return rank == 0 ? ask_others(comm, size, call) : answer_roll(comm, call);
}

}  // namespace headrace
