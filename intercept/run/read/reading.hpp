// The values of one READ, taken from text item by item as the run time does. What is not plain is the run time's.
// Next: listed.cpp, edited.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "../blocks.hpp"
#include "../format_program.hpp"
#include "../memory.hpp"
#include "done_items.hpp"
#include "rows_ahead.hpp"
#include "unit_reader.hpp"

namespace headrace::run
{

class reading
{
   public:
    // From the next record of a unit. program: null for list-directed input. False: there is no complete line.
    bool begin(unit_reader &from, const format_program *program) noexcept;
    // From a character variable, which is copied. False without memory.
    bool begin(const char *text, std::size_t bytes, growing<char> &copy, const format_program *program) noexcept;

    // One value (a complex is one); bytes: of it in memory. False: the run time must do the statement; the place may have changed.
    bool get(int type, int kind, char *place, std::size_t bytes) noexcept;
    // The same of `(A)`, for a whole line, or as much as fits. False: nothing happened.
    bool get_line(char *place, std::size_t bytes) noexcept
    {
        if (!takes_line_ || !is_first_ || bytes == 0 || from_->has_lone_returns()) return false;
        const auto *const stop = static_cast<const char *>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)));
        if (stop == nullptr) return false;
        const bool has_return = stop > at_ && stop[-1] == '\r';
        const auto line = static_cast<std::size_t>(stop - at_) - has_return;
        const std::size_t length = line < bytes ? line : bytes;
        std::memcpy(place, at_, length);
        std::memset(place + length, ' ', bytes - length);
        at_ += length;
        line_end_ = stop;
        step_ = program_->first() + 1;
        is_first_ = false;
        return true;
    }
    // n values one after another; whole records in blocks if that can be done.
    bool get_values(int type, int kind, char *places, std::size_t n, std::size_t bytes) noexcept;
    // Values in a record of the format, 1 without one.
    std::size_t values_of_record() const noexcept { return program_ != nullptr ? program_->fields_in(false) : 1; }
    // What the format asks for behind the last item, and the end of the record.
    bool end() noexcept;

    // The text of the statement so far, to the end of the line; null if its beginning is not in memory any more.
    const char *begin_of_text() const noexcept { return begin_; }
    const char *end_of_line() const noexcept;
    const char *next() const noexcept { return at_; }
    // The text is needed: it stays in memory up to some length.
    void keeps_text(bool does) noexcept { keeps_text_ = does; }

    // ADVANCE='NO': the next statement goes on in the same record. To be called after begin(). False: the run time must do it.
    bool stays_in_record(const transfer_block &block) noexcept
    {
        return (block.flags & (transfer_advance | transfer_size)) == 0 || stays_as_said(block);
    }
    // A text field was longer than its variable: of a character variable, whose blanks at the end it ignores, the run time may take
    // other characters.
    bool has_longer_text() const noexcept { return has_longer_text_; }
    // It met the end of the record: the items that follow keep their values.
    bool has_ended_record() const noexcept { return has_ended_record_; }
    // The statement has ended, and its unit is at next(): SIZE= and, at the end of the record, the outcome, as the run time has
    // them.
    void tell_outcome(transfer_block &block) const noexcept
    {
        if (stays_) tell_outcome_in_record(block);
        else from_->ends_well(program_ == nullptr);
    }

    items_done done;
    void give_memory_back() noexcept
    {
        done.give_memory_back();
        own_.give_memory_back();
    }

   private:
    bool stays_as_said(const transfer_block &block) noexcept;
    void tell_outcome_in_record(transfer_block &block) const noexcept;

    void begins_line() noexcept
    {
        tabs_from_ = takes_tabs_ ? at_ : nullptr;
        has_passed_end_ = false;
    }
    // A line that has something to read, from at_ on.
    bool has_line() noexcept { return at_ < end_ || read_more(); }
    bool read_more() noexcept;
    bool next_line() noexcept;
    bool skips_return() const noexcept;

    bool get_listed(int type, int kind, char *place, std::size_t bytes) noexcept;
    bool find_listed() noexcept;
    bool get_word(char *place, std::size_t bytes) noexcept;
    bool get_listed_logical(int kind, char *place) noexcept;

    const output_field *next_field() noexcept;
    bool get_edited(int type, int kind, char *place, std::size_t bytes) noexcept;
    bool take_field(std::size_t width, const char *&begin, const char *&end) noexcept;
    bool take_tab(std::size_t offset) noexcept;
    const char *last_of_line() noexcept;
    bool take_field_by_byte(std::size_t width, const char *&begin, const char *&end) noexcept;
    bool begins_round() noexcept;
    std::size_t get_rows(int type, int kind, char *places, std::size_t n) noexcept;

    const char *at_, *end_, *begin_;
    const char *line_end_;   // of the line that at_ is in; null: not known
    const char *tabs_from_;  // the beginning of that line, for T; null: T is the run time's
    unit_reader *from_;      // null: internal
    const format_program *program_;
    const format_step *step_;
    std::size_t skipped_;  // bytes of X that were not passed over yet
    bool is_first_;        // item
    bool keeps_text_;
    bool takes_line_;
    bool takes_rows_;  // of one value: those of many records together
    bool takes_tabs_;  // T: its columns are those of the line
    bool stays_, has_ended_record_;
    bool has_longer_text_;
    bool has_passed_end_;           // of the line: a field or X reached behind it
    bool may_end_record_, counts_;  // if it stays
    bool has_read_;                 // bytes of the record, the same
    std::size_t size_;              // bytes of fields, the same
    rows_ahead own_;                // of character variables
};

// A number as it stands in text. False: it is none, or not plain, or the run time raises flags for it that we do not.
bool get_real(const char *begin, const char *end, int kind, char *place) noexcept;
bool get_integer(const char *begin, const char *end, int kind, char *place) noexcept;
// The same of what is plain, which needs no bytes around it that can be read.
bool get_plain_real(const char *begin, const char *end, int kind, char *place) noexcept;
bool get_plain_edited(const char *begin, const char *end, const output_field &field, int kind, char *place) noexcept;
// A comma ends a field before its width: an extension of the run time. So does a carriage return.
inline bool ends_early(std::string_view field) noexcept { return field.find_first_of(",\r") != std::string_view::npos; }
// With digits behind a point that is not written, blanks inside, a scale factor.
bool get_edited_real(const char *begin, const char *end, const output_field &field, int kind, char *place) noexcept;

}  // namespace headrace::run
