// Finding fields: every tier against a plain loop over the bytes.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "text_kernels.hpp"

namespace headrace {
namespace {

struct expectation {
  std::vector<std::uint32_t> ends;
  std::vector<std::uint32_t> line_fields;
};

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

expectation delimited(const std::string& text, char delimiter) {
  expectation result;
  bool has_content = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == delimiter || (c == '\n' && has_content))
      result.ends.push_back(static_cast<std::uint32_t>(i));
    if (c == '\n') result.line_fields.push_back(static_cast<std::uint32_t>(result.ends.size()));
    if (c == '\n')
      has_content = false;
    else
      has_content = has_content || c == delimiter || !is_blank(c);
  }
  return result;
}

expectation blank_separated(const std::string& text) {
  expectation result;
  bool in_field = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool separates = is_blank(c) || c == '\n';
    if (separates && in_field) result.ends.push_back(static_cast<std::uint32_t>(i));
    if (c == '\n') result.line_fields.push_back(static_cast<std::uint32_t>(result.ends.size()));
    in_field = !separates;
  }
  return result;
}

void check(const std::string& text, char delimiter) {
  const expectation expected =
      delimiter == ' ' ? blank_separated(text) : delimited(text, delimiter);
  for (const simd_tier tier : tiers_of_this_machine()) {
    const tier_guard guard(tier);
    const found_fields found(text, delimiter);
    EXPECT_EQ(found.ends(), expected.ends) << text << "\ntier " << name_of(tier);
    EXPECT_EQ(found.line_fields(), expected.line_fields) << text << "\ntier " << name_of(tier);
  }
}

TEST(FindFields, ends_fields_at_delimiters_and_line_feeds) {
  check("1,2,3\n4,5,6\n", ',');
  check("1;2\n", ';');
  check("1\t2\n", '\t');
}

TEST(FindFields, gives_lines_of_blanks_no_field) {
  check("\n", ',');
  check("1\n\n\n2\n", ',');
  check(" \t\n1\n \r\n2\r\n\r\n", ',');
  check(std::string(200, ' ') + "\n1,2\n", ',');
  check(std::string(200, '\n') + "1,2\n" + std::string(130, ' ') + "\n", ',');
}

TEST(FindFields, gives_empty_cells_a_field) {
  check(",,\n", ',');
  check("1,2,\n", ',');
  check("\t\t\n", '\t');
  check(" , \n", ',');
}

TEST(FindFields, separates_by_any_number_of_blanks) {
  check("1 2  3\n", ' ');
  check("  1\t\t2   \n\n   \n3\r\n", ' ');
  check(std::string(100, ' ') + "1" + std::string(100, ' ') + "\n", ' ');
  check(std::string(100, 'x') + " " + std::string(64, 'y') + "\n", ' ');
}

TEST(FindFields, agrees_with_a_plain_loop_on_random_text) {
  std::mt19937_64 random(1);
  const std::string characters = "0123456789.-+e,; \t\r\n\n,,  x";
  for (int round = 0; round < 3000; ++round) {
    std::string text(random() % 400, ' ');
    const std::size_t kinds = 2 + random() % (characters.size() - 1);
    const std::size_t from = random() % characters.size();
    for (char& c : text) c = characters[(from + random() % kinds) % characters.size()];
    text += '\n';
    for (const char delimiter : {',', ';', '\t', ' '}) check(text, delimiter);
  }
}

TEST(FindFields, reports_special_characters_of_the_text_only) {
  for (const simd_tier tier : tiers_of_this_machine()) {
    const tier_guard guard(tier);
    for (std::size_t length = 1; length < 200; ++length) {
      std::string text(length, '1');
      text.back() = '\n';
      EXPECT_FALSE(found_fields(text, ',', '"', '#').has_special()) << name_of(tier);
      if (length == 1) continue;
      text[(length * 7) % (length - 1)] = length % 2 == 0 ? '#' : '"';
      EXPECT_TRUE(found_fields(text, ',', '"', '#').has_special()) << name_of(tier);
      EXPECT_TRUE(found_fields(text, ' ', '"', '#').has_special()) << name_of(tier);
      EXPECT_FALSE(found_fields(text, ',', '!', '\0').has_special()) << name_of(tier);
    }
  }
}

}  // namespace
}  // namespace headrace
