// Whole arrays through a Fortran format or list-directed. Next: edit/uniform_rows.hpp, and
// edit/edit_transfer.hpp for what has no uniform rows.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>

#include "../core/array_copy.hpp"
#include "../core/buffer.hpp"
#include "../core/compressed.hpp"
#include "../core/shared_work.hpp"
#include "edit/edit_transfer.hpp"
#include "edit/uniform_rows.hpp"
#include "format.hpp"
#include "kernels/number_types.hpp"
#include "read.hpp"

namespace headrace {
namespace {

// The values of a piece stay in the cache until they go to the array.
constexpr std::size_t bytes_at_once = std::size_t{128} << 10;

// A stream without its byte order mark and its first lines. Of lines that begin with the comment
// only the line feed is left, so that messages count them.
class skipping_source final : public byte_source {
 public:
  skipping_source(byte_source& source, const std::string& file, int lines, char comment)
      : source_(source),
        file_(file),
        lines_(static_cast<std::uint64_t>(std::max(lines, 0))),
        comment_(comment) {}
  std::uint64_t lines_before() const noexcept override { return skipped_; }
  status read(char* data, std::size_t capacity, std::size_t& count) override {
    for (;;) {
      std::size_t begin = 0;
      if (status s = read_some(data, capacity, count, begin); !s.ok() || count == 0) return s;
      while (begin < count && skipped_ < lines_) skipped_ += data[begin++] == '\n' ? 1U : 0U;
      count -= begin;
      if (begin > 0) std::memmove(data, data + begin, count);
      if (comment_ != '\0') count = without_comments(data, count);
      if (count > 0) return {};
    }
  }

 private:
  std::size_t without_comments(char* data, std::size_t count) noexcept {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const char c = data[i];
      if (c == '\n')
        place_ = place::begin;
      else if (place_ == place::begin && c == comment_)
        place_ = place::comment;
      else if (place_ == place::begin && c != ' ' && c != '\t')
        place_ = place::values;
      if (place_ != place::comment) data[kept++] = c;
    }
    return kept;
  }

  // mark: bytes of the byte order mark at the beginning of the first ones.
  status read_some(char* data, std::size_t capacity, std::size_t& count, std::size_t& mark) {
    status result = source_.read(data, capacity, count);
    if (begun_) return result;
    begun_ = true;
    std::size_t more = count;  // a source may give a byte at a time
    while (result.ok() && more > 0 && count < std::min(capacity, longest_byte_order_mark)) {
      result = source_.read(data + count, capacity - count, more);
      count += more;
    }
    return result.ok() ? find_byte_order_mark({data, count}, file_, mark) : result;
  }

  byte_source& source_;
  const std::string& file_;
  std::uint64_t lines_;
  std::uint64_t skipped_ = 0;
  char comment_;                                                                      // '\0': none
  enum class place : unsigned char { begin, comment, values } place_ = place::begin;  // in a line
  bool begun_ = false;
};

status read_slowly(const std::string& file, const array_view& array, const read_settings& settings,
                   const edit_dialect& dialect, const edit_format* format) {
  std::unique_ptr<byte_source> source;
  std::uint64_t file_bytes = 0;
  if (status s = open_text(file, source, file_bytes); !s.ok()) return s;
  skipping_source lines(*source, file, settings.skip_rows, settings.comment);
  status result = format == nullptr
                      ? read_list_directed(lines, settings.text.decimal, array, dialect)
                      : read_edited(*format, lines, array);
  return result.ok() ? std::move(result) : std::move(result).in_file_once(file);
}

// A file whose records are as long as the format makes them.
class uniform_file {
 public:
  uniform_file(const file_reader& file, const row_parser& rows, const array_view& array,
               int threads)
      : file_(file),
        rows_(rows),
        array_(array),
        value_bytes_(array.type == type_class::complex ? array.elem_len / 2 : array.elem_len),
        values_(byte_count(array).value_or(0) / value_bytes_),
        piece_rows_(std::max<std::size_t>(1, bytes_at_once / rows.bytes)),
        threads_(static_cast<int>(std::min<std::size_t>(
            static_cast<std::size_t>(threads_that_hold(
                piece_rows_ * (rows.bytes + rows.values * value_bytes_), threads)),
            values_ / rows.values / piece_rows_ + 1))) {}

