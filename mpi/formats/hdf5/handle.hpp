// Objects of HDF5 that close themselves, and what its error stack says. Next: storage.hpp.
#pragma once

// Newer versions have other functions of these names.
#ifndef H5_USE_110_API
#define H5_USE_110_API
#endif
#include <hdf5.h>

#include <string>
#include <utility>

#include "../../../src/core/array_view.hpp"
#include "../../../src/core/status.hpp"
#include "../../together/communicator.hpp"
#include "handle.hpp"

namespace headrace::hdf5 {

// An identifier and the function that closes it.
class handle {
 public:
  using closer = herr_t (*)(hid_t);

  handle() = default;
  // A negative identifier, as the library returns it after a failure, is no object.
  handle(hid_t id, closer close) noexcept : id_(id), close_(close) {}
  ~handle() { close(); }
  handle(handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  handle& operator=(handle&& other) noexcept {
    if (this != &other) {
      close();
      id_ = std::exchange(other.id_, H5I_INVALID_HID);
      close_ = other.close_;
    }
    return *this;
  }
  handle(const handle&) = delete;
  handle& operator=(const handle&) = delete;

  explicit operator bool() const noexcept { return id_ >= 0; }
  hid_t get() const noexcept { return id_; }
  // False when the library reports a failure; nothing is closed twice. HDF5 closes what is left
  // itself when MPI ends, and may not be called afterwards.
  bool close() noexcept {
    const hid_t id = std::exchange(id_, H5I_INVALID_HID);
    return id < 0 || mpi_has_ended() || close_(id) >= 0;
  }
  // It stays open until HDF5 ends.
  void forget() noexcept { id_ = H5I_INVALID_HID; }

 private:
  hid_t id_ = H5I_INVALID_HID;
  closer close_ = nullptr;
};

template <handle::closer Close>
handle owned(hid_t id) noexcept {
  return {id, Close};
}
inline constexpr auto owned_type = owned<H5Tclose>;
inline constexpr auto owned_space = owned<H5Sclose>;
inline constexpr auto owned_properties = owned<H5Pclose>;
inline constexpr auto owned_dataset = owned<H5Dclose>;
inline constexpr auto owned_attribute = owned<H5Aclose>;
inline constexpr auto owned_object = owned<H5Oclose>;
inline constexpr auto owned_file = owned<H5Fclose>;

// While one lives HDF5 prints nothing; the user's own setting comes back afterwards.
class quiet_errors {
 public:
  quiet_errors() noexcept {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    H5Eclear2(H5E_DEFAULT);
  }
  ~quiet_errors() {
    H5Eclear2(H5E_DEFAULT);
    H5Eset_auto2(H5E_DEFAULT, function_, data_);
  }
  quiet_errors(const quiet_errors&) = delete;
  quiet_errors& operator=(const quiet_errors&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

// The failure that HDF5 has just reported, with the deepest cause that its error stack names; an
// errno there becomes the status. Every other call of HDF5 in between, also one that closes an
// object, takes that cause away.
status library_failure(const std::string& what, stat_code code = stat_code::library_failed);

// Fortran's kinds as datatypes of HDF5, those that h5py uses. Next: storage.hpp.
// What the elements of a dataset or an attribute are.
struct element_kind {
  type_class type = type_class::integer;
  std::size_t elem_len = 0;    // in the file's form: logicals are one byte
  std::size_t word_bytes = 1;  // of a word that has a byte order
  bool swapped = false;        // words have the other byte order
  bool plain = false;          // the bytes are those of memory, but for the order
  bool long_names = false;     // complex: members real and imag instead of r and i
  bool variable = false;       // text of any length; elem_len is 0
  bool utf8 = false;           // text; HDF5 refuses to read it as ASCII
};

// The datatype of such elements, in memory and in our files: native integers and reals, compound
// {r, i}, enum {FALSE, TRUE} of one byte, text filled up with blanks. Failure kind_unsupported.
status type_of(type_class type, std::size_t elem_len, handle& made);
// The datatype to read elements of that kind into.
status memory_type(const element_kind& kind, handle& made);

// Failures kind_mismatch (unsigned integers), kind_unsupported (references, reals of other sizes).
status kind_of(hid_t type, element_kind& found);

}  // namespace headrace::hdf5
