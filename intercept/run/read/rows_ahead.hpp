// Values of records that are all alike, taken from the text in blocks: also of records that the program asks for next.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../memory.hpp"
#include "text/edit/uniform_rows.hpp"

namespace headrace::run
{

class rows_ahead
{
   public:
    // The values of the records at `text`, which begins so many bytes behind the beginning of the file and has so many whole
    // records: at least one, at most `wanted`; `taken` says how many. Null if they are not plain, or there is no memory. may_go_on:
    // may records behind them be parsed, too? record_bytes: one more than the parser's if a carriage return is before each line
    // feed.
    const char *take(const row_parser &rows, bool is_real, std::size_t value_bytes, const char *text, std::size_t record_bytes,
                     std::int64_t place, std::size_t records, std::size_t wanted, bool may_go_on, std::size_t &taken) noexcept;
    // The text has changed.
    void forget() noexcept { parser_ = nullptr; }
    void give_memory_back() noexcept
    {
        forget();
        values_.give_back();
        copy_.give_back();
    }

   private:
    static constexpr std::size_t block_values = 1024;

    bool parse(const row_parser &rows, bool is_real, std::size_t value_bytes, const char *text, std::size_t record_bytes,
               std::size_t records) noexcept;
    const char *without_returns(const row_parser &rows, const char *text, std::size_t &records) noexcept;

    const row_parser *parser_ = nullptr;
    std::int64_t place_ = 0;            // of the next record with values
    std::size_t next_ = 0, count_ = 0;  // records
    std::uint32_t to_leave_ = 0;        // calls that parse no further than they must
    growing<char> values_, copy_;
};

}  // namespace headrace::run
