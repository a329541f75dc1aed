#include "handle.hpp"

#include <strings.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <vector>

#include "../../dataset/attribute_failures.hpp"
#include "../../move/element_form.hpp"
#include "scales.hpp"

namespace headrace::hdf5 {
namespace {

// Negative: there is none.
hid_t native_number(type_class type, std::size_t bytes) {
  const bool is_real = type == type_class::real;
  switch (bytes) {
    case 1:
      return is_real ? H5I_INVALID_HID : H5T_NATIVE_INT8;
    case 2:
      return is_real ? H5I_INVALID_HID : H5T_NATIVE_INT16;
    case 4:
      return is_real ? H5T_NATIVE_FLOAT : H5T_NATIVE_INT32;
    case 8:
      return is_real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64;
    default:
      return H5I_INVALID_HID;
  }
}

// These fail with what HDF5 reports. What they began stays open: to close it would forget that.
status outcome(bool done) {
  return done ? status() : library_failure("a datatype could not be made");
}

status copy_type(hid_t native, handle& made) {
  made = owned_type(H5Tcopy(native));
  return outcome(static_cast<bool>(made));
}

status complex_type(hid_t part, std::size_t bytes, bool long_names, handle& made) {
  made = owned_type(H5Tcreate(H5T_COMPOUND, bytes));
  return outcome(made && H5Tinsert(made.get(), long_names ? "real" : "r", 0, part) >= 0 &&
                 H5Tinsert(made.get(), long_names ? "imag" : "i", bytes / 2, part) >= 0);
}

status boolean_type(handle& made) {
  made = owned_type(H5Tenum_create(H5T_NATIVE_INT8));
  const std::int8_t no = 0;
  const std::int8_t yes = 1;
  return outcome(made && H5Tenum_insert(made.get(), "FALSE", &no) >= 0 &&
                 H5Tenum_insert(made.get(), "TRUE", &yes) >= 0);
}

status text_type(std::size_t bytes, handle& made) {
  made = owned_type(H5Tcopy(H5T_FORTRAN_S1));
  return outcome(made && H5Tset_size(made.get(), bytes == 0 ? 1 : bytes) >= 0);
}

status unknown_kind(const std::string& what) {
  return library_failure(what, stat_code::header_damaged);
}

std::string member_name(hid_t type, unsigned index) {
  char* name = H5Tget_member_name(type, index);
  std::string text = name == nullptr ? "" : name;
  H5free_memory(name);
  return text;
}

// Sets plain and swapped by comparing with the type that memory has.
status compare(hid_t type, hid_t native, element_kind& found) {
  found.plain = H5Tequal(type, native) > 0;
  if (found.plain || found.word_bytes == 1) return {};
  const auto swapped = H5Tget_order(native) == H5T_ORDER_LE ? H5T_ORDER_BE : H5T_ORDER_LE;
  handle other;
  if (status s = copy_type(native, other); !s.ok()) return s;
  if (H5Tset_order(other.get(), swapped) < 0) return outcome(false);
  found.swapped = H5Tequal(type, other.get()) > 0;
  found.plain = found.swapped;
  return {};
}

status number_kind(hid_t type, type_class kind, element_kind& found) {
  const std::string what = kind == type_class::real ? "reals" : "integers";
  const std::size_t bytes = H5Tget_size(type);
  if (bytes == 0) return unknown_kind("cannot learn which " + what + " these are");
  const hid_t native = native_number(kind, bytes);
  if (native < 0)
    return status::failure(stat_code::kind_unsupported, what + " of " + bytes_text(bytes));
  found = {kind, bytes, bytes};
  return compare(type, native, found);
}

status integer_kind(hid_t type, element_kind& found) {
  const H5T_sign_t sign = H5Tget_sign(type);
  if (sign < 0) return unknown_kind("cannot learn which integers these are");
  if (sign != H5T_SGN_NONE) return number_kind(type, type_class::integer, found);
  return status::failure(stat_code::kind_mismatch, "unsigned integers of " +
                                                       bytes_text(H5Tget_size(type)) +
                                                       ", which Fortran has no kind for")
      .expected("signed integers", "unsigned ones")
      .advise("store them as signed integers");
}

status complex_kind(hid_t type, element_kind& found) {
  const auto no_complex = [] {
    return status::failure(stat_code::kind_unsupported,
                           "a compound type that is not a complex number")
        .expected("two reals r and i, or real and imag", "other members");
  };
  if (H5Tget_nmembers(type) != 2) return no_complex();
  const std::string first = member_name(type, 0);
  const std::string second = member_name(type, 1);
  const bool long_names = first == "real" && second == "imag";
  if (!long_names && !(first == "r" && second == "i")) return no_complex();
  element_kind part;
  const handle real = owned_type(H5Tget_member_type(type, 0));
  const handle imaginary = owned_type(H5Tget_member_type(type, 1));
  if (H5Tget_class(real.get()) != H5T_FLOAT || H5Tequal(real.get(), imaginary.get()) <= 0)
    return no_complex();
  if (status failed = number_kind(real.get(), type_class::real, part); !failed.ok()) return failed;
  found = {type_class::complex, 2 * part.elem_len, part.elem_len, part.swapped};
  found.long_names = long_names;
  const std::size_t bytes = H5Tget_size(type);
  if (bytes == 0) return unknown_kind("cannot learn which complex numbers these are");
  found.plain = part.plain && bytes == found.elem_len && H5Tget_member_offset(type, 0) == 0 &&
                H5Tget_member_offset(type, 1) == part.elem_len;
  return {};
}

// h5py's booleans; other enumerations are their integers.
status enumeration_kind(hid_t type, element_kind& found) {
  const handle base = owned_type(H5Tget_super(type));
  const std::size_t bytes = H5Tget_size(type);
  if (bytes == 0) return unknown_kind("cannot learn which enumeration this is");
  const bool boolean = bytes == 1 && H5Tget_nmembers(type) == 2 &&
                       strcasecmp(member_name(type, 0).c_str(), "FALSE") == 0 &&
                       strcasecmp(member_name(type, 1).c_str(), "TRUE") == 0;
  if (!boolean) return integer_kind(base.get(), found);
  std::int8_t values[2] = {};
  if (H5Tget_member_value(type, 0, &values[0]) < 0 || H5Tget_member_value(type, 1, &values[1]) < 0)
    return unknown_kind("cannot learn what FALSE and TRUE are");
  if (values[0] != 0 || values[1] != 1) return integer_kind(base.get(), found);
  found = {type_class::logical, 1, 1};
  found.plain = true;
  return {};
}

status text_kind(hid_t type, element_kind& found) {
  found = {type_class::character, H5Tget_size(type), 1};
  const htri_t variable = found.elem_len == 0 ? -1 : H5Tis_variable_str(type);
  if (variable < 0) return unknown_kind("cannot learn how long texts are");
  found.variable = variable > 0;
  if (found.variable) found.elem_len = 0;
  found.utf8 = H5Tget_cset(type) == H5T_CSET_UTF8;
  found.plain = !found.variable && H5Tget_strpad(type) == H5T_STR_SPACEPAD;
  return {};
}

}  // namespace

status type_of(type_class type, std::size_t elem_len, handle& made) {
  if (type == type_class::logical) return boolean_type(made);
  if (type == type_class::character) return text_type(elem_len, made);
  const bool is_complex = type == type_class::complex;
  const hid_t native =
      is_complex ? native_number(type_class::real, elem_len / 2) : native_number(type, elem_len);
  if (native >= 0)
    return is_complex ? complex_type(native, elem_len, false, made) : copy_type(native, made);
  return no_such_kind("HDF5 files", type, elem_len);
}

status memory_type(const element_kind& kind, handle& made) {
  const status done = kind.long_names
                          ? complex_type(native_number(type_class::real, kind.word_bytes),
                                         kind.elem_len, kind.long_names, made)
                          : type_of(kind.type, kind.elem_len, made);
  if (!done.ok()) return done;
  return outcome(!kind.utf8 || H5Tset_cset(made.get(), H5T_CSET_UTF8) >= 0);
}

status kind_of(hid_t type, element_kind& found) {
  static constexpr const char* names[] = {
      "integers",       "reals",      "times",        "text",      "bit fields", "opaque bytes",
      "compound types", "references", "enumerations", "sequences", "arrays"};
  const H5T_class_t type_of_class = H5Tget_class(type);
  switch (type_of_class) {
    case H5T_INTEGER:
      return integer_kind(type, found);
    case H5T_FLOAT:
      return number_kind(type, type_class::real, found);
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

namespace {

std::string quoted(const std::string& name) {
  return "attribute \"" + name + "\"";
}

// An open attribute and what its values are.
struct found_attribute {
  handle attribute;
  handle type;
  handle space;
  element_kind kind;
  std::size_t count = 0;
};

status find(hid_t object, const std::string& name, found_attribute& found) {
  const htri_t is_there = H5Aexists(object, name.c_str());
  if (is_there == 0) return no_attribute(name);
  if (is_there > 0) found.attribute = owned_attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT));
  if (found.attribute) found.type = owned_type(H5Aget_type(found.attribute.get()));
  if (found.type) found.space = owned_space(H5Aget_space(found.attribute.get()));
  if (!found.space)
    return library_failure("cannot open the " + quoted(name), stat_code::header_damaged);
  const hssize_t count = H5Sget_simple_extent_npoints(found.space.get());
  if (count < 0)
    return library_failure("cannot learn the length of the " + quoted(name),
                           stat_code::header_damaged);
  found.count = static_cast<std::size_t>(count);
  return kind_of(found.type.get(), found.kind);
}

status check_shape(const std::string& name, const found_attribute& found, const array_view& value) {
  const int array_rank = std::max(0, H5Sget_simple_extent_ndims(found.space.get()));
  const std::size_t wanted = element_count(value).value_or(0);
  // One value is a scalar or an array of one: libraries differ.
  const bool fits = found.count == wanted && (array_rank == value.array_rank || wanted == 1);
  if (fits) return {};
  const std::string more = array_rank > 1 ? " of array rank " + std::to_string(array_rank) : "";
  return attribute_of_another_length(name, value, found.count, more);
}

status check_kind(const std::string& name, const element_kind& kind, const array_view& value) {
  const bool any_length = kind.type == type_class::logical || kind.type == type_class::character;
  if (kind.type == value.type && (any_length || kind.elem_len == value.elem_len)) return {};
  return attribute_of_another_kind(name, value, attribute_kind_text(kind.type, kind.elem_len));
}

status read_variable_texts(const std::string& name, const found_attribute& found,
                           const array_view& value) {
  std::vector<char*> texts(found.count, nullptr);
  const handle type = owned_type(H5Tcopy(H5T_C_S1));
  if (!type || H5Tset_size(type.get(), H5T_VARIABLE) < 0 ||
      H5Tset_cset(type.get(), H5Tget_cset(found.type.get())) < 0 ||
      H5Aread(found.attribute.get(), type.get(), texts.data()) < 0)
    return library_failure("cannot read the " + quoted(name), stat_code::header_damaged);
  std::vector<std::string> copies;
  for (const char* const text : texts) copies.emplace_back(text == nullptr ? "" : text);
  H5Dvlen_reclaim(type.get(), found.space.get(), H5P_DEFAULT, texts.data());
  return set_texts(name, copies, value, stat_code::kind_mismatch);
}

status read_values(const std::string& name, const found_attribute& found, std::string& bytes) {
  handle type;
  if (status s = memory_type(found.kind, type); !s.ok()) return s;
  const std::size_t elem_len = H5Tget_size(type.get());
  if (elem_len == 0) return library_failure("cannot learn the length of the " + quoted(name));
  bytes.assign(found.count * elem_len, '\0');
  if (bytes.empty() || H5Aread(found.attribute.get(), type.get(), bytes.data()) >= 0) return {};
  return library_failure("cannot read the " + quoted(name), stat_code::header_damaged);
}

}  // namespace

status put_attribute(hid_t object, const std::string& name, const array_view& value) {
  handle type;
  if (status s = type_of(value.type, value.elem_len, type); !s.ok()) return s;
  const element_form form = form_of(value);
  const std::size_t elements = element_count(value).value_or(0);
  const std::size_t elem_len = H5Tget_size(type.get());
  if (elem_len == 0) return library_failure("cannot create the " + quoted(name));
  std::vector<char> bytes(std::max<std::size_t>(1, elements * elem_len), ' ');
  if (form.file_bytes > 0) store_elements(value, form, bytes.data());
  const auto extent = static_cast<hsize_t>(elements);
  const handle space = owned_space(value.array_rank == 0 ? H5Screate(H5S_SCALAR)
                                                         : H5Screate_simple(1, &extent, nullptr));
  if (!space) return library_failure("cannot create the " + quoted(name));
  return replace_attribute(object, name.c_str(), type.get(), space.get(), bytes.data(),
                           "cannot write the " + quoted(name));
}

status get_attribute(hid_t object, const std::string& name, const array_view& value) {
  found_attribute found;
  if (status s = find(object, name, found); !s.ok()) return s;
  if (status s = check_kind(name, found.kind, value); !s.ok()) return s;
  if (status s = check_shape(name, found, value); !s.ok()) return s;
  if (found.kind.variable) return read_variable_texts(name, found, value);
  std::string read;
  if (status s = read_values(name, found, read); !s.ok()) return s;
  if (found.kind.type == type_class::character) {
    std::vector<std::string> texts;
    const std::size_t length = found.kind.elem_len;
    for (std::size_t i = 0; i < found.count; ++i) texts.push_back(read.substr(i * length, length));
    return set_texts(name, texts, value, stat_code::kind_mismatch);
  }
  if (!read.empty()) load_elements(value, form_of(value), read.data());
  return {};
}

}  // namespace headrace::hdf5
