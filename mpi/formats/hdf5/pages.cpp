#include "pages.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>
#include <vector>

namespace headrace {
namespace {

constexpr std::int64_t page_bytes = sizeof(hdf5_page);
constexpr std::int64_t pages_of_a_look = 256;

const hdf5_page& page_in(const hdf5_pages& pages, std::int64_t number) {
  static const hdf5_page nothing{};
  const auto found = pages.find(number);
  return found == pages.end() ? nothing : found->second;
}

status look(int file, std::int64_t begin, std::int64_t end, const hdf5_pages& known,
            hdf5_pages& changed) {
  std::vector<char> block(static_cast<std::size_t>(end - begin));
  // The last page goes beyond the end of the file.
  if (::pread(file, block.data(), block.size(), begin) < 0)
    return status::system(errno, "cannot read back what HDF5 wrote");
  for (std::int64_t at = begin; at < end; at += page_bytes) {
    const char* const bytes = block.data() + (at - begin);
    const std::int64_t number = at / page_bytes;
    if (std::memcmp(bytes, page_in(known, number).data(), page_bytes) != 0)
      std::memcpy(changed[number].data(), bytes, page_bytes);
  }
  return {};
}

// For messages: numbers, and the pages one behind the other.
struct packed_pages {
  std::vector<std::int64_t> numbers;
  std::vector<hdf5_page> pages;

  void resize(std::size_t count) {
    numbers.resize(count);
    pages.resize(count);
  }
};

packed_pages packed(const hdf5_pages& pages) {
  packed_pages all;
  all.numbers.reserve(pages.size());
  all.pages.reserve(pages.size());
  for (const auto& [number, page] : pages) {
    all.numbers.push_back(number);
    all.pages.push_back(page);
  }
  return all;
}

// Counts of bytes would not fit into int.
class page_type {
 public:
  page_type() {
    MPI_Type_contiguous(static_cast<int>(page_bytes), MPI_BYTE, &type_);
    MPI_Type_commit(&type_);
  }
  ~page_type() { MPI_Type_free(&type_); }
  page_type(const page_type&) = delete;
  page_type& operator=(const page_type&) = delete;
  MPI_Datatype get() const noexcept { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

// MPI ranks that changed the same byte gave it the same value: each writes other parts.
status merge(const packed_pages& all, const hdf5_pages& known, hdf5_pages& merged) {
  merged.clear();
  for (std::size_t i = 0; i < all.numbers.size(); ++i) {
    const hdf5_page& before = page_in(known, all.numbers[i]);
    hdf5_page& page = merged.try_emplace(all.numbers[i], before).first->second;
    for (std::size_t byte = 0; byte < page.size(); ++byte) {
      const char mine = all.pages[i][byte];
      if (mine == before[byte]) continue;
      if (page[byte] != before[byte] && page[byte] != mine)
        return status::failure(stat_code::library_failed,
                               "HDF5 wrote different bytes to one place on two MPI ranks")
            .advise("write with transfer=\"headrace\", and tell us the version of HDF5");
      page[byte] = mine;
    }
  }
  return {};
}

}  // namespace

status find_changed_pages(int file, const hdf5_pages& known, hdf5_pages& changed) {
  struct stat found {};
  if (::fstat(file, &found) != 0) return status::system(errno, "cannot look at what HDF5 wrote");
  for (off_t begin = 0; begin < found.st_size;) {
    const off_t data = ::lseek(file, begin, SEEK_DATA);
    if (data < 0 && errno == ENXIO) return {};  // nothing but holes up to the end
    if (data >= 0) begin = data;
    off_t end = data < 0 ? -1 : ::lseek(file, begin, SEEK_HOLE);
    if (end < 0) end = found.st_size;  // of file systems that do not know their holes
    begin -= begin % page_bytes;
    end += (page_bytes - end % page_bytes) % page_bytes;
    for (; begin < end; begin = std::min<off_t>(end, begin + pages_of_a_look * page_bytes))
      if (status s = look(file, begin, std::min<off_t>(end, begin + pages_of_a_look * page_bytes),
                          known, changed);
          !s.ok())
        return s;
  }
  return {};
}

status gather_pages(const communicator& comm, const hdf5_pages& known, hdf5_pages& changed) {
  packed_pages mine;
  packed_pages all;
  std::vector<int> counts;
  std::vector<int> places;
  const auto pack = [&] {
    mine = packed(changed);
    counts.resize(static_cast<std::size_t>(comm.size()));
    places.resize(counts.size());
    return status();
  };
  if (status s = agree_on(comm, pack); !s.ok()) return s;
  const int count = static_cast<int>(mine.numbers.size());
  gather_everywhere(comm, &count, 1, MPI_INT, counts.data());
  std::partial_sum(counts.begin(), counts.end() - 1, places.begin() + 1);
  const int sum = comm.rank() == 0 ? places.back() + counts.back() : 0;
  if (status s =
          agree_on(comm, [&] { return all.resize(static_cast<std::size_t>(sum)), status(); });
      !s.ok())
    return s;
  const page_type type;
  gather(comm, mine.numbers.data(), count, MPI_INT64_T, all.numbers.data(), counts.data(),
         places.data());
  gather(comm, mine.pages.data(), count, type.get(), all.pages.data(), counts.data(),
         places.data());
  return agree_on(comm, [&] { return comm.rank() == 0 ? merge(all, known, changed) : status(); });
}

status broadcast_pages(const communicator& comm, hdf5_pages& pages) {
  packed_pages all;
  auto count = static_cast<std::int64_t>(pages.size());
  broadcast(comm, 0, count);
  const auto prepare = [&] {
    if (comm.rank() == 0)
      all = packed(pages);
    else
      all.resize(static_cast<std::size_t>(count));
    return status();
  };
  if (status s = agree_on(comm, prepare); !s.ok()) return s;
  const page_type type;
  copy_from(comm, 0, all.numbers.data(), static_cast<int>(count), MPI_INT64_T);
  copy_from(comm, 0, all.pages.data(), static_cast<int>(count), type.get());
  return agree_on(comm, [&] {
    pages.clear();
    for (std::size_t i = 0; i < all.numbers.size(); ++i) pages[all.numbers[i]] = all.pages[i];
    return status();
  });
}

status write_changed_bytes(const positioned_file& disk, const hdf5_pages& known,
                           const hdf5_pages& changed) {
  std::vector<char> run;
  std::int64_t end = 0;  // of the run, in the file
  const auto write_run = [&] {
    const auto bytes = static_cast<std::int64_t>(run.size());
    status done = disk.write_at(end - bytes, run.data(), bytes);
    run.clear();
    return done;
  };
  for (const auto& [number, page] : changed) {
    const hdf5_page& before = page_in(known, number);
    for (std::size_t byte = 0; byte < page.size(); ++byte) {
      if (page[byte] == before[byte]) continue;
      const std::int64_t place = number * page_bytes + static_cast<std::int64_t>(byte);
      if (place != end)
        if (status s = write_run(); !s.ok()) return s;
      run.push_back(page[byte]);
      end = place + 1;
    }
  }
  return write_run();
}

status write_pages(int memory, const hdf5_pages& pages, std::int64_t size) {
  bool done = true;
  for (const auto& [number, page] : pages)
    done = done && ::pwrite(memory, page.data(), page.size(), number * page_bytes) == page_bytes;
  done = done && ::ftruncate(memory, size) == 0;
  return done ? status() : status::system(errno, "cannot keep in memory what HDF5 wrote");
}

}  // namespace headrace
