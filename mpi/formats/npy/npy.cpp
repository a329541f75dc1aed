// One array as numpy's array file: a header and the elements in Fortran order. numpy.load and
// read_array of the serial library open it. Next: ../../dataset/described.hpp, which moves the
// elements.
#include <algorithm>
#include <climits>

#include "../../../src/binary/npy_descr.hpp"
#include "../../../src/binary/npy_header.hpp"
#include "../../../src/core/byte_swap.hpp"
#include "../../../src/core/transfer.hpp"
#include "../../dataset/described.hpp"
#include "../../disk/library_files.hpp"

namespace headrace::npy {
namespace {

MPI_Datatype bytes_type(std::int64_t bytes) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type);
  MPI_Type_commit(&type);
  return type;
}

// Where a part lies in the global array, from its first byte on: lines of the first dimension,
// repeated along the others. Built from vectors with byte strides, which know no limit of int for
// what they span.
MPI_Datatype view_type(const box& part, const box& global, std::int64_t element_bytes,
                       std::int64_t& first_byte) {
  MPI_Datatype type = bytes_type(part.count[0] * element_bytes);
  std::int64_t stride = element_bytes;
  for (std::size_t d = 0; d < static_cast<std::size_t>(part.array_rank); ++d) {
    MPI_Datatype next = type;
    if (d > 0) {
      MPI_Type_create_hvector(static_cast<int>(part.count[d]), 1, static_cast<MPI_Aint>(stride),
                              type, &next);
      MPI_Type_free(&type);
    }
    type = next;
    first_byte += part.start[d] * stride;
    stride *= global.count[d];
  }
  MPI_Type_commit(&type);
  return type;
}

// MPI_File with errors as statuses.
class mpi_file {
 public:
  mpi_file() = default;
  ~mpi_file() {  // collective when still open
    if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
  }
  mpi_file(const mpi_file&) = delete;
  mpi_file& operator=(const mpi_file&) = delete;

  // Collective. mode: MPI_MODE_...
  status open(const communicator& comm, int mode, const dataset_opening& how) {
    const info_of_hints info(how.settings.hints);
    const int code = MPI_File_open(comm.handle(), how.file.c_str(), mode, info.get(), &file_);
    if (code != MPI_SUCCESS) file_ = MPI_FILE_NULL;
    if (status s = agree(comm, outcome(code, "MPI cannot open the file")); !s.ok()) return s;
    info.give_again(file_);
    return agree_on(comm, [&] {
      how.notes.hints.learn(how.settings.hints, file_);
      return status();
    });
  }
  // The array lies from offset on. collective: all MPI ranks call, some with an empty part.
  status move(std::int64_t offset, const box& part, const box& global, std::int64_t element_bytes,
              char* data, bool collective, direction way);
  status close() {
    if (file_ == MPI_FILE_NULL) return {};
    const int code = MPI_File_close(&file_);
    file_ = MPI_FILE_NULL;
    return outcome(code, "MPI cannot close the file");
  }
  // After a failure of a collective call: MPI ranks that left it early have messages under way,
  // which those who get the file's communicator next would take for theirs. MPI_Finalize closes it.
  void forget() noexcept { file_ = MPI_FILE_NULL; }

 private:
  static status outcome(int code, const char* what) {
    return code == MPI_SUCCESS ? status() : mpi_failure(code, what);
  }

  MPI_File file_ = MPI_FILE_NULL;
};

