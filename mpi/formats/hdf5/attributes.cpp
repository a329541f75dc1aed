#include "scales.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "../../dataset/attribute_failures.hpp"
#include "../../move/element_form.hpp"

namespace headrace::hdf5 {
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
