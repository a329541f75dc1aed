#include "core/status.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <set>

#include "core/name_text.hpp"
#include "headrace.h"

namespace headrace {
namespace {

TEST(Status, SuccessHasNoMessage) {
  const status s;
  EXPECT_TRUE(s.ok());
  EXPECT_EQ(s.code(), 0);
  EXPECT_EQ(s.message(), "");
}

TEST(Status, MessageSaysWhatWhereExpectedFoundAndWhatToDo) {
  const status s = status::failure(stat_code::file_size_mismatch, "the file does not fit")
                       .in_file("x.raw")
                       .at_byte(17)
                       .expected("24 bytes", "20 bytes")
                       .advise("look again");
  EXPECT_EQ(s.message(),
            "the file does not fit: expected 24 bytes, found 20 bytes; file \"x.raw\", byte 17; "
            "look again (file_size_mismatch)");
}

TEST(Status, ErrnoBringsItsTextAndAnAdvice) {
  const status s = status::system(ENOSPC, "cannot write").in_file("x.raw");
  EXPECT_EQ(s.code(), ENOSPC);
  EXPECT_NE(s.message().find("No space left on device"), std::string::npos);
  EXPECT_NE(s.message().find("free space"), std::string::npos);
  EXPECT_NE(s.message().find("errno 28"), std::string::npos);
}

TEST(Status, FirstFailureIsKept) {
  status s;
  s.keep_first(status::system(EIO, "first"));
  s.keep_first(status::system(ENOSPC, "second"));
  EXPECT_EQ(s.code(), EIO);
  s.keep_first({});
  EXPECT_EQ(s.code(), EIO);
}

TEST(Status, NamesAreDifferentAndErrnoHasNone) {
  std::set<std::string> names;
  std::size_t listed = 0;
#define HR_STATUS(name, NAME, number, meaning)          \
  EXPECT_EQ(static_cast<int>(stat_code::name), number); \
  EXPECT_EQ(static_cast<int>(HR_##NAME), number);       \
  EXPECT_STREQ(hr_stat_name(number), #name);            \
  ++listed;
#include "headrace_status.def"
#undef HR_STATUS
  std::size_t count = 0;
  for (int code = -10; code < 10000; ++code) {
    const char* const name = hr_stat_name(code);
    if (name == nullptr) continue;
    names.insert(name);
    ++count;
  }
  EXPECT_EQ(count, listed);
  EXPECT_EQ(names.size(), listed);
  EXPECT_EQ(hr_stat_name(ENOSPC), nullptr);
}

TEST(Status, CuttingKeepsCharactersWhole) {
  EXPECT_EQ(fitting_length("abc", 5), 3U);
  EXPECT_EQ(fitting_length("abc", 2), 2U);
  EXPECT_EQ(fitting_length("a\xc3\xa4z", 2), 1U);  // the a-umlaut has two bytes
  EXPECT_EQ(fitting_length("a\xc3\xa4z", 3), 3U);
  EXPECT_EQ(fitting_length("\xe2\x82\xac", 2), 0U);
  EXPECT_EQ(fitting_length("abc", 0), 0U);
}

// mpi.collectives shows that it takes no memory: all memory is refused there.
TEST(Status, ALackOfMemoryIsSharedAndStaysAsItIs) {
  const status lacking = status::no_memory(ENOMEM);
  EXPECT_EQ(lacking.code(), ENOMEM);
  EXPECT_EQ(lacking.message(), "no memory left");
  EXPECT_EQ(status(lacking).message(), "no memory left");
  const status changed = status(lacking).in_file("x").advise("wait");
  EXPECT_EQ(changed.code(), ENOMEM);
  EXPECT_EQ(status::no_memory(EIO).message(), "no memory left");
  status kept;
  kept.keep_first(status::no_memory(EIO));
  kept = status::failure(stat_code::bad_number, "other");
  EXPECT_EQ(lacking.message(), "no memory left");
}

TEST(Status, NamesAreQuotedAndAtMostTen) {
  EXPECT_EQ(names_text({}), "");
  EXPECT_EQ(names_text({"rho", "u,v"}), "\"rho\", \"u,v\"");
  EXPECT_EQ(names_text({"a\nb"}), "\"a?b\"");
  EXPECT_EQ(names_text({std::string(101, 'x')}), '"' + std::string(100, 'x') + "...\"");
  const std::vector<std::string> ten(10, "x");
  std::vector<std::string> twelve = ten;
  twelve.insert(twelve.end(), 2, "y");
  EXPECT_EQ(names_text(twelve), names_text(ten) + " and 2 more");
}

}  // namespace
}  // namespace headrace
