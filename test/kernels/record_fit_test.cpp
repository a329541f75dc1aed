// Which byte order and markers a file of records has, if the records hardly tell.
#include "binary/record_fit.hpp"

#include "core/files.hpp"
#include "scratch.hpp"

namespace headrace {
namespace {

const record_dialect little4{4, byte_order::little};
const record_dialect big4{4, byte_order::big};
const record_dialect little8{8, byte_order::little};

class RecordFit : public Scratch {
 protected:
  status choose(const std::string& content, const std::vector<record_dialect>& candidates) {
    put(path("r.unf"), content);
    file_reader reader;
    EXPECT_TRUE(reader.open(path("r.unf")).ok());
    return choose_dialect(reader, candidates, chosen_);
  }

  record_dialect chosen_;
};

TEST_F(RecordFit, EmptyRecordsAreTakenInTheFirstByteOrder) {
  ASSERT_EQ(choose(std::string(24, '\0'), {little4, big4}).message(), "");
  EXPECT_EQ(chosen_.order, byte_order::little);
  ASSERT_EQ(choose(std::string(24, '\0'), {big4, little4}).message(), "");
  EXPECT_EQ(chosen_.order, byte_order::big);
}

TEST_F(RecordFit, EmptyRecordsOfEitherMarkerAreRefused) {
  // Two records, or one.
  EXPECT_EQ(choose(std::string(16, '\0'), {little4, big4, little8}).code(),
            static_cast<int>(stat_code::record_marker_damaged));
  EXPECT_EQ(choose(std::string(8, '\0'), {little4, big4, little8}).message(), "");
}

TEST_F(RecordFit, EqualLengthsInBothOrdersAreRefused) {
  // Markers of 0x01010101 bytes fit in either order, and the data are not the same.
  const std::string marker(4, '\1');
  EXPECT_EQ(choose(marker + std::string(0x01010101, 'x') + marker, {little4, big4}).code(),
            static_cast<int>(stat_code::record_marker_damaged));
}

}  // namespace
}  // namespace headrace
