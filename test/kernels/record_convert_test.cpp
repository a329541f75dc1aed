#include "binary/record_convert.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <fstream>
#include <map>
#include <utility>

#include "amounts.hpp"
#include "core/byte_swap.hpp"
#include "scratch.hpp"

namespace headrace {
namespace {

class RecordConvert : public Scratch {
 protected:
  status convert(const std::string& from, const std::string& to, const record_layout& from_layout,
                 const record_layout& to_layout, record_pattern pattern = {}) {
    convert_settings settings;
    settings.from = from_layout;
    settings.to = to_layout;
    settings.pattern = std::move(pattern);
    return convert_records(path(from), path(to), settings, records_);
  }

  std::uint64_t records_ = 0;
};

template <class Word>
std::string word(Word value, bool big) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  if (big) swap_bytes(bytes.data(), bytes.data(), 1, sizeof value);
  return bytes;
}

record_layout sequential(int marker, byte_order order) {
  record_layout layout;
  layout.dialect.marker_bytes = marker;
  layout.dialect.order = order;
  return layout;
}

record_layout plain(record_form form, byte_order order, std::uint64_t length = 0) {
  record_layout layout;
  layout.form = form;
  layout.dialect.order = order;
  layout.record_length = length;
  return layout;
}

std::string marked(const std::string& data, int marker, bool big) {
  const std::string length = marker == 4 ? word(static_cast<std::uint32_t>(data.size()), big)
                                         : word(static_cast<std::uint64_t>(data.size()), big);
  return length + data + length;
}

// A header of two integers, a field of reals of every length, and an empty record, over and over.
std::string mixed_file(int marker, bool big, std::size_t times, std::size_t reals) {
  std::string bytes;
  for (std::size_t i = 0; i < times; ++i) {
    bytes += marked(
        word<std::int32_t>(static_cast<std::int32_t>(i), big) + word<std::int16_t>(7, big) + "ab",
        marker, big);
    std::string field;
    for (std::size_t j = 0; j < reals; ++j) field += word(0.5 * static_cast<double>(i + j), big);
    bytes += marked(field, marker, big) + marked("", marker, big);
  }
  return bytes;
}

const record_pattern mixed_pattern = {{{4, 4}, {2, 2}, {2, 1}}, {{0, 8}}, {{0, 1}}};

TEST_F(RecordConvert, TurnsEveryOrderAndMarkerIntoEveryOther) {
  std::size_t large = 0;
  for (const std::size_t reals : {1, 3, 5000, 2200000}) {
    const std::size_t times = reals > 100000 ? 1 : 3;
    std::map<std::pair<int, bool>, std::string> files;  // by markers and order
    for (const int marker : {4, 8})
      for (const bool big : {false, true})
        files[{marker, big}] = mixed_file(marker, big, times, reals);
    for (const int from : {4, 8})
      for (const int to : {4, 8})
        for (const bool from_big : {false, true})
          for (const bool to_big : {false, true}) {
            if (reals > 100000 && large++ % one_of(5) != 0) continue;
            put(path("a"), files[{from, from_big}]);
            const status result = convert(
                "a", "b", sequential(from, from_big ? byte_order::big : byte_order::little),
                sequential(to, to_big ? byte_order::big : byte_order::little), mixed_pattern);
            ASSERT_TRUE(result.ok()) << result.message();
            EXPECT_EQ(records_, 3 * times);
            EXPECT_TRUE((content(path("b")) == files[{to, to_big}]))
                << reals << " " << from << to << from_big << to_big;
          }
  }
}

TEST_F(RecordConvert, TurnsManyShortRecordsOfOneLength) {
  std::string little;
  std::string big;
  for (int i = 0; i < 300000; ++i) {
    little += marked(word(1.5 * i, false), 4, false);
    big += marked(word(1.5 * i, true), 8, true);
  }
  little += marked("12345678abcdefgh", 4, false);
  big += marked("87654321hgfedcba", 8, true);
  put(path("a"), little);
  const status result = convert("a", "b", sequential(4, byte_order::little),
                                sequential(8, byte_order::big), {{{0, 8}}});
  ASSERT_TRUE(result.ok()) << result.message();
  EXPECT_EQ(records_, 300001U);
  EXPECT_TRUE(content(path("b")) == big);
}

TEST_F(RecordConvert, TakesTheMarkersOffAndPutsThemOnAgain) {
  const std::string records = mixed_file(4, false, 4, 10);
  put(path("a"), records);
  status result = convert("a", "b", sequential(4, byte_order::little),
                          plain(record_form::stream, byte_order::little));
  ASSERT_TRUE(result.ok()) << result.message();
  EXPECT_EQ(content(path("b")).size(), 4U * (8 + 80));
  result = convert("b", "c", plain(record_form::stream, byte_order::little),
                   sequential(4, byte_order::little), {{{8, 1}}, {{80, 8}}});
  ASSERT_TRUE(result.ok()) << result.message();
  EXPECT_EQ(records_, 8U);
  EXPECT_EQ(content(path("c")).size(), records.size() - std::size_t{4} * 8);
}

TEST_F(RecordConvert, FillsDirectRecordsUpWithZeros) {
  put(path("a"), marked("abc", 4, false) + marked("defgh", 4, false));
  status result = convert("a", "b", sequential(4, byte_order::little),
                          plain(record_form::direct, byte_order::little, 6));
  ASSERT_TRUE(result.ok()) << result.message();
  EXPECT_EQ(content(path("b")), std::string("abc\0\0\0defgh\0", 12));
  result = convert("a", "b", sequential(4, byte_order::little),
                   plain(record_form::direct, byte_order::little, 4));
  EXPECT_EQ(result.code(), static_cast<int>(stat_code::record_size_mismatch));
  EXPECT_EQ(content(path("b")), std::string("abc\0\0\0defgh\0", 12));
}

TEST_F(RecordConvert, RefusesRecordsThatDoNotFitTheirDescription) {
  put(path("a"), marked("abcdefgh", 4, false) + marked("abcde", 4, false));
  const auto code = [&](record_pattern pattern) {
    return convert("a", "b", sequential(4, byte_order::little), sequential(4, byte_order::big),
                   std::move(pattern))
        .code();
  };
  EXPECT_EQ(code({}), static_cast<int>(stat_code::argument_invalid));
  EXPECT_EQ(code({{{0, 8}}}), static_cast<int>(stat_code::record_size_mismatch));
  EXPECT_EQ(code({{{0, 4}}, {{8, 4}}}), static_cast<int>(stat_code::record_size_mismatch));
  EXPECT_EQ(code({{{0, 4}}, {{0, 1}}}), 0);
}

TEST_F(RecordConvert, NamesTheByteOfADamagedMarkerAndWritesNothing) {
  std::string bytes = mixed_file(4, false, 2, 4);
  for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
    if (cut == 16 || cut == 56 || cut == 64 || cut == 80 || cut == 120) continue;  // whole records
    put(path("a"), bytes.substr(0, cut));
    const status result = convert("a", "b", sequential(4, byte_order::little),
                                  sequential(4, byte_order::big), mixed_pattern);
    EXPECT_EQ(result.code(), static_cast<int>(stat_code::truncated_record)) << cut;
    EXPECT_NE(result.message().find("byte"), std::string::npos);
    EXPECT_FALSE(std::ifstream(path("b")).good());
  }
}

