// One array as numpy's array file: a header and the elements in Fortran order. numpy.load and
// read_array of the serial library open it. Next: ../../move/placed_array.hpp.
#include <algorithm>
#include <optional>

#include "../../../src/binary/npy_descr.hpp"
#include "../../../src/binary/npy_header.hpp"
#include "../../../src/core/byte_swap.hpp"
#include "../../../src/core/transfer.hpp"
#include "../../dataset/backend.hpp"
#include "../../disk/library_files.hpp"
#include "../../move/mpi_file.hpp"
#include "../../move/placed_array.hpp"

namespace headrace::npy {
namespace {

status no_attributes(const std::string& file) {
  return status::failure(stat_code::option_unknown, "an npy file holds one array and nothing else")
      .in_file(file)
      .advise("write an .h5, .nc or .zarr");
}

class writer : public dataset_writer {
 public:
  using dataset_writer::dataset_writer;

  status write(const catalogue_entry& entry, const array_view& local,
               const array_layout& layout) override {
    if (written_ || entry.step >= 0) return no_attributes(path_);
    written_ = true;
    std::string header;
    if (status s = make_header(local, layout, header); !s.ok()) return s;
    begin_ = static_cast<std::int64_t>(header.size());
    bytes_ = volume(layout.global()) * static_cast<std::int64_t>(form_of(local).file_bytes);
    if (settings_.transfer == transfer_way::library) return write_by_mpi(header, local, layout);
    if (status s = open_all(header, layout); !s.ok()) return s;
    return write_placed(file_, place_, local, layout, settings_, notes_);
  }

  status write_attribute(const std::string& /*array*/, const std::string& /*name*/,
                         const array_view& /*value*/) override {
    return no_attributes(path_);
  }

  status finish() override {
    status result;
    if (file_.is_open() && settings_.sync) {
      const auto during = notes_.line.during(HR_PHASE_SYNC);
      result = file_.sync();
    }
    const auto during = notes_.line.during(HR_PHASE_CLOSE);
    if (file_.is_open()) result.keep_first(file_.close());
    if (status s = agree(*comm_, result); !s.ok()) return s;
    if (comm_->rank() == 0) {
      positioned_file closed;
      result = closed.open_to_read(path_);
      if (result.ok()) result = closed.check_written(begin_ + bytes_);
    }
    return agree(*comm_, result);
  }

 private:
  status make_header(const array_view& local, const array_layout& layout, std::string& header) {
    array_view whole = local;
    for (std::size_t d = 0; d < static_cast<std::size_t>(layout.array_rank()); ++d)
      whole.extent[d] = static_cast<std::ptrdiff_t>(layout.global().count[d]);
    std::string descr;
    status result = npy_descr(local, byte_order::native, descr);
    if (result.ok()) header = make_npy_header(descr, whole, false);
    return agree(*comm_, std::move(result).in_file_once(path_));
  }

  // MPI rank 0 creates the file with its header, then all open it.
  status open_all(const std::string& header, const array_layout& layout) {
    const auto during = notes_.line.during(HR_PHASE_OPEN);
    status result;
    if (comm_->rank() == 0) {
      result = create_with_hints(path_, settings_.hints, notes_.hints);
      if (result.ok()) result = file_.open_to_write(path_);
      if (result.ok())
        result = file_.write_at(0, header.data(), static_cast<std::int64_t>(header.size()));
    }
    if (status s = agree(*comm_, result); !s.ok()) return s;
    if (names_striping(settings_.hints)) broadcast_found(*comm_, notes_.hints);
    const bool writes = settings_.pattern != write_pattern::serial;
    return agree_on(*comm_, [&] {
      place_.segments.assign(1, {0, volume(layout.global()), begin_});
      return comm_->rank() != 0 && writes ? file_.open_to_write(path_) : status();
    });
  }

  // The plain calls of MPI-IO, as safe as these are: MPI ranks agree before and after each.
  status write_by_mpi(const std::string& header, const array_view& local,
                      const array_layout& layout) {
    status result;
    mpi_file file;
    {
      const auto during = notes_.line.during(HR_PHASE_OPEN);
      if (status s = create_for_library(*comm_, path_, settings_.hints, notes_.hints); !s.ok())
        return s;
      result = file.open(*comm_, path_, MPI_MODE_WRONLY, settings_.hints, notes_.hints);
      // Whoever left now would close the file alone, and wait there.
      if (result.ok() && comm_->rank() == 0) result = caught([&] { return begin_file(header); });
      result = agree(*comm_, result);
    }
    if (result.ok()) {
      notes_.writers = comm_->size();
      const auto during = notes_.line.during(HR_PHASE_TRANSFER);
      const bool collective = settings_.pattern == write_pattern::shared_collective;
      result = file.pass_array(begin_, local, layout, collective, direction::out);
    }
    if (result.ok() && settings_.sync) {
      const auto during = notes_.line.during(HR_PHASE_SYNC);
      result = agree(*comm_, file.sync());
    }
    const auto during = notes_.line.during(HR_PHASE_CLOSE);
    if (result.ok()) return agree(*comm_, file.close());
    file.forget();
    return result;
  }

