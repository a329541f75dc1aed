#include "self_test.hpp"

#include <cstring>
#include <string>

#include "blanks.hpp"
#include "flang/formats.hpp"
#include "format_program.hpp"
#include "item_log.hpp"
#include "statement_text.hpp"

namespace headrace::run
{
namespace
{

constexpr std::size_t line_bytes = 4000;

transfer_block model_of(const char *format) noexcept
{
    transfer_block block;
    std::memset(&block, 0, sizeof block);
    block.file = "headrace";
    block.flags = format != nullptr ? transfer_format : transfer_list_directed;
    block.format = format;
    block.format_length = format != nullptr ? static_cast<std::int64_t>(std::strlen(format)) : 0;
    return block;
}

// Blank if the format is refused.
std::string written(const run_time &real, const char *format, const item_log &items)
{
    internal_records records;
    if (!records.begin(real, model_of(format), 1, line_bytes)) return {};
    items.replay(real, records.block());
    const int iostat = records.end();
    std::string text;
    if (iostat == 0) text.assign(records.record(0), bytes_without_blanks(records.record(0), line_bytes));
    records.drop();
    return text;
}

template <class Value>
std::string written_one(const run_time &real, const char *format, int type, Value value)
{
    item_log items;
    items.add(type, sizeof value, reinterpret_cast<const char *>(&value), sizeof value);
    return written(real, format, items);
}

// doc/reference/text_formats.md has the table of what changed between versions.
edit_dialect dialect_of(const run_time &real)
{
    edit_dialect dialect;
    const std::string scientific = written_one(real, "(es0.1)", real_item, 1.0);
    const std::string no_digit = written_one(real, "(es0.0)", real_item, 1.0);
    item_log pair;
    const std::int32_t one = 1, two = 2;
    pair.add(integer_item, 4, reinterpret_cast<const char *>(&one), 4);
    pair.add(integer_item, 4, reinterpret_cast<const char *>(&two), 4);
    dialect.set(edit_feature::zero_exponent, scientific.find('E') != std::string::npos);
    dialect.set(edit_feature::digits_as_given, no_digit.size() < 10);
    dialect.set(edit_feature::binary_64, !written_one(real, "(b40.0)", integer_item, std::int64_t{1} << 32).empty());
    dialect.set(edit_feature::commas, written(real, "(i1i1)", pair).empty());
    dialect.set(edit_feature::exact_tabs, written(real, "(i1,3x,t3,i1)", pair) == "1 2");
    dialect.set(edit_feature::full_exponent, scientific.find("E+000") != std::string::npos);
    return dialect;
}

bool is_same(const run_time &real, const char *format, const item_log &items)
{
    const format_program *program = nullptr;
    if (format != nullptr) {
        program = program_of(format, std::strlen(format));
        if (program == nullptr) return true;
        if (!program->is_handled()) return true;
    }
    growing<char> buffer;
    statement_text text;
    text.begin(&buffer, program);
    bool is_whole = true;
    for (std::size_t i = 0; i < items.size() && is_whole; ++i)
        is_whole = text.put(items[i].type, items[i].kind, items.values(items[i]), items[i].bytes);
    is_whole = is_whole && text.end();
    const std::string ours(buffer.data(), buffer.size());
    give_memory(buffer.data());
    if (!is_whole) return true;
    const std::size_t last = ours.find_last_not_of(' ');
    return written(real, format, items) == (last == std::string::npos ? std::string() : ours.substr(0, last + 1));
}

void add_reals(item_log &items)
{
    static const double values[] = {0.0,         -0.0,    1.0,    -1.5,   0.1,   1e-3,    9.9999999999999995e22,
                                    1e23,        1.0 / 3, 1e99,   -1e100, 1e-99, 1e300,   1e-300,
                                    123456789.0, 2.5,     999.95, 1e16,   1e17,  0.099999};
    for (const double value : values) items.add(real_item, 8, reinterpret_cast<const char *>(&value), 8);
    for (const double value : values) {
        const auto single = static_cast<float>(value);
        if (value != 0 && (single == 0 || single - single != 0 || (single < 2e-38f && single > -2e-38f))) continue;
        items.add(real_item, 4, reinterpret_cast<const char *>(&single), 4);
    }
}

void add_integers(item_log &items)
{
    static const std::int64_t values[] = {0, 1, -1, 9, 10, 99999999, -100000000, 2147483647, -2147483647};
    for (const std::int64_t value : values) {
        const auto small = static_cast<std::int32_t>(value);
        items.add(integer_item, 4, reinterpret_cast<const char *>(&small), 4);
        const std::int64_t wide = value * 4000000019;
        items.add(integer_item, 8, reinterpret_cast<const char *>(&wide), 8);
    }
}

// flang's lines end with the variable that they are written to, and ours as in a file.
bool is_same_one_by_one(const run_time &real, const item_log &items)
{
    for (std::size_t i = 0; i < items.size(); ++i) {
        item_log one;
        one.add(items[i].type, items[i].kind, items.values(items[i]), items[i].bytes);
        if (!is_same(real, nullptr, one)) return false;
    }
    return true;
}

bool is_left_to_flang(const char *format)
{
    if (format == nullptr) return true;
    const format_program *const program = program_of(format, std::strlen(format));
    return program == nullptr || !program->is_handled() || why_left_to_flang(*program) != nullptr;
}

// flang has one dialect so far; what another version of it does shows in the comparison.
edit_dialect dialect_of_flang()
{
    edit_dialect dialect;
    dialect.set(edit_feature::commas, true);
    return dialect;
}

const char *compare(const run_time &real)
{
    item_log reals, integers;
    add_reals(reals);
    add_integers(integers);
    const bool is_flang = real.is_flang;
    static const char *const real_formats[] = {nullptr,         "(*(es22.14))", "(*(es24.16e3))", "(*(e15.5))",    "(*(f20.6))",
                                               "(*(1p,e14.6))", "(*(f0.3))",    "(*(g15.7))",     "(*(g0,:,','))", "(*(g0.5,1x))",
                                               "(*(sp,f12.4))", "(*(d20.10))",  "(*(f5.1))"};
    for (const char *const format : real_formats)
        if (!(is_flang && is_left_to_flang(format)) && !is_same(real, format, reals)) return "its reals differ from ours";
    static const char *const integer_formats[] = {nullptr, "(*(i0,1x))", "(*(i8))", "(*(i22.5))", "(*(g0,:,','))", "(*(z17))"};
    for (const char *const format : integer_formats)
        if (!(is_flang && is_left_to_flang(format)) && !is_same(real, format, integers)) return "its integers differ from ours";
    if (is_flang && !(is_same_one_by_one(real, reals) && is_same_one_by_one(real, integers))) return "its lists differ from ours";
    return nullptr;
}

}  // namespace

const char *test_run_time(const run_time &real) noexcept
{
    try {
        // A second run time of the process must write as the first, or is left alone.
        static bool is_first = true, first_is_flang;
        if (is_first) {
            set_dialect(real.is_flang ? dialect_of_flang() : dialect_of(real));
            make_list_fields(real.is_flang);
            is_first = false;
            first_is_flang = real.is_flang;
        }
        if (real.is_flang != first_is_flang) return "one of another compiler was there first";
        return compare(real);
    } catch (...) {
        return "there is no memory for the test of the run time";
    }
}

}  // namespace headrace::run
