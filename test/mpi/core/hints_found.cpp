// What is told of hints: values that mean nothing are refused, an echo counts for nothing, and all
// MPI ranks know what the first learnt.
#include <memory>
#include <string>
#include <utility>

#include "checks.hpp"
#include "disk/hints.hpp"
#include "together/communicator.hpp"

namespace {

using headrace::hint_list;
using headrace::hints_found;
using headrace::stat_code;
using headrace::status;
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

// OMPIO repeats this one too, and takes another word for yes.
void words_that_ompio_misreads(checks& check) {
  for (const auto& [word, taken] : {std::pair{"true", true}, {"false", true}, {"maybe", false}}) {
    const hint_list told = {{"collective_buffering", word}};
    const headrace::info_of_hints info(told);
    hints_found found;
    found.learn(told, info.get());
    check.that(
        found.in_force.size() == (taken ? 1U : 0U) && found.ignored.size() == (taken ? 0U : 1U),
        std::string(word) + " in force: " + headrace::text_of(found.in_force));
  }
}

void meaningless_values(checks& check) {
  struct wrong {
    const char* hint;
    const char* expected;
  };
  const char* const counts = "from 1 to 2147483647";
  for (const wrong& one : {wrong{"cb_nodes=-3", counts},
                           {"cb_nodes=0", counts},
                           {"cb_buffer_size=0", counts},
                           {"cb_buffer_size=4294967296", counts},
                           {"num_io_procs=0", counts},
                           {"ind_wr_buffer_size=-1", counts},
                           {"striping_factor=-5", "from -1 to 2147483647"},
                           {"stripe_width=-2", "from -1 to"},
                           {"striping_unit=-1", "from 0 to 2147483647"},
                           {"hdf5_chunk_bytes=-1", "from 1 to 9223372036854775807"},
                           {"hdf5_chunk_bytes=0", "from 1 to"},
                           {"h_minfree=-4", "from 0 to"},
                           {"h_minfree=much", "digits"},
                           {"node_writers=foo", "all or leader"}}) {
    hint_list hints;
    const status told = headrace::parse_hints(std::string("romio,") + one.hint, hints);
    const std::string name = std::string(one.hint).substr(0, std::string(one.hint).find('='));
    const std::string value = std::string(one.hint).substr(name.size() + 1);
    const std::string text = told.message();
    check.that(told.code() == static_cast<int>(stat_code::option_unknown),
               std::string(one.hint) + ": code " + std::to_string(told.code()));
    for (const std::string& words : {name, value, std::string(one.expected)})
      check.that(text.find(words) != std::string::npos, text + " lacks " + words);
  }
}

void values_that_mean_something(checks& check) {
  for (const char* const hint :
       {"cb_nodes=1", "cb_buffer_size=2147483647", "striping_factor=-1", "striping_factor=0",
        "start_iodevice=-1", "striping_unit=1048576", "hdf5_chunk_bytes=8", "h_minfree=0",
        "hdf5_chunk_bytes=5000000000", "node_writers=all", "node_writers=leader", "archer2",
        "collective_buffering=maybe", "romio_cb_write=on", "no_such_number=-5"}) {
    hint_list hints;
    const status told = headrace::parse_hints(hint, hints);
    check.that(told.ok() && !hints.empty(), std::string(hint) + ": " + told.message());
  }
}

void names_given_twice(checks& check) {
  struct written {
    const char* text;
    const char* found;  // nullptr: refused, with the name and both values
  };
  for (const written& one :
       {written{"cb_nodes=1,cb_nodes=4", nullptr},
        {"cb_nodes=1,romio, cb_nodes = 4", nullptr},
        {"cb_nodes=4,cb_nodes=1,cb_nodes=4", nullptr},
        {"cb_nodes=4,cb_nodes=4", "cb_nodes=4"},
        {"striping=\"1,4\",striping=\"1,4\"", "striping=\"1,4\""},
        {"cb_buffer_size=64,ompio", "cb_buffer_size=64,collective_buffering=true"},
        {"ompio,cb_buffer_size=64", "cb_buffer_size=64,collective_buffering=true"}}) {
    hint_list hints;
    const status told = headrace::parse_hints(one.text, hints);
    const std::string text = told.message();
    if (one.found != nullptr) {
      check.that(told.ok() && headrace::text_of(hints) == one.found,
                 std::string(one.text) + ": " + headrace::text_of(hints) + text);
      continue;
    }
    check.that(told.code() == static_cast<int>(stat_code::option_unknown),
               std::string(one.text) + ": code " + std::to_string(told.code()));
    for (const char* const words : {"\"cb_nodes\" is given twice", "\"1\"", "\"4\""})
      check.that(text.find(words) != std::string::npos, text + " lacks " + words);
  }
}

void broadcasts(checks& check) {
  headrace::communicator_ptr comm;
  const status made = headrace::communicator::duplicate(MPI_COMM_WORLD, comm);
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
  words_that_ompio_misreads(check);
  meaningless_values(check);
  values_that_mean_something(check);
  names_given_twice(check);
  broadcasts(check);
}

}  // namespace

int main(int count, char** arguments) {
  return spread::run(count, arguments, "what is found of hints", test);
}
