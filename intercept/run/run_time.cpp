#include "run_time.hpp"
#include "locks.hpp"

#include <cstring>
#include <string_view>

#include "flang/run_time.hpp"
#include "memory.hpp"
#include "statistics.hpp"

extern "C" {
struct real_call_here {
    std::uintptr_t caller_begins, caller_bytes;
    void *function;
    int layout;
};
const real_call_here *look_for_real_call(const char *name, const void *caller);
const void *object_at(const void *address, const char **path);
}

__thread int run_own_statements __attribute__((tls_model("initial-exec")));
__thread int run_hands_over __attribute__((tls_model("initial-exec")));

namespace headrace::run
{

namespace
{

constexpr int most_run_times = 8;
run_time run_times[most_run_times];
int run_time_count;

template <class Function>
bool find(const char *name, const void *caller, Function &function) noexcept
{
    const real_call_here *const found = look_for_real_call(name, caller);
    if (found == nullptr || found->function == nullptr || found->layout != 5) return false;
    std::memcpy(&function, &found->function, sizeof function);
    return true;
}

void find_reads(const void *caller, run_time &real) noexcept
{
    transfer_functions &items = real.reads;
    const bool has_all =
        find("_gfortran_st_read", caller, real.st_read) && find("_gfortran_st_read_done", caller, real.st_read_done) &&
        find("_gfortran_transfer_integer", caller, items.integer) && find("_gfortran_transfer_logical", caller, items.logical) &&
        find("_gfortran_transfer_real", caller, items.real) && find("_gfortran_transfer_complex", caller, items.complex) &&
        find("_gfortran_transfer_character", caller, items.character) && find("_gfortran_transfer_array", caller, items.array);
    if (!has_all) real.st_read = nullptr;
    // Both give 64 bits on the processors that we are built for; the first is missing in some versions.
    const bool has_ftell = find("_gfortran_ftell2", caller, real.ftell) || find("_gfortran_ftell", caller, real.ftell);
    const bool has_all_of_files =
        has_ftell && find("_gfortran_fseek_sub", caller, real.fseek) && find("_gfortran_st_flush", caller, real.st_flush);
    if (!has_all_of_files) real.ftell = nullptr;
    if (!find("_gfortran_st_inquire", caller, real.st_inquire)) real.st_inquire = nullptr;
}

bool find_all(const void *caller, run_time &real) noexcept
{
    find_reads(caller, real);
    return find("_gfortran_st_write", caller, real.st_write) && find("_gfortran_st_write_done", caller, real.st_write_done) &&
           find("_gfortran_transfer_integer_write", caller, real.integer) &&
           find("_gfortran_transfer_logical_write", caller, real.logical) &&
           find("_gfortran_transfer_real_write", caller, real.real) &&
           find("_gfortran_transfer_complex_write", caller, real.complex) &&
           find("_gfortran_transfer_character_write", caller, real.character) &&
           find("_gfortran_transfer_array_write", caller, real.array);
}

const run_time *known(const run_time &wanted) noexcept
{
    for (int i = 0; i < run_time_count; ++i)
        if (run_times[i].st_write == wanted.st_write) return &run_times[i];
    int place = 0;
    while (place < run_time_count && run_times[place].st_write != nullptr) ++place;
    if (place == most_run_times) return nullptr;
    run_times[place] = wanted;
    if (place == run_time_count) ++run_time_count;
    return &run_times[place];
}

}  // namespace

namespace
{

// Of the object that asked last: to find a dozen functions takes longer than an OPEN.
std::uintptr_t last_begins, last_bytes;
const run_time *last_found;

}  // namespace

const run_time *run_time_of(const void *caller) noexcept
{
    const auto place = reinterpret_cast<std::uintptr_t>(caller);
    {
        const locked hold(lock_of_run_times);
        if (last_found != nullptr && place - last_begins < last_bytes) return last_found;
    }
    run_time found{};
    if (!find_all(caller, found)) return nullptr;
    const real_call_here *const call = look_for_real_call("_gfortran_st_write", caller);
    const locked hold(lock_of_run_times);
    const run_time *const result = known(found);
    last_begins = call->caller_begins;
    last_bytes = call->caller_bytes;
    last_found = result;
    return result;
}

const run_time *run_time_of(const transfer_block &block) noexcept
{
    return block.flags & transfer_flang ? flang_run_time_of(block.file) : run_time_of(block.file);
}

bool is_loaded(const run_time &real) noexcept
{
    if (real.is_flang) return true;  // of the program itself

    return object_at(reinterpret_cast<const void *>(real.st_write), nullptr) != nullptr;
}

void forget_run_times() noexcept
{
    const locked hold(lock_of_run_times);
    last_found = nullptr;
    for (int i = 0; i < run_time_count; ++i)
        if (run_times[i].st_write != nullptr && !is_loaded(run_times[i])) run_times[i] = run_time{};
}

own_statement::own_statement(std::int32_t unit, transfer_block *model, const char *file, std::int32_t line) noexcept : model_(model)
{
    std::memset(memory_, 0, sizeof memory_);
    transfer_block &block = head();
    block.unit = unit;
    block.file = file;
    block.line = line;
    constexpr std::uint32_t errors = block_has_err | block_has_end | block_has_eor | block_has_iostat | block_has_iomsg;
    if (model != nullptr) {
        block.flags = model->flags & errors;
        block.iostat = model->iostat;
        block.iomsg = model->iomsg;
        block.iomsg_length = model->iomsg_length;
    } else {
        block.flags = block_has_iostat;
        block.iostat = &iostat_;
    }
}

void own_statement::format(const char *text, std::size_t bytes) noexcept
{
    head().flags |= transfer_format;
    head().format = text;
    head().format_length = static_cast<std::int64_t>(bytes);
}

void own_statement::list_directed() noexcept { head().flags |= transfer_list_directed; }

void own_statement::does_not_advance() noexcept
{
    head().flags |= transfer_advance;
    head().advance = "no";
    head().advance_length = 2;
}

void own_statement::record(std::int64_t number) noexcept
{
    head().flags |= transfer_record;
    head().record = number;
}

void own_statement::begin(const run_time &real) noexcept
{
    ++run_own_statements;
    ++run_hands_over;
    real.st_write(memory_);
}

int own_statement::end(const run_time &real, std::size_t bytes) noexcept
{
    real.st_write_done(memory_);
    --run_hands_over;
    --run_own_statements;
    count_hand_over(bytes);
    const std::uint32_t outcome = head().flags & block_outcome_mask;
    if (model_ != nullptr) model_->flags = (model_->flags & ~block_outcome_mask) | outcome;
    if (outcome != 0 && model_ == nullptr) count_hidden_error();
    return static_cast<int>(outcome);
}

namespace
{

void pass_lines(const run_time &real, void *block, const char *text, std::size_t bytes) noexcept
{
    for (const char *const end = text + bytes;; ++text) {
        const auto *const stop = static_cast<const char *>(std::memchr(text, '\n', static_cast<std::size_t>(end - text)));
        const char *const line_end = stop != nullptr ? stop : end;
        real.character(block, const_cast<char *>(text), line_end - text);
        if (stop == nullptr) return;
        text = stop;
    }
}

// As many records an item as RECL= has room for: the run time counts the line feeds between them, too.
void pass_within(const run_time &real, void *block, const joined_records &records) noexcept
{
    const char *text = records.text;
    const char *const end = text + records.bytes;
    while (static_cast<std::size_t>(end - text) > records.longest) {
        const auto *const stop = static_cast<const char *>(memrchr(text, '\n', records.longest + 1));
        if (stop == nullptr) break;
        real.character(block, const_cast<char *>(text), stop - text);
        text = stop + 1;
    }
    real.character(block, const_cast<char *>(text), end - text);
}

}  // namespace

int hand_over(const run_time &real, std::int32_t unit, const joined_records &records, transfer_block *model, const char *file,
              std::int32_t line) noexcept
{
    own_statement statement(unit, model, file, line);
    last_record last = records.last;
    if (real.counts_records && last == last_record::next_begins) last = last_record::ends;  // nobody asks for the difference
    if (last == last_record::next_begins) statement.format("(a/)", 4);
    else statement.format("(a)", 3);
    if (last != last_record::ends) statement.does_not_advance();
    statement.begin(real);
    if (real.counts_records) pass_lines(real, statement.block(), records.text, records.bytes);
    else if (records.longest != 0) pass_within(real, statement.block(), records);
    else real.character(statement.block(), const_cast<char *>(records.text), static_cast<std::int64_t>(records.bytes));
    return statement.end(real, records.bytes);
}

namespace
{

// A statement of ours that writes nothing: a READ of a few characters, or a FLUSH. Its outcome is of no interest.
class silent_statement
{
   public:
    explicit silent_statement(std::int32_t unit) noexcept
    {
        head().flags = block_has_iostat;
        head().unit = unit;
        head().file = "headrace";
        head().iostat = &iostat_;
    }
    transfer_block &head() noexcept { return *reinterpret_cast<transfer_block *>(memory_); }
    void flush(const run_time &real) noexcept
    {
        ++run_own_statements;
        real.st_flush(memory_);
        --run_own_statements;
    }
    void read(const run_time &real, std::int64_t characters) noexcept
    {
        ++run_own_statements;
        real.st_read(memory_);
        char item[2];
        if (characters > 0) real.reads.character(memory_, item, characters);
        real.st_read_done(memory_);
        --run_own_statements;
    }

