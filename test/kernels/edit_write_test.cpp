// Arrays through formats: sections, sinks that fail, and what is refused. The bytes of every
// descriptor are compared with gfortran's in test/writing.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "text/edit/edit_transfer.hpp"

namespace headrace {
namespace {

array_view view_of(const void* values, type_class type, std::size_t bytes, std::ptrdiff_t n,
                   std::ptrdiff_t step = 1) {
  array_view array;
  array.base = const_cast<char*>(static_cast<const char*>(values));
  array.elem_len = bytes;
  array.type = type;
  array.array_rank = 1;
  array.extent[0] = n;
  array.stride[0] = step * static_cast<std::ptrdiff_t>(bytes);
  return array;
}

status write_text(const std::string& text, const array_view& array, std::string& written) {
  edit_format format;
  const status result = parse_edit_format(text, format);
  if (!result.ok()) return result;
  string_sink sink(written);
  return write_edited(format, array, sink);
}

std::string text_of(const std::string& format, const array_view& array) {
  std::string written;
  const status result = write_text(format, array, written);
  return result.ok() ? written : result.message();
}

TEST(EditWrite, WritesSectionsInElementOrder) {
  const std::vector<double> x{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(text_of("(2f5.1,:,';')", view_of(x.data(), type_class::real, 8, 3, 2)),
            "  1.0  3.0;\n  5.0\n");
  EXPECT_EQ(text_of("(3f5.1)", view_of(x.data() + 5, type_class::real, 8, 6, -1)),
            "  6.0  5.0  4.0\n  3.0  2.0  1.0\n");
  std::string written;
  string_sink sink(written);
  EXPECT_TRUE(
      write_list_directed(view_of(x.data() + 5, type_class::real, 8, 2, -5), ',', sink).ok());
  EXPECT_EQ(written, "   6,0000000000000000        1,0000000000000000     \n");
}

TEST(EditWrite, WritesOneRecordOfAnEmptyArray) {
  const double x = 1;
  EXPECT_EQ(text_of("('x =',f5.1)", view_of(&x, type_class::real, 8, 0)), "x =\n");
}

TEST(EditWrite, FlushesLongAndManyRecords) {
  const std::vector<std::int32_t> x(100000, 7);
  const array_view array = view_of(x.data(), type_class::integer, 4, 100000);
  EXPECT_EQ(text_of("(i20)", array).size(), 21 * x.size());
  EXPECT_EQ(text_of("(*(i20))", array).size(), 20 * x.size() + 1);
  EXPECT_EQ(text_of("(i3,t900000,i1)", view_of(x.data(), type_class::integer, 4, 2)).size(),
            900001U);
}

struct refusal {
  const char* format;
  type_class type;
  std::size_t bytes;
  stat_code code;
  const char* says;
};

TEST(EditWrite, RefusesWhatGfortranRefuses) {
  const std::vector<char> zeros(64);
  const refusal refusals[] = {
      {"(1x,f5.1)", type_class::integer, 4, stat_code::edit_mismatch, "column 5 of"},
      {"(i5)", type_class::real, 8, stat_code::edit_mismatch, "column 2 of"},
      {"(es9.1)", type_class::logical, 4, stat_code::edit_mismatch, "column 2 of"},
      {"('only text')", type_class::real, 8, stat_code::edit_mismatch, "takes no more values"},
      {"(f5.1,(1x))", type_class::real, 8, stat_code::edit_mismatch, "takes no more values"},
      {"(e10.0)", type_class::real, 8, stat_code::format_invalid, "column 2 of"},
      {"(5p,e10.3)", type_class::real, 8, stat_code::format_invalid, "scale factor"},
      {"(i2000000000)", type_class::integer, 4, stat_code::line_too_long, "1 GiB"},
      {"(f5.1)", type_class::real, 16, stat_code::kind_unsupported, "16 bytes"},
      {"(f5.1)", type_class::complex, 32, stat_code::kind_unsupported, "16 bytes"},
      {"(z40)", type_class::real, 10, stat_code::kind_unsupported, "10 bytes"}};
  for (const refusal& one : refusals) {
    std::string written;
    const status result =
        write_text(one.format, view_of(zeros.data(), one.type, one.bytes, 2), written);
    EXPECT_EQ(result.code(), static_cast<int>(one.code)) << one.format << result.message();
    EXPECT_NE(result.message().find(one.says), std::string::npos)
        << one.format << ": " << result.message();
  }
  std::string written;
  string_sink sink(written);
  EXPECT_FALSE(write_list_directed(view_of(zeros.data(), type_class::real, 16, 2), '.', sink).ok());
}

class full_sink final : public byte_sink {
 public:
  status write(const char*, std::size_t) override {
    return status::failure(stat_code::interrupted, "full");
  }
};

TEST(EditWrite, ReportsWhatTheSinkReports) {
  const double x = 1;
  const array_view array = view_of(&x, type_class::real, 8, 1);
  edit_format format;
  ASSERT_TRUE(parse_edit_format("(f5.1)", format).ok());
  full_sink sink;
  EXPECT_EQ(write_edited(format, array, sink).code(), static_cast<int>(stat_code::interrupted));
  EXPECT_EQ(write_list_directed(array, '.', sink).code(), static_cast<int>(stat_code::interrupted));
}

}  // namespace
}  // namespace headrace
