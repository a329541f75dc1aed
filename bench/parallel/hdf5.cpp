// A minimal parallel HDF5 program: one contiguous dataset, allocated early and never filled,
// H5Dwrite collective or independent.
#include <hdf5.h>

#include "method.hpp"
#include "mpi_hints.hpp"

#include <optional>

namespace headrace::bench {
namespace {

herr_t remember_first(unsigned, const H5E_error2_t* error, void* text) {
  auto& found = *static_cast<std::string*>(text);
  if (found.empty() && error->desc != nullptr) found = error->desc;
  return 0;
}

// The innermost message of HDF5's error stack.
outcome hdf5_failure(const std::string& call) {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, remember_first, &text);
  return failure(library_failed, call + ": " + (text.empty() ? "HDF5 gives no reason" : text));
}

class hdf5_method : public io_method {
 public:
  explicit hdf5_method(bool collective) : collective_(collective) {}

  outcome prepare(const trial_facts& facts) override {
    H5open();
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    info_.emplace(facts.asked.hints);
    return {};
  }

  outcome write(const trial_facts& facts, trial_notes& notes) override {
    notes.writers = facts.all.size;
    outcome done = open(facts, true);
    if (file_ >= 0 && dataset_ >= 0) {
      transfer(facts, true, done);
      if (facts.asked.sync) {
        const auto scope = facts.line.during(phase::sync);
        check(done, H5Fflush(file_, H5F_SCOPE_GLOBAL), "H5Fflush");
      }
    }
    return close(facts, done);
  }

  outcome read(const trial_facts& facts, trial_notes& notes) override {
    notes.writers = facts.all.size;
    outcome done = open(facts, false);
    if (file_ >= 0 && dataset_ >= 0) transfer(facts, false, done);
    return close(facts, done);
  }

 private:
  static void check(outcome& done, std::int64_t result, const char* call) {
    if (result < 0) done.keep(hdf5_failure(call));
  }

  outcome open(const trial_facts& facts, bool write) {
    const auto scope = facts.line.during(phase::open);
    outcome done;
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access, facts.all.comm, info_->get());
    const char* name = facts.asked.file.c_str();
    file_ = write ? H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access)
                  : H5Fopen(name, H5F_ACC_RDONLY, access);
    check(done, file_, write ? "H5Fcreate" : "H5Fopen");
    H5Pclose(access);
    if (file_ >= 0) open_dataset(facts, write, done);
    return done;
  }

  void open_dataset(const trial_facts& facts, bool write, outcome& done) {
    hsize_t global[3];
    for (std::size_t axis = 0; axis < 3; ++axis) {  // HDF5 names the slowest first
      global[axis] = static_cast<hsize_t>(facts.split.global[2 - axis]);
    }
    space_ = H5Screate_simple(3, global, nullptr);
    if (write) {
      const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
      H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
      H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
      dataset_ =
          H5Dcreate2(file_, "data", H5T_IEEE_F64LE, space_, H5P_DEFAULT, creation, H5P_DEFAULT);
      H5Pclose(creation);
    } else {
      dataset_ = H5Dopen2(file_, "data", H5P_DEFAULT);
    }
    check(done, dataset_, write ? "H5Dcreate" : "H5Dopen");
    transfer_ = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(transfer_, collective_ ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT);
  }

  // Collective calls go on after a failure: the other MPI ranks make them too.
  void transfer(const trial_facts& facts, bool write, outcome& done) {
    const auto scope = facts.line.during(phase::transfer);
    double* values = facts.values;
    const std::int64_t calls = facts.split.calls();
    for (std::int64_t call = 0; call < calls; ++call) {
      const block part = part_of_call(facts.own(), call, calls);
      const hid_t memory = select(part);
      check(done,
            write ? H5Dwrite(dataset_, H5T_NATIVE_DOUBLE, memory, space_, transfer_, values)
                  : H5Dread(dataset_, H5T_NATIVE_DOUBLE, memory, space_, transfer_, values),
            write ? "H5Dwrite" : "H5Dread");
      H5Sclose(memory);
      values += part.elements();
    }
  }

  // The part in the file's space; gives that of the values.
  hid_t select(const block& part) const {
    hsize_t start[3];
    hsize_t count[3];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      start[axis] = static_cast<hsize_t>(part.start[2 - axis]);
      count[axis] = static_cast<hsize_t>(part.count[2 - axis]);
    }
    const hid_t memory = H5Screate_simple(3, count, nullptr);
    if (part.elements() > 0) {
      H5Sselect_hyperslab(space_, H5S_SELECT_SET, start, nullptr, count, nullptr);
    } else {
      H5Sselect_none(space_);
      H5Sselect_none(memory);
    }
    return memory;
  }

  outcome close(const trial_facts& facts, outcome done) {
    const auto scope = facts.line.during(phase::close);
    if (dataset_ >= 0) check(done, H5Dclose(dataset_), "H5Dclose");
    if (transfer_ >= 0) H5Pclose(transfer_);
    if (space_ >= 0) H5Sclose(space_);
    if (file_ >= 0) check(done, H5Fclose(file_), "H5Fclose");
    return done;
  }

  bool collective_;
  hid_t file_ = -1;
  hid_t dataset_ = -1;
  hid_t space_ = -1;
  hid_t transfer_ = -1;
  std::optional<hint_info> info_;
};

template <bool collective>
std::unique_ptr<io_method> make(const std::string&) {
  return std::make_unique<hdf5_method>(collective);
}

}  // namespace

void add_hdf5_methods(method_list& list) {
  list.push_back(
      {"hdf5:collective", "H5Dwrite of a contiguous dataset, collective", "", make<true>});
  list.push_back(
      {"hdf5:independent", "H5Dwrite of a contiguous dataset, independent", "", make<false>});
}

}  // namespace headrace::bench
