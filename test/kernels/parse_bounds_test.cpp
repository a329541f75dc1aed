// Kernels read no byte beyond the padding of a text: it lies between pages that cannot be read.
#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>

#include "parse_numbers_checks.hpp"
#include "text/kernels/format_numbers.hpp"

namespace headrace {
namespace {

// Room for a text and its paddings at the end, or at the beginning, of readable pages.
class guarded_text {
 public:
  guarded_text(const std::string& text, bool at_end) : bytes_(text.size()) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t room = (text.size() + 2 * parse_padding + page - 1) / page * page;
    mapped_ = room + 2 * page;
    memory_ =
        static_cast<char*>(mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (memory_ == MAP_FAILED || mprotect(memory_ + page, room, PROT_READ | PROT_WRITE) != 0)
      throw std::runtime_error("no memory");
    text_ = memory_ + page + (at_end ? room - bytes_ - parse_padding : parse_padding);
    std::memcpy(text_, text.data(), bytes_);
  }
  ~guarded_text() { munmap(memory_, mapped_); }
  guarded_text(const guarded_text&) = delete;
  guarded_text& operator=(const guarded_text&) = delete;

  const char* text() const { return text_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_;
  std::size_t mapped_ = 0;
  char* memory_ = nullptr;
  char* text_ = nullptr;
};

void read_everything(const std::string& text, bool at_end, char delimiter) {
  const guarded_text guarded(text, at_end);
  std::vector<std::uint32_t> ends(text.size() + 65, ~std::uint32_t{0});
  std::vector<std::uint32_t> lines(text.size() + 64);
  field_map map;
  map.ends = ends.data() + 1;
  map.line_fields = lines.data();
  const char special[2] = {'"', '#'};
  find_fields(guarded.text(), guarded.bytes(), {delimiter, '.'}, special, map);
  std::vector<double> reals(map.fields);
  std::vector<float> floats(map.fields);
  std::vector<std::int64_t> integers(map.fields);
  std::vector<std::uint32_t> bits(map.fields);
  field_state state{};
  for (std::size_t first = 0; first < map.fields; ++first) {
    parse_fields(guarded.text(), map.ends, first, map.fields, '.', reals.data(), state);
    parse_fields(guarded.text(), map.ends, first, map.fields, '.', floats.data(), state);
    parse_fields(guarded.text(), map.ends, first, map.fields, '.', integers.data(), state);
    parse_hexadecimal(guarded.text(), map.ends, first, map.fields, 4, bits.data(), state);
  }
}

TEST(ParseBounds, reads_nothing_beyond_the_padding) {
  for (const simd_tier tier : tiers_of_this_machine()) {
    const tier_guard guard(tier);
    for (const bool at_end : {false, true})
      for (const char* cell : {"1", "", "-1.5e300", "0x3F800000", "123456789012345678901234567890"})
        for (std::size_t copies = 1; copies < 140; copies += one_of(7))
          for (const char delimiter : {',', ' '})
            read_everything(repeated(cell, copies, delimiter), at_end, delimiter);
  }
}

// All bit patterns of real32 through their shortest text and back, or every 1024th of them.
TEST(ParseReals, reads_the_shortest_text_of_every_real32) {
  const std::uint64_t step = long_tests() ? 1 : 1024 * one_of(8);
  constexpr std::size_t block = 1 << 16;
  std::vector<float> values;
  const std::vector<char> separators(block, ',');
  std::string text(block * (longest_real64 + 1) + format_slack, ' ');
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32;) {
    values.clear();
    for (; values.size() < block && bits < std::uint64_t{1} << 32; bits += step)
      if (const float value = from_bits<float>(bits); std::isfinite(value)) values.push_back(value);
    if (values.empty()) continue;
    char* const end = format_shortest(text.data(), values.data(), values.size(), separators.data());
    std::string line(text.data(), static_cast<std::size_t>(end - text.data()));
    line.back() = '\n';
    const auto result = parse_text<float>(line, ',', '.', best_tier());
    ASSERT_EQ(result.good, values.size()) << "near bits " << bits;
    ASSERT_EQ(std::memcmp(result.values.data(), values.data(), values.size() * sizeof(float)), 0)
        << "near bits " << bits;
  }
}

}  // namespace
}  // namespace headrace
