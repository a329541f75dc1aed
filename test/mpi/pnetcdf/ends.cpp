// What PnetCDF wrote of one MPI rank is looked at: every run of a section counts, and short runs
// are read back together. The test looks into headrace's own calls of pread.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "checks.hpp"
#include "formats/netcdf/pnetcdf_ends.hpp"

namespace {

long long reads = 0;
long long bytes_asked = 0;

}  // namespace

extern "C" {
ssize_t __real_pread(int descriptor, void* data, std::size_t bytes, off_t offset);

ssize_t __wrap_pread(int descriptor, void* data, std::size_t bytes, off_t offset) {
  ++reads;
  bytes_asked += static_cast<long long>(bytes);
  return __real_pread(descriptor, data, bytes, offset);
}
}  // extern "C"

namespace {

using headrace::netcdf_type;
using headrace::pnetcdf_part;
using spread::checks;

constexpr std::int64_t mebibyte = std::int64_t{1} << 20;

// A section of an array of three dimensions, whose runs are along the last one, and how many calls
// and bytes looking at it may take.
struct section_in_test {
  const char* what;
  netcdf_type type;
  std::int64_t bytes;  // of an element
  std::vector<std::int64_t> lengths;
  std::vector<std::int64_t> start;
  std::vector<std::int64_t> count;
  long long most_reads;
  long long most_bytes;
  bool is_uniform;  // equal elements: what was read before looks like what is missing
};

const section_in_test sections[] = {{"runs of 4 doubles",
                                     netcdf_type::real64,
                                     8,
                                     {400, 60, 16},
                                     {3, 2, 5},
                                     {390, 50, 4},
                                     4,
                                     3 << 20,
                                     false},
                                    {"single bytes",
                                     netcdf_type::int8,
                                     1,
                                     {700, 500, 4},
                                     {0, 0, 1},
                                     {700, 500, 1},
                                     12,
                                     2 << 20,
                                     false},
                                    {"runs far apart",
                                     netcdf_type::real32,
                                     4,
                                     {40, 5000, 8},
                                     {1, 4, 2},
                                     {39, 1, 3},
                                     39,
                                     39 * 4,
                                     true},
                                    {"pairs far apart",
                                     netcdf_type::int16,
                                     2,
                                     {40, 9000, 8},
                                     {0, 7, 0},
                                     {40, 2, 5},
                                     40,
                                     40 * 18,
                                     false},
                                    {"long runs",
                                     netcdf_type::real64,
                                     8,
                                     {3, 2, 170000},
                                     {0, 0, 9},
                                     {3, 2, 169000},
                                     12,
                                     12 * 8,
                                     false}};

class section_ends {
 public:
  section_ends(checks& check, const section_in_test& section)
      : check_(check), section_(section), file_("ends.pnc") {
    part_.first = 1004;
    part_.lengths = section.lengths;
    part_.section.dimensions = 3;
    part_.section.values = 1;
    for (std::size_t d = 0; d < 3; ++d) {
      part_.section.start[d] = section.start[d];
      part_.section.count[d] = section.count[d];
      part_.section.values *= section.count[d];
    }
    lay_out();
    write();
  }

  void are_there() {
    reads = bytes_asked = 0;
    const headrace::status found = look();
    check_.that(found.ok(), named("whole") + ": " + found.message());
    check_.that(reads > 0 && reads <= section_.most_reads,
                named("whole") + ": " + std::to_string(reads) + " reads");
    check_.that(bytes_asked <= section_.most_bytes,
                named("whole") + ": " + std::to_string(bytes_asked) + " bytes read");
  }

  // Of the first and the last runs, and of some between, wherever what is read at once ends.
  void are_missed() {
    check_.that(ends_.size() >= 12, named("its ends"));
    const std::size_t apart = std::max<std::size_t>(1, ends_.size() / 97);
    for (std::size_t i = 0; i < ends_.size(); i += apart) is_missed(ends_[i]);
    is_missed(ends_.back());
    const std::int64_t end = ends_.back();
    check_.that(::truncate(file_.c_str(), end) == 0, named("cutting the file"));
    tells(end, "cut before its last element");
  }

 private:
  // Elements that are zero may be missing: a file has zeros where nobody wrote.
  char byte_of(std::int64_t element, std::int64_t byte) const {
    if (section_.is_uniform) return 3;
    return static_cast<char>(element % 5 == 4 ? 0 : element * 7 % 100 + byte + 1);
  }

  void lay_out() {
    const std::int64_t rows = section_.count[1];
    for (std::int64_t run = 0; run < section_.count[0] * rows; ++run) {
      std::int64_t place = section_.start[0] + run / rows;
      place = place * section_.lengths[1] + section_.start[1] + run % rows;
      place = place * section_.lengths[2] + section_.start[2];
      add_run(run * section_.count[2], part_.first + place * section_.bytes);
    }
  }

  void add_run(std::int64_t element, std::int64_t offset) {
    const std::int64_t bytes = section_.bytes;
    const std::int64_t of_a_mebibyte = mebibyte / bytes;
    std::int64_t last = -1;
    for (std::int64_t i = 0; i < section_.count[2]; ++i, ++element) {
      for (std::int64_t byte = 0; byte < bytes; ++byte) values_.push_back(byte_of(element, byte));
      if (values_.back() != 0) last = offset + i * bytes;
      const bool ends = (i + 1) % of_a_mebibyte == 0 || i + 1 == section_.count[2];
      if (ends && last >= 0) ends_.push_back(std::exchange(last, -1));
      const auto begin = static_cast<std::size_t>(offset + i * bytes);
      content_.resize(std::max(content_.size(), begin + static_cast<std::size_t>(bytes)), 'x');
      std::reverse_copy(values_.end() - bytes, values_.end(),
                        content_.begin() + static_cast<std::ptrdiff_t>(begin));
    }
  }

  void write() const {
    std::ofstream(file_, std::ios::binary)
        .write(content_.data(), static_cast<std::streamsize>(content_.size()));
  }

  void put(std::int64_t offset, const char* data) const {
    std::fstream file(file_, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(offset).write(data, section_.bytes);
  }

  void is_missed(std::int64_t offset) {
    const char nothing[8] = "";
    put(offset, nothing);
    tells(offset, "without the element at byte " + std::to_string(offset));
    put(offset, content_.data() + offset);
  }

  void tells(std::int64_t offset, const std::string& what) {
    const headrace::status found = look();
    const std::string place = "byte " + std::to_string(offset);
    check_.that(found.code() == EIO && found.message().find(place) != std::string::npos,
                named(what) + ": " + found.message());
  }

  headrace::status look() const {
    return headrace::check_ends_written(file_, part_, section_.type, values_.data());
  }
  std::string named(const std::string& what) const {
    return std::string(section_.what) + ", " + what;
  }

  checks& check_;
  const section_in_test& section_;
  std::string file_;
  pnetcdf_part part_;
  std::vector<char> values_;        // as the program has them
  std::vector<char> content_;       // of the file
  std::vector<std::int64_t> ends_;  // bytes of the elements that must be there
};

void test(checks& check) {
  for (const section_in_test& section : sections) {
    section_ends ends(check, section);
    ends.are_there();
    ends.are_missed();
  }
}

}  // namespace

int main(int count, char** arguments) {
  return spread::run(count, arguments, "ends of what PnetCDF wrote", test);
}
