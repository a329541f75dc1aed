// How kept values become records: cells with constant text before them. Records of fixed length are made column by
// column, others value by value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "field_kernels.hpp"
#include "item_log.hpp"
#include "memory.hpp"
#include "run.h"

namespace headrace::run
{

using value_column = run_column;

class row_plan
{
   public:
    // Null if a value needs what has no kernel. program: null for list-directed output. record_goes_on: ADVANCE='NO'.
    static std::unique_ptr<row_plan> of(const value_column *columns, std::size_t count, std::size_t row_bytes,
                                        const format_program *program, bool record_goes_on);

    // 0: the records differ in length.
    std::size_t record_bytes() const noexcept { return is_fixed_ ? image_.size() : 0; }

    // Appends the records of n rows. False without memory.
    bool format(growing<char> &out, const char *rows, std::size_t n, growing<char> &scratch) const noexcept;

   private:
    enum class cell_kind : std::uint8_t { field, packed, integer, characters, logical };
    struct cell {
        cell_kind kind;
        value_column column;
        const field_layout *layout;
        std::size_t width;   // of the field; of characters: as many as are written
        std::size_t begin;   // in the record, if the length is fixed
        std::string before;  // constant text
    };

    bool add_listed(const value_column &column);
    bool add_formatted(const value_column &column, const output_field &field, const edit_dialect &dialect);
    bool add(cell_kind kind, const value_column &column, const field_layout *layout, std::size_t width);
    bool add_constant(const format_step &step);
    bool add_tab(std::size_t place);
    bool walk(const format_program &program, const value_column *columns, std::size_t count);
    void end_plan(bool record_goes_on);
    bool format_fixed(growing<char> &out, const char *rows, std::size_t n, growing<char> &scratch) const noexcept;
    bool format_single(growing<char> &out, const char *rows, std::size_t n) const noexcept;
    char *put_cell(const cell &one, const char *row, char *out) const noexcept;

    std::vector<cell> cells_;
    std::string text_;        // that waits for the next cell
    std::size_t blanks_ = 0;  // of X, that wait for what follows in the record
    std::string after_;       // behind the last cell, with the line feed if the record ends
    std::string image_;       // a record of fixed length
    bool is_fixed_ = true;
    bool was_characters_ = false;
    std::size_t row_bytes_ = 0;
    std::size_t longest_ = 0;  // record
};

}  // namespace headrace::run
