// What MPI ranks changed in files of their own in memory comes together, byte for byte: null bytes
// over others, bytes that several changed, pages that nobody knew, and nothing beside them.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "checks.hpp"
#include "formats/hdf5/pages.hpp"

namespace {

using headrace::communicator;
using headrace::hdf5_pages;
using spread::checks;

constexpr std::int64_t page = sizeof(headrace::hdf5_page);
constexpr std::int64_t file_bytes = 5 * page + 100;

class memory_file {
 public:
  explicit memory_file(std::int64_t size) : descriptor_(::memfd_create("pages", MFD_CLOEXEC)) {
    if (::ftruncate(descriptor_, size) != 0) ::abort();
  }
  ~memory_file() { ::close(descriptor_); }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;

  int descriptor() const { return descriptor_; }
  void write(std::int64_t at, const std::string& text) const {
    if (::pwrite(descriptor_, text.data(), text.size(), at) < 0) ::abort();
  }
  std::string content() const {
    struct stat found {};
    ::fstat(descriptor_, &found);
    std::string text(static_cast<std::size_t>(found.st_size), '?');
    if (::pread(descriptor_, text.data(), text.size(), 0) < 0) ::abort();
    return text;
  }

 private:
  int descriptor_;
};

// Each MPI rank's part of the changes, which meet within pages, and the file that they make.
void change(int rank, int size, const memory_file* mine, std::string& all) {
  const auto put = [&](int who, std::int64_t at, const std::string& text) {
    if (mine != nullptr && rank == who % size) mine->write(at, text);
    all.replace(static_cast<std::size_t>(at), text.size(), text);
  };
  put(0, 10, std::string("ab\0d", 4));
  put(1, 14, "efgh");
  put(2, 16, "gh");  // the same bytes again
  put(2, page - 3, "across pages");
  put(1, page + 2000, std::string(40, '\0'));
  put(3, 4 * page + 7, "a page that was a hole");
  put(0, file_bytes - 4, "last");
}

void test(checks& check) {
  headrace::communicator_ptr comm;
  check.that(communicator::duplicate(MPI_COMM_WORLD, comm).ok(), "a communicator");
  const memory_file mine(file_bytes);
  std::string expected(static_cast<std::size_t>(file_bytes), '\0');
  for (std::int64_t at = 0; at < 2 * page; ++at) expected[static_cast<std::size_t>(at)] = 'x';
  mine.write(0, expected);
  hdf5_pages known;
  check.that(headrace::find_changed_pages(mine.descriptor(), {}, known).ok(), "what is known");
  check.that(known.size() == 2, "two pages are known");
  // Elements of arrays, which only the file on the disk has.
  const std::string elements = "elements that nobody has in memory";
  const std::string disk = "pages.bin";
  if (check.rank() == 0) {
    const int made = ::open(disk.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0666);
    std::string before = expected;
    before.replace(2 * page + 5, elements.size(), elements);
    check.that(::pwrite(made, before.data(), before.size(), 0) == file_bytes, "the disk");
    ::close(made);
  }

  change(check.rank(), check.size(), &mine, expected);
  hdf5_pages changed;
  check.that(headrace::find_changed_pages(mine.descriptor(), known, changed).ok(), "changes");
  check.that(headrace::gather_pages(*comm, known, changed).ok(), "gathering");
  if (check.rank() == 0) {
    check.that(changed.size() == 4, std::to_string(changed.size()) + " pages changed, not 4");
    headrace::positioned_file file;
    check.that(file.open_to_write(disk).ok(), "opening");
    check.that(headrace::write_changed_bytes(file, known, changed).ok(), "writing");
    std::string found(static_cast<std::size_t>(file_bytes), '?');
    check.that(file.read_at(0, found.data(), file_bytes).ok(), "reading");
    std::string with_elements = expected;
    with_elements.replace(2 * page + 5, elements.size(), elements);
    check.that(found == with_elements, "the file on the disk has other bytes");
  }
  check.that(headrace::broadcast_pages(*comm, changed).ok(), "broadcasting");
  check.that(headrace::write_pages(mine.descriptor(), changed, file_bytes).ok(), "keeping");
  check.that(mine.content() == expected, "an MPI rank has other bytes in memory");
  for (const auto& [number, one] : changed) known[number] = one;
  hdf5_pages again;
  check.that(headrace::find_changed_pages(mine.descriptor(), known, again).ok(), "once more");
  check.that(again.empty(), "nothing has changed since");

  mine.write(30, check.rank() == 0 ? "b" : "c");
  check.that(headrace::find_changed_pages(mine.descriptor(), known, again).ok(), "differing bytes");
  const headrace::status told = headrace::gather_pages(*comm, known, again);
  if (check.size() == 1)
    check.that(told.ok(), "one MPI rank cannot differ");
  else
    check.that(told.message().find("different bytes to one place") != std::string::npos,
               "two MPI ranks gave one byte different values: " + told.message());
}

}  // namespace

int main(int argc, char** argv) {
  return spread::run(argc, argv, "pages of files in memory", test);
}