   private:
    alignas(16) char memory_[transfer_block_bytes] = {};
    std::int32_t iostat_ = 0;
};

}  // namespace

void move_in_stream(const run_time &real, std::int32_t unit, std::int64_t position) noexcept
{
    silent_statement statement(unit);
    statement.head().flags |= transfer_position;
    statement.head().position = position;
    statement.read(real, 0);
}

void read_record(const run_time &real, std::int32_t unit, std::int64_t number) noexcept
{
    silent_statement statement(unit);
    statement.head().flags |= transfer_record;
    statement.head().record = number;
    statement.read(real, 0);
}

void flush_unit(const run_time &real, std::int32_t unit) noexcept { silent_statement(unit).flush(real); }

void read_in_record(const run_time &real, std::int32_t unit, std::int64_t characters) noexcept
{
    silent_statement statement(unit);
    transfer_block &block = statement.head();
    block.flags |= transfer_format | transfer_advance;
    block.format = "(A)";
    block.format_length = 3;
    block.advance = "NO";
    block.advance_length = 2;
    statement.read(real, characters);
}

void pass_record(const run_time &real, std::int32_t unit) noexcept
{
    silent_statement statement(unit);
    transfer_block &block = statement.head();
    block.flags |= transfer_format;
    block.format = "()";
    block.format_length = 2;
    statement.read(real, 0);
}

bool internal_records::begin(const run_time &real, const transfer_block &model, std::size_t records,
                             std::size_t record_bytes) noexcept
{
    if (!make(model, records, record_bytes)) return false;
    done_ = real.st_write_done;
    ++run_own_statements;
    real.st_write(block_);
    return true;
}

namespace
{

// The next line, without what ends it; `line` goes on to the one behind it.
std::string_view take_line(const char *&line, const char *end) noexcept
{
    const void *const found = std::memchr(line, '\n', static_cast<std::size_t>(end - line));
    const char *const stop = found != nullptr ? static_cast<const char *>(found) : end;
    std::string_view taken(line, static_cast<std::size_t>(stop - line));
    if (found != nullptr && !taken.empty() && taken.back() == '\r') taken.remove_suffix(1);
    line = stop + 1;
    return taken;
}

}  // namespace

bool internal_records::begin_read(const run_time &real, const transfer_block &model, const char *text, std::size_t bytes) noexcept
{
    std::size_t records = 0, longest = 1;
    const char *const end = text + bytes;
    for (const char *line = text; line < end; ++records) {
        const std::size_t length = take_line(line, end).size();
        if (length > longest) longest = length;
    }
    if (!make(model, records, longest)) return false;
    std::memset(text_, ' ', records * longest);
    char *place = text_;
    for (const char *line = text; line < end; place += longest) {
        const std::string_view taken = take_line(line, end);
        if (!taken.empty()) std::memcpy(place, taken.data(), taken.size());
    }
    done_ = real.st_read_done;
    ++run_own_statements;
    real.st_read(block_);
    return true;
}

bool internal_records::make(const transfer_block &model, std::size_t records, std::size_t record_bytes) noexcept
{
    text_ = static_cast<char *>(take_memory(records * record_bytes + 1));
    if (text_ == nullptr) return false;
    std::memset(text_, unwritten, records * record_bytes);
    records_ = records;
    record_bytes_ = record_bytes;
    iostat_ = 0;
    std::memset(block_, 0, sizeof block_);
    std::memset(&descriptor_, 0, sizeof descriptor_);
    auto *const block = reinterpret_cast<transfer_block *>(block_);
    block->flags = (model.flags & (transfer_list_directed | transfer_format)) | transfer_internal | block_has_iostat;
    block->unit = internal_unit_number;
    block->file = model.file;
    block->line = model.line;
    block->iostat = &iostat_;
    block->format = model.format;
    block->format_length = model.format_length;
    block->internal = text_;
    block->internal_length = static_cast<std::int64_t>(record_bytes);
    if (records > 1) {
        const auto bytes = static_cast<std::int64_t>(record_bytes);
        descriptor_.base = text_;
        descriptor_.offset = -1;
        descriptor_.element_bytes = bytes;
        descriptor_.rank = 1;
        descriptor_.type = character_item;
        descriptor_.span = bytes;
        descriptor_.dimension[0] = {1, 1, static_cast<std::int64_t>(records)};
        block->internal_descriptor = &descriptor_;
    }
    return true;
}

int internal_records::end() noexcept
{
    done_(block_);
    --run_own_statements;
    return iostat_;
}

void internal_records::drop() noexcept
{
    give_memory(text_);
    text_ = nullptr;
}

}  // namespace headrace::run
