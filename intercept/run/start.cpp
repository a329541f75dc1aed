// The start of `headrace run` in a process, the units that the run time connects, and what must wait
// for what waits.
#include "start.hpp"
#include "locks.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "bytes/bytes.hpp"
#include "flang/run_time.hpp"
#include "floating_point.hpp"
#include "frame.hpp"
#include "run.h"
#include "self_test.hpp"
#include "settings.hpp"
#include "statistics.hpp"

int run_active_flag;

namespace headrace::run
{
namespace
{

std::atomic<int> is_ended{0};

// By the statement in progress; -1: none.
__thread int opened_last __attribute__((tls_model("initial-exec")));
// How, and its status if the run time has asked for it: so we need not.
__thread int opened_flags __attribute__((tls_model("initial-exec")));
__thread bool has_opened_status __attribute__((tls_model("initial-exec")));
__thread struct stat opened_status __attribute__((tls_model("initial-exec")));

// Variables that change what the run time writes, or when.
const char *variable_in_the_way() noexcept
{
    static const char *const names[] = {"GFORTRAN_UNBUFFERED_ALL", "GFORTRAN_DEFAULT_RECL", "GFORTRAN_LIST_SEPARATOR",
                                        "GFORTRAN_OPTIONAL_PLUS",  "GFORTRAN_STDIN_UNIT",   "GFORTRAN_STDOUT_UNIT",
                                        "GFORTRAN_STDERR_UNIT",    "GFORTRAN_CONVERT_UNIT"};
    for (const char *const name : names)
        if (std::getenv(name) != nullptr) return name;
    return nullptr;
}

void at_exit() { run_ends(); }

// Did a statement come that could be taken over? A process without any leaves no file.
std::atomic<bool> has_statements{false};
std::atomic<bool> has_dialect{false};
bool preconnected_are_left;  // mpiexec of MPICH wants them unbuffered

// The run time takes the last error of the system for that of some statements that fail by themselves.
struct kept_errno {
    const int value = errno;
    ~kept_errno() { errno = value; }
};

// Regular files that are standard output and standard error, when the process begins.
struct preconnected_file {
    std::uint64_t device, inode;
} preconnected_files[2];

void find_preconnected_files() noexcept
{
    const kept_errno kept;
    for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
        struct stat status;
        if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) continue;
        preconnected_files[descriptor - STDOUT_FILENO] = {status.st_dev, status.st_ino};
        if (descriptor == STDOUT_FILENO) run_counts_output = !chosen.is_strict;
    }
}

// The run time's own buffers decide what two units leave in one file, so both are its own. Standard output is followed.
void leave_shared_file(unit &one) noexcept
{
    for_each_unit([&one](unit &other) {
        if (&other == &one || other.descriptor <= 2 || other.inode != one.inode || other.device != one.device) return;
        if (one.is_writable || other.is_writable) one.is_read_ahead = other.is_read_ahead = false;
        for (unit *const each : {&one, &other}) {
            if (!each->is_writable) continue;
            each->shares_file = true;
            each->why_left = "another unit has its file, too";
            unit_state ours = unit_state::ours;
            each->state.compare_exchange_strong(ours, unit_state::left);
        }
        run_before_descriptor(other.descriptor);
    });
}

