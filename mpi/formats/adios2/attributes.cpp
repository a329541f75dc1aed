// Attributes in ADIOS2: numbers and texts, one or a list. BP5 loses complex ones, which are pairs
// of reals here.
#include <complex>
#include <cstring>

#include "../../../src/core/name_text.hpp"
#include "../../dataset/attribute_failures.hpp"
#include "../../move/element_form.hpp"
#include "format.hpp"

namespace headrace::adios2_format {
namespace {

std::size_t elements_of(const array_view& value) {
  return element_count(value).value_or(0);
}

// Calls act with a value of that type: false if attributes have none such.
template <class Act>
bool with_type(adios2::DataType type, Act act) {
  switch (type) {
    case adios2::DataType::Int8:
      return act(std::int8_t{}), true;
    case adios2::DataType::Int16:
      return act(std::int16_t{}), true;
    case adios2::DataType::Int32:
      return act(std::int32_t{}), true;
    case adios2::DataType::Int64:
      return act(std::int64_t{}), true;
    case adios2::DataType::Float:
      return act(float{}), true;
    case adios2::DataType::Double:
      return act(double{}), true;
    default:
      return false;
  }
}

std::string name_of(adios2::DataType type) {
  std::string name;
  with_type(type, [&](auto zero) { name = adios2::GetType<decltype(zero)>(); });
  return name;
}

struct attribute_form {
  adios2::DataType type = adios2::DataType::None;
  std::size_t count = 0;
};

status find_attribute_form(const array_view& value, attribute_form& found) {
  array_view parts = value;
  const bool pairs = value.type == type_class::complex;
  if (pairs) {
    parts.type = type_class::real;
    parts.elem_len /= 2;
  }
  form of;
  if (status s = find_form(parts, of); !s.ok()) return s;
  found = {of.type, elements_of(value) * (pairs ? 2 : 1)};
  return {};
}

// "integer of 4 bytes" for "int32_t"
std::string stored_kind(const std::string& type) {
  if (type == "string") return attribute_kind_text(type_class::character, 0);
  for (const adios2::DataType known :
       {adios2::DataType::Int8, adios2::DataType::Int16, adios2::DataType::Int32,
        adios2::DataType::Int64, adios2::DataType::Float, adios2::DataType::Double}) {
    described_array array;
    if (type == name_of(known) && find_kind({known, 0, ""}, array))
      return attribute_kind_text(array.type, array.elem_len);
  }
  return "a type of ADIOS2 that headrace does not read";
}

void put_texts(adios2::IO& io, const std::string& name, const array_view& value) {
  const std::vector<std::string> texts = headrace::texts_of(value);
  if (value.array_rank == 0)
    io.DefineAttribute<std::string>(name, texts[0]);
  else
    io.DefineAttribute<std::string>(name, texts.data(), texts.size());
}

template <class T>
std::vector<T> values_of(adios2::IO& io, const std::string& name, const char* type) {
  std::vector<T> values;
  const status ignored = attempt("", "", [&] {
    if (io.AttributeType(name) == type) values = io.InquireAttribute<T>(name).Data();
  });
  return ignored.ok() ? values : std::vector<T>();
}

}  // namespace

std::string attribute_name(const std::string& array, const std::string& name) {
  return array.empty() ? name : array + "/" + name;
}

std::vector<std::string> texts_of(adios2::IO& io, const std::string& name) {
  return values_of<std::string>(io, name, "string");
}

std::vector<std::int64_t> numbers_of(adios2::IO& io, const std::string& name) {
  return values_of<std::int64_t>(io, name, "int64_t");
}

status put_attribute(adios2::IO& io, const std::string& file, const std::string& name,
                     const array_view& value) {
  const std::string what = "cannot write the attribute " + shown(name);
  if (value.type == type_class::character)
    return attempt(what, file, [&] { put_texts(io, name, value); });
  attribute_form of;
  if (status s = find_attribute_form(value, of); !s.ok()) return std::move(s).in_file(file);
  const element_form how = form_of(value);
  std::vector<char> bytes(elements_of(value) * how.file_bytes + sizeof(double));
  store_elements(value, how, bytes.data());
  return attempt(what, file, [&] {
    with_type(of.type, [&](auto zero) {
      using number = decltype(zero);
      const auto* const values = reinterpret_cast<const number*>(bytes.data());
      if (value.array_rank == 0 && of.count == 1)
        io.DefineAttribute<number>(name, *values);
      else
        io.DefineAttribute<number>(name, values, of.count);
    });
  });
}

status get_attribute(adios2::IO& io, const std::string& file, const std::string& name,
                     const array_view& value) {
  const std::string type = io.AttributeType(name);
  if (type.empty()) return no_attribute(name).in_file(file);
  if (value.type == type_class::character && type == "string")
    return set_texts(name, texts_of(io, name), value).in_file_once(file);
  attribute_form wanted;
  if (status s = find_attribute_form(value, wanted); !s.ok()) return std::move(s).in_file(file);
  if (value.type == type_class::character || type != name_of(wanted.type))
    return attribute_of_another_kind(name, value, stored_kind(type)).in_file(file);
  std::vector<char> bytes;
  status done = attempt("cannot read the attribute " + shown(name), file, [&] {
    with_type(wanted.type, [&](auto zero) {
      const auto values = io.InquireAttribute<decltype(zero)>(name).Data();
      bytes.resize(values.size() * sizeof zero + sizeof(double));
      std::memcpy(bytes.data(), values.data(), values.size() * sizeof zero);
      wanted.count = values.size();
    });
  });
  if (!done.ok()) return done;
  const std::size_t parts = value.type == type_class::complex ? 2 : 1;
  if (wanted.count != elements_of(value) * parts)
    return attribute_of_another_length(name, value, wanted.count / parts).in_file(file);
  load_elements(value, form_of(value), bytes.data());
  return {};
}

}  // namespace headrace::adios2_format
