// A format as a list of steps without nesting: one for each field, text and end of a record, so
// that the next one is found without a search. Made once for each text of a format.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <memory>
#include <string>
#include <vector>

#include "floating_point.hpp"
#include "locks.hpp"
#include "text/edit/edit_format.hpp"
#include "text/edit/edit_write_modes.hpp"
#include "text/edit/edit_write_real.hpp"
#include "text/edit/uniform_rows.hpp"
#include "text/kernels/format_fields.hpp"

namespace headrace::run
{

// A data edit descriptor under the modes that it meets.
struct output_field {
    edit_item item;
    edit_modes modes;
    real_field single, whole;  // of real32 and real64, if it takes reals
    // The kernels for the same; null: there are none.
    const field_layout *single_layout = nullptr, *whole_layout = nullptr;
};

enum class step_kind : std::uint8_t {
    field,
    text,
    blanks,      // of X and TR: written only if something follows in the record
    tab,         // of T: to `count` bytes behind the beginning of the record, by blanks or to the left
    end_record,  // a slash
    colon,
    again,  // of an unlimited group: goes on at `count`
    end     // of the format: reverts
};

struct format_step {
    step_kind kind;
    std::uint32_t count = 0;
    const output_field *field = nullptr;
    const std::string *text = nullptr;
};

// What is made of a format when it is first needed: most formats never need it.
template <class Rows>
class made_once
{
   public:
    // make() may throw: null then, as if there were none.
    template <class Make>
    const Rows *get(Make &&make) noexcept
    {
        if (!is_made_.load(std::memory_order_acquire)) fill(make);
        return rows_.get();
    }

   private:
    template <class Make>
    __attribute__((noinline)) void fill(Make &&make) noexcept
    {
        const locked hold(lock_of_formats);
        if (is_made_.load(std::memory_order_relaxed)) return;
        const kept_flags flags;
        try {
            rows_ = make();
        } catch (...) {
        }
        is_made_.store(true, std::memory_order_release);
    }

    std::atomic<bool> is_made_{false};
    std::unique_ptr<Rows> rows_;
};

class format_program
{
   public:
    // Takes the format apart. A format that is not handled has a reason.
    explicit format_program(std::string text, const edit_dialect &dialect);

    bool is_handled() const noexcept { return reason_ == nullptr; }
    const char *reason() const noexcept { return reason_; }
    const std::string &text() const noexcept { return format_.text; }
    const edit_dialect &dialect() const noexcept { return format_.dialect; }
    const edit_format &format() const noexcept { return format_; }

    const format_step *first() const noexcept { return steps_.data(); }
    const format_step *step(std::size_t i) const noexcept { return steps_.data() + i; }
    // Where format control goes on behind the end. Null: no field would come.
    const format_step *reverted() const noexcept { return reverts_to_field_ ? steps_.data() + second_ : nullptr; }
    // Behind the n-th field (from 0) of the first round, or of the rounds after it.
    std::size_t fields_in(bool first_round) const noexcept { return (first_round ? first_fields_ : later_fields_).size(); }
    const format_step *behind_field(bool first_round, std::size_t n) const noexcept
    {
        return steps_.data() + (first_round ? first_fields_ : later_fields_)[n] + 1;
    }

    // For values of one type, whole rows at a time; null if there is no kernel. type_code: blocks.hpp.
    const row_formatter *rows(int type_code, int kind) const noexcept;

    bool has_one_field() const noexcept { return first_fields_.size() == 1 && !is_unlimited_; }
    // And nothing else?
    bool is_one_field() const noexcept
    {
        return steps_.size() > 1 && steps_[0].kind == step_kind::field && steps_[1].kind == step_kind::end;
    }
    // `(A)`: READ takes a line by it.
    bool is_line() const noexcept
    {
        return is_one_field() && steps_[0].field->item.kind == edit_kind::character && steps_[0].field->item.width == absent;
    }
    bool has_general() const noexcept;
    bool has_slash() const noexcept { return has_slash_; }
    bool has_tab() const noexcept { return has_tab_; }
    // Can READ use it? Otherwise the reason.
    const char *why_not_read() const noexcept;
    // The same for READ.
    const row_parser *reads(int type_code, int kind) const noexcept;

   private:
    bool add_items(std::size_t first, std::size_t last, edit_modes &modes, bool &has_field);
    bool add_group(std::size_t begin, edit_modes &modes, bool &has_field);
    bool add_fields(const edit_item &item, const edit_modes &modes);
    bool add_control(const edit_item &item, edit_modes &modes);
    void add_text(const std::string &text);
    bool refuse(const char *reason) noexcept;
    void make_steps();
    void find_fields();

    edit_format format_;
    const char *reason_ = nullptr;
    std::vector<format_step> steps_;
    std::forward_list<std::string> joined_texts_;  // texts one behind another
    std::string *joined_text_ = nullptr;           // the last of them
    std::size_t joins_from_ = 0;                   // steps before this one are jumped behind
    std::size_t second_ = 0;
    bool reverts_to_field_ = false;
    bool is_unlimited_ = false;
    std::vector<std::size_t> first_fields_, later_fields_;
    bool has_same_rounds() const noexcept;
    bool has_slash_ = false, has_tab_ = false;
    // By type and kind.
    static constexpr int row_kinds = 4;
    mutable made_once<row_formatter> rows_[row_kinds];
    mutable made_once<row_parser> reads_[row_kinds];
    template <class Rows, class Make>
    const Rows *of_kind(made_once<Rows> *kinds, int type_code, int kind, Make make) const noexcept;
};

// The program of this text: made at the first call, kept for good. Null if there are too many, or no memory.
const format_program *program_of(const char *text, std::size_t bytes) noexcept;

// What the loaded run time does with formats; set before the first program is made.
void set_dialect(const edit_dialect &dialect) noexcept;

}  // namespace headrace::run