// Its status in `status`; false: it has none.
bool look_at_descriptor(unit &one, int descriptor, struct stat &status) noexcept
{
    const run_time *const real = one.real;
    one.shares_file = false;
    one.is_read_ahead = true;
    one.inode = 0;
    one.descriptor = descriptor;
    const kept_errno kept;
    const bool is_known = has_opened_status && descriptor >= 0 && descriptor == opened_last;
    const int flags = descriptor < 0 ? -1 : is_known ? opened_flags : fcntl(descriptor, F_GETFL);
    if (is_known) {
        status = opened_status;
    } else if (flags < 0 || fstat(descriptor, &status) != 0) {
        one.is_ordinary = false;
        return false;
    }
    const bool is_terminal = S_ISCHR(status.st_mode) && isatty(descriptor) != 0;
    if (is_terminal) one.is_ordinary = false, one.why_left = "its unit is a terminal";
    else if (descriptor <= 2 && preconnected_are_left)
        one.is_ordinary = false, one.why_left = "GFORTRAN_UNBUFFERED_PRECONNECTED is set";
    one.is_writable = (flags & O_ACCMODE) != O_RDONLY;
    one.each_record = chosen.is_strict || (real != nullptr && real->each_record) || !S_ISREG(status.st_mode) || descriptor <= 2;
    // The run time looked when the process began whether to have a buffer for it.
    const preconnected_file &output = preconnected_files[0];
    const bool is_as_begun = S_ISREG(status.st_mode) && status.st_dev == output.device && status.st_ino == output.inode;
    one.output.connect(descriptor == STDOUT_FILENO, is_as_begun, real);
    if (one.output.is_followed()) one.each_record = false;
    if (!S_ISREG(status.st_mode) || descriptor <= 2) return true;
    one.device = status.st_dev;
    one.inode = status.st_ino;
    leave_shared_file(one);
    for (const preconnected_file &file : preconnected_files) {
        if (one.inode != file.inode || one.device != file.device) continue;
        one.is_read_ahead = false;
        one.shares_file = true;
        one.why_left = "another unit has its file, too";
    }
    return true;
}

void look_at_descriptor(unit &one, int descriptor) noexcept
{
    struct stat status;
    look_at_descriptor(one, descriptor, status);
}

// What a statement without OPEN has connected: another OPEN may have come in its I/O list.
int connected_descriptor(std::int32_t unit_number) noexcept
{
    if (opened_last < 0) return -1;
    char link[40], path[1100], name[40];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", opened_last);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return -1;
    path[length] = '\0';
    const int bytes = std::snprintf(name, sizeof name, "/fort.%d", static_cast<int>(unit_number));
    return length >= bytes && std::strcmp(path + length - bytes, name) == 0 ? opened_last : -1;
}

int preconnected_descriptor(std::int32_t unit_number) noexcept
{
    switch (unit_number) {
    case 0: return 2;
    case 5: return 0;
    case 6: return 1;
    default: return -1;
    }
}

// By a test that was made: it is made before the first statement is taken over, and processes with few statements need none.
bool is_known_to_differ(const run_time &real) noexcept { return __atomic_load_n(&real.tested, __ATOMIC_ACQUIRE) == 2; }

// T or TL, perhaps as a text: in formats for READ there are none.
bool may_have_tabs(const transfer_block &block) noexcept
{
    if ((block.flags & transfer_format) == 0) return false;
    for (std::int64_t i = 0; i < block.format_length; ++i) {
        if ((block.format[i] | 0x20) != 't') continue;
        if (i + 1 == block.format_length || (block.format[i + 1] | 0x20) != 'r') return true;
    }
    return false;
}

void settle_state(unit &one) noexcept
{
    const bool is_ours = one.is_ordinary && one.is_writable && !one.shares_file && one.real != nullptr && run_is_active;
    one.state.store(is_ours ? unit_state::ours : unit_state::left, std::memory_order_release);
}

}  // namespace

void process_has_statements() noexcept
{
    if (!has_statements.exchange(true)) std::atexit(at_exit);
}

bool is_tested(const run_time &real) noexcept
{
    int known = __atomic_load_n(&real.tested, __ATOMIC_ACQUIRE);
    if (known != 0) return known == 1;
    const locked hold(lock_of_test);
    known = __atomic_load_n(&real.tested, __ATOMIC_RELAXED);
    if (known == 0) {
        const kept_flags flags;
        const char *const trouble = test_run_time(real);
        if (trouble != nullptr) note("a run time of this program is left alone: %s", trouble);
        process_has_statements();
        known = trouble == nullptr ? 1 : 2;
        has_dialect.store(true, std::memory_order_release);
        __atomic_store_n(&real.tested, known, __ATOMIC_RELEASE);
    }
    return known == 1;
}

bool is_dialect_known(const transfer_block &block, const void *caller) noexcept
{
    if (has_dialect.load(std::memory_order_acquire)) return true;
    const run_time *const real =
        block.flags & transfer_flang ? flang_run_time_of(block.file) : run_time_of(block.file != nullptr ? block.file : caller);
    if (real != nullptr) is_tested(*real);
    return real != nullptr;
}