  status begin_file(const std::string& header) {
    positioned_file file;
    if (status s = file.open_to_write(path_); !s.ok()) return s;
    if (status s = file.write_at(0, header.data(), begin_); !s.ok()) return s;
    return file.close();
  }

  positioned_file file_;
  stored_place place_;
  bool written_ = false;
  std::int64_t begin_ = 0;
  std::int64_t bytes_ = 0;
};

class reader : public dataset_reader {
 public:
  using dataset_reader::dataset_reader;

  // MPI rank 0 takes the header apart, and the others learn what it found.
  status open() {
    const auto during = notes_.line.during(HR_PHASE_OPEN);
    status result = file_.open_to_read(path_);
    if (status s = agree(*comm_, result); !s.ok()) return s;
    std::int64_t at = 0;
    // Every MPI rank reads the few bytes itself: the page is in the cache by then.
    result = read_npy_header(
        [&](char* data, std::size_t bytes) {
          status s = file_.read_at(at, data, static_cast<std::int64_t>(bytes));
          at += static_cast<std::int64_t>(bytes);
          return s;
        },
        0, header_);
    if (result.ok()) result = check_fortran_has(header_.info);
    const array_info& info = header_.info;
    const auto elements =
        static_cast<std::int64_t>(info.bytes / std::max<std::size_t>(1, info.elem_len));
    place_.segments.assign(1, {0, elements, info.data_offset});
    if (result.ok())
      result = file_.check_size(header_.info.data_offset +
                                static_cast<std::int64_t>(header_.info.bytes));
    return agree(*comm_, std::move(result).in_file_once(path_));
  }

  status names(std::vector<std::string>& found) override {
    return agree_on(*comm_, [&] {
      found = {"data"};
      return status();
    });
  }
  status describe(const std::string& /*name*/, stored_array& found) override {
    found.info = header_.info;
    for (int d = 0; d < header_.info.array_rank; ++d)
      found.dimensions.push_back("d" + std::to_string(d + 1));
    return {};
  }
  // In C order the last index varies fastest: that is Fortran's order of the dimensions reversed.
  status read(const std::string& /*name*/, std::int64_t /*step*/, const array_view& local,
              const array_layout& layout) override {
    if (!header_.info.last_index_fastest) return read_in_order(local, layout);
    std::optional<array_layout> reversed;
    const status made = agree_on(*comm_, [&] {
      reversed.emplace(layout.reversed());
      return status();
    });
    if (!made.ok()) return made;
    return read_in_order(with_reversed_dimensions(local), *reversed);
  }
  status read_attribute(const std::string& /*array*/, const std::string& /*name*/,
                        const array_view& /*value*/) override {
    return no_attributes(path_);
  }

 private:
  status read_in_order(const array_view& local, const array_layout& layout) {
    const bool swapped = is_swapped(header_.info.order);
    place_.swapped_word = swapped ? word_bytes(local) : 0;
    if (settings_.transfer != transfer_way::library || swapped)
      return read_placed(file_, place_, local, layout, settings_, notes_);
    mpi_file file;
    if (status s = file.open(*comm_, path_, MPI_MODE_RDONLY, settings_.hints, notes_.hints);
        !s.ok())
      return s;
    const auto during = notes_.line.during(HR_PHASE_TRANSFER);
    status result =
        file.pass_array(header_.info.data_offset, local, layout,
                        settings_.pattern == write_pattern::shared_collective, direction::in);
    result.keep_first(file.close());
    return agree(*comm_, result);
  }

  positioned_file file_;
  npy_header header_;
  stored_place place_;
};

status create(const dataset_opening& how, std::unique_ptr<dataset_writer>& made) {
  if (how.settings.pattern == write_pattern::serial &&
      how.settings.transfer == transfer_way::library)
    return status::failure(stat_code::option_unknown,
                           "npy files do not take transfer=\"library\" with pattern=\"serial\"")
        .advise("leave one of them out");
  made = std::make_unique<writer>(how);
  return {};
}

status open(const dataset_opening& how, std::unique_ptr<dataset_reader>& made) {
  auto opened = std::make_unique<reader>(how);
  if (status s = opened->open(); !s.ok()) return s;
  made = std::move(opened);
  return {};
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