status mpi_file::move(std::int64_t offset, const box& part, const box& global,
                      std::int64_t element_bytes, char* data, bool collective, direction way) {
  const std::int64_t bytes = volume(part) * element_bytes;
  if (bytes > INT_MAX)  // of one element: parts have no more than largest_call_bytes otherwise
    return status::failure(stat_code::library_failed,
                           "MPI-IO takes no elements of more than 2147483647 bytes")
        .advise("use transfer=\"headrace\"");
  MPI_Datatype where = bytes > 0 ? view_type(part, global, element_bytes, offset) : bytes_type(1);
  const int set = MPI_File_set_view(file_, offset, MPI_BYTE, where, "native", MPI_INFO_NULL);
  const bool writes = way == direction::out;
  const auto count = static_cast<int>(bytes);
  const auto write = collective ? MPI_File_write_all : MPI_File_write;
  const auto read = collective ? MPI_File_read_all : MPI_File_read;
  MPI_Status found;
  // The others wait in a collective call for who has no view.
  int code = writes ? write(file_, data, count, MPI_BYTE, &found)
                    : read(file_, data, count, MPI_BYTE, &found);
  int moved = 0;
  if (set != MPI_SUCCESS) code = set;
  if (code == MPI_SUCCESS) MPI_Get_count(&found, MPI_BYTE, &moved);
  MPI_Type_free(&where);
  if (code != MPI_SUCCESS) return outcome(code, writes ? "MPI cannot write" : "MPI cannot read");
  if (bytes == 0 || moved == count) return {};
  return status::failure(writes ? stat_code::library_failed : stat_code::end_of_file,
                         writes ? "MPI wrote less than it was given"
                                : "MPI read less than was asked for: the file ends too early")
      .expected(bytes_text(static_cast<std::uint64_t>(bytes)),
                bytes_text(static_cast<std::uint64_t>(moved)))
      .advise(writes ? "check that the disk is not full"
                     : "check that it was written and copied whole");
}

status no_attributes() {
  return status::failure(stat_code::option_unknown, "an npy file holds one array and nothing else")
      .advise("write an .h5, .nc or .zarr");
}

class description final : public file_description {
 public:
  // comm: of the MPI ranks that write by MPI-IO; null for MPI rank 0 alone.
  description(std::string path, communicator_ptr comm)
      : path_(std::move(path)), comm_(std::move(comm)) {}

  status open(const dataset_opening& how) { return file_.open(*comm_, MPI_MODE_WRONLY, how); }
  status place(const catalogue_entry& entry, stored_place& found) override {
    return agreed(comm_.get(), [&] {
      status begun = begin(entry);
      if (begun.ok() && end_ > begin_) found.segments = {{0, volume(global_), begin_}};
      return begun;
    });
  }
  status write_attribute(const std::string& /*array*/, const std::string& /*name*/,
                         const array_view& /*value*/) override {
    return no_attributes();
  }
  status begin_put(const catalogue_entry& /*entry*/, bool collective) override {
    collective_ = collective;
    return {};
  }
  status put(const box& part, char* data) override {
    return file_.move(begin_, part, global_, element_bytes_, data, collective_, direction::out);
  }
  status finish() override { return file_.close(); }
  status check_file() const override {
    if (begin_ == 0)
      return status::failure(stat_code::argument_invalid,
                             "an npy file holds one array, and none was written");
    positioned_file closed;
    status opened = closed.open_to_read(path_);
    return opened.ok() ? closed.check_written(end_) : opened;
  }
  void fail() noexcept override { file_.forget(); }

 private:
  // The header, which MPI rank 0 writes.
  status begin(const catalogue_entry& entry) {
    if (begin_ > 0 || entry.step >= 0) return no_attributes();
    const described_array& array = *entry.array;
    const array_view whole = view_of_whole(nullptr, array.type, array.elem_len, array.global);
    std::string descr;
    if (status s = npy_descr(whole, byte_order::native, descr); !s.ok()) return s;
    const std::string header = make_npy_header(descr, whole, false);
    global_ = array.global;
    element_bytes_ = static_cast<std::int64_t>(array.elem_len);
    begin_ = static_cast<std::int64_t>(header.size());
    end_ = begin_ + volume(global_) * element_bytes_;
    if (comm_ != nullptr && comm_->rank() != 0) return {};
    positioned_file file;
    if (status s = file.open_to_write(path_); !s.ok()) return s;
    if (status s = file.write_at(0, header.data(), begin_); !s.ok()) return s;
    return file.close();
  }

  std::string path_;
  communicator_ptr comm_;
  mpi_file file_;
  bool collective_ = false;
  box global_;
  std::int64_t element_bytes_ = 0;
  std::int64_t begin_ = 0;  // of the elements, once there is an array
  std::int64_t end_ = 0;
};

class contents final : public described_file {
 public:
  explicit contents(std::string path) : path_(std::move(path)) {}