void unit_was_written(const frame &written) noexcept
{
    unit *const one = unit_of(written.left_unit);
    if (one == nullptr) return;
    // A record that we had begun is ended: T counts from the beginning of the next one.
    if (is_single_threaded() && !one->has_waiting()) one->is_partial = false;
    if (one->state.load(std::memory_order_acquire) != unit_state::unknown) return;
    const run_time *const real = run_time_of(*written.block);
    if (real == nullptr || is_known_to_differ(*real)) {
        one->state.store(unit_state::left, std::memory_order_release);
        return;
    }
    one->real = real;
    if (one->descriptor < 0) {
        const int preconnected = one->was_closed ? -1 : preconnected_descriptor(written.left_unit);
        look_at_descriptor(*one, preconnected >= 0 ? preconnected : connected_descriptor(written.left_unit));
    }
    settle_state(*one);
}

void unit_was_read(const frame &read, bool is_good) noexcept
{
    const std::uint32_t flags = read.block->flags;
    const bool end_of_record = (flags & block_outcome_mask) == block_outcome_eor;
    unit *const one = unit_of(read.left_unit);
    if (one == nullptr) return;
    if (one->state.load(std::memory_order_relaxed) == unit_state::ours)
        one->state.store(unit_state::unknown, std::memory_order_release);
    const bool has_failed = (flags & block_outcome_mask) == block_outcome_error;
    one->reader.was_read({is_good, end_of_record, has_failed, (flags & transfer_list_directed) != 0, may_have_tabs(*read.block)});
    if (!(is_good || end_of_record) || one->descriptor >= 0) return;
    const run_time *const real = run_time_of(*read.block);
    if (real == nullptr || is_known_to_differ(*real)) return;
    one->real = real;
    const int preconnected = one->was_closed ? -1 : preconnected_descriptor(read.left_unit);
    look_at_descriptor(*one, preconnected >= 0 ? preconnected : connected_descriptor(read.left_unit));
}

}  // namespace headrace::run

using namespace headrace::run;

void run_starts(void)
{
    read_settings();
    if (!chosen.is_on) return;
    if (const char *const name = variable_in_the_way()) {
        note("switched off: %s is set", name);
        return;
    }
    preconnected_are_left = std::getenv("GFORTRAN_UNBUFFERED_PRECONNECTED") != nullptr;
    find_preconnected_files();
    frames_start();
    __atomic_store_n(&run_active_flag, 1, __ATOMIC_RELAXED);
}

void run_ends(void)
{
    if (!run_is_active || is_ended.exchange(1) != 0) return;
    run_own_statements = run_hands_over = 0;  // an error of one of them may be why the process ends
    run_gives_back_all();
    run_before_everything();
    __atomic_store_n(&run_active_flag, 0, __ATOMIC_RELAXED);
    is_over.store(true);
    if (has_statements.load()) write_statistics(true, "");
}

void run_executes(void)
{
    if (!run_is_active || is_ended.load() != 0) return;
    run_before_everything();
    if (has_statements.load()) write_statistics(true, "");
}

void run_steps_aside(const char *why)
{
    if (!run_is_active || is_ended.exchange(1) != 0) return;
    run_before_everything();
    __atomic_store_n(&run_active_flag, 0, __ATOMIC_RELAXED);
    note("switched off: %s", why);
    if (has_statements.load()) write_statistics(true, why);
}

void run_objects_are_gone(void)
{
    for_each_unit([](unit &one) {
        if (one.real == nullptr || is_loaded(*one.real)) return;
        one.forget_waiting();
        one.reader.forget();
        one.direct.forget();
        one.real = nullptr;
        one.descriptor = -1;
        set_byte_form(one, byte_form::none);
        one.is_ordinary = one.reads_plainly = true;
        one.state.store(unit_state::unknown, std::memory_order_release);
    });
    forget_sites_run_times();
    forget_run_times();
}

// ---- who looks ----

