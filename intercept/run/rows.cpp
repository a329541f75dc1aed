#include "rows.hpp"

#include <cstring>

namespace headrace::run
{

std::unique_ptr<row_shape> row_shape::of(const item_log &items, const format_program *program, const statement_text &text,
                                         bool record_goes_on)
{
    const bool has_tab = program != nullptr && program->has_tab();
    if (record_goes_on && (has_tab || text.ended_records() > 0 || text.bytes() == 0)) return nullptr;
    auto shape = std::make_unique<row_shape>();
    shape->program_ = program;
    shape->text_bytes_ = text.bytes() + (record_goes_on ? 0 : 1);
    shape->record_goes_on_ = record_goes_on;
    shape->has_general_reals_ = text.has_general_reals();
    shape->ended_records_ = text.ended_records();
    for (std::size_t i = 0; i < items.size(); ++i)
        if (!shape->add(items[i])) return nullptr;
    if (!shape->end_columns()) return nullptr;
    if (shape->count_ == 0) {
        if (shape->text_bytes_ > most_row_bytes) return nullptr;
        shape->constant_.assign(text.text(), text.bytes());
        if (!record_goes_on) shape->constant_ += '\n';
        return shape;
    }
    shape->find_formatter();
    if (shape->formatter_ == nullptr)
        shape->plan_ = row_plan::of(shape->begin(), shape->count_, shape->row_bytes_, program, record_goes_on);
    // What the values of the learned statements need must be what all need.
    if (shape->plan_ != nullptr && shape->plan_->record_bytes() > 0 && shape->plan_->record_bytes() != shape->text_bytes_)
        shape->plan_ = nullptr;
    if (has_tab && !shape->has_equal_texts()) return nullptr;
    return shape;
}

bool row_shape::add(const logged_item &item) noexcept
{
    if (columns_.size() + item.count > most_columns) return false;
    for (std::size_t i = 0; i < item.count; ++i) {
        const auto bytes = static_cast<std::uint32_t>(item.bytes);
        if (!columns_.push({item.type, item.kind, bytes, static_cast<std::uint32_t>(row_bytes_), 1})) return false;
        row_bytes_ += item.bytes;
        if (row_bytes_ > most_row_bytes || columns_.size() > most_columns) return false;
    }
    return true;
}

bool row_shape::end_columns() noexcept
{
    count_ = columns_.size();
    if (!columns_.push({run_no_column, 0, 0, static_cast<std::uint32_t>(row_bytes_), 0})) return false;
    for (std::size_t i = count_; i-- > 0;) {
        value_column &one = columns_[i];
        const value_column &next = columns_[i + 1];
        one.alike = one.type == next.type && one.kind == next.kind && one.bytes == next.bytes ? next.alike + 1 : 1;
    }
    return true;
}

// Numbers of one type that fill whole rows of the format.
void row_shape::find_formatter() noexcept
{
    if (program_ == nullptr || program_->has_tab() || record_goes_on_) return;
    const value_column &first = columns_[0];
    for (const value_column &column : *this)
        if (column.type != first.type || column.kind != first.kind) return;
    if (lists_as_flang() && first.type == real_item && program_->has_general()) return;
    const row_formatter *const rows = program_->rows(first.type, first.kind);
    if (rows == nullptr || rows->values != count_) return;
    for (const format_step *step = program_->first(); step->kind != step_kind::end; ++step)
        if (step->kind == step_kind::colon) return;
    if (rows->bytes == text_bytes_) formatter_ = rows;
}

bool row_shape::fits(const item_log &items) const noexcept
{
    std::size_t column = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const logged_item &item = items[i];
        if (column + item.count > count_) return false;
        for (std::size_t k = 0; k < item.count; ++k, ++column) {
            const value_column &wanted = columns_[column];
            if (wanted.type != item.type || wanted.kind != item.kind || wanted.bytes != item.bytes) return false;
        }
    }
    return column == count_;
}

bool row_shape::format(growing<char> &out, const char *rows, std::size_t n, growing<char> &scratch) const noexcept
{
    if (count_ == 0) {
        if (!out.reserve(n * text_bytes_)) return false;
        for (; n > 0; --n) std::memcpy(out.extend(text_bytes_), constant_.data(), text_bytes_);
        return true;
    }
    if (formatter_ != nullptr) {
        if (!out.reserve(n * formatter_->bytes + 256)) return false;
        char *const place = out.data() + out.size();
        const char *const end = formatter_->format(place, rows, n * count_, false);
        out.extend(static_cast<std::size_t>(end - place));
        return true;
    }
    if (plan_ != nullptr) return plan_->format(out, rows, n, scratch);
    for (std::size_t i = 0; i < n; ++i, rows += row_bytes_) {
        statement_text text;
        text.begin(&out, program_);
        if (record_goes_on_) text.goes_on();
        for (const value_column &column : *this)
            if (!text.put(column.type, column.kind, rows + column.offset, column.bytes)) return false;
        if (!text.end(record_goes_on_) || (!record_goes_on_ && !out.push('\n'))) return false;
    }
    return true;
}

bool row_shape::log_row(item_log &log, const char *row) const noexcept
{
    for (const value_column &column : *this)
        if (!log.add(column.type, column.kind, row + column.offset, column.bytes)) return false;
    return true;
}

int replay_row(const run_time &real, std::int32_t unit, const row_shape &shape, const char *row, transfer_block *model,
               const char *file, std::int32_t line) noexcept
{
    own_statement statement(unit, model, file, line);
    if (const format_program *const program = shape.program()) statement.format(program->text().data(), program->text().size());
    else statement.list_directed();
    if (shape.record_goes_on()) statement.does_not_advance();
    statement.begin(real);
    for (const value_column &column : shape)
        pass(real, statement.block(), column.type, column.kind, row + column.offset, column.bytes);
    return statement.end(real, shape.text_bytes());
}

}  // namespace headrace::run