  // True when the file has just the records of the array; the last may lack its line feed.
  bool fits() const noexcept {
    const std::size_t records = values_ / rows_.values;
    return values_ % rows_.values == 0 && records > 0 && file_.size() &&
           (*file_.size() == records * rows_.bytes || *file_.size() + 1 == records * rows_.bytes);
  }

  // True when every field was read. Otherwise some elements before the first bad one have their
  // values, and no other element has changed: the slow way reads all again.
  bool read() {
    const std::size_t piece_values = piece_rows_ * rows_.values;
    const std::size_t pieces = (values_ + piece_values - 1) / piece_values;
    const bool contiguous = is_contiguous(array_);
    if (contiguous) advise_huge_pages(array_.base, values_ * value_bytes_);
    std::vector<workspace> spaces(static_cast<std::size_t>(threads_));
    array_copier copier(array_);
    share_out(contiguous ? threads_ : 1, pieces, [&](std::size_t piece, int thread) {
      workspace& space = spaces[static_cast<std::size_t>(thread)];
      const std::size_t first = piece * piece_values;
      const std::size_t n = std::min(piece_values, values_ - first);
      try {
        space.values.reserve(piece_values * value_bytes_);
        const bool good = !stopped_ && read_piece(first / rows_.values, n, space);
        if (!pass(piece, good)) return;
      } catch (...) {
        pass(piece, false);
        throw;
      }
      if (contiguous)
        std::memcpy(array_.base + first * value_bytes_, space.values.data(), n * value_bytes_);
      else
        copier.scatter(space.values.data(), n * value_bytes_);
    });
    return !stopped_;
  }

 private:
  struct workspace {
    buffer text;
    buffer values;  // of a piece: they go to the array when all pieces before it are good, too
  };

  // Waits until all pieces before this one are known to be good. False: one of them is not, or
  // this one.
  bool pass(std::size_t piece, bool good) {
    std::unique_lock<std::mutex> lock(guard_);
    passed_.wait(lock, [&] { return next_ == piece || stopped_; });
    if (!good) stopped_ = true;
    if (!stopped_) ++next_;
    const bool result = !stopped_;
    lock.unlock();
    passed_.notify_all();
    return result;
  }

  bool read_piece(std::size_t first_row, std::size_t n, workspace& space) const {
    const std::size_t bytes = n / rows_.values * rows_.bytes;
    space.text.reserve(bytes + 2 * parse_padding);
    char* const text = space.text.data() + parse_padding;
    std::size_t count = 0;
    if (!file_.read_at(first_row * rows_.bytes, text, bytes, count).ok() || count + 1 < bytes)
      return false;
    if (count < bytes) text[count] = '\n';
    return rows_.parse(text, n, space.values.data()) == n;
  }

  const file_reader& file_;
  const row_parser& rows_;
  const array_view& array_;
  std::size_t value_bytes_;
  std::size_t values_;
  std::size_t piece_rows_;
  int threads_;
  std::mutex guard_;
  std::condition_variable passed_;
  std::size_t next_ = 0;
  std::atomic<bool> stopped_{false};
};

}  // namespace

status read_text_edited(const std::string& file, const array_view& array,
                        const read_settings& settings) {
  if (status s = check_text_kind(array.type, array.elem_len); !s.ok())
    return std::move(s).in_file_once(file);
  edit_dialect dialect;
  if (status s = parse_dialect(settings.text.dialect, dialect); !s.ok()) return s;
  if (settings.text.edit == "*") return read_slowly(file, array, settings, dialect, nullptr);
  edit_format format;
  status parsed = parse_edit_format(settings.text.edit, format, settings.text.decimal, dialect);
  if (!parsed.ok()) return std::move(parsed).in_file_once(file);
  const bool complex = array.type == type_class::complex;
  const std::unique_ptr<row_parser> rows =
      make_row_parser(format, complex ? type_class::real : array.type,
                      complex ? array.elem_len / 2 : array.elem_len);
  if (rows != nullptr && rows->bytes <= longest_uniform_record && settings.skip_rows == 0 &&
      compression_of(file) == compression::none && is_regular_file(file)) {
    file_reader reader;
    if (status s = reader.open(file); !s.ok()) return s;
    uniform_file records(reader, *rows, array, thread_count(settings.threads));
    if (records.fits() && records.read()) return reader.check_unchanged();
  }
  return read_slowly(file, array, settings, dialect, &format);
}

}  // namespace headrace
