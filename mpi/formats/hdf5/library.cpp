#include "library.hpp"

#include "../../dataset/attribute_failures.hpp"
#include "../../dataset/described.hpp"
#include "../../disk/library_files.hpp"
#include "../../move/slabs.hpp"
#include "../../together/from_root.hpp"
#include "../../together/mpi_io_module.hpp"
#include "contents.hpp"
#include "definitions.hpp"
#include "file.hpp"

namespace headrace::hdf5 {
namespace {

// What a call on a dataset needs beside the part.
class library_call {
 public:
  library_call(std::string file, hid_t dataset, std::int64_t step, timeline& line)
      : file_(std::move(file)), dataset_(dataset), step_(step), line_(line) {}

  status prepare(const element_kind& kind, bool collective) {
    const quiet_errors quiet;
    if (status s = memory_type(kind, memory_); !s.ok()) return s;
    if (!collective) return {};
    how_ = owned_properties(H5Pcreate(H5P_DATASET_XFER));
    if (how_) nothing_ = owned_space(H5Dget_space(dataset_));
    if (nothing_ && H5Pset_dxpl_mpio(how_.get(), H5FD_MPIO_COLLECTIVE) >= 0 &&
        H5Sselect_none(nothing_.get()) >= 0)
      return {};
    return library_failure("cannot ask for collective transfers");
  }
  status write(const box& part, const char* data) {
    return act(part, "cannot write an array through HDF5", [&](hid_t memory, hid_t file) {
      return H5Dwrite(dataset_, memory_.get(), memory, file, how(), data);
    });
  }
  status read(const box& part, char* data) {
    return act(part, "cannot read an array through HDF5", [&](hid_t memory, hid_t file) {
      return H5Dread(dataset_, memory_.get(), memory, file, how(), data);
    });
  }

 private:
  hid_t how() const noexcept { return how_ ? how_.get() : H5P_DEFAULT; }
  template <class Call>
  status act(const box& part, const char* what, Call call) {
    const quiet_errors quiet;
    const auto during = line_.during(HR_PHASE_TRANSFER);
    handle file_space;
    handle memory_space;
    status chosen =
        caught([&] { return select_part(dataset_, part, step_, file_space, memory_space); });
    // The others wait in a collective call for who has no selection: it makes one of nothing.
    if (!chosen.ok() && nothing_) call(nothing_.get(), nothing_.get());
    if (!chosen.ok()) return chosen;
    if (call(memory_space.get(), file_space.get()) >= 0) return {};
    status failed = caught([&] { return library_failure(what); });
    drop_locks(file_.c_str());
    return std::move(failed).in_file_once(file_);
  }

  std::string file_;
  hid_t dataset_;
  std::int64_t step_;
  timeline& line_;
  handle how_;
  handle memory_;
  handle nothing_;  // of the dataset, for a collective call without a part
};

class library_writer final : public dataset_writer {
 public:
  explicit library_writer(const dataset_opening& how) : dataset_writer(how) {
    if (is_here())
      description_ = std::make_unique<definitions>(how, is_together() ? comm_ : nullptr);
  }

  status create() {
    const auto during = notes_.line.during(HR_PHASE_OPEN);
    notes_.writers = is_together() ? comm_->size() : 1;
    if (status s = create_for_library(*comm_, path_, settings_.hints, notes_.hints); !s.ok())
      return s;
    status created = here([&] { return description_->create(false); });
    if (!is_together()) tell_hints();
    return created;
  }

  status write(const catalogue_entry& entry, const array_view& local,
               const array_layout& layout) override {
    element_kind kind;
    kind.type = local.type;
    kind.elem_len = form_of(local).file_bytes;
    {
      const auto during = notes_.line.during(HR_PHASE_OPEN);
      stored_place unused;
      if (status s = here([&] { return description_->place(entry, unused); }); !s.ok()) return s;
      if (entry.is_new && !is_together()) tell_hints();
    }
    if (is_empty(layout.global())) return {};
    const hid_t dataset = is_here() ? description_->dataset(entry.array->name) : H5I_INVALID_HID;
    library_call call(path_, dataset, entry.step, notes_.line);
    if (status s = here([&] { return call.prepare(kind, is_collective()); }); !s.ok()) return s;
    const auto put = [&](const box& part, char* data) { return call.write(part, data); };
    const element_form form = form_of(local);
    return is_together() ? write_slabs(layout, local, form, put)
                         : write_by_root(layout, local, form, notes_.line, put);
  }

  status write_attribute(const std::string& array, const std::string& name,
                         const array_view& value) override {
    const auto during = notes_.line.during(HR_PHASE_OPEN);
    if (!array.empty() && !catalogue_.has(array)) return no_array_to_describe(array).in_file(path_);
    return here([&] { return description_->write_attribute(array, name, value); });
  }

