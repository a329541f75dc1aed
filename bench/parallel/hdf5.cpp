// A minimal parallel HDF5 program: one contiguous dataset, allocated early and never filled,
// H5Dwrite collective or independent.
#include <hdf5.h>

#include "library_method.hpp"

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

class hdf5_method : public library_method {
 public:
  using library_method::library_method;

  outcome prepare(const trial_facts& facts) override {
    H5open();
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    return library_method::prepare(facts);
  }

 private:
  static void check(outcome& done, std::int64_t result, const char* call) {
    if (result < 0) done.keep(hdf5_failure(call));
  }

  bool open(const trial_facts& facts, bool write, outcome& done) override {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access, facts.all.comm, hints());
    const char* name = facts.asked.file.c_str();
    file_ = write ? H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access)
                  : H5Fopen(name, H5F_ACC_RDONLY, access);
    check(done, file_, write ? "H5Fcreate" : "H5Fopen");
    H5Pclose(access);
    if (file_ >= 0) open_dataset(facts, write, done);
    return dataset_ >= 0;
  }

  void open_dataset(const trial_facts& facts, bool write, outcome& done) {
    space_ = H5Screate_simple(3, slowest_first<hsize_t>(facts.split.global).data(), nullptr);
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
    H5Pset_dxpl_mpio(transfer_, collective() ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT);
  }

  void transfer(const block& part, bool write, double* values, outcome& done) override {
    const hid_t memory = select(part);
    check(done,
          write ? H5Dwrite(dataset_, H5T_NATIVE_DOUBLE, memory, space_, transfer_, values)
                : H5Dread(dataset_, H5T_NATIVE_DOUBLE, memory, space_, transfer_, values),
          write ? "H5Dwrite" : "H5Dread");
    H5Sclose(memory);
  }

  // The part in the file's space; gives that of the values.
  hid_t select(const block& part) const {
    const auto start = slowest_first<hsize_t>(part.start);
    const auto count = slowest_first<hsize_t>(part.count);
    const hid_t memory = H5Screate_simple(3, count.data(), nullptr);
    if (part.elements() > 0) {
      H5Sselect_hyperslab(space_, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    } else {
      H5Sselect_none(space_);
      H5Sselect_none(memory);
    }
    return memory;
  }

  void sync(const trial_facts& facts, outcome& done) override {
    const auto scope = facts.line.during(phase::sync);
    check(done, H5Fflush(file_, H5F_SCOPE_GLOBAL), "H5Fflush");
  }

  void close(outcome& done) override {
    if (dataset_ >= 0) check(done, H5Dclose(dataset_), "H5Dclose");
    if (transfer_ >= 0) H5Pclose(transfer_);
    if (space_ >= 0) H5Sclose(space_);
    if (file_ >= 0) check(done, H5Fclose(file_), "H5Fclose");
  }

  hid_t file_ = -1;
  hid_t dataset_ = -1;
  hid_t space_ = -1;
  hid_t transfer_ = -1;
};

}  // namespace

void add_hdf5_methods(method_list& list) {
  list.push_back({"hdf5:collective", "H5Dwrite of a contiguous dataset, collective", "",
                  make_new<hdf5_method, true>});
  list.push_back({"hdf5:independent", "H5Dwrite of a contiguous dataset, independent", "",
                  make_new<hdf5_method, false>});
}

}  // namespace headrace::bench
