// Attributes: numbers are themselves, logicals bytes, complex numbers pairs of reals, a text loses
// the blanks that fill it up, and several texts are strings (NetCDF-4 only).
#include "../../dataset/attribute_failures.hpp"
#include "../../move/element_form.hpp"
#include "file.hpp"

namespace headrace::netcdf {
namespace {

std::int64_t elements_of(const array_view& value) {
  return static_cast<std::int64_t>(element_count(value).value_or(0));
}

status get_text(library_file& file, int variable, const std::string& name,
                const found_attribute& found, const array_view& value) {
  std::vector<std::string> texts;
  if (found.type == value_type::string) {
    if (status s = file.get_texts(variable, name, texts); !s.ok()) return s;
    return set_texts(name, texts, value);
  }
  texts.emplace_back(static_cast<std::size_t>(found.count), '\0');
  if (found.count > 0)
    if (status s = file.get_attribute(variable, name, texts[0].data()); !s.ok()) return s;
  return set_texts(name, texts, value);
}

}  // namespace

status put_attribute(library_file& file, int variable, const std::string& name,
                     const array_view& value) {
  value_form form;
  if (value.type == type_class::character) {
    const std::vector<std::string> texts = texts_of(value);
    if (value.array_rank > 0) return file.put_texts(variable, name, texts);
    return file.put_attribute(variable, name, value_type::text,
                              static_cast<std::int64_t>(texts[0].size()), texts[0].data());
  }
  if (status s = form_of_kind(value.type, value.elem_len, form); !s.ok()) return s;
  const element_form how = form_of(value);
  std::vector<char> bytes(static_cast<std::size_t>(elements_of(value)) * how.file_bytes + 1);
  store_elements(value, how, bytes.data());
  return file.put_attribute(variable, name, form.type, elements_of(value) * form.parts,
                            bytes.data());
}

status get_attribute(library_file& file, int variable, const std::string& name,
                     const array_view& value) {
  found_attribute found;
  if (status s = file.find_attribute(variable, name, found); !s.ok()) return s;
  if (!found.there) return no_attribute(name);
  if (value.type == type_class::character && class_of(found.type) == type_class::character)
    return get_text(file, variable, name, found, value);
  value_form form;
  if (status s = form_of_kind(value.type, value.elem_len, form); !s.ok()) return s;
  if (found.type != form.type) return attribute_of_another_kind(name, value, name_of(found.type));
  if (found.count != elements_of(value) * form.parts)
    return attribute_of_another_length(name, value,
                                       static_cast<std::size_t>(found.count / form.parts));
  const element_form how = form_of(value);
  std::vector<char> bytes(static_cast<std::size_t>(elements_of(value)) * how.file_bytes + 1);
  if (found.count > 0)
    if (status s = file.get_attribute(variable, name, bytes.data()); !s.ok()) return s;
  load_elements(value, how, bytes.data());
  return {};
}

}  // namespace headrace::netcdf
