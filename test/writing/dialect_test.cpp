// The bindings ask the program's run time for its dialect: src/headrace/dialect.f90.
#include <gtest/gtest.h>

#include "both_ways.hpp"

namespace headrace::test {
namespace {

TEST(Dialect, OfTheRunTimeIsOneOfTheTable) {
  EXPECT_NE(name_of(own_dialect()), "")
      << "this gfortran does what no version in src/text/edit/edit_dialect.cpp does";
}

// One format for each feature of writing: what the table says, the compiler does.
TEST(Dialect, DecidesWhatIsWritten) {
  const double values[] = {1, 0, 0.5, 1e-3, 123456, 1e100, -1e-300};
  const float singles[] = {1, 0, 0.5F, 1e-3F, 123456, 1e30F, -1e-40F};
  for (const char* const format : {"(e0.3)",    "(d0.3)",    "(es0.3)",    "(en0.3)",
                                   "(es0.3e0)", "(es0.3e4)", "(es0.0)",    "(en0.0)",
                                   "(e0.0)",    "(d0.0)",    "(1pe0.0)",   "(es0)",
                                   "(e0)",      "(d0)",      "(en0)",      "(1pe0)",
                                   "(g0)",      "(g0.0)",    "(g0.3)",     "(1pg0)",
                                   "(1pg0.2)",  "(g0.3e0)",  "(g0.3e3)",   "(f0)",
                                   "(f0.0)",    "(f0.3)",    "(es10.3e0)", "(b64.0)",
                                   "(o22.0)",   "(z16.0)",   "(*(es0.2))", "(sp,es0.2,ss,es0.2)"}) {
    EXPECT_TRUE(same_both_ways(format, {type_class::real, 8, values, std::size(values)}));
    EXPECT_TRUE(same_both_ways(format, {type_class::real, 4, singles, std::size(singles)}));
  }
}

TEST(Dialect, DecidesWhereCommasMustStand) {
  const std::int32_t values[] = {1, 23, 456};
  for (const char* const format :
       {"(i5 i5)",    "(i5,i5)",   "(1xi5)",     "(1x,i5)",    "(i5x)",  "(i5'a')",  "('a'i5)",
        "(i5,'a'i5)", "(i5/i5)",   "(i5:i5)",    "(/i5)",      "(2/i5)", "(i5 2/)",  "(i5,2/)",
        "((i5)i5)",   "(i5(i5))",  "(2(i5)i5)",  "(2(i5),i5)", "(spi5)", "(sp,i5)",  "(bni5)",
        "(t3i5)",     "(tr3i5)",   "(1hxi5)",    "(1hx,i5)",   "(1pi5)", "(1p,i5)",  "(1p 2i5)",
        "(i5 1p,i5)", "(i5,)",     "(i5,,i5)",   "(i5) x",     "(:i5)",  "(i5,:i5)", "(dci5)",
        "(i5 *(i5))", "(*(i5)i5)", "(i5,*(i5))", "(1x/i5)"})
    EXPECT_TRUE(same_both_ways(format, {type_class::integer, 4, values, std::size(values)}));
}

}  // namespace
}  // namespace headrace::test
