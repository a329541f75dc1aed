// The C interface: choice of the format, options, refusals, and raw files of every layout.
#include <cerrno>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "headrace.h"
#include "headrace_records.h"
#include "headrace_tables.h"
#include "scratch.hpp"

namespace headrace {
namespace {

class Formats : public Scratch {
 protected:
  void SetUp() override {
    Scratch::SetUp();
    std::iota(values_, values_ + 12, 1.0);
  }

  hr_array whole() { return {values_, 8, HR_TYPE_REAL, 2, {4, 3}, {8, 32}}; }

  int write(const std::string& name, const hr_write_options& options = {}) {
    const hr_array array = whole();
    return hr_write_array(path(name).c_str(), &array, &options, &error_);
  }

  static hr_write_options options(const char* format, const char* sync) {
    hr_write_options chosen{};
    chosen.format = format;
    chosen.sync = sync;
    return chosen;
  }

  bool said(const char* text) const { return std::strstr(error_.message, text) != nullptr; }

  double values_[12];
  hr_error error_{};
};

TEST_F(Formats, EndingChoosesWhateverItsCase) {
  for (const char* name : {"x.raw", "x.bin", "X.RAW", "a.b.Bin"}) {
    EXPECT_EQ(write(name), 0) << error_.message;
    EXPECT_EQ(std::filesystem::file_size(path(name)), 96U);
  }
}

TEST_F(Formats, UnknownEndingsAreNamedTogetherWithTheKnown) {
  for (const char* name : {"x.xyz", "x", ".raw", "d.raw/x", "x."}) {
    EXPECT_EQ(write(name), HR_FORMAT_UNKNOWN) << name;
    EXPECT_TRUE(said("raw (.raw .bin)")) << error_.message;
    EXPECT_TRUE(said("use such an ending (.gz or .zst may follow that of a text)"));
  }
  EXPECT_EQ(files(), 0U);
}

TEST_F(Formats, NearEndingsAreSuggested) {
  for (const auto& [name, meant] : {std::pair{"field.cvs", ".csv"},
                                    {"field.np", ".npy or .npz"},
                                    {"field.nppy", ".npy"},
                                    {"field.txr.gz", ".txt"}}) {
    EXPECT_EQ(write(name), HR_FORMAT_UNKNOWN) << name;
    EXPECT_TRUE(said((std::string("did you mean ") + meant + "? known are ").c_str()))
        << error_.message;
    EXPECT_TRUE(said("or name the format by format=")) << error_.message;
    EXPECT_FALSE(said("format=\"raw\"")) << error_.message;
  }
  EXPECT_EQ(write("x.zar"), HR_FORMAT_UNKNOWN);
  EXPECT_TRUE(said("did you mean .zarr? Zarr stores are written and read by headrace_mpi: "))
      << error_.message;
  EXPECT_EQ(write("x.xyz", options("cvs", nullptr)), HR_FORMAT_UNKNOWN);
  EXPECT_TRUE(said("did you mean csv? ")) << error_.message;
  EXPECT_EQ(write("x.xyz"), HR_FORMAT_UNKNOWN);
  EXPECT_FALSE(said("did you mean")) << error_.message;
}

TEST_F(Formats, EndingsOfTheOtherLibraryAreSaidToBeIts) {
  for (const char* name : {"x.zarr", "x.zarr/", "x.ZARR//"}) {
    EXPECT_EQ(write(name), HR_FORMAT_UNKNOWN) << name;
    EXPECT_TRUE(said("the ending \".zarr\" belongs to headrace_mpi; file ")) << error_.message;
  }
  EXPECT_EQ(write("x", options("HDF5", nullptr)), HR_FORMAT_UNKNOWN);
  EXPECT_TRUE(said("the format \"HDF5\" belongs to headrace_mpi; file ")) << error_.message;
}

TEST_F(Formats, SlashesBehindFilesAreRefused) {
  const hr_array array = whole();
  const auto refused = [&](int status, const char* words) {
    EXPECT_EQ(status, HR_ARGUMENT_INVALID);
    EXPECT_TRUE(said("the name ends in a slash, which names a directory")) << error_.message;
    EXPECT_TRUE(said(words)) << error_.message;
    EXPECT_TRUE(said("; leave out the slash, or name a file in that directory")) << error_.message;
  };
  ASSERT_EQ(write("there.csv"), 0);
  std::filesystem::create_directory(path("folder.csv"));
  for (const char* name : {"new.csv", "there.csv", "folder.csv", "new.csv.gz", "new.npy", "new.npz",
                           "new.meta", "new.raw", "new.unf", "new.da"}) {
    const std::string file = path(name) + "/";
    refused(hr_write_array(file.c_str(), &array, nullptr, &error_), " files are files; file ");
    refused(hr_read_array(file.c_str(), &array, nullptr, &error_), " files are files; file ");
    const hr_write_options writing = options("raw", nullptr);
    refused(hr_write_array(file.c_str(), &array, &writing, &error_), " files are files; file ");
    hr_read_options reading{};
    reading.format = "csv";
    refused(hr_read_array(file.c_str(), &array, &reading, &error_), "; csv files are files; ");
  }
  hr_record_file records = 0;
  refused(hr_open_records(path("new.unf/").c_str(), nullptr, &records, &error_), ", not a file; ");
  refused(hr_text_write(path("new.txt/").c_str(), "x", 1, 0, &error_), ", not a file; ");
  refused(hr_text_write(path("new.txt/").c_str(), "x", 1, 1, &error_), ", not a file; ");
  EXPECT_EQ(files(), 2U);
}

TEST_F(Formats, OptionOverridesTheEnding) {
  EXPECT_EQ(write("x.xyz", options("raw", nullptr)), 0) << error_.message;
  EXPECT_EQ(write("y.raw", options("no such", nullptr)), HR_FORMAT_UNKNOWN);
  EXPECT_TRUE(said("\"no such\"")) << error_.message;
}

TEST_F(Formats, UnknownOptionsAreRefused) {
  EXPECT_EQ(write("x.raw", options(nullptr, "file")), 0);
  EXPECT_EQ(write("x.raw", options(nullptr, "none")), 0);
  EXPECT_EQ(write("x.raw", options(nullptr, "always")), HR_OPTION_UNKNOWN);
  EXPECT_TRUE(said("\"none\", \"file\"")) << error_.message;
}

TEST_F(Formats, SuccessEmptiesTheMessage) {
  EXPECT_NE(write("x.xyz"), 0);
  EXPECT_EQ(write("x.raw"), 0);
  EXPECT_EQ(error_.status, 0);
  EXPECT_STREQ(error_.message, "");
}

TEST_F(Formats, NullPointersAreRefusedNotFollowed) {
  const hr_array array = whole();
  EXPECT_EQ(hr_write_array(nullptr, &array, nullptr, nullptr), HR_FILE_NAME_EMPTY);
  EXPECT_EQ(hr_write_array("x.raw", nullptr, nullptr, nullptr), HR_ARGUMENT_INVALID);
  EXPECT_EQ(hr_read_array("x.raw", nullptr, nullptr, nullptr), HR_ARGUMENT_INVALID);
}

TEST_F(Formats, ArraysThatMakeNoSenseAreRefused) {
  const std::string file = path("x.raw");
  constexpr std::ptrdiff_t huge = std::numeric_limits<std::ptrdiff_t>::max();
  const auto refused = [&](const hr_array& array) {
    return hr_write_array(file.c_str(), &array, nullptr, &error_);
  };
  EXPECT_EQ(refused({values_, 8, 0, 1, {4}, {8}}), HR_ARGUMENT_INVALID);
  EXPECT_EQ(refused({values_, 8, HR_TYPE_REAL, 16, {4}, {8}}), HR_ARGUMENT_INVALID);
  EXPECT_EQ(refused({values_, 8, HR_TYPE_REAL, -1, {4}, {8}}), HR_ARGUMENT_INVALID);
  EXPECT_EQ(refused({values_, 8, HR_TYPE_REAL, 1, {-4}, {8}}), HR_ARGUMENT_INVALID);
  EXPECT_EQ(refused({nullptr, 8, HR_TYPE_REAL, 1, {4}, {8}}), HR_ARGUMENT_INVALID);
  EXPECT_EQ(refused({values_, 8, HR_TYPE_REAL, 1, {huge}, {8}}), HR_ARRAY_TOO_LARGE);
  EXPECT_EQ(refused({values_, 8, HR_TYPE_REAL, 2, {2, 2}, {huge, 8}}), HR_ARRAY_TOO_LARGE);
  EXPECT_EQ(refused({nullptr, 8, HR_TYPE_REAL, 1, {0}, {8}}), 0) << error_.message;
  EXPECT_EQ(std::filesystem::file_size(file), 0U);
}

TEST_F(Formats, RawFilesHoldTheBytesInElementOrder) {
  const hr_array transposed{values_, 8, HR_TYPE_REAL, 2, {3, 4}, {32, 8}};
  ASSERT_EQ(hr_write_array(path("x.raw").c_str(), &transposed, nullptr, &error_), 0);
  const std::string bytes = content(path("x.raw"));
  double found[12];
  ASSERT_EQ(bytes.size(), sizeof found);
  std::memcpy(found, bytes.data(), sizeof found);
  for (int i = 0; i < 12; ++i) EXPECT_EQ(found[i], values_[i % 3 * 4 + i / 3]);
}

TEST_F(Formats, LargeSectionsPassTheBufferUnchanged) {
  constexpr std::ptrdiff_t n = 1500001;  // more than one buffer of 4 MiB
  std::vector<double> from(2 * n);
  std::iota(from.begin(), from.end(), 0.0);
  std::vector<double> to(3 * n, -1.0);
  const hr_array odd{from.data() + 1, 8, HR_TYPE_REAL, 1, {n}, {16}};
  const hr_array backwards{to.data() + 3 * (n - 1), 8, HR_TYPE_REAL, 1, {n}, {-24}};
  ASSERT_EQ(hr_write_array(path("x.raw").c_str(), &odd, nullptr, &error_), 0) << error_.message;
  ASSERT_EQ(hr_read_array(path("x.raw").c_str(), &backwards, nullptr, &error_), 0);
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(3 * (n - 1 - i));
    ASSERT_EQ(to[at], static_cast<double>(2 * i + 1));
    ASSERT_EQ(to[at + 1], -1.0);
  }
}

TEST_F(Formats, LongRunsGoDirectly) {
  constexpr std::ptrdiff_t rows = 20000;
  std::vector<double> from(rows * 6);
  std::iota(from.begin(), from.end(), 0.0);
  std::vector<double> to(rows * 3);
  const hr_array columns{from.data(), 8, HR_TYPE_REAL, 2, {rows, 3}, {8, 16 * rows}};
  const hr_array reversed{to.data() + 2 * rows, 8, HR_TYPE_REAL, 2, {rows, 3}, {8, -8 * rows}};
  ASSERT_EQ(hr_write_array(path("x.raw").c_str(), &columns, nullptr, &error_), 0);
  ASSERT_EQ(hr_read_array(path("x.raw").c_str(), &reversed, nullptr, &error_), 0);
  EXPECT_EQ(to[0], from[4 * rows]);
  EXPECT_EQ(to[3 * rows - 1], from[rows - 1]);
}

TEST_F(Formats, RawFilesOfAnotherSizeAreRefusedAndTheArrayStays) {
  for (std::size_t bytes : {0U, 95U, 97U}) {
    put(path("x.raw"), std::string(bytes, 'x'));
    const hr_array array = whole();
    EXPECT_EQ(hr_read_array(path("x.raw").c_str(), &array, nullptr, &error_),
              HR_FILE_SIZE_MISMATCH);
    EXPECT_TRUE(said("expected 96 bytes (12 elements of 8 bytes), found ")) << error_.message;
    EXPECT_TRUE(said((std::to_string(bytes) + " bytes;").c_str())) << error_.message;
    EXPECT_EQ(values_[0], 1.0);
  }
}

TEST_F(Formats, DevicesGiveAsManyBytesAsTheArrayHolds) {
  const hr_array array = whole();
  hr_read_options raw{};
  raw.format = "raw";
  EXPECT_EQ(hr_read_array("/dev/zero", &array, &raw, &error_), 0) << error_.message;
  EXPECT_EQ(values_[11], 0.0);
  EXPECT_EQ(hr_read_array("/dev/null", &array, &raw, &error_), HR_END_OF_FILE);
}

TEST_F(Formats, LongMessagesAreCut) {
  const std::string long_name = "/" + std::string(3000, 'n') + ".raw";
  const hr_array array = whole();
  EXPECT_EQ(hr_write_array(long_name.c_str(), &array, nullptr, &error_), ENAMETOOLONG);
  EXPECT_EQ(std::strlen(error_.message), HR_MESSAGE_BYTES - 1U);
}

}  // namespace
}  // namespace headrace
