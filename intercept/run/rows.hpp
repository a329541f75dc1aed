// Statements of one site whose items are always of the same types: their values are kept, and many
// of them are formatted at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "item_log.hpp"
#include "memory.hpp"
#include "row_plan.hpp"
#include "statement_text.hpp"

namespace headrace::run
{

class row_shape
{
   public:
    static constexpr std::size_t most_columns = 128;
    static constexpr std::size_t most_row_bytes = 4096;

    // The items of one statement and its text. record_goes_on: ADVANCE='NO', no line feed comes behind it. Null if the
    // values cannot be kept.
    static std::unique_ptr<row_shape> of(const item_log &items, const format_program *program, const statement_text &text,
                                         bool record_goes_on);

    // Are these the same items?
    bool fits(const item_log &items) const noexcept;

    const value_column *begin() const noexcept { return columns_.data(); }
    const value_column *end() const noexcept { return columns_.data() + count_; }
    const format_program *program() const noexcept { return program_; }
    std::size_t row_bytes() const noexcept { return row_bytes_; }
    std::size_t text_bytes() const noexcept { return text_bytes_; }  // with the line feed at its end, if it has one
    bool record_goes_on() const noexcept { return record_goes_on_; }
    bool has_general_reals() const noexcept { return has_general_reals_; }
    std::size_t ended_records() const noexcept { return ended_records_; }
    // T counts from the beginning of the record: it must begin with the row.
    bool begins_record() const noexcept { return program_ != nullptr && program_->has_tab(); }

    // Appends the text of n statements. False without memory.
    bool format(growing<char> &out, const char *rows, std::size_t n, growing<char> &scratch) const noexcept;
    // Text of each statement is as long as that of every other: text_bytes().
    bool has_equal_texts() const noexcept
    {
        return count_ == 0 || formatter_ != nullptr || (plan_ != nullptr && plan_->record_bytes() > 0);
    }

    // The values of a row as items, one by one.
    bool log_row(item_log &log, const char *row) const noexcept;

   private:
    bool add(const logged_item &item) noexcept;
    bool end_columns() noexcept;
    void find_formatter() noexcept;

    growing<value_column> columns_;  // and one that is none
    std::size_t count_ = 0;
    std::size_t row_bytes_ = 0;
    std::size_t text_bytes_ = 0;
    bool has_general_reals_ = false;
    std::size_t ended_records_ = 0;
    bool record_goes_on_ = false;
    const format_program *program_ = nullptr;
    const row_formatter *formatter_ = nullptr;
    std::unique_ptr<row_plan> plan_;  // of all others, if there are kernels
    std::string constant_;            // the text of a statement without items
};

// The run time writes this row, which needs no memory. As hand_over: model has the errors.
int replay_row(const run_time &real, std::int32_t unit, const row_shape &shape, const char *row, transfer_block *model,
               const char *file, std::int32_t line) noexcept;

}  // namespace headrace::run
