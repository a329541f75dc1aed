// The text of one WRITE, put together item by item as the run time does. Next: statement_text.cpp.
#pragma once

#include <cstddef>

#include "blocks.hpp"
#include "format_program.hpp"
#include "memory.hpp"

namespace headrace::run
{

// With RECL=, which of the text is known to fit: where its last line begins, and how many line feeds there are before it.
struct looked_at_records {
    std::size_t last = 0, line_feeds = 0;
};

class statement_text
{
   public:
    // Appends to `buffer`. program: null for list-directed output.
    void begin(growing<char> *buffer, const format_program *program) noexcept;
    // Its last record goes on with the next statement.
    void goes_on() noexcept { goes_on_ = true; }
    // It goes on with the record of the statement before.
    void begins_in_record() noexcept { is_in_record_ = true; }

    // One value (a complex is one). bytes: of the value. False: the run time must do it; the text so
    // far is whole.
    bool put(int type, int kind, const char *value, std::size_t bytes) noexcept;
    // n values one after another, in blocks if they fill whole rows. Calls let_go(values so far) now
    // and then.
    template <class LetGo>
    bool put_values(int type, int kind, const char *values, std::size_t n, std::size_t bytes, LetGo &&let_go) noexcept;
    // What the format writes behind the last item, without the line feed of the last record. Blanks of
    // X at the end are written only if the record goes on.
    bool end(bool record_goes_on = false) noexcept;

    // Was a real written in a form of G, or list-directed? The run time's arithmetic is inexact then.
    bool has_general_reals() const noexcept { return has_general_reals_; }
    // How many records it ended; other line feeds are characters of the program.
    std::size_t ended_records() const noexcept { return ended_records_; }

    // Where format control is: for what the run time goes on with.
    const format_program *program() const noexcept { return program_; }
    const format_step *next_step() const noexcept { return step_; }
    std::size_t blanks_put_off() const noexcept { return blanks_; }
    // What in the format the text ended at. With other values there may be text another time. Null: it was an item, or there was no
    // memory.
    const char *failed_part() const noexcept { return failed_part_; }

    looked_at_records looked_at;

    // Characters of this statement so far.
    std::size_t bytes() const noexcept { return buffer_->size() - begin_; }
    const char *text() const noexcept { return buffer_->data() + begin_; }
    void drop() noexcept { buffer_->resize_down(begin_); }
    void drop_behind(std::size_t bytes) noexcept { buffer_->resize_down(begin_ + bytes); }
    // Text in front of `bytes` of this statement left the buffer.
    // Precondition: the format has no T.
    void text_left(std::size_t bytes) noexcept { begin_ = bytes > begin_ ? 0 : begin_ - bytes; }

   private:
    static constexpr std::size_t block_values = 2048;

    const output_field *next_field() noexcept;
    bool put_field(const output_field &field, int type, int kind, const char *value, std::size_t bytes) noexcept;
    bool put_listed(int type, int kind, const char *value, std::size_t bytes) noexcept;
    bool put_general_by_flang(int kind, const char *value) noexcept;
    bool put_listed_by_flang(int type, int kind, const char *value, std::size_t bytes) noexcept;
    // How many of the values became text: 0 if they have no kernel.
    std::size_t put_listed_block(int type, int kind, const char *values, std::size_t n, std::size_t bytes) noexcept;
    bool put_part(const output_field &field, int kind, const char *value) noexcept;
    bool put_text(const char *text, std::size_t bytes) noexcept;
    bool put_blanks() noexcept;
    bool put_tab(std::size_t bytes) noexcept;
    bool end_record() noexcept;
    char *room(std::size_t bytes) noexcept { return buffer_->reserve(bytes) ? buffer_->data() + buffer_->size() : nullptr; }
    void ends_at(const char *end) noexcept { buffer_->extend(static_cast<std::size_t>(end - (buffer_->data() + buffer_->size()))); }
    const row_formatter *rows_from_here(int type, int kind, std::size_t n) const noexcept;
    bool put_rows(const row_formatter &rows, const char *values, std::size_t n, bool more) noexcept;
    bool go_on_behind_rows(const row_formatter &rows, std::size_t n) noexcept;

    growing<char> *buffer_;
    const format_program *program_;
    const format_step *step_;
    std::size_t begin_;   // in the buffer
    std::size_t record_;  // where the record begins there
    bool is_in_record_;   // no: before that
    const char *failed_part_;
    std::size_t blanks_;   // of X, not written yet
    bool is_first_;        // item
    bool was_characters_;  // the item before
    bool has_general_reals_;
    std::size_t ended_records_;
    bool goes_on_;
    std::size_t column_;  // in the record: of list-directed output of flang
};

template <class LetGo>
bool statement_text::put_values(int type, int kind, const char *values, std::size_t n, std::size_t bytes, LetGo &&let_go) noexcept
{
    const row_formatter *const rows = rows_from_here(type, kind, n);
    if (rows != nullptr) {
        const std::size_t per_block = rows->values * (1 + block_values / rows->values);
        for (std::size_t done = 0; done < n;) {
            const std::size_t count = n - done < per_block ? n - done : per_block;
            if (!put_rows(*rows, values + done * bytes, count, done + count < n)) return false;
            done += count;
            if (done < n && !let_go(done)) return false;
        }
        return go_on_behind_rows(*rows, n);
    }
    for (std::size_t i = 0, last = 0; i < n;) {
        const std::size_t block = put_listed_block(type, kind, values + i * bytes, n - i, bytes);
        if (block == 0 && !put(type, kind, values + i * bytes, bytes)) return false;
        i += block > 0 ? block : 1;
        if (i - last < block_values) continue;
        last = i;
        if (i < n && !let_go(i)) return false;
    }
    return true;
}

// The kernel of list-directed output of one value, its blank in front included; null: there is none.
const field_layout *listed_layout(int type, int kind) noexcept;
// Is list-directed output that of flang?
bool lists_as_flang() noexcept;
// Of list-directed output; made once at the start.
void make_list_fields(bool of_flang);

}  // namespace headrace::run