namespace
{

bool is_concerned(const unit &one) noexcept { return one.has_waiting() || one.is_ahead() || one.owner == this_thread_identity(); }

constexpr int soon = 50, at_the_end = 1000;  // milliseconds

// What a statement does whose own I/O list looks at its unit is the run time's to say. A statement of another thread may be waiting
// for this one: unless this unit itself is meant, it hands over when it ends.
void hand_over_unit(unit &one, bool is_meant) noexcept
{
    if (one.owner == this_thread_identity()) {
        if (frame *const outer = frame_with(one)) give_back(*outer, "its I/O list does I/O on the same unit", true);
        return;
    }
    if (is_meant && is_ended.load() == 0) {
        lock_unit(one);
    } else if (!lock_unit_soon(one, is_ended.load() == 0 ? soon : at_the_end)) {
        one.is_wanted.store(true);
        return;
    }
    one.moves();
    one.hand_over_all(nullptr);
    if (one.real != nullptr && !is_over.load(std::memory_order_relaxed)) one.ends_ahead();
    unlock_unit(one);
}

}  // namespace

void run_before_unit(std::int32_t number)
{
    if (run_own_statements > 0) return;
    unit *const one = known_unit(number);
    if (one != nullptr && (is_concerned(*one) || one->is_held_by_another())) hand_over_unit(*one, true);
}

namespace
{

// act(unit): of one that is read ahead, and of no statement in progress. False if it is none.
template <class Act>
bool in_lines_ahead(std::int32_t number, Act act) noexcept
{
    unit *const one = run_own_statements > 0 ? nullptr : known_unit(number);
    if (one == nullptr || !one->reader.is_reading() || one->owner == this_thread_identity()) return false;
    lock_unit(*one);
    const bool is_done = one->reader.is_reading_records() && !one->has_waiting() && act(*one);
    unlock_unit(*one);
    return is_done;
}

// The position that the run time has is of no importance to REWIND and CLOSE.
bool keeps_lines_at_close(std::int32_t number) noexcept
{
    return in_lines_ahead(number, [](const unit &) { return true; });
}

bool keeps_lines_at_rewind(std::int32_t number) noexcept
{
    return in_lines_ahead(number, [](unit &one) {
        one.reader.move_buffer(*one.real, one.number);
        return true;
    });
}

}  // namespace

namespace
{

// Where a unit stands is the run time's to say.
void moved(std::int32_t number, void (unit_reader::*how)() noexcept) noexcept
{
    unit *const one = known_unit(number);
    if (one == nullptr) return;
    (one->reader.*how)();
    if (one->state.load(std::memory_order_relaxed) != unit_state::ours) return;
    unit_state ours = unit_state::ours;
    one->state.compare_exchange_strong(ours, unit_state::unknown);
}

}  // namespace

void run_unit_moved(std::int32_t number) { moved(number, &unit_reader::was_moved); }

void run_before_rewind(std::int32_t number)
{
    if (run_own_statements > 0 || keeps_lines_at_rewind(number)) return;
    run_before_unit(number);
    moved(number, &unit_reader::is_to_be_rewound);
}

int run_goes_back(const block_common *common)
{
    auto &block = *reinterpret_cast<transfer_block *>(const_cast<block_common *>(common));
    if (!in_lines_ahead(block.unit, [](unit &one) { return one.reader.goes_back(); })) return 0;
    if (block.flags & block_has_iostat) *block.iostat = 0;
    block.flags &= ~block_outcome_mask;
    return 1;
}

void run_before_close(std::int32_t number)
{
    if (run_own_statements > 0 || keeps_lines_at_close(number)) return;
    run_before_unit(number);
}

void run_before_everything(void)
{
    if (run_own_statements > 0) return;
    for_each_unit([](unit &one) {
        if (is_concerned(one)) hand_over_unit(one, false);
    });
}

void run_before_inquiry(std::int32_t number)
{
    run_before_everything();
    if (!is_single_threaded()) run_before_unit(number);
}

void run_before_descriptor(int descriptor)
{
    if (run_own_statements > 0 || innermost_frame() != nullptr) return;
    for_each_unit([descriptor](unit &one) {
        if (one.descriptor == descriptor && one.has_waiting()) hand_over_unit(one, false);
    });
}

// ---- units ----

void run_write_failed(void) { count_hidden_error(); }

