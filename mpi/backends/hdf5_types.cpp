#include "hdf5_types.hpp"

#include <strings.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace headrace {
namespace {

hid_t native_integer(std::size_t bytes) {
  switch (bytes) {
    case 1:
      return H5T_NATIVE_INT8;
    case 2:
      return H5T_NATIVE_INT16;
    case 4:
      return H5T_NATIVE_INT32;
    case 8:
      return H5T_NATIVE_INT64;
    default:
      return H5I_INVALID_HID;
  }
}

hid_t native_real(std::size_t bytes) {
  if (bytes == sizeof(float)) return H5T_NATIVE_FLOAT;
  if (bytes == sizeof(double)) return H5T_NATIVE_DOUBLE;
  return H5I_INVALID_HID;
}

hdf5_handle complex_type(std::size_t bytes, bool long_names) {
  const hid_t part = native_real(bytes / 2);
  if (part < 0) return {};
  hdf5_handle made = owned_type(H5Tcreate(H5T_COMPOUND, bytes));
  H5Tinsert(made.get(), long_names ? "real" : "r", 0, part);
  H5Tinsert(made.get(), long_names ? "imag" : "i", bytes / 2, part);
  return made;
}

hdf5_handle boolean_type() {
  hdf5_handle made = owned_type(H5Tenum_create(H5T_NATIVE_INT8));
  const std::int8_t no = 0;
  const std::int8_t yes = 1;
  H5Tenum_insert(made.get(), "FALSE", &no);
  H5Tenum_insert(made.get(), "TRUE", &yes);
  return made;
}

hdf5_handle text_type(std::size_t bytes) {
  hdf5_handle made = owned_type(H5Tcopy(H5T_FORTRAN_S1));
  H5Tset_size(made.get(), bytes == 0 ? 1 : bytes);
  return made;
}

std::string member_name(hid_t type, unsigned index) {
  char* name = H5Tget_member_name(type, index);
  std::string text = name == nullptr ? "" : name;
  H5free_memory(name);
  return text;
}

const char* kind_text(type_class type) {
  switch (type) {
    case type_class::integer:
      return "integers";
    case type_class::real:
      return "reals";
    case type_class::complex:
      return "complex numbers";
    case type_class::logical:
      return "logicals";
    default:
      return "characters";
  }
}

// Sets plain and swapped by comparing with the type that memory has.
void compare(hid_t type, hid_t native, hdf5_kind& found) {
  found.plain = H5Tequal(type, native) > 0;
  if (found.plain || found.word_bytes == 1) return;
  const hdf5_handle other = owned_type(H5Tcopy(native));
  H5Tset_order(other.get(), H5Tget_order(native) == H5T_ORDER_LE ? H5T_ORDER_BE : H5T_ORDER_LE);
  found.swapped = H5Tequal(type, other.get()) > 0;
  found.plain = found.swapped;
}

status integer_kind(hid_t type, hdf5_kind& found) {
  const std::size_t bytes = H5Tget_size(type);
  if (H5Tget_sign(type) == H5T_SGN_NONE)
    return status::failure(stat_code::kind_mismatch, "unsigned integers of " + bytes_text(bytes) +
                                                         ", which Fortran has no kind for")
        .advise("store them as signed integers");
  const hid_t native = native_integer(bytes);
  if (native < 0)
    return status::failure(stat_code::kind_unsupported, "integers of " + bytes_text(bytes));
  found = {type_class::integer, bytes, bytes};
  compare(type, native, found);
  return {};
}

status real_kind(hid_t type, hdf5_kind& found) {
  const std::size_t bytes = H5Tget_size(type);
  const hid_t native = native_real(bytes);
  if (native < 0)
    return status::failure(stat_code::kind_unsupported, "reals of " + bytes_text(bytes));
  found = {type_class::real, bytes, bytes};
  compare(type, native, found);
  return {};
}

status complex_kind(hid_t type, hdf5_kind& found) {
  const auto no_complex = [] {
    return status::failure(stat_code::kind_unsupported, "a compound type that is no complex number")
        .expected("two reals r and i, or real and imag", "other members");
  };
  if (H5Tget_nmembers(type) != 2) return no_complex();
  const std::string first = member_name(type, 0);
  const std::string second = member_name(type, 1);
  const bool long_names = first == "real" && second == "imag";
  if (!long_names && !(first == "r" && second == "i")) return no_complex();
  hdf5_kind part;
  const hdf5_handle real = owned_type(H5Tget_member_type(type, 0));
  const hdf5_handle imaginary = owned_type(H5Tget_member_type(type, 1));
  if (H5Tget_class(real.get()) != H5T_FLOAT || H5Tequal(real.get(), imaginary.get()) <= 0)
    return no_complex();
  if (status failed = real_kind(real.get(), part); !failed.ok()) return failed;
  found = {type_class::complex, 2 * part.elem_len, part.elem_len, part.swapped};
  found.long_names = long_names;
  found.plain = part.plain && H5Tget_size(type) == found.elem_len &&
                H5Tget_member_offset(type, 0) == 0 &&
                H5Tget_member_offset(type, 1) == part.elem_len;
  return {};
}

// h5py's booleans; other enumerations are their integers.
status enumeration_kind(hid_t type, hdf5_kind& found) {
  const hdf5_handle base = owned_type(H5Tget_super(type));
  const bool boolean = H5Tget_size(type) == 1 && H5Tget_nmembers(type) == 2 &&
                       strcasecmp(member_name(type, 0).c_str(), "FALSE") == 0 &&
                       strcasecmp(member_name(type, 1).c_str(), "TRUE") == 0;
  if (!boolean) return integer_kind(base.get(), found);
  std::int8_t values[2] = {};
  H5Tget_member_value(type, 0, &values[0]);
  H5Tget_member_value(type, 1, &values[1]);
  if (values[0] != 0 || values[1] != 1) return integer_kind(base.get(), found);
  found = {type_class::logical, 1, 1};
  found.plain = true;
  return {};
}

status text_kind(hid_t type, hdf5_kind& found) {
  found = {type_class::character, H5Tget_size(type), 1};
  found.variable = H5Tis_variable_str(type) > 0;
  if (found.variable) found.elem_len = 0;
  found.utf8 = H5Tget_cset(type) == H5T_CSET_UTF8;
  found.plain = !found.variable && H5Tget_strpad(type) == H5T_STR_SPACEPAD;
  return {};
}

}  // namespace

