// The end of the text of a compressed file is found from the end of the file. Next: codecs.hpp.
#include "old_text.hpp"

#include <algorithm>
#include <vector>

#include "codecs.hpp"
#include "compressed.hpp"

namespace headrace {
namespace {

// Bytes at the end of a file in which its last members or frames are looked for. A member of
// headrace has half a MiB of text; a file with a longer last one is decompressed as a whole.
constexpr std::size_t windows[] = {std::size_t{4} << 10, std::size_t{64} << 10,
                                   std::size_t{1} << 20};
constexpr std::size_t mark_bytes = 4;
constexpr std::size_t text_bytes = std::size_t{64} << 10;  // decompressed at a time

// The old content of a file, some at a time: only the beginning may be asked for.
class old_content final : public byte_source {
 public:
  explicit old_content(const file_writer& file) noexcept : file_(file) {}
  status read(char* data, std::size_t capacity, std::size_t& count) override {
    status result = file_.read_old(offset_, data, std::min(capacity, windows[0]), count);
    offset_ += count;
    return result;
  }

 private:
  const file_writer& file_;
  std::uint64_t offset_ = 0;
};

class end_finder {
 public:
  end_finder(const file_writer& file, const std::string& name)
      : file_(file), name_(name), kind_(compression_of(name)), output_(text_bytes) {}

  status find(old_text& text) {
    for (const std::size_t window : windows) {
      bool found = false;
      if (status s = search(window, text, found); !s.ok() || found) return s;
      if (window >= file_.old_bytes()) break;
    }
    return read_all(text);
  }

 private:
  // A mark may also lie within data. Only what ends where a member must end is one: whatever else
  // is decompressed from a mark on fails, ends elsewhere, or has another checksum.
  status search(std::size_t window, old_text& text, bool& found) {
    const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(window, file_.old_bytes()));
    std::vector<char> data(bytes);
    std::size_t end = 0;
    if (status s = file_.read_old(file_.old_bytes() - bytes, data.data(), bytes, end); !s.ok())
      return s;
    for (std::size_t before = end; !text.any && before > 0; --before)
      if (is_member(data.data() + before - 1, end - (before - 1), text)) end = before - 1;
    found = text.any || (end == 0 && bytes == file_.old_bytes());
    return {};
  }

  // Whether one member or frame lies just there. Its text, if it has any, is the last of the file.
  bool is_member(const char* data, std::size_t bytes, old_text& text) {
    if (bytes < mark_bytes || !may_begin(kind_, data)) return false;
    const std::unique_ptr<stream_decoder> decoder = make_decoder(kind_);
    codec_buffers left{data, bytes, nullptr, 0};
    old_text seen;
    for (std::size_t before = bytes + 1, made = 0; left.input_bytes < before || made > 0;) {
      before = left.input_bytes;
      left.output = output_.data();
      left.output_bytes = output_.size();
      if (!decoder || decoder->decode(left) != nullptr) return false;
      made = output_.size() - left.output_bytes;
      if (made > 0) seen = {true, output_[made - 1]};
      if (!decoder->complete()) continue;
      if (left.input_bytes == 0) text = seen;
      return left.input_bytes == 0;
    }
    return false;
  }

  status read_all(old_text& text) {
    std::unique_ptr<byte_source> plain;
    if (status s = open_decoder(std::make_unique<old_content>(file_), kind_, name_, plain); !s.ok())
      return s;
    for (std::size_t count = 1; count > 0;) {
      if (status s = plain->read(output_.data(), output_.size(), count); !s.ok()) return s;
      if (count > 0) text = {true, output_[count - 1]};
    }
    return {};
  }

  const file_writer& file_;
  const std::string& name_;
  compression kind_;
  std::vector<char> output_;
};

}  // namespace

status look_at_old_text(const file_writer& file, const std::string& name, old_text& text) {
  text = {};
  if (file.old_bytes() == 0) return {};
  if (compression_of(name) != compression::none) return end_finder(file, name).find(text);
  text.any = true;
  return file.old_last_byte(text.last);
}

status read_old_text(const file_writer& file, const std::string& name, std::size_t bytes,
                     std::string& text, bool& whole) {
  std::unique_ptr<byte_source> plain;
  if (status s =
          open_decoder(std::make_unique<old_content>(file), compression_of(name), name, plain);
      !s.ok())
    return s;
  text.resize(bytes);
  std::size_t have = 0;
  std::size_t count = 1;
  status result;
  while (result.ok() && count > 0 && have < bytes) {
    result = plain->read(text.data() + have, bytes - have, count);
    have += count;
  }
  text.resize(have);
  whole = count == 0;
  return result;
}

}  // namespace headrace
