// Statements of LLVM flang: from their calls to those of write.cpp.
#include <cstring>

#include "../../families/flang.h"
#include "../frame.hpp"
#include "../section.hpp"
#include "../start.hpp"
#include "run_time.hpp"
#include "statement.hpp"

__thread char run_flang_statements[run_flang_cookies * run_flang_cookie_bytes]
    __attribute__((tls_model("initial-exec"), aligned(64)));

__thread run_flang_left run_flang_left_now __attribute__((tls_model("initial-exec")));

namespace headrace::run
{
namespace
{

// Where this thread left a statement last, and whether it had a specifier then.
__thread site *left_last __attribute__((tls_model("initial-exec")));
__thread bool had_specifier __attribute__((tls_model("initial-exec")));

__thread int depth __attribute__((tls_model("initial-exec")));

// OPEN and CLOSE in progress. The number of a new unit is known before the end.
struct connection {
    const void *cookie;
    run_flang_kind kind;
    std::int32_t unit;
    bool is_usual;
    const char *file;
};
constexpr int most_connections = 4;
__thread connection connections[most_connections] __attribute__((tls_model("initial-exec")));
__thread int connections_begun __attribute__((tls_model("initial-exec")));

connection *connection_of(const void *cookie) noexcept
{
    for (int i = connections_begun; i-- > 0;)
        if (i < most_connections && connections[i].cookie == cookie) return &connections[i];
    return nullptr;
}

block_common *common(void *cookie) noexcept { return static_cast<block_common *>(cookie); }

struct seen_type {
    int type, kind;
};

// CFI_type_...: 14 is that of a default logical.
seen_type type_of(const flang_descriptor &item) noexcept
{
    switch (item.type) {
    case 7: return {integer_item, 1};
    case 8: return {integer_item, 2};
    case 9: return {integer_item, 4};
    case 10: return {integer_item, 8};
    case 14: return {logical_item, 4};
    case 27: return {real_item, 4};
    case 28: return {real_item, 8};
    case 40: return {character_item, 1};
    default: return {0, 0};
    }
}

// False if the section cannot be described.
bool describe(const flang_descriptor &item, const seen_type &of, array_descriptor &to) noexcept
{
    const auto bytes = static_cast<std::int64_t>(item.element_bytes);
    if (of.type == 0 || item.array_rank > 15 || item.base == nullptr || bytes == 0) return false;
    if (of.type != character_item && bytes != of.kind) return false;
    to.base = static_cast<char *>(item.base);
    to.offset = 0;
    to.element_bytes = bytes;
    to.rank = static_cast<signed char>(item.array_rank);
    to.type = static_cast<signed char>(of.type);
    to.span = bytes;
    for (int i = 0; i < item.array_rank; ++i) {
        const auto &dimension = item.dimensions[i];
        if (dimension.byte_stride % bytes != 0) return false;
        to.dimension[i] = {dimension.byte_stride / bytes, 1, dimension.extent};
    }
    return true;
}

bool has_line_feed(const array_descriptor &texts) noexcept
{
    const section one = section_of(texts, 1, texts.element_bytes);
    section_walk walk(one);
    for (std::size_t i = 0; i < one.total; ++i, walk.next())
        if (std::memchr(walk.place(), '\n', one.bytes) != nullptr) return true;
    return false;
}

}  // namespace
}  // namespace headrace::run

using namespace headrace::run;

namespace headrace::run
{
namespace
{

// Is it the statement that was left last, for good, with nothing that waits for it?
bool is_left_again(const char *format, std::size_t length, std::int32_t number, const char *file, int line) noexcept
{
    site *const where = left_last;
    if (where == nullptr || where->line != line || where->file != file || where->format != format ||
        where->format_length != static_cast<std::int64_t>(length) || where->state() != site_state::left ||
        !where->has_constant_format.load(std::memory_order_relaxed) || run_flang_left_now.cookie != nullptr || depth != 0 ||
        frames_here().depth != 0)
        return false;
    const unit *const to = known_unit(number);
    if (to == nullptr || to->has_waiting() || to->is_held_by_another()) return false;
    const unit_state state = to->state.load(std::memory_order_acquire);
    if (state == unit_state::unknown && !had_specifier) return false;  // it may be ours afterwards
    where->count_left();
    run_flang_left_now = {nullptr, number, 1, 0};
    return true;
}

}  // namespace
}  // namespace headrace::run

