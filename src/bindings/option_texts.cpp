#include "option_texts.hpp"

#include <cstdint>
#include <limits>

#include "descriptor.hpp"
#include "fortran_header.hpp"

// src/headrace/dialect.f90
extern "C" void hr_fortran_features(char* features);

namespace headrace {
namespace {

// Whose formats the program speaks: those of the gfortran run time that it runs with, asked once;
// with flang those of gfortran 12, as ever.
const char* fortran_dialect() {
#ifdef HEADRACE_HEADER_OF_GCC
  constexpr std::size_t features = 10;
  static const std::string dialect = [] {
    char found[features];
    hr_fortran_features(found);
    return "features:" + std::string(found, features);
  }();
  return dialect.c_str();
#else
  return "gfortran12";
#endif
}

}  // namespace

const char* option_texts::add(const CFI_cdesc_t* text) {
  if (text == nullptr || text->base_addr == nullptr) return nullptr;
  return texts_.emplace_back(text_of(text)).c_str();
}

const char* option_texts::add_character(const CFI_cdesc_t* text) {
  if (text == nullptr || text->base_addr == nullptr || text->elem_len == 0) return nullptr;
  const std::string trimmed = text_of(text);
  return texts_.emplace_back(trimmed.empty() ? "blank" : trimmed).c_str();
}

status option_texts::add_names(const CFI_cdesc_t* names, const char* const*& list, int& count,
                               const char* option) {
  if (names == nullptr) return {};
  array_view view;
  if (status s = view_of(*names, view); !s.ok()) return s;
  if (view.type != type_class::character || view.array_rank > 1)
    return status::failure(stat_code::option_unknown,
                           std::string(option) + "= is not a list of names")
        .advise("give a character array of rank 1, or one name");
  const std::ptrdiff_t elements = view.array_rank == 0 ? 1 : view.extent[0];
  for (std::ptrdiff_t i = 0; i < elements; ++i) {
    const std::string_view name(view.base + i * view.stride[0], view.elem_len);
    texts_.emplace_back(name.substr(0, name.find_last_not_of(' ') + 1));
    names_.push_back(texts_.back().c_str());
  }
  list = names_.data();
  count = static_cast<int>(names_.size());
  return {};
}

status read_integer(const CFI_cdesc_t* number, const char* name, long long& value) {
  if (number == nullptr || number->base_addr == nullptr) return {};
  array_view view;
  if (status s = view_of(*number, view); !s.ok()) return s;
  if (view.array_rank != 0 || view.type != type_class::integer || view.elem_len > sizeof value)
    return status::failure(stat_code::option_unknown, std::string(name) + "= is not an integer")
        .advise("give an integer scalar");
  // Little endian or not: each kind is read as what it is.
  switch (view.elem_len) {
    case 1:
      value = *reinterpret_cast<const std::int8_t*>(view.base);
      break;
    case 2:
      value = *reinterpret_cast<const std::int16_t*>(view.base);
      break;
    case 4:
      value = *reinterpret_cast<const std::int32_t*>(view.base);
      break;
    default:
      value = *reinterpret_cast<const std::int64_t*>(view.base);
  }
  return {};
}

status read_place(const CFI_cdesc_t* number, const char* name, long long& value) {
  if (number == nullptr || number->base_addr == nullptr) return {};
  if (status s = read_integer(number, name, value); !s.ok() || value > 0) return s;
  return status::failure(stat_code::option_unknown,
                         "there is no " + std::string(name) + "=" + std::to_string(value))
      .advise("known are numbers from 1 on");
}

hr_write_options option_texts::write_options(const write_arguments& arguments) {
  hr_write_options options{};
  options.edit = add(arguments.edit);
  options.number = add(arguments.number);
  options.delimiter = add_character(arguments.delimiter);
  options.decimal = add(arguments.decimal);
  options.append = add(arguments.append);
  options.replace = add(arguments.replace);
  options.threads = arguments.threads == nullptr ? 0 : *arguments.threads;
  options.format = add(arguments.format);
  options.sync = add(arguments.sync);
  if (options.edit != nullptr || options.number != nullptr) options.dialect = fortran_dialect();
  return options;
}

status option_texts::add_columns(const CFI_cdesc_t* columns, hr_read_options& options) {
  if (columns == nullptr || columns->base_addr == nullptr) return {};
  array_view view;
  if (status s = view_of(*columns, view); !s.ok()) return s;
  if (view.type == type_class::character)
    return add_names(columns, options.column_names, options.column_name_count, "columns");
  if (view.type != type_class::integer || view.array_rank > 1)
    return status::failure(stat_code::option_unknown, "columns= must be numbers or names")
        .advise("give integers from 1, or the names of the columns, in an array of rank 1");
  const std::ptrdiff_t count = view.array_rank == 0 ? 1 : view.extent[0];
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    CFI_cdesc_t one = *columns;
    one.rank = 0;
    one.base_addr = view.base + i * view.stride[0];
    long long number = 0;
    if (status s = read_integer(&one, "columns", number); !s.ok()) return s;
    const bool fits = number >= 0 && number <= std::numeric_limits<int>::max();
    columns_.push_back(fits ? static_cast<int>(number) : 0);
  }
  options.columns = columns_.data();
  options.column_count = static_cast<int>(columns_.size());
  return {};
}

status option_texts::read_options(const read_arguments& arguments, hr_read_options& options) {
  options = {};
  options.edit = add(arguments.edit);
  options.number = add(arguments.number);
  options.delimiter = add_character(arguments.delimiter);
  options.decimal = add(arguments.decimal);
  options.header = add(arguments.header);
  options.comment = add(arguments.comment);
  options.skip_rows = arguments.skip_rows == nullptr ? 0 : *arguments.skip_rows;
  options.missing = add(arguments.missing);
  options.threads = arguments.threads == nullptr ? 0 : *arguments.threads;
  options.format = add(arguments.format);
  if (options.edit != nullptr) options.dialect = fortran_dialect();
  return add_columns(arguments.columns, options);
}

}  // namespace headrace