  status open() {
    positioned_file file;
    std::int64_t at = 0;
    if (status s = file.open_to_read(path_); !s.ok()) return s;
    const auto read = [&](char* data, std::size_t bytes) {
      const std::int64_t from = at;
      at += static_cast<std::int64_t>(bytes);
      return file.read_at(from, data, static_cast<std::int64_t>(bytes));
    };
    if (status s = read_npy_header(read, 0, header_); !s.ok()) return s;
    if (status s = check_fortran_has(info()); !s.ok()) return s;
    if (info().array_rank > max_parallel_rank)
      return status::failure(stat_code::shape_mismatch, "the array has too many dimensions")
          .expected("at most " + std::to_string(max_parallel_rank),
                    std::to_string(info().array_rank));
    return file.check_size(info().data_offset + static_cast<std::int64_t>(info().bytes));
  }
  // All MPI ranks together.
  status open(const dataset_opening& how) { return file_.open(*how.comm, MPI_MODE_RDONLY, how); }
  status names(std::vector<std::string>& found) override {
    found = {"data"};
    return {};
  }
  status describe(const std::string& /*name*/, described_array& found) override {
    found.type = info().type;
    found.elem_len = info().elem_len;
    found.global = global();
    for (int d = 0; d < info().array_rank; ++d)
      found.dimensions.push_back("d" + std::to_string(d + 1));
    return {};
  }
  status place(const std::string& /*name*/, std::int64_t /*step_index*/,
               stored_place& found) override {
    found.segments = {{0, volume(global()), info().data_offset}};
    found.last_index_fastest = info().last_index_fastest;
    array_view one;
    one.type = info().type;
    one.elem_len = info().elem_len;
    found.swapped_word = is_swapped(info().order) ? word_bytes(one) : 0;
    return {};
  }
  // MPI-IO moves the bytes as they are.
  status begin_read(const std::string& /*name*/, std::int64_t /*step_index*/, bool collective,
                    bool& is_readable) override {
    collective_ = collective;
    is_readable = !is_swapped(info().order) && !info().last_index_fastest;
    return {};
  }
  status read(const box& part, char* data) override {
    return file_.move(info().data_offset, part, global(),
                      static_cast<std::int64_t>(info().elem_len), data, collective_, direction::in);
  }
  status read_attribute(const std::string& /*array*/, const std::string& /*name*/,
                        const array_view& /*value*/) override {
    return no_attributes();
  }

 private:
  const array_info& info() const noexcept { return header_.info; }
  box global() const noexcept {
    box all;
    all.array_rank = info().array_rank;
    std::copy_n(info().extent.begin(), all.array_rank, all.count.begin());
    return all;
  }

  std::string path_;
  npy_header header_;
  mpi_file file_;
  bool collective_ = false;
};

status create(const dataset_opening& how, std::unique_ptr<dataset_writer>& made) {
  if (how.settings.pattern == write_pattern::serial && how.settings.by_library())
    return status::failure(stat_code::option_unknown,
                           "npy files do not take transfer=\"library\" with pattern=\"serial\"")
        .advise("leave one of them out");
  const auto make = [&](const communicator_ptr& comm, std::unique_ptr<file_description>& writes,
                        std::vector<described_array>&) {
    std::unique_ptr<description> one;
    const status ready = agreed(comm.get(), [&] {
      one = std::make_unique<description>(how.file, comm);
      return status();
    });
    if (!ready.ok()) return ready;
    description& opened = *one;
    writes = std::move(one);
    return comm == nullptr ? status() : opened.open(how);
  };
  return create_described(how, make, made);
}

status open(const dataset_opening& how, std::unique_ptr<dataset_reader>& made) {
  const auto open_file = [file = how.file, &how](const communicator_ptr& comm,
                                                 std::unique_ptr<described_file>& reads) {
    std::unique_ptr<contents> one;
    status opened = agreed(comm.get(), [&] {
      one = std::make_unique<contents>(file);
      return one->open();
    });
    if (!opened.ok()) return opened;
    contents& found = *one;
    reads = std::move(one);
    return comm == nullptr ? status() : found.open(how);
  };
  return open_described(how, open_file, made);
}

}  // namespace
}  // namespace headrace::npy

namespace headrace {

const backend npy_backend = {"npy",
                             can_serial | can_shared_independent | can_shared_collective |
                                 can_own_transfer | can_library_transfer,
                             write_pattern::shared_collective,
                             transfer_way::headrace,
                             nullptr,
                             npy::create,
                             npy::open};

}  // namespace headrace
