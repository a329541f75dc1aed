// Collective calls with more MPI ranks than processors and with fewer: what they give, and that
// nobody waits for an MPI rank that fails, has no memory or left its part alone.
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "checks.hpp"
#include "refused_memory.hpp"
#include "together/from_root.hpp"
#include "together/node_meeting.hpp"

namespace {

std::size_t most_memory = SIZE_MAX;
int calls_to_refuse = 0;
int tests_to_refuse = 0;

bool is_refused(int& left) {
  return left > 0 && --left == 0;
}

}  // namespace

bool memory_is_refused(std::size_t bytes) {
  return bytes > most_memory;
}

extern "C" int MPI_Allreduce(const void* own, void* all, int count, MPI_Datatype type,
                             MPI_Op operation, MPI_Comm comm) {
  return is_refused(calls_to_refuse) ? MPI_ERR_NO_MEM
                                     : PMPI_Allreduce(own, all, count, type, operation, comm);
}
extern "C" int MPI_Iallreduce(const void* own, void* all, int count, MPI_Datatype type,
                              MPI_Op operation, MPI_Comm comm, MPI_Request* request) {
  if (is_refused(calls_to_refuse)) return MPI_ERR_NO_MEM;
  return PMPI_Iallreduce(own, all, count, type, operation, comm, request);
}
extern "C" int MPI_Test(MPI_Request* request, int* done, MPI_Status* found) {
  return is_refused(tests_to_refuse) ? MPI_ERR_OTHER : PMPI_Test(request, done, found);
}

namespace {

using headrace::communicator;
using headrace::message_pass;
using headrace::stat_code;
using headrace::status;
using spread::checks;

const std::string long_text(20000, 'x');

class collectives_test {
 public:
  collectives_test(checks& check, headrace::communicator_ptr comm)
      : check_(check), comm_(*comm), kept_(std::move(comm)) {}

  void gives_values() {
    const int own[2] = {comm_.rank(), -comm_.rank()};
    int least[2] = {};
    headrace::reduce(comm_, own, least, 2, MPI_INT, MPI_MIN);
    check_.that(least[0] == 0 && least[1] == 1 - comm_.size(), "the least of all");
    int on_node = 0;
    const int one = 1;
    headrace::reduce_on_node(comm_, &one, &on_node, 1, MPI_INT, MPI_SUM);
    check_.that(on_node == comm_.node_size(), "the MPI ranks of the node");
    gives_what_each_has();
    for (const int root : {0, comm_.size() - 1}) {
      const bool is_root = comm_.rank() == root;
      std::int64_t number = is_root ? 7 : 0;
      headrace::copy_from(comm_, root, &number, 1, MPI_INT64_T);
      check_.that(number == 7, "a number");
      for (const std::string& text : {std::string(), std::string(1016, 'a'), std::string(1017, 'b'),
                                      long_text, long_text + long_text + long_text + long_text})
        check_.that(headrace::text_from(comm_, root, is_root ? text : "short") == text,
                    "a text of " + std::to_string(text.size()));
    }
    gives_numbers_of_root();
  }

  void gives_numbers_of_root() {
    for (const std::size_t count : {0U, 3U, 5000U}) {
      const std::vector<std::int64_t> numbers(count, 9);
      std::vector<std::int64_t> found;
      std::string text;
      const auto find = [&] {
        found = numbers;
        text = "and a text";
        return status();
      };
      const status told = headrace::pass_from_root(comm_, find, [&](message_pass& way) {
        way.numbers(found);
        way.text(text);
      });
      check_.that(told.ok(), told.message());
      check_.that(found == numbers && text == "and a text", std::to_string(count) + " numbers");
    }
  }