TEST_F(RecordConvert, EndsWhenItsProgressFunctionSaysSo) {
  put(path("a"), marked(std::string(std::size_t{40} << 20, 'x'), 4, false));
  convert_settings settings;
  settings.to.dialect.marker_bytes = 8;
  int calls = 0;
  settings.progress = [&](std::uint64_t, std::uint64_t total) {
    EXPECT_EQ(total, (std::uint64_t{40} << 20) + 8);
    return ++calls < 1;
  };
  const status result = convert_records(path("a"), path("b"), settings, records_);
  EXPECT_EQ(result.code(), static_cast<int>(stat_code::interrupted));
  EXPECT_FALSE(std::ifstream(path("b")).good());
}

TEST_F(RecordConvert, RefusesDescriptionsWhoseBytesOverflow) {
  constexpr std::uint64_t half = std::uint64_t{1} << 63;
  put(path("a"), marked("12345678", 4, false));
  for (const record_layout& from :
       {sequential(4, byte_order::little), plain(record_form::stream, byte_order::little)}) {
    const status result = convert("a", "b", from, sequential(4, byte_order::big),
                                  {{{half - 2, 2}, {half - 2, 2}, {12, 2}}});
    EXPECT_EQ(result.code(), static_cast<int>(stat_code::argument_invalid)) << result.message();
    EXPECT_FALSE(std::ifstream(path("b")).good());
  }
}

TEST_F(RecordConvert, RefusesPipesWithoutWaitingForTheirWriter) {
  ASSERT_EQ(::mkfifo(path("a").c_str(), 0600), 0);
  for (const record_layout& from :
       {sequential(4, byte_order::little), plain(record_form::direct, byte_order::little, 8)}) {
    const status result = convert("a", "b", from, sequential(8, byte_order::little));
    EXPECT_EQ(result.code(), static_cast<int>(stat_code::argument_invalid)) << result.message();
    EXPECT_NE(result.message().find("save it to a file first"), std::string::npos);
  }
}

}  // namespace
}  // namespace headrace