status hdf5_type_of(type_class type, std::size_t elem_len, hdf5_handle& made) {
  const auto copy = [](hid_t native) {
    return native < 0 ? hdf5_handle() : owned_type(H5Tcopy(native));
  };
  switch (type) {
    case type_class::integer:
      made = copy(native_integer(elem_len));
      break;
    case type_class::real:
      made = copy(native_real(elem_len));
      break;
    case type_class::complex:
      made = complex_type(elem_len, false);
      break;
    case type_class::logical:
      made = boolean_type();
      break;
    case type_class::character:
      made = text_type(elem_len);
      break;
  }
  if (made) return {};
  return status::failure(
             stat_code::kind_unsupported,
             std::string("HDF5 files hold no ") + kind_text(type) + " of " + bytes_text(elem_len))
      .advise("integers have 1, 2, 4 or 8 bytes, reals 4 or 8, complex numbers 8 or 16");
}

status hdf5_memory_type(const hdf5_kind& kind, hdf5_handle& made) {
  if (kind.type == type_class::complex)
    made = complex_type(kind.elem_len, kind.long_names);
  else if (status s = hdf5_type_of(kind.type, kind.elem_len, made); !s.ok())
    return s;
  if (kind.utf8) H5Tset_cset(made.get(), H5T_CSET_UTF8);
  return made ? status() : hdf5_failure("a datatype could not be made");
}

status hdf5_kind_of(hid_t type, hdf5_kind& found) {
  static constexpr const char* names[] = {
      "integers",       "reals",      "times",        "text",      "bit fields", "opaque bytes",
      "compound types", "references", "enumerations", "sequences", "arrays"};
  const H5T_class_t type_of_class = H5Tget_class(type);
  switch (type_of_class) {
    case H5T_INTEGER:
      return integer_kind(type, found);
    case H5T_FLOAT:
      return real_kind(type, found);
    case H5T_COMPOUND:
      return complex_kind(type, found);
    case H5T_ENUM:
      return enumeration_kind(type, found);
    case H5T_STRING:
      return text_kind(type, found);
    default:
      break;
  }
  const int index = static_cast<int>(type_of_class);
  const bool known = index >= 0 && index < static_cast<int>(std::size(names));
  return status::failure(stat_code::kind_unsupported,
                         std::string("elements are ") +
                             (known ? names[index] : "of no known class") +
                             ", which Fortran has no type for");
}

}  // namespace headrace
