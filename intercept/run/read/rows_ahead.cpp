#include "rows_ahead.hpp"

#include <cstring>

#include "../floating_point.hpp"
#include "text/kernels/parse_numbers.hpp"

namespace headrace::run
{
namespace
{

// An exponent that may be below the smallest number.
bool has_small_exponent(const char *begin, const char *end, std::size_t value_bytes) noexcept
{
    const int limit = value_bytes == 8 ? 280 : 20;
    for (const char *p = begin;
         (p = static_cast<const char *>(std::memchr(p, '-', static_cast<std::size_t>(end - p)))) != nullptr;) {
        int number = 0;
        for (++p; p < end && *p >= '0' && *p <= '9' && number < 10000; ++p) number = 10 * number + (*p - '0');
        if (number >= limit) return true;
    }
    return false;
}

// Values that raise flags of their own: subnormal ones, what may be rounded to the least normal one, infinities, NaN, and those
// that are zero though they were written as less.
template <class Bits>
bool has_unusual(const char *values, std::size_t n, const char *begin, const char *end) noexcept
{
    constexpr Bits least = static_cast<Bits>(1) << (sizeof(Bits) == 8 ? 53 : 24);  // the least normal number, without its sign
    bool has_zero = false;
    for (std::size_t i = 0; i < n; ++i) {
        Bits bits;
        std::memcpy(&bits, values + i * sizeof bits, sizeof bits);
        if (is_unusual(bits) || !is_finite(bits) || static_cast<Bits>(bits << 1) == least) return true;
        has_zero = has_zero || static_cast<Bits>(bits << 1) == 0;
    }
    return has_zero && has_small_exponent(begin, end, sizeof(Bits));
}

}  // namespace

// A copy of the records, as the parser wants them, up to the first one that does not end with both bytes. Null: none, or no memory.
const char *rows_ahead::without_returns(const row_parser &rows, const char *text, std::size_t &records) noexcept
{
    copy_.clear();
    if (!copy_.reserve(records * rows.bytes + 2 * parse_padding)) return nullptr;
    char *to = copy_.data() + parse_padding;
    std::size_t done = 0;
    for (; done < records; ++done, to += rows.bytes, text += rows.bytes + 1) {
        if (text[rows.bytes - 1] != '\r' || text[rows.bytes] != '\n') break;
        std::memcpy(to, text, rows.bytes - 1);
        to[rows.bytes - 1] = '\n';
    }
    records = done;
    return done > 0 ? copy_.data() + parse_padding : nullptr;
}

bool rows_ahead::parse(const row_parser &rows, bool is_real, std::size_t value_bytes, const char *text, std::size_t record_bytes,
                       std::size_t records) noexcept
{
    parser_ = nullptr;
    values_.clear();
    if (record_bytes > rows.bytes && (text = without_returns(rows, text, records)) == nullptr) return false;
    if (!values_.reserve(records * rows.values * value_bytes)) return false;
    // A carriage return ends a field, or a record.
    if (std::memchr(text, '\r', records * rows.bytes) != nullptr) return false;
    const kept_flags flags;
    count_ = rows.parse(text, records * rows.values, values_.data()) / rows.values;
    next_ = 0;
    if (count_ == 0) return false;
    const std::size_t n = count_ * rows.values;
    const char *const end = text + count_ * rows.bytes;
    if (is_real && (value_bytes == 8 ? has_unusual<std::uint64_t>(values_.data(), n, text, end)
                                     : has_unusual<std::uint32_t>(values_.data(), n, text, end)))
        return false;
    parser_ = &rows;
    return true;
}

const char *rows_ahead::take(const row_parser &rows, bool is_real, std::size_t value_bytes, const char *text,
                             std::size_t record_bytes, std::int64_t place, std::size_t records, std::size_t wanted, bool may_go_on,
                             std::size_t &taken) noexcept
{
    const std::size_t most = block_values / rows.values + 1;
    if (wanted > most) wanted = most;
    if (wanted > records) wanted = records;
    const bool is_next = parser_ == &rows && place_ == place;
    if (!is_next || next_ == count_) {
        std::size_t ahead = wanted;
        // The records before were asked for one after the other.
        if (is_next && may_go_on && to_leave_ == 0) ahead = most < records ? most : records;
        if (to_leave_ > 0) --to_leave_;
        if (!parse(rows, is_real, value_bytes, text, record_bytes, ahead)) {
            constexpr std::uint32_t some = 64;
            const bool is_worth_more = ahead > wanted;
            if (is_worth_more) to_leave_ = some;
            if (!is_worth_more || !parse(rows, is_real, value_bytes, text, record_bytes, wanted)) return nullptr;
        }
        place_ = place;
    }
    taken = wanted < count_ - next_ ? wanted : count_ - next_;
    const char *const values = values_.data() + next_ * rows.values * value_bytes;
    next_ += taken;
    place_ += static_cast<std::int64_t>(taken * record_bytes);
    return values;
}

}  // namespace headrace::run
