#include "attributes.hpp"

#include <algorithm>
#include <cstring>

#include "../../../src/core/name_text.hpp"
#include "../../dataset/attribute_failures.hpp"
#include "../../move/element_form.hpp"

namespace headrace {
namespace {

std::size_t elements_of(const array_view& value) {
  return element_count(value).value_or(0);
}

// A name that is not there must not be printed about.
adios2_attribute* find_attribute(adios2_io* io, const std::string& name) {
  adios2_attribute* found = nullptr;
  const status ignored = adios2_try("", "", [&] {
    found = adios2_inquire_attribute(io, name.c_str());
    return true;
  });
  return ignored.ok() ? found : nullptr;
}

// BP5 loses complex attributes: they are pairs of reals.
status attribute_form(const array_view& value, adios2_type& type, std::size_t& count) {
  array_view parts = value;
  const bool pairs = value.type == type_class::complex;
  if (pairs) {
    parts.type = type_class::real;
    parts.elem_len /= 2;
  }
  adios2_form form;
  if (status s = adios2_form_of(parts, form); !s.ok()) return s;
  type = form.type;
  count = elements_of(value) * (pairs ? 2 : 1);
  return {};
}

std::string stored_kind(adios2_type type) {
  adios2_form form;
  form.type = type;
  array_info info;
  if (type == adios2_type_string) return attribute_kind_text(type_class::character, 0);
  if (adios2_kind_of(form, info)) return attribute_kind_text(info.type, info.elem_len);
  return "a type of ADIOS2 that headrace does not read";
}

status set_texts(const std::string& name, const std::vector<std::string>& texts,
                 const array_view& value) {
  if (texts.size() != elements_of(value))
    return attribute_of_another_length(name, value, texts.size());
  char* to = value.base;
  for (const std::string& text : texts) {
    if (text.size() > value.elem_len)
      return attribute_text_too_long(stat_code::shape_mismatch, name, value.elem_len, text.size());
    std::memset(to, ' ', value.elem_len);
    std::memcpy(to, text.data(), text.size());
    to += value.elem_len;
  }
  return {};
}

}  // namespace

std::string adios2_attribute_name(const std::string& array, const std::string& name) {
  return array.empty() ? name : array + "/" + name;
}

status adios2_put_texts(adios2_io* io, const std::string& file, const std::string& name,
                        const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  return adios2_try("cannot write the attribute " + shown(name), file, [&] {
    return adios2_define_attribute_array(io, name.c_str(), adios2_type_string, pointers.data(),
                                         pointers.size()) != nullptr;
  });
}

status adios2_put_numbers(adios2_io* io, const std::string& file, const std::string& name,
                          const std::vector<std::int64_t>& numbers) {
  return adios2_try("cannot write the attribute " + shown(name), file, [&] {
    return adios2_define_attribute_array(io, name.c_str(), adios2_type_int64_t, numbers.data(),
                                         numbers.size()) != nullptr;
  });
}

status adios2_put_attribute(adios2_io* io, const std::string& file, const std::string& name,
                            const array_view& value) {
  if (value.type == type_class::character) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < elements_of(value); ++i) {
      texts.emplace_back(value.base + i * value.elem_len, value.elem_len);
      texts.back().erase(texts.back().find_last_not_of(' ') + 1);  // blanks only fill up
    }
    if (value.array_rank > 0) return adios2_put_texts(io, file, name, texts);
    return adios2_try("cannot write the attribute " + shown(name), file, [&] {
      return adios2_define_attribute(io, name.c_str(), adios2_type_string, texts[0].c_str()) !=
             nullptr;
    });
  }
  adios2_type type = adios2_type_unknown;
  std::size_t count = 0;
  if (status s = attribute_form(value, type, count); !s.ok()) return std::move(s).in_file(file);
  const element_form how = form_of(value);
  std::vector<char> bytes(elements_of(value) * how.file_bytes + 1);
  store_elements(value, how, bytes.data());
  return adios2_try("cannot write the attribute " + shown(name), file, [&] {
    return (value.array_rank == 0 && count == 1
                ? adios2_define_attribute(io, name.c_str(), type, bytes.data())
                : adios2_define_attribute_array(io, name.c_str(), type, bytes.data(), count)) !=
           nullptr;
  });
}

