// The real run time: its functions, and statements that we make ourselves.
#pragma once

#include <cstddef>
#include <cstdint>

#include "blocks.hpp"
#include "run.h"

namespace headrace::run
{

using block_function = void (*)(void *);
using scalar_function = void (*)(void *, void *, int);
using character_function = void (*)(void *, void *, std::int64_t);
using array_function = void (*)(void *, void *, int, std::int64_t);

// Of one direction: WRITE passes what it writes, READ where its values go.
struct transfer_functions {
    scalar_function integer, logical, real, complex;
    character_function character;
    array_function array;
};

struct run_time : transfer_functions {
    block_function st_write, st_write_done;
    // A program that is linked statically may lack them: null.
    block_function st_read, st_read_done;
    transfer_functions reads;
    std::int64_t (*ftell)(std::int32_t *unit);
    void (*fseek)(std::int32_t *unit, std::int64_t *offset, std::int32_t *whence, std::int32_t *status);
    block_function st_inquire, st_flush;
    // Its records are counted: each line of what is handed over must be an item of its own.
    bool counts_records;
    bool is_flang;
    // Somebody flushes where we do not see it: each record is handed over at once.
    bool each_record;
    mutable int tested;  // 0: not yet, 1: it writes what we write, 2: it does not
};

// Of the object that `caller` is in. Null when a function is missing.
const run_time *run_time_of(const void *caller) noexcept;
// The same for a statement, by a literal of its object.
const run_time *run_time_of(const transfer_block &block) noexcept;

// After a library was unloaded: is this one still there? Those that are not are forgotten.
bool is_loaded(const run_time &real) noexcept;
void forget_run_times() noexcept;

// A WRITE of ours to a unit. Errors are those of `model`, a statement of the program, when it is given (its IOSTAT= and so
// on); otherwise they are counted.
class own_statement
{
   public:
    own_statement(std::int32_t unit, transfer_block *model, const char *file, std::int32_t line) noexcept;
    void format(const char *text, std::size_t bytes) noexcept;
    void list_directed() noexcept;
    void does_not_advance() noexcept;
    void record(std::int64_t number) noexcept;
    void begin(const run_time &real) noexcept;
    void *block() noexcept { return memory_; }
    // bytes: of text, for the statistics. Returns the outcome: 0 is good.
    int end(const run_time &real, std::size_t bytes) noexcept;

   private:
    transfer_block &head() noexcept { return *reinterpret_cast<transfer_block *>(memory_); }
    alignas(16) char memory_[transfer_block_bytes];
    std::int32_t iostat_ = 0;
    transfer_block *model_;
};

// What becomes of the last record of a text that is handed over. next_begins: it has ended, but its statement goes on.
enum class last_record { ends, goes_on, next_begins };

// Records with line feeds between them.
struct joined_records {
    const char *text;
    std::size_t bytes;
    last_record last;
    std::size_t longest = 0;  // RECL=, which none of them exceeds; 0 without
};

// WRITE(unit, '(A)') records. Returns the outcome.
int hand_over(const run_time &real, std::int32_t unit, const joined_records &records, transfer_block *model, const char *file,
              std::int32_t line) noexcept;

// READ(unit, POS=position): nothing but that the next statement begins there; the first byte is 1. Precondition: st_read is there.
void move_in_stream(const run_time &real, std::int32_t unit, std::int64_t position) noexcept;

// READ(unit, REC=number) of nothing. Precondition: st_read is there.
void read_record(const run_time &real, std::int32_t unit, std::int64_t number) noexcept;

// FLUSH(unit): what the run time has in its own buffer is in the file then. Precondition: st_flush is there.
void flush_unit(const run_time &real, std::int32_t unit) noexcept;

// READ(unit, '(A)', ADVANCE='NO') of so many characters, 2 at most, the last of which may be the end of the record.
void read_in_record(const run_time &real, std::int32_t unit, std::int64_t characters) noexcept;
// What is left of the record is passed over.
void pass_record(const run_time &real, std::int32_t unit) noexcept;

// A WRITE or READ of the run time on internal records. Begin, pass items to its functions with block(), end.
class internal_records
{
   public:
    // model: whose format it is. False without memory.
    bool begin(const run_time &real, const transfer_block &model, std::size_t records, std::size_t record_bytes) noexcept;
    // The same to READ lines of text. Precondition: the run time has st_read.
    bool begin_read(const run_time &real, const transfer_block &model, const char *text, std::size_t bytes) noexcept;
    void *block() noexcept { return block_; }
    // The IOSTAT= of the statement.
    int end() noexcept;

    std::size_t records() const noexcept { return records_; }
    std::size_t record_bytes() const noexcept { return record_bytes_; }
    const char *record(std::size_t i) const noexcept { return text_ + i * record_bytes_; }
    // Was anything written to record i?
    bool is_written(std::size_t i) const noexcept { return record(i)[0] != unwritten; }
    void drop() noexcept;

   private:
    static constexpr char unwritten = 1;
    bool make(const transfer_block &model, std::size_t records, std::size_t record_bytes) noexcept;
    alignas(16) char block_[transfer_block_bytes];
    array_descriptor descriptor_;
    char *text_ = nullptr;
    std::size_t records_ = 0, record_bytes_ = 0;
    std::int32_t iostat_ = 0;
    block_function done_ = nullptr;
};

}  // namespace headrace::run
