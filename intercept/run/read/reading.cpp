#include "reading.hpp"

#include <cstring>

#include "text/kernels/parse_numbers.hpp"

namespace headrace::run
{

bool reading::begin(unit_reader &from, const format_program *program) noexcept
{
    from_ = &from;
    program_ = program;
    step_ = program != nullptr ? program->first() : nullptr;
    at_ = begin_ = from.next_record();
    end_ = from.end_of_lines();
    skipped_ = 0;
    is_first_ = true;
    keeps_text_ = false;
    takes_rows_ = program != nullptr && program->has_one_field();
    takes_line_ = program != nullptr && program->is_line();
    takes_tabs_ = program != nullptr && program->has_tab() && !from.has_lone_returns();
    begins_line();
    line_end_ = nullptr;
    stays_ = has_ended_record_ = false;
    has_longer_text_ = false;
    done.clear();
    return has_line();
}

bool reading::begin(const char *text, std::size_t bytes, growing<char> &copy, const format_program *program) noexcept
{
    copy.clear();
    if (!copy.reserve(bytes + 1 + 2 * parse_padding)) return false;
    char *const place = copy.data() + parse_padding;
    std::memcpy(place, text, bytes);
    place[bytes] = '\n';
    from_ = nullptr;
    program_ = program;
    step_ = program != nullptr ? program->first() : nullptr;
    at_ = begin_ = place;
    end_ = place + bytes + 1;
    skipped_ = 0;
    is_first_ = true;
    keeps_text_ = false;
    takes_rows_ = takes_line_ = false;
    takes_tabs_ = program != nullptr && program->has_tab();
    begins_line();
    line_end_ = program != nullptr ? place + bytes : nullptr;
    stays_ = has_ended_record_ = false;
    has_longer_text_ = false;
    done.clear();
    return true;
}

bool reading::read_more() noexcept
{
    if (from_ == nullptr) return false;
    constexpr std::ptrdiff_t most_kept = std::ptrdiff_t{64} << 10;
    const bool is_kept = begin_ != nullptr && keeps_text_ && at_ - begin_ < most_kept;
    const bool is_start = begin_ == at_, is_line_start = tabs_from_ == at_;
    const char *const from = is_kept ? begin_ : at_;
    const std::ptrdiff_t offset = at_ - from;
    const bool has_more = from_->read_more(from, program_ == nullptr);
    at_ = from_->first_kept() + offset;
    begin_ = is_kept || is_start ? from_->first_kept() : nullptr;
    end_ = from_->end_of_lines();
    line_end_ = nullptr;
    takes_tabs_ = takes_tabs_ && !from_->has_lone_returns();
    tabs_from_ = is_line_start && takes_tabs_ ? at_ : nullptr;
    return has_more && at_ < end_;
}

// X that no item follows: a carriage return alone ends the record of the run time there.
bool reading::skips_return() const noexcept
{
    if (from_ == nullptr || !from_->has_lone_returns()) return false;
    const char *p = at_;
    for (std::size_t left = skipped_; left > 0 && p < end_ && *p != '\n'; --left, ++p)
        if (*p == '\r' && p[1] != '\n') return true;
    return false;
}

bool reading::next_line() noexcept
{
    // With ADVANCE='NO' X may end the record, and the statement.
    if (skipped_ > 0 && (stays_ || (has_line() && skips_return()))) return false;
    skipped_ = 0;
    has_read_ = false;
    if (line_end_ != nullptr) {
        at_ = line_end_ + 1;
        line_end_ = nullptr;
        begins_line();
        return true;
    }
    while (has_line()) {
        const void *const last = std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_));
        if (last != nullptr) {
            at_ = static_cast<const char *>(last) + 1;
            begins_line();
            return true;
        }
        at_ = end_;
    }
    return false;
}

const char *reading::end_of_line() const noexcept
{
    if (at_ >= end_) return at_;
    const void *const last = std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_));
    return last != nullptr ? static_cast<const char *>(last) + 1 : end_;
}

bool reading::stays_as_said(const transfer_block &block) noexcept
{
    stays_ = advance_of(block) == advance::no;
    counts_ = (block.flags & transfer_size) != 0;
    // Without them the run time ends the program. What a WRITE would find behind the end of a record is the run time's own.
    may_end_record_ = (block.flags & (block_has_iostat | block_has_eor)) != 0 && from_->is_read_only();
    size_ = 0;
    has_read_ = false;
    takes_rows_ = takes_rows_ && !counts_;
    takes_line_ = takes_line_ && !stays_ && !counts_;
    return stays_ || !counts_;
}

void reading::tell_outcome_in_record(transfer_block &block) const noexcept
{
    if (counts_) *block.size = static_cast<std::int64_t>(size_);
    if (!has_ended_record_) return from_->stays_in_record();
    from_->met_end_of_record(has_read_);
    constexpr std::string_view message = "End of record";
    block.flags |= block_outcome_eor;
    if (block.flags & block_has_iostat) *block.iostat = -2;
    if ((block.flags & block_has_iomsg) == 0) return;
    const auto room = static_cast<std::size_t>(block.iomsg_length > 0 ? block.iomsg_length : 0);
    const std::size_t length = message.size() < room ? message.size() : room;
    std::memcpy(block.iomsg, message.data(), length);
    std::memset(block.iomsg + length, ' ', room - length);
}

bool reading::get(int type, int kind, char *place, std::size_t bytes) noexcept
{
    if (program_ == nullptr) return get_listed(type, kind, place, bytes);
    // Of one value in a record, those of many records are taken together.
    if (takes_rows_ && get_rows(type, kind, place, 1) == 1) return true;
    return get_edited(type, kind, place, bytes);
}

bool reading::get_values(int type, int kind, char *places, std::size_t n, std::size_t bytes) noexcept
{
    std::size_t done = program_ != nullptr && n > 1 && !(stays_ && counts_) ? get_rows(type, kind, places, n) : 0;
    for (; done < n; ++done)
        if (!get(type, kind, places + done * bytes, bytes)) return false;
    return true;
}

bool reading::end() noexcept
{
    if (has_ended_record_) {
        ++at_;
        return true;
    }
    for (bool is_at_end = program_ == nullptr; !is_at_end;) {
        switch (step_->kind) {
        case step_kind::blanks:
            if (stays_) return false;
            skipped_ += step_->count;
            ++step_;
            break;
        case step_kind::tab:
            if (!take_tab(step_->count)) return false;
            ++step_;
            break;
        case step_kind::end_record:
            if (!next_line()) return false;
            ++step_;
            break;
        case step_kind::again: step_ = program_->step(step_->count); break;
        default: is_at_end = true; break;
        }
    }
    // Behind a slash T of the next statement counts from another place, in the run time.
    if (stays_) return skipped_ == 0 && !(at_ > begin_ && at_[-1] == '\n');
    return from_ == nullptr || next_line();
}

}  // namespace headrace::run