void run_flang_left_now_ends(int status)
{
    run_flang_left_now.cookie = nullptr;
    had_specifier = run_flang_left_now.is_unusual != 0;
    if (status != 0 || had_specifier) run_unit_moved(run_flang_left_now.unit);
}

void *run_flang_begins(const char *format, std::size_t length, std::int32_t unit, const char *file, int line)
{
    if (!sees_all_calls(file) || is_left_again(format, length, unit, file, line)) return nullptr;
    // Inside of a statement of the run time on the same unit.
    if (run_flang_left_now.cookie != nullptr && run_flang_left_now.unit == unit) return nullptr;
    if (depth >= run_flang_cookies) {
        run_before_unit(unit);
        return nullptr;
    }
    void *const cookie = run_flang_statements + depth++ * run_flang_cookie_bytes;
    flang_statement &one = statement_of(cookie);
    transfer_block &block = one.block;
    block.flags = transfer_flang | (format != nullptr ? transfer_format : transfer_list_directed);
    block.unit = unit;
    block.file = file;
    block.line = line;
    block.format = format;
    block.format_length = static_cast<std::int64_t>(length);
    block.iostat = &one.status;
    one.real = nullptr;
    one.status = 0;
    one.is_unusual = false;
    const int short_way = run_write_begins_again(common(cookie));
    if (short_way < 0 && frames_here().depth == 0) {  // nobody asks how it ends
        --depth;
        return nullptr;
    }
    one.was_taken = short_way > 0 || (short_way == 0 && run_write_begins(common(cookie), file));
    return cookie;
}

int run_flang_is_taken(const void *cookie) { return static_cast<const flang_statement *>(cookie)->was_taken; }

void *run_flang_real(void *cookie) { return statement_of(cookie).real; }

void *run_flang_goes_on(void *cookie, void *real)
{
    statement_of(cookie).real = real;
    return cookie;
}

void run_flang_leaves(void *cookie, const char *what)
{
    flang_statement &one = statement_of(cookie);
    if (one.real != nullptr) return;
    frame *const of = writing_frame_of(&one.block);
    if (of != nullptr && of->mode == frame_mode::counted) remember_place(*of);
    if (of != nullptr && of->mode != frame_mode::left) give_back(*of, what, true);
}

void run_flang_has_specifier(void *cookie, const char *what)
{
    statement_of(cookie).is_unusual = true;
    run_flang_leaves(cookie, what);
}

int run_flang_puts_text(void *cookie, const char *text, std::size_t bytes)
{
    flang_statement &one = statement_of(cookie);
    if (one.real != nullptr) return 0;
    // It is no end of a record there: what is handed over later could not be told from one.
    if (std::memchr(text, '\n', bytes) != nullptr) {
        run_flang_leaves(cookie, "a line feed among characters");
        return 0;
    }
    return run_puts_characters(common(cookie), text, static_cast<std::int64_t>(bytes));
}

int run_flang_puts_described(void *cookie, const flang_descriptor *item)
{
    flang_statement &one = statement_of(cookie);
    if (one.real != nullptr) return 0;
    const seen_type of = type_of(*item);
    array_descriptor section = {};
    if (!describe(*item, of, section)) {
        run_flang_leaves(cookie, "an item of a type that is not handled");
        return 0;
    }
    if (of.type == character_item && has_line_feed(section)) {
        run_flang_leaves(cookie, "a line feed among characters");
        return 0;
    }
    const headrace::run::section whole = section_of(section, of.kind, section.element_bytes);
    if (one.block.format == nullptr && whole.total * 16 > longest_statement) {
        run_flang_leaves(cookie, "a long statement");
        return 0;
    }
    return run_puts_array(common(cookie), &section, of.kind, section.element_bytes);
}

