// npz archives: members by name, appending, checksums, and archives that lie.
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "amounts.hpp"
#include "binary/zip_directory.hpp"
#include "binary/zip_member.hpp"
#include "numpy_fixture.hpp"

namespace headrace {
namespace {

class Npz : public NumpyFile {
 protected:
  void SetUp() override {
    if (!has_zip()) GTEST_SKIP() << "built without zlib";
    NumpyFile::SetUp();
    file_ = path("x.npz");
  }

  status write(const array_view& array, const char* name, bool append = false,
               bool compress = false) const {
    write_settings settings;
    settings.binary.name = name;
    settings.binary.compress = compress;
    settings.replace = append ? replace_mode::append : replace_mode::whole;
    return write_npz(file_, array, settings);
  }

  status read(const array_view& array, const char* name = "") const {
    read_settings settings;
    settings.binary.name = name;
    return read_npz(file_, array, settings);
  }

  static numpy_sample<double> empty_matrix() { return {type_class::real, {3, 4}}; }

  std::string file_;
};

TEST_F(Npz, ArraysComeBackByNameStoredAndDeflated) {
  const auto x = matrix();
  numpy_sample<std::int32_t> k(type_class::integer, {2000});
  std::iota(k.values.begin(), k.values.end(), 0);
  ASSERT_EQ(write(x.view, "x").message(), "");
  ASSERT_EQ(write(k.view, "k.npy", true, true).message(), "");
  ASSERT_EQ(write(x.view, "", true).message(), "");
  for (const char* name : {"x", "x.npy", "arr_2"}) {
    const auto found = empty_matrix();
    EXPECT_EQ(read(found.view, name).message(), "");
    EXPECT_EQ(found.values, x.values);
  }
  const numpy_sample<std::int32_t> found(type_class::integer, {2000});
  EXPECT_EQ(read(found.view, "k").message(), "");
  EXPECT_EQ(found.values, k.values);
  EXPECT_EQ(files(), 1U);
}

TEST_F(Npz, ArraysInCOrderComeBackInEitherOrder) {
  auto x = matrix();
  x.view.stride = {32, 8};
  ASSERT_EQ(write(x.view, "x").message(), "");
  auto same_order = empty_matrix();
  same_order.view.stride = {32, 8};
  const auto other_order = empty_matrix();
  EXPECT_EQ(read(same_order.view).message(), "");
  EXPECT_EQ(read(other_order.view).message(), "");
  EXPECT_EQ(same_order.values, x.values);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(other_order.values[i], i % 3 * 4 + i / 3);
}

TEST_F(Npz, MissingAndAmbiguousNamesListWhatThereIs) {
  const auto x = matrix();
  ASSERT_EQ(write(x.view, "x").message(), "");
  EXPECT_EQ(read(x.view).message(), "");
  ASSERT_EQ(write(x.view, "y", true).message(), "");
  for (const char* name : {"", "z"}) {
    const status s = read(x.view, name);
    EXPECT_EQ(s.code(), static_cast<int>(stat_code::array_missing));
    EXPECT_TRUE(says(s, "\"x\", \"y\"")) << s.message();
  }
}

TEST_F(Npz, TheSameNameTwiceIsRefusedAndTheArchiveStays) {
  const auto x = matrix();
  ASSERT_EQ(write(x.view, "x").message(), "");
  const std::string before = content(file_);
  EXPECT_EQ(write(x.view, "x", true).code(), static_cast<int>(stat_code::argument_invalid));
  EXPECT_EQ(content(file_), before);
  EXPECT_EQ(files(), 1U);
}

TEST_F(Npz, StoredElementsBeginAtAMultipleOf64Bytes) {
  const auto x = matrix();
  for (const char* name :
       {"x", "a_longer_name", "another_name_that_is_longer_than_sixty_four_bytes_____"}) {
    ASSERT_EQ(write(x.view, name).message(), "");
    array_info info;
    ASSERT_EQ(describe_npz(file_, {}, info).message(), "");
    EXPECT_EQ(info.data_offset % 64, 0);
    EXPECT_EQ(std::memcmp(content(file_).data() + info.data_offset, x.values.data(), 96), 0);
  }
  ASSERT_EQ(write(x.view, "x", false, true).message(), "");
  array_info info;
  ASSERT_EQ(describe_npz(file_, {}, info).message(), "");
  EXPECT_EQ(info.data_offset, -1);
}

TEST_F(Npz, EveryCutIsRefused) {
  for (const bool compress : {false, true}) {
    ASSERT_EQ(write(matrix().view, "x", false, compress).message(), "");
    const std::string whole = content(file_);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      put(file_, whole.substr(0, size));
      const auto found = empty_matrix();
      const status s = read(found.view);
      EXPECT_FALSE(s.ok()) << size;
      EXPECT_TRUE(found.untouched());
    }
  }
}

TEST_F(Npz, EveryDamagedByteGivesTheDataOrAFailure) {
  const auto x = matrix();
  auto in_c_order = matrix();
  in_c_order.view.stride = {32, 8};
  std::size_t number = 0;
  for (const bool compress : {false, true})
    for (const array_view& array : {x.view, in_c_order.view}) {
      ASSERT_EQ(write(array, "x", false, compress).message(), "");
      const auto right = empty_matrix();
      ASSERT_EQ(read(right.view).message(), "");
      const std::string whole = content(file_);
      for (std::size_t at = 0; at < whole.size(); ++at)
        for (const int change : {1, 0x80, 0xFF}) {
          if (number++ % one_of(5) != 0) continue;
          std::string damaged = whole;
          damaged[at] = static_cast<char>(damaged[at] ^ change);
          put(file_, damaged);
          const auto found = empty_matrix();
          const status s = read(found.view);
          EXPECT_TRUE(!s.ok() || found.values == right.values) << at;
          EXPECT_TRUE(s.ok() || !s.message().empty());
        }
    }
}

TEST_F(Npz, DamagedElementsAreAChecksumMismatch) {
  ASSERT_EQ(write(matrix().view, "x").message(), "");
  array_info info;
  ASSERT_EQ(describe_npz(file_, {}, info).message(), "");
  std::string bytes = content(file_);
  ++bytes[static_cast<std::size_t>(info.data_offset)];
  put(file_, bytes);
  const status s = read(empty_matrix().view);
  EXPECT_EQ(s.code(), static_cast<int>(stat_code::checksum_mismatch)) << s.message();
}

TEST_F(Npz, EncryptedAndUnknownMethodsAreNamed) {
  ASSERT_EQ(write(matrix().view, "x").message(), "");
  const std::string whole = content(file_);
  const std::size_t entry = whole.rfind("PK\1\2");
  const auto with = [&](std::size_t at, char value) {
    std::string changed = whole;
    changed[entry + at] = value;
    put(file_, changed);
    return read(empty_matrix().view);
  };
  EXPECT_TRUE(says(with(8, 1), "is encrypted"));
  const status s = with(10, 12);
  EXPECT_EQ(s.code(), static_cast<int>(stat_code::kind_unsupported));
  EXPECT_TRUE(says(s, "method 12")) << s.message();
}

// A member that claims to be as large as memory must not be believed.
TEST_F(Npz, BombsAreRefusedBeforeTheArrayIsTouched) {
  ASSERT_EQ(write(matrix().view, "x", false, true).message(), "");
  std::string bytes = content(file_);
  const std::size_t entry = bytes.rfind("PK\1\2");
  for (std::size_t i = 0; i < 3; ++i) bytes[entry + 24 + i] = '\xF0';
  put(file_, bytes);
  const auto found = empty_matrix();
  EXPECT_EQ(read(found.view).code(), static_cast<int>(stat_code::compression_damaged));
  EXPECT_TRUE(found.untouched());
}

TEST_F(Npz, PipesAreRefusedForReading) {
  ASSERT_EQ(mkfifo(path("p.npz").c_str(), 0600), 0);
  file_ = path("p.npz");
  EXPECT_TRUE(says(read(empty_matrix().view), "from a pipe"));
}

TEST_F(Npz, NumbersOf64BitsStandInTheirField) {
  std::string text;
  put_zip_number(text, 0x0102030405060708, 8);
  EXPECT_EQ(text, "\x08\x07\x06\x05\x04\x03\x02\x01");
  EXPECT_EQ(zip_number(text.data(), 8), 0x0102030405060708U);
}

TEST_F(Npz, ProgramsThatAppendAtOnceLoseNothing) {
  constexpr int arrays = 20;
  const auto x = matrix();
  // The first of them creates the archive.
  std::vector<pid_t> programs;
  for (const char program : {'a', 'b', 'c'}) {
    programs.push_back(::fork());
    if (programs.back() != 0) continue;
    bool all = true;
    for (int i = 0; i < arrays; ++i)
      all = write(x.view, (program + std::to_string(i)).c_str(), true).ok() && all;
    ::_exit(all ? 0 : 1);
  }
  for (const pid_t program : programs) {
    int ended = 1;
    EXPECT_EQ(::waitpid(program, &ended, 0), program);
    EXPECT_EQ(ended, 0);
  }
  for (const char program : {'a', 'b', 'c'})
    for (int i = 0; i < arrays; ++i) {
      const auto found = empty_matrix();
      EXPECT_EQ(read(found.view, (program + std::to_string(i)).c_str()).message(), "");
    }
  EXPECT_EQ(files(), 1U);
}

}  // namespace
}  // namespace headrace
