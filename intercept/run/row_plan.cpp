#include "row_plan.hpp"
#include "statement_text.hpp"

#include <cstring>

#include "text/kernels/format_columns.hpp"
#include "text/kernels/format_numbers.hpp"

namespace headrace::run
{
namespace
{

constexpr std::size_t reach = 64;  // what kernels write beyond a field
constexpr std::size_t most_cells = 128;

template <class Value>
Value load(const char *place) noexcept
{
    Value value;
    std::memcpy(&value, place, sizeof value);
    return value;
}

std::int64_t load_whole(const char *place, std::size_t bytes) noexcept
{
    switch (bytes) {
    case 1: return load<std::int8_t>(place);
    case 2: return load<std::int16_t>(place);
    case 4: return load<std::int32_t>(place);
    default: return load<std::int64_t>(place);
    }
}

// One after another. Reads and writes up to `reach` bytes beyond the last.
void gather_texts(const char *from, std::size_t pitch, std::size_t bytes, std::size_t n, char *to) noexcept
{
    if (bytes <= 16) {
        for (std::size_t i = 0; i < n; ++i, from += pitch, to += bytes) std::memcpy(to, from, 16);
    } else if (bytes <= 32) {
        for (std::size_t i = 0; i < n; ++i, from += pitch, to += bytes) std::memcpy(to, from, 32);
    } else {
        for (std::size_t i = 0; i < n; ++i, from += pitch, to += bytes) std::memcpy(to, from, bytes);
    }
}

char *append(char *out, const std::string &text) noexcept
{
    std::memcpy(out, text.data(), text.size());
    return out + text.size();
}

}  // namespace

std::unique_ptr<row_plan> row_plan::of(const value_column *columns, std::size_t count, std::size_t row_bytes,
                                       const format_program *program, bool record_goes_on)
{
    if (count > most_cells) return nullptr;
    auto plan = std::make_unique<row_plan>();
    plan->row_bytes_ = row_bytes;
    plan->cells_.reserve(count);
    if (program == nullptr && lists_as_flang()) return nullptr;
    if (program == nullptr) {
        for (std::size_t i = 0; i < count; ++i)
            if (!plan->add_listed(columns[i])) return nullptr;
    } else if (!plan->walk(*program, columns, count)) {
        return nullptr;
    }
    plan->end_plan(record_goes_on);
    return plan;
}

bool row_plan::add(cell_kind kind, const value_column &column, const field_layout *layout, std::size_t width)
{
    text_.append(blanks_, ' ');
    blanks_ = 0;
    cells_.push_back({kind, column, layout, width, 0, text_});
    text_.clear();
    if (kind == cell_kind::packed || kind == cell_kind::integer) is_fixed_ = false;
    return true;
}

bool row_plan::add_listed(const value_column &column)
{
    const bool is_text = column.type == character_item;
    const bool followed_text = was_characters_;
    was_characters_ = is_text;
    if (is_text) {
        if (cells_.empty() || !followed_text) text_ += ' ';
        return add(cell_kind::characters, column, nullptr, column.bytes);
    }
    if (column.type == logical_item) {
        text_ += ' ';
        return add(cell_kind::logical, column, nullptr, 1);
    }
    const field_kernel kernel = list_kernel_of(column.type, column.kind);
    if (kernel.layout == nullptr) return false;
    return add(cell_kind::field, column, kernel.layout, static_cast<std::size_t>(kernel.layout->edit.width));
}

bool row_plan::add_formatted(const value_column &column, const output_field &field, const edit_dialect &dialect)
{
    const edit_item &item = field.item;
    const bool is_general = item.kind == edit_kind::general;
    if (is_general && column.type == real_item && lists_as_flang()) return false;
    const auto width = item.width > 0 ? static_cast<std::size_t>(item.width) : std::size_t{0};
    if (column.type == character_item && (is_general || item.kind == edit_kind::character)) {
        const std::size_t written = width > 0 && width < column.bytes ? width : column.bytes;
        text_.append(blanks_ + (width > written ? width - written : 0), ' ');
        blanks_ = 0;
        return add(cell_kind::characters, column, nullptr, written);
    }
    if (column.type == logical_item && (is_general || item.kind == edit_kind::logical)) {
        text_.append(blanks_ + (width > 1 ? width - 1 : 0), ' ');
        blanks_ = 0;
        return add(cell_kind::logical, column, nullptr, 1);
    }
    if (column.type == integer_item && width == 0 && field.modes.sign != '+' &&
        (is_general || (item.kind == edit_kind::integer && item.digits == absent)))
        return add(cell_kind::integer, column, nullptr, longest_integer);
    edit_item wanted = item;
    if (column.type == integer_item && is_general) {
        wanted.kind = edit_kind::integer;
        wanted.digits = absent;
    }
    const field_kernel kernel = kernel_of(wanted, field.modes, column.type, column.kind, dialect);
    if (kernel.layout == nullptr) return false;
    if (kernel.is_packed) return add(cell_kind::packed, column, kernel.layout, longest_packed);
    return add(cell_kind::field, column, kernel.layout, width);
}

// T to a place in its record, behind fields that are as wide in every row. As statement_text::put_tab.
bool row_plan::add_tab(std::size_t place)
{
    std::size_t written = 0;
    const auto count = [&written](const std::string &text) {
        const std::size_t last = text.rfind('\n');
        written = last == std::string::npos ? written + text.size() : text.size() - last - 1;
    };
    for (const cell &one : cells_) {
        count(one.before);
        written += one.width;
    }
    count(text_);
    if (!is_fixed_ || place < written || place < blanks_) return false;
    blanks_ = place - written;
    return true;
}

// What comes between fields.
bool row_plan::add_constant(const format_step &step)
{
    switch (step.kind) {
    case step_kind::text:
        text_.append(blanks_, ' ');
        blanks_ = 0;
        text_ += *step.text;
        return true;
    case step_kind::blanks: blanks_ += step.count; return true;
    case step_kind::tab: return add_tab(step.count);
    case step_kind::end_record:
        blanks_ = 0;
        text_ += '\n';
        return true;
    default: return true;
    }
}

// Format control, as statement_text does it for values one by one.
bool row_plan::walk(const format_program &program, const value_column *columns, std::size_t count)
{
    const format_step *step = program.first();
    for (std::size_t used = 0; used < count;) {
        if (step->kind == step_kind::field) {
            if (!add_formatted(columns[used], *step->field, program.dialect())) return false;
            ++used;
            ++step;
        } else if (step->kind == step_kind::again) {
            step = program.step(step->count);
        } else if (step->kind == step_kind::end) {
            step = program.reverted();
            if (step == nullptr) return false;
            blanks_ = 0;
            text_ += '\n';
        } else if (!add_constant(*step++)) {
            return false;
        }
    }
    for (;; ++step) {
        if (step->kind == step_kind::again) step = program.step(step->count);
        if (step->kind == step_kind::field || step->kind == step_kind::colon || step->kind == step_kind::end) return true;
        if (!add_constant(*step)) return false;
    }
}

void row_plan::end_plan(bool record_goes_on)
{
    // Blanks of X at the end are written only if the record goes on.
    if (record_goes_on) after_ = text_ + std::string(blanks_, ' ');
    else after_ = text_ + '\n';
    for (cell &one : cells_) {
        image_ += one.before;
        one.begin = image_.size();
        image_.append(one.width, ' ');
    }
    image_ += after_;
    longest_ = image_.size();
}

bool row_plan::format(growing<char> &out, const char *rows, std::size_t n, growing<char> &scratch) const noexcept
{
    constexpr std::size_t few = 3;
    return is_fixed_ && n > few ? format_fixed(out, rows, n, scratch) : format_single(out, rows, n);
}

bool row_plan::format_fixed(growing<char> &out, const char *rows, std::size_t n, growing<char> &scratch) const noexcept
{
    scratch.clear();
    if (!out.reserve(n * image_.size() + reach) || !scratch.reserve(field_block * (row_bytes_ + cells_.size()) + reach))
        return false;
    column_place places[most_cells];
    while (n > 0) {
        const std::size_t count = n < field_block ? n : field_block;
        char *packed = scratch.data();
        for (std::size_t c = 0; c < cells_.size(); ++c) {
            const cell &one = cells_[c];
            const char *from = rows + one.column.offset;
            column_place &place = places[c];
            place = {one.layout, one.column.type == integer_item ? type_class::integer : type_class::real, one.column.bytes, packed,
                     one.begin};
            if (one.kind == cell_kind::logical) {
                place.type = type_class::character;
                place.elem_len = 1;
                for (std::size_t i = 0; i < count; ++i, from += row_bytes_)
                    *packed++ = load_whole(from, one.column.bytes) != 0 ? 'T' : 'F';
            } else if (one.kind == cell_kind::characters) {
                place.type = type_class::character;
                place.elem_len = one.width;
                gather_texts(from, row_bytes_, one.width, count, packed);
                packed += count * one.width;
            } else if (one.column.bytes == 8) {
                for (std::size_t i = 0; i < count; ++i, from += row_bytes_, packed += 8) std::memcpy(packed, from, 8);
            } else {
                for (std::size_t i = 0; i < count; ++i, from += row_bytes_, packed += one.column.bytes)
                    std::memcpy(packed, from, one.column.bytes);
            }
        }
        format_columns({places, cells_.size(), image_.data(), image_.size()}, count, out.extend(count * image_.size()));
        rows += count * row_bytes_;
        n -= count;
    }
    return true;
}

char *row_plan::put_cell(const cell &one, const char *row, char *out) const noexcept
{
    const char *const value = row + one.column.offset;
    switch (one.kind) {
    case cell_kind::characters: std::memcpy(out, value, one.width); return out + one.width;
    case cell_kind::logical: *out = load_whole(value, one.column.bytes) != 0 ? 'T' : 'F'; return out + 1;
    case cell_kind::integer: {
        const std::int64_t number = load_whole(value, one.column.bytes);
        return format_integers(out, &number, 1, " ") - 1;
    }
    case cell_kind::packed: {
        const double number = one.column.bytes == 8 ? load<double>(value) : static_cast<double>(load<float>(value));
        return format_packed(*one.layout, number, out);
    }
    default:
        if (one.column.type == integer_item) format_integer_field(*one.layout, load_whole(value, one.column.bytes), out);
        else format_field(*one.layout, one.column.bytes == 8 ? load<double>(value) : static_cast<double>(load<float>(value)), out);
        return out + one.width;
    }
}

bool row_plan::format_single(growing<char> &out, const char *rows, std::size_t n) const noexcept
{
    for (std::size_t i = 0; i < n; ++i, rows += row_bytes_) {
        if (!out.reserve(longest_ + reach)) return false;
        char *const begin = out.data() + out.size();
        char *end = begin;
        for (const cell &one : cells_) end = put_cell(one, rows, append(end, one.before));
        end = append(end, after_);
        out.extend(static_cast<std::size_t>(end - begin));
    }
    return true;
}

}  // namespace headrace::run