namespace
{

// As run_left_statement_ends, of a statement that the short way has left.
void settled_ends(const flang_statement &one, int status) noexcept
{
    if (one.is_unusual) return;
    if (status != 0) return run_unit_moved(one.block.unit);
    const unit *const of = known_unit(one.block.unit);
    if (of != nullptr && of->state.load(std::memory_order_relaxed) == unit_state::unknown)
        unit_was_written(frames_here().frames[0]);
}

}  // namespace

int run_flang_ends(void *cookie, int *status)
{
    flang_statement &one = statement_of(cookie);
    if (one.real != nullptr) return 0;
    const int done = run_write_ends_again(common(cookie));
    if (done <= 0 && !run_write_ends(common(cookie))) return 0;
    *status = one.status;
    depth = static_cast<int>((static_cast<char *>(cookie) - run_flang_statements) / run_flang_cookie_bytes);
    return 1;
}

void run_flang_left_ends(void *cookie, int status)
{
    flang_statement &one = statement_of(cookie);
    one.block.flags = (one.block.flags & ~block_outcome_mask) | (status == 0 ? 0u : 1u);
    if (one.is_unusual) {
        // Where the record stands depends on words that we do not look into.
        run_unit_moved(one.block.unit);
        if (frame *const of = current_frame_of(&one.block)) of->left_unit = INT32_MIN;
    }
    frame &of = frames_here().frames[0];
    if (frames_here().depth == 1 && of.block == &one.block && of.is_settled) {
        left_last = recent_site_of(one.block);
        had_specifier = one.is_unusual;
    }
    if (run_write_ends_again(common(cookie)) == 0) run_left_statement_ends(common(cookie));
    else settled_ends(one, status);
    one.real = nullptr;
    depth = static_cast<int>((static_cast<char *>(cookie) - run_flang_statements) / run_flang_cookie_bytes);
}

// ---- other statements ----

void run_flang_other_begins(run_flang_kind kind, std::int32_t unit)
{
    switch (kind) {
    case run_flang_moves:
        run_before_unit(unit);
        run_unit_moved(unit);
        break;
    case run_flang_flushes:
    case run_flang_closes: run_before_unit(unit); break;
    default: run_before_everything(); break;
    }
    run_open_begins();
}

void run_flang_has_cookie(run_flang_kind kind, std::int32_t unit, const void *cookie, const char *file)
{
    if (connections_begun < most_connections) connections[connections_begun] = {cookie, kind, unit, true, file};
    ++connections_begun;
}

void run_flang_is_unusual(const void *cookie)
{
    if (run_flang_was_left(cookie)) run_flang_left_now.is_unusual = 1;
    if (connection *const one = connection_of(cookie)) one->is_usual = false;
}

void run_flang_has_unit(const void *cookie, std::int32_t unit)
{
    if (connection *const one = connection_of(cookie)) one->unit = unit;
}

void run_flang_asks(const void *cookie, const char *text, std::size_t bytes, const char *usual)
{
    while (bytes > 0 && text[bytes - 1] == ' ') --bytes;
    bool is_usual = bytes == std::strlen(usual);
    for (std::size_t i = 0; i < bytes && is_usual; ++i) is_usual = (text[i] | 0x20) == usual[i];
    if (!is_usual) run_flang_is_unusual(cookie);
}

void run_flang_other_ends(const void *cookie, int status)
{
    connection *const found = connection_of(cookie);
    if (found == nullptr) {
        if (connections_begun > most_connections) --connections_begun;
        return;
    }
    const connection one = *found;
    connections_begun = static_cast<int>(found - connections);
    if (one.kind == run_flang_closes) run_unit_closed(one.unit);
    else if (status == 0) unit_was_opened(one.unit, one.is_usual ? run_opened_to_write : 0, 0, flang_run_time_of(one.file));
}