std::vector<std::string> adios2_get_texts(adios2_io* io, const std::string& name) {
  const adios2_attribute* attribute = find_attribute(io, name);
  adios2_type type = adios2_type_unknown;
  adios2_bool single = adios2_false;
  std::size_t count = 0;
  if (attribute == nullptr || adios2_attribute_type(&type, attribute) != adios2_error_none ||
      type != adios2_type_string || adios2_attribute_is_value(&single, attribute) != 0 ||
      adios2_attribute_size(&count, attribute) != adios2_error_none)
    return {};
  if (single == adios2_true) {
    std::size_t length = 0;
    if (adios2_attribute_string_data(attribute, nullptr, &length) != adios2_error_none) return {};
    std::string text(length + 1, '\0');
    if (adios2_attribute_string_data(attribute, text.data(), &length) != adios2_error_none)
      return {};
    text.resize(length);
    return {text};
  }
  std::vector<std::size_t> lengths(count);
  if (adios2_attribute_string_data_array(attribute, nullptr, lengths.data()) != adios2_error_none)
    return {};
  std::vector<std::string> texts;
  std::vector<char*> pointers;
  for (const std::size_t length : lengths) texts.emplace_back(length + 1, '\0');
  for (std::string& text : texts) pointers.push_back(text.data());
  if (adios2_attribute_string_data_array(attribute, pointers.data(), lengths.data()) !=
      adios2_error_none)
    return {};
  for (std::size_t i = 0; i < count; ++i) texts[i].resize(lengths[i]);
  return texts;
}

std::vector<std::int64_t> adios2_get_numbers(adios2_io* io, const std::string& name) {
  const adios2_attribute* attribute = find_attribute(io, name);
  adios2_type type = adios2_type_unknown;
  std::size_t count = 0;
  if (attribute == nullptr || adios2_attribute_type(&type, attribute) != adios2_error_none ||
      type != adios2_type_int64_t || adios2_attribute_size(&count, attribute) != adios2_error_none)
    return {};
  std::vector<std::int64_t> numbers(count);
  if (adios2_attribute_data(numbers.data(), &count, attribute) != adios2_error_none) return {};
  return numbers;
}

status adios2_get_attribute(adios2_io* io, const std::string& file, const std::string& name,
                            const array_view& value) {
  const adios2_attribute* attribute = find_attribute(io, name);
  if (attribute == nullptr) return no_attribute(name).in_file(file);
  adios2_type type = adios2_type_unknown;
  std::size_t count = 0;
  if (status s = adios2_try("cannot read the attribute " + shown(name), file,
                            [&] {
                              return adios2_attribute_type(&type, attribute) == 0 &&
                                     adios2_attribute_size(&count, attribute) == 0;
                            });
      !s.ok())
    return s;
  if (value.type == type_class::character && type == adios2_type_string)
    return set_texts(name, adios2_get_texts(io, name), value).in_file_once(file);
  adios2_type wanted = adios2_type_unknown;
  std::size_t parts = 0;
  if (status s = attribute_form(value, wanted, parts); !s.ok()) return std::move(s).in_file(file);
  if (type != wanted || value.type == type_class::character)
    return attribute_of_another_kind(name, value, stored_kind(type)).in_file(file);
  if (count != parts)
    return attribute_of_another_length(name, value,
                                       value.type == type_class::complex ? count / 2 : count)
        .in_file(file);
  const element_form how = form_of(value);
  std::vector<char> bytes(elements_of(value) * how.file_bytes + 1);
  status done = adios2_try("cannot read the attribute " + shown(name), file, [&] {
    return adios2_attribute_data(bytes.data(), &count, attribute) == adios2_error_none;
  });
  if (done.ok()) load_elements(value, how, bytes.data());
  return done;
}

}  // namespace headrace