  status finish() override {
    {
      const auto during = notes_.line.during(HR_PHASE_CLOSE);
      if (status s = here([&] { return description_->finish(); }); !s.ok()) return s;
      status checked;
      if (comm_->rank() == 0) checked = caught([&] { return description_->check_file(); });
      if (status s = status_of_root(*comm_, checked); !s.ok()) return s;
    }
    if (!is_together()) tell_hints();
    if (!settings_.sync) return {};
    const auto during = notes_.line.during(HR_PHASE_SYNC);
    return sync_on_all_nodes(*comm_, path_);
  }

  void fail() noexcept override {
    if (description_ != nullptr) description_->fail();
  }

 private:
  void tell_hints() {
    if (settings_.hints.empty()) return;
    broadcast_found(*comm_, notes_.hints);
    notes_.hints.learn(settings_.hints, hint_list{});
  }
  bool is_together() const noexcept { return settings_.pattern != write_pattern::serial; }
  bool is_here() const noexcept { return is_together() || comm_->rank() == 0; }
  bool is_collective() const noexcept {
    return settings_.pattern == write_pattern::shared_collective;
  }
  // Together, the part agrees within: who leaves it alone meets the others at the end of the user's
  // call.
  template <class Part>
  status here(Part part) {
    try {
      status mine;
      if (is_together())
        mine = part().in_file_once(path_);
      else if (is_here())
        mine = caught([&] { return part().in_file_once(path_); });
      mine = is_together() ? agree(*comm_, std::move(mine)) : status_of_root(*comm_, mine);
      if (!mine.ok()) fail();
      return mine;
    } catch (const std::bad_alloc&) {
      fail();
      throw;
    }
  }

  std::unique_ptr<definitions> description_;  // of those that have the file open
};

// MPI rank 0 describes; all have the file open for the elements.
class library_reader final : public dataset_reader {
 public:
  library_reader(const dataset_opening& how, std::unique_ptr<dataset_reader> described)
      : dataset_reader(how), described_(std::move(described)), contents_(path_, comm_) {}

  // It agrees within.
  status open() { return agree(*comm_, contents_.open(settings_.hints, &notes_.hints)); }
  status names(std::vector<std::string>& found) override { return described_->names(found); }
  status describe(const std::string& name, stored_array& found) override {
    return described_->describe(name, found);
  }
  status read_attribute(const std::string& array, const std::string& name,
                        const array_view& value) override {
    return described_->read_attribute(array, name, value);
  }
  status read(const std::string& name, std::int64_t step_index, const array_view& local,
              const array_layout& layout) override {
    if (is_empty(layout.global())) return {};
    if (status s = agree_on(*comm_, [&] { return contents_.open_array(name).in_file_once(path_); });
        !s.ok())
      return s;
    // MPI-IO knows none of these.
    if (contents_.is_virtual()) return described_->read(name, step_index, local, layout);
    library_call call(path_, contents_.dataset(), step_index, notes_.line);
    const bool collective = settings_.pattern == write_pattern::shared_collective;
    if (status s = agree_on(*comm_, [&] { return call.prepare(contents_.kind(), collective); });
        !s.ok())
      return s;
    notes_.writers = comm_->size();
    return read_slabs(layout, local, form_of(local),
                      [&](const box& part, char* data) { return call.read(part, data); });
  }

 private:
  std::unique_ptr<dataset_reader> described_;
  contents contents_;
};

}  // namespace

status create_by_library(const dataset_opening& how, std::unique_ptr<dataset_writer>& made) {
  if (how.settings.pattern != write_pattern::serial)
    if (status s = check_sieving(*how.comm, how.file, true); !s.ok()) return s;
  const auto begin = [](library_writer& writer) { return writer.create(); };
  return make_and_begin<library_writer>(*how.comm, made, begin, how);
}

status open_by_library(const dataset_opening& how, std::unique_ptr<dataset_reader>& made) {
  if (status s = check_sieving(*how.comm, how.file, false); !s.ok()) return s;
  std::unique_ptr<dataset_reader> described;
  const auto open = [file = how.file](std::unique_ptr<described_file>& opened) {
    auto one = std::make_unique<contents>(file, nullptr, false);
    status done = one->open();
    opened = std::move(one);
    return done;
  };
  if (status s = open_described(how, open, described); !s.ok()) return s;
  const auto begin = [](library_reader& reader) { return reader.open(); };
  return make_and_begin<library_reader>(*how.comm, made, begin, how, std::move(described));
}

}  // namespace headrace::hdf5
