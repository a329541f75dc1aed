// What changed between versions of gfortran, found by test/writing and test/reading with gfortran
// 11.3, 12.2, 12.4, 12.5, 13.3, 13.5, 14.2, 14.4, 15.3 and 16.2. doc/reference/text_formats.md
// shows it to users.
#include "edit_dialect.hpp"

#include <charconv>
#include <iterator>
#include <system_error>

namespace headrace {
namespace {

constexpr int oldest = 11;
constexpr int newest = 16;

struct change {
  edit_feature feature;
  int since;  // the first version that has it
};

constexpr change changes[] = {
    {edit_feature::zero_exponent, 13},  {edit_feature::digits_as_given, 13},
    {edit_feature::strict_decimal, 13}, {edit_feature::strict_separators, 13},
    {edit_feature::binary_64, 14},      {edit_feature::blank_zero_padding, 14},
    {edit_feature::commas, 15},         {edit_feature::semicolon_in_text, 15},
    {edit_feature::exact_tabs, 15},     {edit_feature::full_exponent, 16},
};
static_assert(std::size(changes) == edit_features);

constexpr std::string_view compiler = "gfortran";
constexpr std::string_view feature_list = "features:";

}  // namespace

edit_dialect::edit_dialect() noexcept {
  for (const change& each : changes) features_ |= bit(each.feature);
}

edit_dialect edit_dialect::of_gfortran(int version) noexcept {
  edit_dialect dialect;
  for (const change& each : changes) dialect.set(each.feature, version >= each.since);
  return dialect;
}

status parse_dialect(std::string_view text, edit_dialect& dialect) {
  dialect = {};
  if (text.empty()) return {};
  if (text.substr(0, compiler.size()) == compiler) {
    const char* const end = text.data() + text.size();
    int version = 0;
    const auto [stop, error] = std::from_chars(text.data() + compiler.size(), end, version);
    if (error == std::errc() && stop == end && version >= oldest && version <= newest) {
      dialect = edit_dialect::of_gfortran(version);
      return {};
    }
  } else if (text.substr(0, feature_list.size()) == feature_list) {
    const std::string_view flags = text.substr(feature_list.size());
    if (flags.size() == edit_features && flags.find_first_not_of("01") == std::string_view::npos) {
      for (std::size_t i = 0; i < edit_features; ++i)
        dialect.set(static_cast<edit_feature>(i), flags[i] == '1');
      return {};
    }
  }
  return status::failure(stat_code::option_unknown,
                         "there is no dialect=\"" + std::string(text) + "\"")
      .advise("known are " + std::string(compiler) + std::to_string(oldest) + " to " +
              std::string(compiler) + std::to_string(newest) + "; the default is the newest");
}

std::string name_of(const edit_dialect& dialect) {
  for (int version = newest; version >= oldest; --version)
    if (edit_dialect::of_gfortran(version) == dialect)
      return std::string(compiler) + std::to_string(version);
  return {};
}

}  // namespace headrace
