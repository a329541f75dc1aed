// A disk or a quota that is full for one write of a library, and has room when headrace looks: the
// reason is told all the same. The disk is test/interpose/refused_write.c.
//
//     faults_passing FORMAT
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "faults_files.hpp"

namespace {

using faults::way;
using spread::checks;
using spread::cut;
using spread::spread_array;

constexpr int most_writes = 8;

// Everything of a dataset: arrays with steps, attributes, and its end.
int write_state(const std::string& file, const way& how, hr_error& error) {
  spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), {80, 60, 40}, cut::balanced);
  data.fill(1);
  hr_parallel_options options{};
  options.format = how.format;
  options.pattern = how.pattern;
  options.transfer = how.transfer;
  hr_dataset state = 0;
  std::string text(9000, 'x');
  hr_array attribute = spread::scalar(text.data(), HR_TYPE_CHARACTER, text.size());
  int code = hr_open_dataset(&state, file.c_str(), MPI_COMM_WORLD, "write", &options, &error);
  if (code != 0) return code;
  for (long long step = 1; step <= 2 && code == 0; ++step)
    code = hr_write_dataset_array(state, "u", data.array(), data.layout(), "", &step, &error);
  if (code == 0) code = hr_write_attribute(state, nullptr, "text", &attribute, &error);
  hr_error at_end{};
  const int closed = hr_close_dataset(&state, code == 0 ? &error : &at_end);
  return code == 0 ? closed : code;
}

// True if some write was refused.
bool refuse_each(checks& check, const way& how, int number) {
  const std::string file = std::string("passing.") + how.ending;
  bool refused = false;
  // The whole path: Open MPI keeps files of similar names elsewhere.
  const std::string path = (std::filesystem::current_path() / file).string();
  setenv("HEADRACE_TEST_REFUSED_PATH", path.c_str(), 1);
  for (int write = 1; write <= most_writes; ++write) {
    // A change of the text begins to count.
    const std::string which =
        std::string(static_cast<std::size_t>(number % 7), ' ') + std::to_string(write);
    setenv("HEADRACE_TEST_REFUSED_WRITE", which.c_str(), 1);
    if (check.rank() == 0) setenv("HEADRACE_TEST_REFUSED_ERRNO", std::to_string(number).c_str(), 1);
    hr_error error{};
    const int code = write_state(file, how, error);
    unsetenv("HEADRACE_TEST_REFUSED_ERRNO");
    const std::string what = how.text() + ", write " + std::to_string(write);
    if (code != 0)
      check.fails(code, error, number, number == ENOSPC ? "No space left" : "quota", what);
    if (code != 0) check.fails(code, error, number, file, what);
    refused = refused || code != 0;
  }
  return refused;
}

void test(checks& check, const std::string& format) {
  faults::empty_this_directory(check);
  for (const way& how : faults::ways()) {
    if (format != how.format || std::string(how.transfer) != "library") continue;
    for (const int number : {ENOSPC, EDQUOT})
      check.that(refuse_each(check, how, number), how.text() + ": nothing was refused");
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  return spread::run(count, arguments, std::string("a full disk that passes, ") + arguments[1],
                     [&](checks& check) { test(check, arguments[1]); });
}
