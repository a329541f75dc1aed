#include "run_time.hpp"

#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "../locks.hpp"
#include "../start.hpp"
#include "../statistics.hpp"
#include "statement.hpp"

extern "C" {
void *static_function(const char *name, const void *address);
int is_wholly_redirected(const void *address, std::uintptr_t *begins, std::uintptr_t *bytes);
int has_flush_routine(const void *address);
}

namespace headrace::run
{

object_range flang_object;

namespace
{

// Fortran::runtime::io: io-api.h.
struct functions {
    void *(*begin_formatted)(const char *, std::size_t, const void *, int, const char *, int);
    void *(*begin_list)(int, const char *, int);
    void *(*begin_internal_formatted)(char *, std::size_t, const char *, std::size_t, const void *, void **, std::size_t,
                                      const char *, int);
    void *(*begin_internal_list)(char *, std::size_t, void **, std::size_t, const char *, int);
    void *(*begin_records_formatted)(const void *, const char *, std::size_t, const void *, void **, std::size_t, const char *,
                                     int);
    void *(*begin_records_list)(const void *, void **, std::size_t, const char *, int);
    void (*enable_handlers)(void *, bool, bool, bool, bool, bool);
    bool (*set_advance)(void *, const char *, std::size_t);
    bool (*put_integer8)(void *, std::int8_t);
    bool (*put_integer16)(void *, std::int16_t);
    bool (*put_integer32)(void *, std::int32_t);
    bool (*put_integer64)(void *, std::int64_t);
    bool (*put_real32)(void *, float);
    bool (*put_real64)(void *, double);
    bool (*put_logical)(void *, bool);
    bool (*put_ascii)(void *, const char *, std::size_t);
    int (*end)(void *);
};
functions real;

template <class Function>
bool find(const char *name, const void *address, Function &function) noexcept
{
    void *const found = static_function(name, address);
    std::memcpy(&function, &found, sizeof function);
    return found != nullptr;
}

bool find_all(const void *address, functions &to) noexcept
{
    return find("_FortranAioBeginExternalFormattedOutput", address, to.begin_formatted) &&
           find("_FortranAioBeginExternalListOutput", address, to.begin_list) &&
           find("_FortranAioBeginInternalFormattedOutput", address, to.begin_internal_formatted) &&
           find("_FortranAioBeginInternalListOutput", address, to.begin_internal_list) &&
           find("_FortranAioBeginInternalArrayFormattedOutput", address, to.begin_records_formatted) &&
           find("_FortranAioBeginInternalArrayListOutput", address, to.begin_records_list) &&
           find("_FortranAioEnableHandlers", address, to.enable_handlers) &&
           find("_FortranAioSetAdvance", address, to.set_advance) && find("_FortranAioOutputInteger8", address, to.put_integer8) &&
           find("_FortranAioOutputInteger16", address, to.put_integer16) &&
           find("_FortranAioOutputInteger32", address, to.put_integer32) &&
           find("_FortranAioOutputInteger64", address, to.put_integer64) &&
           find("_FortranAioOutputReal32", address, to.put_real32) && find("_FortranAioOutputReal64", address, to.put_real64) &&
           find("_FortranAioOutputLogical", address, to.put_logical) && find("_FortranAioOutputAscii", address, to.put_ascii) &&
           find("_FortranAioEndIoStatement", address, to.end);
}

// ---- the functions that gfortran's run time has ----

const void *records_of(flang_statement &one) noexcept
{
    constexpr int version = 20180515;          // CFI_VERSION
    constexpr signed char characters = 40;     // CFI_type_char
    constexpr unsigned char nothing_else = 2;  // CFI_attribute_other
    const auto &vector = *static_cast<const array_descriptor *>(one.block.internal_descriptor);
    one.records = {vector.base,
                   static_cast<std::size_t>(vector.element_bytes),
                   version,
                   1,
                   characters,
                   nothing_else,
                   0,
                   1,
                   vector.dimension[0].upper,
                   vector.element_bytes};
    return &one.records;
}

void *begun_internal(flang_statement &one) noexcept
{
    const transfer_block &block = one.block;
    const auto length = static_cast<std::size_t>(block.format_length), room = static_cast<std::size_t>(block.internal_length);
    const bool is_listed = (block.flags & transfer_list_directed) != 0;
    if (block.internal_descriptor != nullptr) {
        const void *const records = records_of(one);
        return is_listed ? real.begin_records_list(records, nullptr, 0, block.file, block.line)
                         : real.begin_records_formatted(records, block.format, length, nullptr, nullptr, 0, block.file, block.line);
    }
    return is_listed ? real.begin_internal_list(block.internal, room, nullptr, 0, block.file, block.line)
                     : real.begin_internal_formatted(block.internal, room, block.format, length, nullptr, nullptr, 0, block.file,
                                                     block.line);
}

void begin_write(void *place) noexcept
{
    flang_statement &one = statement_of(place);
    const transfer_block &block = one.block;
    if (block.flags & transfer_internal) one.real = begun_internal(one);
    else if (block.flags & transfer_list_directed) one.real = real.begin_list(block.unit, block.file, block.line);
    else
        one.real = real.begin_formatted(block.format, static_cast<std::size_t>(block.format_length), nullptr, block.unit,
                                        block.file, block.line);
    const auto has = [&block](block_flags flag) { return (block.flags & flag) != 0; };
    if (has(block_has_iostat) || has(block_has_err) || has(block_has_end) || has(block_has_eor))
        real.enable_handlers(one.real, has(block_has_iostat), has(block_has_err), has(block_has_end), has(block_has_eor),
                             has(block_has_iomsg));
    if (block.flags & transfer_advance) real.set_advance(one.real, block.advance, static_cast<std::size_t>(block.advance_length));
}

void end_write(void *place) noexcept
{
    flang_statement &one = statement_of(place);
    const int status = real.end(one.real);
    one.real = nullptr;
    if (one.block.iostat != nullptr) *one.block.iostat = status;
    one.block.flags = (one.block.flags & ~block_outcome_mask) | (status == 0 ? 0u : 1u);
}

template <class Value>
Value load(const void *place) noexcept
{
    Value value;
    std::memcpy(&value, place, sizeof value);
    return value;
}

void put_integer(void *place, void *item, int kind) noexcept
{
    void *const cookie = statement_of(place).real;
    switch (kind) {
    case 1: real.put_integer8(cookie, load<std::int8_t>(item)); break;
    case 2: real.put_integer16(cookie, load<std::int16_t>(item)); break;
    case 4: real.put_integer32(cookie, load<std::int32_t>(item)); break;
    default: real.put_integer64(cookie, load<std::int64_t>(item)); break;
    }
}

void put_real(void *place, void *item, int kind) noexcept
{
    void *const cookie = statement_of(place).real;
    if (kind == 4) real.put_real32(cookie, load<float>(item));
    else real.put_real64(cookie, load<double>(item));
}

void put_logical(void *place, void *item, int kind) noexcept
{
    const bool is_true = kind == 1 ? load<std::int8_t>(item) != 0 : load<std::int32_t>(item) != 0;
    real.put_logical(statement_of(place).real, is_true);
}

void put_characters(void *place, void *item, std::int64_t length) noexcept
{
    real.put_ascii(statement_of(place).real, static_cast<const char *>(item), static_cast<std::size_t>(length));
}

// Values that lie one behind the other, from a log.
void put_array(void *place, void *descriptor, int kind, std::int64_t length) noexcept
{
    const auto &vector = *static_cast<const array_descriptor *>(descriptor);
    char *value = vector.base;
    for (std::int64_t i = 0; i < vector.dimension[0].upper; ++i, value += vector.element_bytes) {
        switch (vector.type) {
        case integer_item: put_integer(place, value, kind); break;
        case logical_item: put_logical(place, value, kind); break;
        case real_item: put_real(place, value, kind); break;
        default: put_characters(place, value, length); break;
        }
    }
}

// Complex numbers are never taken over.
void put_nothing(void *, void *, int) noexcept {}

run_time the_run_time;
// Variables that change what flang writes.
bool has_variable_in_the_way() noexcept
{
    for (const char *const name : {"FORT_FMT_RECL", "DEFAULT_UTF8"})
        if (std::getenv(name) != nullptr) {
            process_has_statements();
            note("the run time of LLVM flang is left alone: %s is set", name);
            return true;
        }
    return false;
}

void look_for_run_time(const void *address) noexcept
{
    std::uintptr_t begins, bytes;
    if (!is_wholly_redirected(address, &begins, &bytes)) {
        process_has_statements();
        note("the run time of LLVM flang is left alone: not every call of it can be redirected");
        return;
    }
    if (has_variable_in_the_way() || !find_all(address, real)) return;
    the_run_time.st_write = begin_write;
    the_run_time.st_write_done = end_write;
    the_run_time.integer = put_integer;
    the_run_time.logical = put_logical;
    the_run_time.real = put_real;
    the_run_time.complex = put_nothing;
    the_run_time.character = put_characters;
    the_run_time.array = put_array;
    the_run_time.counts_records = the_run_time.is_flang = true;
    the_run_time.each_record = has_flush_routine(address) != 0;
    flang_object.begins = begins;
    __atomic_store_n(&flang_object.bytes, bytes, __ATOMIC_RELEASE);
}

}  // namespace

const run_time *flang_run_time_of(const void *address) noexcept
{
    // In a second object there is another one, with units of its own.
    void *const found = static_function("_FortranAioEndIoStatement", address);
    if (found == nullptr) return nullptr;
    const locked hold(lock_of_run_times);
    if (!flang_object.is_looked_for) {
        look_for_run_time(address);
        __atomic_store_n(&flang_object.is_looked_for, true, __ATOMIC_RELEASE);
    }
    if (the_run_time.st_write == nullptr) return nullptr;
    return std::memcmp(&found, &real.end, sizeof found) == 0 ? &the_run_time : nullptr;
}

bool has_flang_run_time() noexcept { return __atomic_load_n(&the_run_time.tested, __ATOMIC_RELAXED) == 1; }

}  // namespace headrace::run
