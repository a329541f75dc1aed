// Compressed files: whatever the bytes are, they end in text or in a status, whatever the size of
// the pieces they come in.
#include <algorithm>
#include <memory>

#include "core/compressed.hpp"
#include "memory_source.hpp"
#include "targets.hpp"

namespace headrace::fuzz {
namespace {

constexpr std::size_t longest_text = std::size_t{4} << 20;  // some bytes can hold gigabytes

struct outcome {
  std::string text;
  int code = 0;
  std::string message;
};

outcome read_all(std::string_view content, compression kind, std::size_t piece) {
  outcome result;
  std::unique_ptr<byte_source> plain;
  status s = open_decompressor(std::make_unique<memory_source>(content, piece), kind, "x", plain);
  std::string block(70000, '\0');
  for (std::size_t count = 1; s.ok() && count > 0 && result.text.size() < longest_text;) {
    s = plain->read(block.data(), block.size(), count);
    result.text.append(block, 0, count);
    require(s.ok() || count == 0, "a failure comes with bytes");
  }
  result.code = s.code();
  result.message = s.message();
  return result;
}

}  // namespace

void decompress(std::string_view bytes) {
  fuzz_input input(bytes);
  const compression kind = input.choose(2) == 0 ? compression::gzip : compression::zstd;
  const std::size_t piece = 1 + input.choose(40);
  const outcome whole = read_all(input.rest(), kind, input.rest().size() + 1);
  const outcome pieces = read_all(input.rest(), kind, piece);
  require(whole.code == pieces.code, "pieces give another status: " + pieces.message);
  // How much arrives before a damage is the library's choice.
  const std::size_t known = whole.code == 0 ? std::max(whole.text.size(), pieces.text.size())
                                            : std::min(whole.text.size(), pieces.text.size());
  require(whole.text.substr(0, known) == pieces.text.substr(0, known), "pieces give another text");
}

}  // namespace headrace::fuzz