void run_descriptor_opened(int descriptor, int flags)
{
    opened_last = descriptor;
    opened_flags = flags;
    has_opened_status = false;
}

void run_descriptor_looked_at(int descriptor, const struct stat *status)
{
    if (descriptor != opened_last || descriptor < 0) return;
    opened_status = *status;
    has_opened_status = true;
}

void run_open_begins(void)
{
    opened_last = -1;
    has_opened_status = false;
}

namespace headrace::run
{

void unit_was_opened(std::int32_t number, int directions, std::int64_t longest_record, const run_time *real) noexcept
{
    unit *const one = unit_of(number);
    if (one == nullptr) return;
    const int descriptor = opened_last;
    const bool is_new = descriptor >= 0;
    if (is_new) {
        one->is_ordinary = one->reads_plainly = true;
        one->why_left = nullptr;
        one->longest_record = 0;
        one->record_by_record = false;
    }
    // On a unit that was open already its effect is the run time's to say.
    if (longest_record != 0 && (!is_new || longest_record < 0 || (real != nullptr && real->is_flang))) directions = 0;
    else if (longest_record != 0) one->longest_record = longest_record;
    one->reads_plainly = one->reads_plainly && (directions & run_opened_to_read) != 0;
    if ((directions & run_opened_to_write) == 0) one->why_left = "its OPEN asks for what is not handled";
    one->is_ordinary = one->is_ordinary && (directions & run_opened_to_write) != 0 && real != nullptr && !is_known_to_differ(*real);
    one->real = real;
    struct stat status;
    bool has_status = false;
    if (is_new) {
        one->forget_readers();
        has_status = look_at_descriptor(*one, descriptor, status);
        one->byte_statements = one->bytes_to_leave = one->byte_patience = one->left_in_a_row = 0;
    }
    one->was_written = !is_new;  // opened once more it may have been
    one->direct.is_connected((directions & run_opened_as_bytes) != 0 ? longest_record : 0);
    if (one->direct.record_bytes() != 0) one->bytes_to_leave = direct_records::first;
    const bool is_long = longest_record > direct_records::longest;
    if ((directions & run_opened_as_bytes) != 0 && real != nullptr && !is_long) set_byte_form(*one, byte_form::unknown);
    if (is_new) one->reader.is_connected(has_status ? &status : nullptr);
    else one->reader.was_moved();
    // Opened once more: where it stands, and whether it can be written, shows at the next statement.
    if (is_new && one->descriptor >= 0) settle_state(*one);
    else one->state.store(one->is_ordinary ? unit_state::unknown : unit_state::left, std::memory_order_release);
}

}  // namespace headrace::run

void run_unit_opened(std::int32_t number, int directions, std::int64_t longest_record, const void *caller)
{
    unit_was_opened(number, directions, longest_record, run_time_of(caller));
}

void run_unit_closed(std::int32_t number)
{
    unit *const one = preconnected_descriptor(number) >= 0 ? unit_of(number) : known_unit(number);
    if (one == nullptr) return;
    one->was_closed = true;
    one->descriptor = -1;
    set_byte_form(*one, byte_form::none);
    one->is_ordinary = one->reads_plainly = true;
    one->longest_record = 0;
    one->record_by_record = false;
    one->reader.forget();
    one->direct.forget();
    one->state.store(unit_state::unknown, std::memory_order_release);
}

void run_unit_changes(std::int32_t number)
{
    if (unit *const one = known_unit(number)) set_byte_form(*one, byte_form::none);
}

void run_unit_is_watched(std::int32_t number)
{
    if (unit *const one = known_unit(number)) one->reads_plainly = false;
}

void run_unit_rewound(std::int32_t number)
{
    unit *const one = known_unit(number);
    if (one == nullptr || one->descriptor < 0) return;
    if (!one->reader.is_reading()) return one->reader.was_rewound();
    lock_unit(*one);
    one->reader.was_rewound();
    if (one->reader.is_reading()) one->reader.goes_to_begin();
    unlock_unit(*one);
}

void run_starts_again(void)
{
    forget_locks();
    for_each_unit([](unit &one) {
        if (one.owner != nullptr && one.owner != this_thread_identity()) one.forget_waiting();
    });
}
