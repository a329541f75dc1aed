// Pairs of a .meta text and data files: what they hold, who may edit them, and what damage gives.
#include <sys/stat.h>

#include <cerrno>

#include "core/crc32c.hpp"
#include "meta_fixture.hpp"

namespace headrace {
namespace {

TEST_F(MetaPairs, KeepEveryKindInBothByteOrders) {
  for (const element_kind& kind : all_kinds)
    for (const char* order : {"little", "big"})
      for (const bool section : {false, true}) {
        const sample_array from(kind, {3, 4, 2}, section);
        sample_array to(kind, {3, 4, 2}, !section);
        hr_write_options options{};
        options.byte_order = order;
        options.checksum = "crc32c";
        to.clear();
        ASSERT_EQ(write("x.meta", from.view(), options), 0) << error_.message;
        hr_array_info info{};
        ASSERT_EQ(describe("x.meta", info), 0) << error_.message;
        EXPECT_EQ(info.type, kind.type);
        EXPECT_EQ(info.elem_len, kind.elem_len);
        EXPECT_EQ(info.big_endian, std::strcmp(order, "big") == 0);
        const std::string data = content(info.data_file);
        EXPECT_EQ(data,
                  info.big_endian != 0 ? turned(from.elements(), kind.word) : from.elements());
        ASSERT_EQ(read("x.meta", to.view()), 0) << error_.message;
        EXPECT_EQ(to.elements(), from.elements());
      }
}

TEST_F(MetaPairs, TheTextSaysWhatAPersonAndFortranNeed) {
  const sample_array from({HR_TYPE_REAL, 8, 8}, {3, 2});
  hr_write_options options = named("it's");
  options.checksum = "crc32c";
  options.byte_order = "little";
  ASSERT_EQ(write("run.meta", from.view(), options), 0) << error_.message;
  const std::string bytes = from.elements();
  char crc[16];
  std::snprintf(crc, sizeof crc, "%08x", crc32c(0, bytes.data(), bytes.size()));
  const std::string text = content(path("run.meta"));
  EXPECT_EQ(text.substr(text.find('&')), std::string("&array\n") +
                                             "  format_version = 1\n"
                                             "  name           = 'it''s'\n"
                                             "  type           = 'real64'\n"
                                             "  array_rank     = 2\n"
                                             "  shape          = 3, 2\n"
                                             "  byte_order     = 'little'\n"
                                             "  data_file      = 'run.real64.bin'\n"
                                             "  offset         = 0\n"
                                             "  bytes          = 48\n"
                                             "  crc32c         = '" +
                                             crc + "'\n/\n");
  EXPECT_EQ(content(path("run.real64.bin")), bytes);
}

TEST_F(MetaPairs, AppendedArraysShareAFileForEachKind) {
  const std::vector<double> a = {1, 2, 3};
  const std::vector<double> b = {4, 5};
  std::int32_t counts[2] = {7, 8};
  const hr_array integers{counts, 4, HR_TYPE_INTEGER, 1, {2}, {4}};
  ASSERT_EQ(write("x.meta", a, named("a", "yes")), 0) << error_.message;
  ASSERT_EQ(write("x.meta", integers, named("counts", "yes")), 0) << error_.message;
  ASSERT_EQ(write("x.meta", b, named("b", "yes")), 0) << error_.message;
  EXPECT_EQ(names(), (std::set<std::string>{"x.meta", "x.real64.bin", "x.int32.bin"}));
  EXPECT_EQ(content(path("x.real64.bin")), bytes_of({1, 2, 3, 4, 5}));
  std::vector<double> found(2);
  EXPECT_EQ(read("x.meta", found, wanted("b")), 0) << error_.message;
  EXPECT_EQ(found, b);
  counts[0] = 0;
  EXPECT_EQ(read("x.meta", integers, wanted("counts")), 0) << error_.message;
  EXPECT_EQ(counts[0], 7);
  hr_array_info info{};
  ASSERT_EQ(describe("x.meta", info, wanted("b")), 0);
  EXPECT_EQ(info.data_offset, 24);
  EXPECT_EQ(info.bytes, 16);
  EXPECT_EQ(std::string(info.data_file), path("x.real64.bin"));
}

TEST_F(MetaPairs, ANameStandsForOneArray) {
  std::vector<double> values = {1, 2, 3};
  ASSERT_EQ(write("x.meta", values, named("a")), 0);
  const std::string text = content(path("x.meta"));
  EXPECT_EQ(write("x.meta", values, named("a", "yes")), HR_ARGUMENT_INVALID);
  EXPECT_TRUE(said("\"a\" already")) << error_.message;
  EXPECT_EQ(content(path("x.meta")), text);
  ASSERT_EQ(write("x.meta", values, named("b", "yes")), 0);
  EXPECT_EQ(read("x.meta", values), HR_ARRAY_MISSING);
  EXPECT_TRUE(said("describes 2 arrays")) << error_.message;
  EXPECT_TRUE(said("\"a\", \"b\"")) << error_.message;
  EXPECT_EQ(read("x.meta", values, wanted("c")), HR_ARRAY_MISSING);
  EXPECT_TRUE(said("\"a\", \"b\"")) << error_.message;
  EXPECT_EQ(write("x.meta", values, named("new\nline", "yes")), HR_OPTION_UNKNOWN);
}

TEST_F(MetaPairs, ReplacingTakesFreshDataFilesAndRemovesTheOld) {
  const std::vector<double> old = {1, 2, 3};
  std::int32_t count = 7;
  ASSERT_EQ(write("x.meta", old), 0);
  ASSERT_EQ(write("x.meta", {&count, 4, HR_TYPE_INTEGER, 0, {}, {}}, named("n", "yes")), 0);
  put(path("x.real32.bin"), "of somebody else");
  std::vector<double> values = {4, 5};
  ASSERT_EQ(write("x.meta", values), 0) << error_.message;
  EXPECT_EQ(names(), (std::set<std::string>{"x.meta", "x.real64.1.bin", "x.real32.bin"}));
  ASSERT_EQ(write("x.meta", values), 0) << error_.message;
  EXPECT_EQ(names(), (std::set<std::string>{"x.meta", "x.real64.2.bin", "x.real32.bin"}));
  values = {0, 0};
  EXPECT_EQ(read("x.meta", values), 0) << error_.message;
  EXPECT_EQ(values, (std::vector<double>{4, 5}));
}

TEST_F(MetaPairs, ReplacingKeepsFilesThatTheDescriptionOnlyBorrows) {
  put(path("results.bin"), bytes_of({1, 2, 3}));
  put(path("x.meta"),
      "&array type='real64' array_rank=1 shape=3 byte_order='little' data_file='results.bin' /");
  std::vector<double> values(3);
  ASSERT_EQ(read("x.meta", values), 0) << error_.message;
  EXPECT_EQ(values, (std::vector<double>{1, 2, 3}));
  ASSERT_EQ(write("x.meta", values, named("b", "yes")), 0) << error_.message;
  EXPECT_EQ(content(path("results.bin")), bytes_of({1, 2, 3}));
  ASSERT_EQ(write("x.meta", values), 0) << error_.message;
  EXPECT_EQ(content(path("results.bin")), bytes_of({1, 2, 3}));
}

TEST_F(MetaPairs, ReplacedInPlaceTheFilesKeepTheirNames) {
  std::vector<double> values = {4, 5};
  hr_write_options in_place{};
  in_place.replace = "in_place";
  ASSERT_EQ(write("x.meta", std::vector<double>{1, 2, 3}), 0);
  struct stat before {};
  struct stat after {};
  ASSERT_EQ(::stat(path("x.real64.bin").c_str(), &before), 0);
  ASSERT_EQ(write("x.meta", values, in_place), 0) << error_.message;
  ASSERT_EQ(::stat(path("x.real64.bin").c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
  EXPECT_EQ(after.st_size, 16);
  values = {0, 0};
  EXPECT_EQ(read("x.meta", values), 0) << error_.message;
  EXPECT_EQ(values[1], 5.0);
}

TEST_F(MetaPairs, ChecksumsFindOneChangedBit) {
  std::vector<double> values = {1, 2, 3};
  hr_write_options options{};
  options.checksum = "crc32c";
  ASSERT_EQ(write("x.meta", values, options), 0);
  std::string data = content(path("x.real64.bin"));
  data[13] = static_cast<char>(data[13] ^ 4);
  put(path("x.real64.bin"), data);
  EXPECT_EQ(read("x.meta", values), HR_CHECKSUM_MISMATCH);
  EXPECT_TRUE(said("expected crc32c ")) << error_.message;
  EXPECT_TRUE(said(path("x.real64.bin"))) << error_.message;
  hr_read_options asks{};
  asks.checksum = "crc32c";
  ASSERT_EQ(write("x.meta", values), 0);
  EXPECT_EQ(read("x.meta", values), 0);
  EXPECT_EQ(read("x.meta", values, asks), HR_CHECKSUM_MISMATCH);
  EXPECT_TRUE(said("has no checksum")) << error_.message;
}

TEST_F(MetaPairs, AnotherKindOrShapeIsRefusedAndTheArrayStays) {
  ASSERT_EQ(write("x.meta", std::vector<double>{1, 2, 3}), 0);
  std::vector<double> four(4, -1.0);
  EXPECT_EQ(read("x.meta", four), HR_SHAPE_MISMATCH);
  EXPECT_TRUE(said("expected real64 (4), found real64 (3)")) << error_.message;
  std::int64_t integers[3] = {-1, -1, -1};
  EXPECT_EQ(read("x.meta", hr_array{integers, 8, HR_TYPE_INTEGER, 1, {3}, {8}}), HR_KIND_MISMATCH);
  EXPECT_TRUE(said("expected int64 (3), found real64 (3)")) << error_.message;
  EXPECT_EQ(four[0], -1.0);
  EXPECT_EQ(integers[0], -1);
}

TEST_F(MetaPairs, DataFilesThatDoNotFitAreRefused) {
  std::vector<double> values(3, -1.0);
  ASSERT_EQ(write("x.meta", std::vector<double>{1, 2, 3}), 0);
  std::filesystem::resize_file(path("x.real64.bin"), 23);
  EXPECT_EQ(read("x.meta", values), HR_FILE_SIZE_MISMATCH);
  EXPECT_TRUE(said("expected at least 24 bytes, found 23 bytes")) << error_.message;
  EXPECT_EQ(write("x.meta", values, named("b", "yes")), HR_FILE_SIZE_MISMATCH);
  std::filesystem::remove(path("x.real64.bin"));
  EXPECT_EQ(read("x.meta", values), ENOENT);
  EXPECT_TRUE(said(path("x.real64.bin"))) << error_.message;
  EXPECT_TRUE(said(path("x.meta"))) << error_.message;
  std::filesystem::create_directory(path("x.real64.bin"));
  EXPECT_EQ(read("x.meta", values), HR_HEADER_DAMAGED);
  std::filesystem::remove(path("x.real64.bin"));
  ASSERT_EQ(::mkfifo(path("x.real64.bin").c_str(), 0600), 0);
  EXPECT_EQ(read("x.meta", values), HR_HEADER_DAMAGED);  // and does not wait for a writer
  EXPECT_EQ(values[0], -1.0);
}

TEST_F(MetaPairs, PeopleMayEditTheText) {
  EXPECT_EQ(read_edited("&array", "! mine\n&other q=(1.5,2) t='a / b' ! / \n/\n&ARRAY ! yes"), 0);
  EXPECT_EQ(read_edited("type           = 'real64'", "TYPE=\"Real64\","), 0) << error_.message;
  EXPECT_EQ(read_edited("shape          = 3", "shape=+3 ! elements\n,"), 0) << error_.message;
  EXPECT_EQ(read_edited("shape          = 3", "shape=3,14*0"), 0) << error_.message;
  EXPECT_EQ(read_edited("shape          = 3", "shape=1*3"), 0) << error_.message;
  EXPECT_EQ(read_edited("'little'", "'LITTLE   '"), 0) << error_.message;
  EXPECT_EQ(read_edited("'x.real64.bin'", "'x.rea\nl64.bin'"), 0) << error_.message;
  EXPECT_EQ(read_edited("'x.real64.bin'", "'./x.real64.bin'"), 0) << error_.message;
  EXPECT_EQ(read_edited("\n/\n", "\r\n/"), 0) << error_.message;
  EXPECT_EQ(read_edited("  format_version = 1\n", ""), 0) << error_.message;
  EXPECT_EQ(read_edited("  bytes          = 24\n", "crc32c='        '\n"), 0) << error_.message;
}

TEST_F(MetaPairs, WhatMakesNoSenseIsNamedWithItsLine) {
  const auto refused = [&](const std::string& from, const std::string& to,
                           const std::string& part) {
    EXPECT_EQ(read_edited(from, to), HR_HEADER_DAMAGED) << to;
    EXPECT_TRUE(said(part)) << to << error_.message;
    EXPECT_TRUE(said(path("x.meta:"))) << error_.message;
  };
  refused("'x.real64.bin'", "'../x.real64.bin'", "does not name a file in or below");
  refused("'x.real64.bin'", "'a/../../x.real64.bin'", "does not name a file in or below");
  refused("'x.real64.bin'", "'a/..'", "does not name a file in or below");
  refused("'x.real64.bin'", "'/etc/passwd'", "does not name a file in or below");
  refused("'x.real64.bin'", "''", "does not name a file in or below");
  refused("bytes          = 24", "bytes=23", "expected 24, found 23");
  refused("shape          = 3", "shape=3000000000000000000", "too large");
  refused("shape          = 3", "shape=-3", "one number of elements for each dimension");
  refused("shape          = 3", "shape='3'", "one number of elements for each dimension");
  refused("shape          = 3", "shape=", "a number or a text");
  refused("shape          = 3", "shape=99999999999999999999", "an integer of 64 bits");
  refused("shape          = 3", "shape=9999999999999999*", "an integer");
  refused("shape          = 3", "shape=0*3", "a repeat count");
  refused("shape          = 3", "shape=3x", "a comma or blank");
  refused("array_rank     = 1", "array_rank=2", "shape has 1 numbers, array_rank says 2");
  refused("array_rank     = 1", "array_rank=16", "more than 15");
  refused("array_rank     = 1", "array_rank=1,2", "not one integer");
  refused("array_rank     = 1", "", "has no array_rank");
  refused("offset         = 0", "offset=-8", "offset is not one integer from 0 on");
  refused("'little'", "'middle'", "neither 'little' nor 'big'");
  refused("'little'", "7", "one text between quotes");
  refused("'little'", "'little", "a comma or blank");
  refused("format_version = 1", "format_version = 2", "a newer program");
  refused("offset         = 0", "offset=0 offset=0", "is given twice");
  refused("offset         = 0", "ofset=0", "there is no key ofset");
  refused("&array", "junk &array", "a group such as &array");
  refused("\n/\n", "\n", "a key or / at the end");
  refused("offset         = 0", "crc32c='12345'", "8 hexadecimal digits");
  EXPECT_EQ(read_edited("'real64'", "'real65'"), HR_KIND_UNSUPPORTED);
  EXPECT_EQ(read_edited("'real64'", "'character(-1)'"), HR_KIND_UNSUPPORTED);
  EXPECT_EQ(read_edited("offset         = 0", "offset=9223372036854775807"), HR_FILE_SIZE_MISMATCH);
}

TEST_F(MetaPairs, DamagedTextsNeverGiveOtherValues) {
  hr_write_options options{};
  options.checksum = "crc32c";
  const std::vector<double> values = {1, 2, 3};
  ASSERT_EQ(write("x.meta", values, options), 0);
  put(path("x.real64.bin"), bytes_of({1, 2, 3, 4, 5, 6}));
  std::size_t refused = 0;
  for_each_damage("x.meta", [&] {
    std::vector<double> found(3);
    hr_array_info info{};
    static_cast<void>(describe("x.meta", info));
    if (read("x.meta", found) != 0)
      ++refused;
    else
      EXPECT_EQ(found, values) << content(path("x.meta"));
  });
  EXPECT_GT(refused, 200U);
}

TEST_F(MetaPairs, TextsWithoutEndAreRefused) {
  std::vector<double> values(3);
  put(path("x.meta"), std::string((std::size_t{8} << 20) + 1, '!'));
  EXPECT_EQ(read("x.meta", values), HR_HEADER_DAMAGED);
  std::string text = "&array shape=";
  for (int i = 0; i < 100000; ++i) text += "9999999999*0,";
  put(path("x.meta"), text + "/");
  EXPECT_EQ(read("x.meta", values), HR_HEADER_DAMAGED);
  put(path("x.meta"), "");
  EXPECT_EQ(read("x.meta", values), HR_ARRAY_MISSING);
  std::filesystem::remove(path("x.meta"));
  std::filesystem::create_directory(path("x.meta"));
  EXPECT_EQ(read("x.meta", values), EISDIR);
  EXPECT_NE(write("x.meta", values), 0);
  EXPECT_EQ(files(), 1U);
}

TEST_F(MetaPairs, DescriptionsAreNotReadFromPipes) {
  std::vector<double> values(3);
  hr_array_info info{};
  ASSERT_EQ(::mkfifo(path("x.meta").c_str(), 0600), 0);
  EXPECT_EQ(read("x.meta", values), HR_ARGUMENT_INVALID);
  EXPECT_EQ(describe("x.meta", info), HR_ARGUMENT_INVALID);
  EXPECT_TRUE(said("regular file")) << error_.message;
}

}  // namespace
}  // namespace headrace