  // As many as find room in memory that all share, and one more; more calls than that tells apart.
  void gives_as_much_as_there_is() {
    const int most = headrace::node_meeting::most_bytes / static_cast<int>(sizeof(std::int64_t));
    for (const int count : {most, most + 1}) {
      const auto numbers = static_cast<std::size_t>(count);
      std::vector<std::int64_t> own(numbers, comm_.rank());
      headrace::reduce(comm_, MPI_IN_PLACE, own.data(), count, MPI_INT64_T, MPI_MAX);
      check_.that(own == std::vector<std::int64_t>(numbers, comm_.size() - 1), "most of all");
      own.assign(numbers, comm_.rank());
      std::vector<std::int64_t> all(numbers * static_cast<std::size_t>(comm_.size()), -1);
      headrace::gather_everywhere(comm_, own.data(), count, MPI_INT64_T, all.data());
      check_.that(all.front() == 0 && all.back() == comm_.size() - 1, "all that each has");
      headrace::copy_from(comm_, comm_.size() - 1, own.data(), count, MPI_INT64_T);
      check_.that(own.front() == comm_.size() - 1 && own.back() == own.front(), "that of the last");
    }
    for (int call = 0; call < 100; ++call) {
      int sum = comm_.rank() + call;
      headrace::reduce(comm_, MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM);
      const int ranks = comm_.size() * (comm_.size() - 1) / 2;
      check_.that(sum == ranks + call * comm_.size(), "the sum of call " + std::to_string(call));
    }
  }

