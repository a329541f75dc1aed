// Names in files that must be UTF-8: what is_utf8() lets through.
#include <gtest/gtest.h>

#include <string>

#include "../../src/core/name_text.hpp"

namespace headrace {
namespace {

TEST(Utf8, CharactersOfEveryLength) {
  for (const char* text : {"", "rho", "\xc3\xa9", "\xe2\x82\xac", "\xed\x9f\xbf",
                           "\xf0\x9f\x8c\x8a", "\xf4\x8f\xbf\xbf"})
    EXPECT_TRUE(is_utf8(text)) << text;
  EXPECT_TRUE(is_utf8(std::string_view("a\0b", 3)));
}

TEST(Utf8, RefusesWhatIsNone) {
  for (const char* text :
       {"caf\xe9", "\x80", "\xc3", "\xe2\x82", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80",
        "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xc3\xa9\xa9"})
    EXPECT_FALSE(is_utf8(text));
}

}  // namespace
}  // namespace headrace
