// What cannot be written or read: the same clear failure on every MPI rank, nothing printed by
// HDF5, and an old file stays as it was.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "formats/formats.hpp"

namespace {

using namespace format_tests;

const extents shape = {40, 30, 20};

std::string content_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// By MPI rank 0, before all go on.
void put_file(const checks& check, const std::string& file, const std::string& content) {
  if (check.rank() == 0) std::ofstream(file, std::ios::binary) << content;
  MPI_Barrier(MPI_COMM_WORLD);
}

int write(const char* file, const way& how, const spread_array& from, hr_error& error) {
  hr_parallel_options chosen = options_of(how, "rho");
  // Little shared memory, which the limit below counts too. Of headrace's own each MPI rank writes.
  const bool own = std::string(how.transfer) == "headrace";
  chosen.hints = own ? "cb_buffer_size=4096,cb_nodes=64" : "cb_buffer_size=4096";
  return hr_write_parallel(file, from.array(), from.layout(), &chosen, nullptr, &error);
}

int read(const char* file, const way& how, spread_array& to, hr_error& error) {
  const hr_parallel_options chosen = options_of(how, "rho");
  return hr_read_parallel(file, to.array(), to.layout(), &chosen, nullptr, &error);
}

void refuse_files(checks& check) {
  spread_array array(MPI_COMM_WORLD, kind_named("real64"), shape, cut::uneven);
  array.fill(0);
  hr_error error{};
  check.ok(write("good.h5", hdf5_ways[0], array, error), error, "a good file");
  const std::string good = check.rank() == 0 ? content_of("good.h5") : "";
  put_file(check, "text.h5", "x,y,z\n1,2,3\n");
  put_file(check, "empty.h5", "");
  put_file(check, "half.h5", good.substr(0, good.size() / 2));
  put_file(check, "start.h5", good.substr(0, 64));
  std::string broken = good;
  for (std::size_t at = 40; at < 64 && at < broken.size(); ++at) broken[at] = '\x7f';
  put_file(check, "broken.h5", broken);
  if (check.rank() == 0) ::mkdir("directory.h5", 0777);
  MPI_Barrier(MPI_COMM_WORLD);
  for (const way& how : hdf5_ways) {
    const std::string by = ", " + text_of(how);
    const auto refuse = [&](const char* file, int code, const char* words) {
      check.fails(read(file, how, array, error), error, code, words, file + by);
      check.that(std::string(error.message).find(file) != std::string::npos,
                 file + by + ": the file is not named");
    };
    refuse("text.h5", HR_HEADER_DAMAGED, "not an HDF5 file");
    refuse("empty.h5", HR_HEADER_DAMAGED, "the file is empty");
    refuse("half.h5", HR_HEADER_DAMAGED, "truncated file");
    refuse("start.h5", HR_HEADER_DAMAGED, "not an HDF5 file");
    refuse("broken.h5", HR_HEADER_DAMAGED, "not an HDF5 file");
    refuse("none.h5", ENOENT, "cannot open the file");
    refuse("directory.h5", EISDIR, "not an HDF5 file");
    check.fails(write("none/rho.h5", how, array, error), error, ENOENT, "none/rho.h5",
                "no directory" + by);
  }
}

// What a dataset refuses before it touches anything.
void refuse_arrays(checks& check, const way& how) {
  const spread::told_at_once told;
  hr_error error{};
  hr_dataset state = 0;
  const hr_parallel_options chosen = options_of(how);
  check.ok(hr_open_dataset(&state, "refused.h5", MPI_COMM_WORLD, "write", &chosen, &error), error,
           "open to refuse");
  const long long step = 1;
  const long long next = 2;
  const long long other = 3;
  const extents small = {5, 4};
  spread_array first(MPI_COMM_WORLD, kind_named("int32"), small, cut::uneven);
  spread_array wider(MPI_COMM_WORLD, kind_named("int32"), {6, 4}, cut::uneven);
  spread_array longer(MPI_COMM_WORLD, kind_named("int64"), small, cut::uneven);
  spread_array sixteen(MPI_COMM_WORLD, {"", HR_TYPE_REAL, 16}, small, cut::uneven);
  spread_array none(MPI_COMM_WORLD, {"", HR_TYPE_CHARACTER, 0}, small, cut::uneven);
  const auto put = [&](const char* name, const spread_array& from, const long long* at,
                       const char* dimensions = nullptr) {
    return hr_write_dataset_array(state, name, from.array(), from.layout(), dimensions, at, &error);
  };
  check.ok(put("a", first, &step), error, "first step");
  check.fails(put("a", wider, &next), error, HR_SHAPE_MISMATCH, "another shape", "another shape");
  check.fails(put("/a", longer, &other), error, HR_KIND_MISMATCH, "another kind", "another kind");
  check.fails(put("a", first, nullptr), error, HR_ARGUMENT_INVALID, "already", "no step");
  check.fails(put("a", first, &step), error, HR_ARGUMENT_INVALID, "already", "a step again");
  check.fails(put("a/b", first, nullptr), error, HR_ARGUMENT_INVALID, "cannot hold", "no group");
  check.fails(put("c/../d", first, nullptr), error, HR_ARGUMENT_INVALID, "cannot be the name",
              "dots");
  check.fails(put("e", first, nullptr, "x/y,z"), error, HR_ARGUMENT_INVALID,
              "cannot be the name of a dimension", "a slash in a dimension");
  check.fails(put("caf\xe9", first, nullptr), error, HR_ARGUMENT_INVALID, "is not UTF-8",
              "a name in Latin-1");
  check.fails(put("e", first, nullptr, "caf\xe9,z"), error, HR_ARGUMENT_INVALID,
              "cannot be the name of a dimension", "a dimension in Latin-1");
  check.fails(put("q", sixteen, nullptr), error, HR_KIND_UNSUPPORTED, "reals of 16 bytes", "q");
  check.fails(put("n", none, nullptr), error, HR_KIND_UNSUPPORTED, "empty characters", "n");
  std::int32_t number = 5;
  const hr_array value = scalar(number, HR_TYPE_INTEGER);
  check.fails(hr_write_attribute(state, "a", "NAME", &value, &error), error, HR_ARGUMENT_INVALID,
              "belong to HDF5", "a reserved name");
  check.fails(hr_write_attribute(state, "a", "caf\xe9", &value, &error), error, HR_ARGUMENT_INVALID,
              "is not UTF-8", "an attribute in Latin-1");
  check.fails(hr_write_attribute(state, "z", "units", &value, &error), error, HR_ARRAY_MISSING,
              "no array \"z\"", "an array that is not there");
  check.ok(hr_abandon_dataset(&state, &error), error, "abandon");
  MPI_Barrier(MPI_COMM_WORLD);
  check.that(::access("refused.h5", F_OK) != 0, "an abandoned dataset leaves no file");
}

// Files of one MPI rank may not grow beyond a limit, as on a full disk.
void full_disk(checks& check, const way& how, int victim) {
  spread_array array(MPI_COMM_WORLD, kind_named("real64"), shape, cut::uneven);
  array.fill(0);
  hr_error error{};
  check.ok(write("old.h5", hdf5_ways[0], array, error), error, "an old file");
  MPI_Barrier(MPI_COMM_WORLD);
  const std::string before = content_of("old.h5");
  MPI_Barrier(MPI_COMM_WORLD);
  struct rlimit old {};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const struct rlimit small = {160000, old.rlim_max};
  if (check.rank() == victim) ::setrlimit(RLIMIT_FSIZE, &small);
  array.fill(5000);
  const int code = write("old.h5", how, array, error);
  const std::string message = error.message;
  if (check.rank() == victim) ::setrlimit(RLIMIT_FSIZE, &old);
  const std::string what = "full for MPI rank " + std::to_string(victim) + ", " + text_of(how);
  check.fails(code, error, EFBIG, "", what);
  MPI_Barrier(MPI_COMM_WORLD);
  check.that(content_of("old.h5") == before, what + ": the old file has changed");
  spread_array again(MPI_COMM_WORLD, kind_named("real64"), shape, cut::skewed);
  check.ok(read("old.h5", how, again, error), error, what + ", read the old file");
  check.that(again.wrong(0) == 0, what + ": wrong elements in the old file");
}

// Runs with everything printed to standard error kept in a file, which must stay empty.
template <class Test>
void in_silence(checks& check, const char* name, Test test) {
  const std::string file = "printed." + std::to_string(check.rank());
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0666);
  std::fflush(stderr);
  const int before = ::dup(STDERR_FILENO);
  ::dup2(descriptor, STDERR_FILENO);
  test();
  std::fflush(stderr);
  ::dup2(before, STDERR_FILENO);
  ::close(before);
  ::close(descriptor);
  check.that(content_of(file).empty(), std::string(name) + " printed: " + content_of(file));
}

}  // namespace

int main(int count, char** arguments) {
  std::signal(SIGXFSZ, SIG_IGN);
  return spread::run(count, arguments, "bad HDF5 files", [](checks& check) {
    in_silence(check, "files", [&] { refuse_files(check); });
    in_silence(check, "arrays", [&] {
      for (const way& how : hdf5_ways) refuse_arrays(check, how);
    });
    in_silence(check, "a full disk", [&] {
      for (const way& how : hdf5_ways)
        for (const int victim : {0, check.size() - 1})
          if (std::string(how.transfer) == "headrace" &&
              (victim == 0 || std::string(how.pattern) != "serial"))
            full_disk(check, how, victim);
    });
  });
}
