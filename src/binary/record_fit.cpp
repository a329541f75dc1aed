#include "record_fit.hpp"

#include <algorithm>
#include <array>

#include "../core/byte_swap.hpp"
#include "record_walk.hpp"

namespace headrace {
namespace {

// Dialects that fit so many records of a file are not mistaken for each other by chance.
constexpr std::uint64_t enough_records = 1000;

constexpr byte_order orders[] = {byte_order::little, byte_order::big};

const char* order_text(byte_order order) noexcept {
  const bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != is_swapped(order);
  return big ? "big" : "little";
}

const char* longer_text(long_records longer) noexcept {
  if (longer == long_records::high_bit) return "high_bit";
  return longer == long_records::unsigned_marker ? "unsigned" : "subrecords";
}

// What has to be said to come from one dialect to another.
std::string change_text(const record_dialect& from, const record_dialect& to) {
  std::string text;
  const auto add = [&](const std::string& option) { text += (text.empty() ? "" : ", ") + option; };
  if (from.marker_bytes != to.marker_bytes) add("record_marker=" + std::to_string(to.marker_bytes));
  if (is_swapped(from.order) != is_swapped(to.order))
    add("byte_order=\"" + std::string(order_text(to.order)) + "\"");
  if (from.longer != to.longer) add("long_records=\"" + std::string(longer_text(to.longer)) + "\"");
  if (from.segmented) add("record_type=\"variable\"");
  return text;
}

bool same(const record_dialect& a, const record_dialect& b) noexcept {
  return a.marker_bytes == b.marker_bytes && is_swapped(a.order) == is_swapped(b.order) &&
         a.longer == b.longer && a.segmented == b.segmented;
}

// The lengths 0 are alike in every byte order and prove nothing.
bool begins_piece(record_window& window, std::uint64_t begin, const record_dialect& dialect) {
  record_piece piece;
  return look_at_piece(window, begin, true, dialect, piece) && piece.fault == piece_fault::none &&
         piece.bytes > 0;
}

// How far a dialect goes with a file.
struct fit {
  std::uint64_t records = 0;
  bool fits = false;   // to the end, or far enough
  bool empty = false;  // and all of its records are
  status failure;
};

fit try_dialect(const file_reader& file, const record_dialect& dialect) {
  record_walk walk(file, dialect);
  fit result;
  result.fits = walk.skip(enough_records) || walk.failure().ok();
  result.records = walk.number() - 1;
  result.failure = walk.failure();
  // A record of no bytes has two markers and nothing else.
  const auto markers = 2 * static_cast<std::uint64_t>(dialect.marker_bytes);
  result.empty = result.fits && !dialect.segmented && walk.begin() == result.records * markers;
  return result;
}

std::string fit_text(const record_dialect& dialect, const fit& result) {
  const std::string found = dialect_text(dialect);
  if (result.fits) return found + " fits";
  return found + " fails in record " + std::to_string(result.records + 1);
}

// Empty records are the same in either byte order.
bool only_orders_of_nothing(const std::vector<record_dialect>& candidates,
                            const std::vector<fit>& fits) {
  int marker_bytes = 0;
  for (std::size_t i = 0; i < fits.size(); ++i) {
    if (!fits[i].fits) continue;
    if (!fits[i].empty) return false;
    if (marker_bytes != 0 && marker_bytes != candidates[i].marker_bytes) return false;
    marker_bytes = candidates[i].marker_bytes;
  }
  return marker_bytes != 0;
}

}  // namespace

std::string dialect_text(const record_dialect& dialect) {
  const std::string order = "byte_order=\"" + std::string(order_text(dialect.order)) + "\"";
  if (dialect.segmented) return "record_type=\"segmented\", " + order;
  std::string text = "record_marker=" + std::to_string(dialect.marker_bytes) + ", " + order;
  if (dialect.longer != long_records::subrecords)
    text += ", long_records=\"" + std::string(longer_text(dialect.longer)) + "\"";
  return text;
}

std::string fitting_dialects(record_window& window, std::uint64_t begin,
                             const record_dialect& tried) {
  constexpr std::array<long_records, 3> all = {
      long_records::subrecords, long_records::unsigned_marker, long_records::high_bit};
  std::string text;
  for (const int marker_bytes : {4, 8})
    for (const byte_order order : orders)
      for (const long_records longer : all) {
        const record_dialect other{marker_bytes, order, longer, false};
        // Another form of long records is said only if it makes the difference.
        const bool plain = longer == (tried.segmented ? long_records::subrecords : tried.longer);
        if (same(other, tried) || (!plain && !text.empty())) continue;
        if (begins_piece(window, begin, other))
          text += (text.empty() ? "" : " or ") + change_text(tried, other);
      }
  if (text.empty()) return {};
  return (begin == 0 ? "it fits with " : "from here on it fits with ") + text +
         (begin == 0 ? ": open it so" : ": the file mixes them or is damaged before");
}

status choose_dialect(const file_reader& file, const std::vector<record_dialect>& candidates,
                      record_dialect& chosen) {
  chosen = candidates.front();
  if (file.size().value_or(0) == 0) return {};
  std::vector<fit> fits;
  std::size_t whole = 0;
  std::size_t begun = 0;
  for (const record_dialect& candidate : candidates) {
    fits.push_back(try_dialect(file, candidate));
    if (fits.back().fits) ++whole;
    if (fits.back().records > 0) ++begun;
  }
  if (only_orders_of_nothing(candidates, fits)) {
    const auto fitting =
        std::find_if(fits.begin(), fits.end(), [](const fit& one) { return one.fits; });
    chosen = candidates[static_cast<std::size_t>(fitting - fits.begin())];
    return {};
  }
  std::string tried;
  for (std::size_t i = 0; i < fits.size(); ++i) {
    // A damaged file is read as far as it goes, when only one dialect goes anywhere.
    if (whole == 1 ? fits[i].fits : whole == 0 && begun == 1 && fits[i].records > 0) {
      chosen = candidates[i];
      return {};
    }
    tried += (i == 0 ? "" : "; ") + fit_text(candidates[i], fits[i]);
  }
  const std::string what = whole > 1 ? "more than one byte order or marker fits the records"
                                     : "no byte order and marker fits the records";
  return status::failure(stat_code::record_marker_damaged, what + " (" + tried + ")")
      .at_byte(0)
      .advise(whole > 1 ? "say which: byte_order= and record_marker="
                        : "headrace inspect tells what the file is");
}

}  // namespace headrace