  // MPI goes on with what the last MPI rank sends while it waits for the first, which wants it
  // before it comes.
  void lets_messages_through() {
    std::vector<char> message(std::size_t{8} << 20, 'm');
    const int count = static_cast<int>(message.size());
    MPI_Request request = MPI_REQUEST_NULL;
    if (comm_.rank() > 0 && comm_.rank() == comm_.size() - 1)
      MPI_Isend(message.data(), count, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &request);
    std::vector<char> came(comm_.rank() == 0 ? message.size() : 0);
    if (comm_.rank() == 0 && comm_.size() > 1)
      MPI_Recv(came.data(), count, MPI_CHAR, comm_.size() - 1, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    int all = 1;
    headrace::reduce(comm_, MPI_IN_PLACE, &all, 1, MPI_INT, MPI_SUM);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check_.that(comm_.rank() != 0 || comm_.size() == 1 || came == message, "what came");
  }

  // MPI rank r has r + 1 numbers, each r.
  void gives_what_each_has() {
    const auto size = static_cast<std::size_t>(comm_.size());
    const int count = comm_.rank() + 1;
    std::vector<int> counts(size, -1);
    headrace::gather_everywhere(comm_, &count, 1, MPI_INT, counts.data());
    std::vector<int> places(size, 0);
    std::vector<int> expected;
    for (std::size_t i = 0; i < size; ++i) {
      check_.that(counts[i] == static_cast<int>(i) + 1, "a number of each");
      places[i] = static_cast<int>(expected.size());
      expected.insert(expected.end(), i + 1, static_cast<int>(i));
    }
    const std::vector<int> own(static_cast<std::size_t>(count), comm_.rank());
    std::vector<int> all(expected.size(), -1);
    headrace::gather(comm_, own.data(), count, MPI_INT, all.data(), counts.data(), places.data());
    check_.that(comm_.rank() != 0 || all == expected, "the numbers of each");
  }

  void names_who_failed(int victim) {
    const bool is_mine = comm_.rank() == victim;
    const auto failure = [&](const std::string& what) {
      return is_mine ? status::failure(stat_code::header_damaged, what) : status();
    };
    const std::string rank = "MPI rank " + std::to_string(victim);
    same(headrace::agree(comm_, failure("small")), stat_code::header_damaged, rank);
    same(headrace::agree(comm_, failure(long_text)), stat_code::header_damaged, rank);
    same(headrace::agree(comm_, status::failure(stat_code::layout_invalid, "alike")),
         stat_code::layout_invalid, "alike");
    const status of_root = headrace::status_of_root(comm_, failure("found by it"));
    if (victim == 0)
      same(of_root, stat_code::header_damaged, "found by it");
    else
      check_.that(of_root.ok(), "only MPI rank 0 has a say");
  }

  // One left its part for a lack of memory; where the others are, they hear of it.
  void meets_who_left(int victim) {
    std::string text = long_text;
    const auto pass = [&](message_pass& way) { way.text(text); };
    const std::vector<std::function<status()>> parts = {
        [&] { return headrace::agree(comm_, {}); },
        [&] { return headrace::status_of_root(comm_, {}); },
        [&] {
          return headrace::pass_from_root(
              comm_, [] { return status(); }, pass);
        }};
    for (const auto& part : parts) {
      const bool left = comm_.rank() == victim;
      const status mine = left ? headrace::no_memory() : part();
      same(headrace::agree_at_end(comm_, mine, left), ENOMEM, named(victim));
    }
  }

  // Who has no memory for what comes still takes part, and can agree afterwards.
  void has_no_memory(int victim) {
    const auto failure = [&](const char* what) {
      return comm_.rank() == 0 ? status::failure(stat_code::header_damaged, what) : status();
    };
    const auto with_little = [&](std::size_t most, const auto& part) {
      if (comm_.rank() == victim) most_memory = most;
      status done = headrace::caught(part);
      most_memory = SIZE_MAX;
      return done;
    };
    std::string text = comm_.rank() == 0 ? long_text : "";
    const status copied = with_little(1000, [&] {
      const std::string all = headrace::text_from(comm_, 0, text);
      return all == long_text ? status() : status::failure(stat_code::library_failed, "damaged");
    });
    same(headrace::agree(comm_, copied), ENOMEM, named(victim));
    const status compared = with_little(0, [&] {
      return headrace::agree_on_same(comm_, "texts", long_text, [] { return status(); });
    });
    check_.that(compared.ok(), "texts that are the same need no memory");
    const bool is_last = comm_.rank() == comm_.size() - 1;
    const std::string other = is_last ? long_text + "else" : long_text;
    const status differing = with_little(1000, [&] {
      return headrace::agree_on_same(comm_, "texts", other, [] { return status(); });
    });
    if (comm_.size() == 1)
      check_.that(differing.ok(), "one MPI rank agrees with itself");
    else
      same(differing, ENOMEM, named(victim));
    status mine = failure("a failure whose message needs memory");
    const status told = with_little(0, [&] { return headrace::agree(comm_, std::move(mine)); });
    check_.that(told.code() == static_cast<int>(stat_code::header_damaged),
                "another code without memory: " + std::to_string(told.code()));
    mine = failure("a failure of MPI rank 0 that needs memory");
    const status of_root = with_little(0, [&] { return headrace::status_of_root(comm_, mine); });
    check_.that(of_root.code() == static_cast<int>(stat_code::header_damaged),
                "another code of MPI rank 0 without memory: " + std::to_string(of_root.code()));
    const status no_memory = with_little(0, [] { return headrace::no_memory(); });
    check_.that(no_memory.code() == ENOMEM, "no memory to say so");
  }

 private:
  std::string named(int rank) const {
    return comm_.size() == 1 ? "" : "MPI rank " + std::to_string(rank);
  }

  void same(const status& found, stat_code code, const std::string& words) {
    same(found, static_cast<int>(code), comm_.size() == 1 ? "" : words);
  }
  void same(const status& found, int code, const std::string& words) {
    hr_error error{};
    error.status = found.code();
    found.message().copy(error.message, sizeof error.message - 1);
    check_.fails(found.code(), error, code, words, "expected \"" + words + "\"");
  }

  checks& check_;
  const communicator& comm_;
  headrace::communicator_ptr kept_;
};

void test(checks& check, const std::string& wanted) {
  static headrace::communicator_ptr comm;  // as a handle of a program may be: MPI ends before it
  const status made = headrace::communicator::duplicate(MPI_COMM_WORLD, comm);
  if (!check.that(made.ok(), "a communicator: " + made.message())) return;
  if (wanted == "crowded" || wanted == "by_mpi") {
    check.that(comm->is_crowded() == (check.size() > 1), "one processor is enough for all");
    check.that(comm->working_ranks() == 1, "several work on one processor");
    const bool meets = wanted == "crowded" && check.size() > 1 && comm->nodes() == 1;
    check.that((comm->meeting() != nullptr) == meets, "they meet in another way");
  }
  const bool is_last = check.rank() == check.size() - 1;
  if (is_last && wanted == "refuse_a_call") calls_to_refuse = 3;
  if (is_last && wanted == "refuse_a_test") tests_to_refuse = 3;
  collectives_test with(check, comm);
  with.gives_values();
  with.gives_as_much_as_there_is();
  with.lets_messages_through();
  for (int victim = 0; victim < check.size(); ++victim) {
    with.names_who_failed(victim);
    with.meets_who_left(victim);
    with.has_no_memory(victim);
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::string wanted = count > 1 ? arguments[1] : "";
  return spread::run(count, arguments, "collectives", [&](checks& check) { test(check, wanted); });
}
