// What is told of hints: an echo counts for nothing, and all MPI ranks know what the first learnt.
#include <memory>
#include <string>

#include "checks.hpp"
#include "core/communicator.hpp"
#include "core/hints.hpp"

namespace {

using headrace::hint_list;
using headrace::hints_found;
using spread::checks;

void echoes(checks& check) {
  const hint_list told = {{"cb_nodes", "2"}, {"romio_ds_write", "disable"}, {"unknown", "1"}};
  const headrace::info_of_hints info(told);  // repeated as it was told, like OMPIO does
  hints_found found;
  found.learn({{"cb_nodes", "2"}, {"unknown", "1"}}, info.get());
  check.that(found.in_force == hint_list{{"cb_nodes", "2"}},
             "in force: " + headrace::text_of(found.in_force));
  check.that(found.ignored == hint_list{{"unknown", "1"}},
             "ignored: " + headrace::text_of(found.ignored));
}

void broadcasts(checks& check) {
  headrace::communicator_ptr comm;
  const headrace::status made = headrace::communicator::duplicate(MPI_COMM_WORLD, comm);
  if (!check.that(made.ok(), made.message())) return;
  for (const hints_found& first :
       {hints_found{{{"striping_factor", "4"}, {"striping", "1,2"}}, {{"cb_nodes", "3"}}},
        hints_found{{}, {{"a", "b"}}}, hints_found{{{"a", "b"}}, {}}, hints_found{}}) {
    hints_found found;
    if (check.rank() == 0) found = first;
    if (check.rank() == 1) found.ignored["striping_factor"] = "4";
    headrace::broadcast_found(*comm, found);
    check.that(found.in_force == first.in_force, "in force: " + headrace::text_of(found.in_force));
    check.that(found.ignored == first.ignored, "ignored: " + headrace::text_of(found.ignored));
  }
}

void test(checks& check) {
  echoes(check);
  broadcasts(check);
}

}  // namespace

int main(int count, char** arguments) {
  return spread::run(count, arguments, "what is found of hints", test);
}
