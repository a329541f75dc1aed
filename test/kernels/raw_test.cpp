// Raw files: every kind and section in both byte orders, and what bad files and full disks give.
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <thread>

#include "binary_fixture.hpp"
#include "core/transfer.hpp"

namespace headrace {
namespace {

class RawFiles : public KilledPrograms {
 protected:
  static hr_write_options write_order(const char* order) {
    hr_write_options options{};
    options.byte_order = order;
    return options;
  }
  static hr_read_options read_order(const char* order) {
    hr_read_options options{};
    options.byte_order = order;
    return options;
  }

  void expect_round_trip(const element_kind& kind, bool section) {
    const sample_array from(kind, {3, 4, 2}, section);
    for (const char* order : {"native", "little", "big"}) {
      ASSERT_EQ(write("x.raw", from.view(), write_order(order)), 0) << error_.message;
      const bool big = std::strcmp(order, "big") == 0;
      EXPECT_EQ(content(path("x.raw")), big ? turned(from.elements(), kind.word) : from.elements());
      for (const bool back : {false, true}) {
        sample_array to(kind, {3, 4, 2}, back);
        to.clear();
        ASSERT_EQ(read("x.raw", to.view(), read_order(order)), 0) << error_.message;
        EXPECT_EQ(to.elements(), from.elements()) << kind.type << ' ' << kind.elem_len << order;
        // What lies between the elements is still null.
        const auto nulls = std::count(to.memory().begin(), to.memory().end(), '\0');
        EXPECT_GE(nulls, static_cast<std::ptrdiff_t>(to.memory().size() - to.elements().size()));
      }
    }
  }
};

TEST_F(RawFiles, KeepEveryKindInBothByteOrders) {
  for (const element_kind& kind : all_kinds) expect_round_trip(kind, false);
}

TEST_F(RawFiles, KeepSectionsThatRunBackwards) {
  for (const element_kind& kind : all_kinds) expect_round_trip(kind, true);
}

TEST_F(RawFiles, TurnLongArraysRoundPieceByPiece) {
  for (const element_kind& kind : {all_kinds[1], all_kinds[5], all_kinds[9]})
    for (const bool section : {false, true}) {
      const sample_array from(kind, {40001, 3}, section);
      sample_array to(kind, {40001, 3}, section);
      to.clear();
      ASSERT_EQ(write("x.raw", from.view(), write_order("big")), 0) << error_.message;
      ASSERT_EQ(read("x.raw", to.view(), read_order("big")), 0) << error_.message;
      EXPECT_TRUE(content(path("x.raw")) == turned(from.elements(), kind.word));
      EXPECT_TRUE(to.elements() == from.elements());
    }
}

TEST_F(RawFiles, ScalarsAndEmptyArraysAreArraysToo) {
  for (const auto& extents : {std::vector<std::ptrdiff_t>{}, std::vector<std::ptrdiff_t>{0},
                              std::vector<std::ptrdiff_t>{3, 0, 2}}) {
    const sample_array from(all_kinds[5], extents);
    ASSERT_EQ(write("x.raw", from.view(), write_order("big")), 0) << error_.message;
    EXPECT_EQ(content(path("x.raw")), turned(from.elements(), 8));
    EXPECT_EQ(read("x.raw", from.view(), read_order("big")), 0) << error_.message;
  }
}

TEST_F(RawFiles, GoThroughPipes) {
  ASSERT_EQ(::mkfifo(path("x.raw").c_str(), 0600), 0);
  const sample_array from(all_kinds[5], {100000});
  sample_array to(all_kinds[5], {100000});
  to.clear();
  int written = -1;
  std::thread writer([&] {
    const hr_write_options options = write_order("big");
    written = hr_write_array(path("x.raw").c_str(), &from.view(), &options, nullptr);
  });
  EXPECT_EQ(read("x.raw", to.view(), read_order("big")), 0) << error_.message;
  writer.join();
  EXPECT_EQ(written, 0);
  EXPECT_TRUE(to.elements() == from.elements());
}

TEST_F(RawFiles, APipeThatEndsEarlyIsNamedWithItsByte) {
  ASSERT_EQ(::mkfifo(path("x.raw").c_str(), 0600), 0);
  std::thread writer([&] { put(path("x.raw"), "12345"); });
  std::vector<double> values(1);
  EXPECT_EQ(read("x.raw", values), HR_END_OF_FILE);
  writer.join();
  EXPECT_TRUE(said("expected at least 8 bytes, found 5 bytes")) << error_.message;
}

TEST_F(RawFiles, FullDevicesAreReported) {
  const std::vector<double> values(1000, 1.0);
  hr_write_options raw{};
  raw.format = "raw";
  const hr_array array = vector_of(values);
  EXPECT_EQ(hr_write_array("/dev/full", &array, &raw, &error_), ENOSPC);
  EXPECT_TRUE(said("free space")) << error_.message;
}

TEST_F(RawFiles, NamesThatCannotBeAreReported) {
  std::vector<double> values(3, 1.0);
  const std::string long_name = std::string(300, 'n') + ".raw";
  std::filesystem::create_directory(path("d.raw"));
  EXPECT_EQ(write(long_name, values), ENAMETOOLONG);
  EXPECT_EQ(read(long_name, values), ENAMETOOLONG);
  EXPECT_EQ(write("d.raw", values), EISDIR);
  EXPECT_EQ(read("d.raw", values), EISDIR);
  EXPECT_EQ(write("none/x.raw", values), ENOENT);
  EXPECT_EQ(read("none.raw", values), ENOENT);
  EXPECT_TRUE(said("check the name")) << error_.message;
  EXPECT_EQ(files(), 1U);
}

TEST_F(RawFiles, FilesThatShrinkWhileReadEndTooEarly) {
  std::vector<double> values(1000, 1.0);
  ASSERT_EQ(write("x.raw", values), 0) << error_.message;
  const array_view view{
      reinterpret_cast<char*>(values.data()), 8, type_class::real, 1, {1000}, {8}};
  file_reader reader;
  ASSERT_TRUE(reader.open(path("x.raw")).ok());
  std::filesystem::resize_file(path("x.raw"), 7999);
  for (const status& s : {read_elements(reader, view), read_elements_at(reader, 0, view)}) {
    EXPECT_EQ(s.code(), HR_END_OF_FILE);
    EXPECT_NE(s.message().find("expected at least 8000 bytes, found 7999 bytes"), std::string::npos)
        << s.message();
  }
}

TEST_F(RawFiles, AKilledWriterLeavesTheOldFile) {
  const std::vector<double> old = {1.5, 2.5};
  ASSERT_EQ(write("x.raw", old), 0);
  ASSERT_TRUE(
      kill_growing([&] { write("x.raw", endless_column()); }, [&] { return temporary_bytes(); }));
  EXPECT_EQ(content(path("x.raw")), bytes_of(old));
}

TEST_F(RawFiles, DescribeDoesNotWaitForTheWriterOfAPipe) {
  hr_array_info info{};
  ASSERT_EQ(::mkfifo(path("x.raw").c_str(), 0600), 0);
  EXPECT_EQ(describe("x.raw", info), HR_ARGUMENT_INVALID);
  EXPECT_TRUE(said("has no size")) << error_.message;
}

TEST_F(RawFiles, DescribeTellsBytesOnly) {
  hr_array_info info{};
  ASSERT_EQ(write("x.raw", std::vector<double>(5)), 0);
  ASSERT_EQ(describe("x.raw", info, read_order("big")), 0) << error_.message;
  EXPECT_EQ(info.type, 0);
  EXPECT_EQ(info.bytes, 40);
  EXPECT_EQ(info.big_endian, 1);
  EXPECT_EQ(info.data_offset, 0);
  EXPECT_EQ(std::string(info.data_file), path("x.raw"));
}

}  // namespace
}  // namespace headrace
