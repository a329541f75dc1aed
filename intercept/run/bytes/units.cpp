// Units whose bytes may be kept, and how these are handed over.
#include <cstring>

#include "../settings.hpp"
#include "../start.hpp"
#include "bytes.hpp"

int run_byte_units;

namespace headrace::run
{
namespace
{

// As libgfortran.so.5 has it: blocks.hpp says where the layout comes from.
struct inquire_block {
    char head[offsetof(transfer_block, record)];  // as of every statement
    std::int64_t *exist, *opened, *number, *named, *next_record, *record_length;
    std::int64_t *position_in_stream;
    struct {
        char *text;
        std::int64_t length;
    } file_name;
    std::int64_t access_length;
    char *access;
    char *form;
    std::int64_t form_length;
    char others[208];  // BLANK= to READWRITE=
    char *convert;
    std::int64_t convert_length;
    std::uint32_t more_flags;
    char words[88];  // ASYNCHRONOUS= to PENDING=
    std::int64_t *size;
};
static_assert(offsetof(inquire_block, access) == 128 && offsetof(inquire_block, form) == 136 &&
                  offsetof(inquire_block, convert) == 360 && offsetof(inquire_block, size) == 472,
              "as in GCC 8 to 15");

enum inquire_flags : std::uint32_t {
    inquire_record_length = 1u << 12,
    inquire_access = 1u << 15,
    inquire_form = 1u << 16,
    inquire_convert = 1u << 30,
    inquire_more = 1u << 31,
    inquire_size = 1u << 6,  // of more_flags
};

// INQUIRE of the run time.
class inquiry
{
   public:
    inquiry(const unit &of, std::uint32_t flags) noexcept : of_(of)
    {
        auto &head = *reinterpret_cast<transfer_block *>(memory_);
        head.flags = block_has_iostat | flags;
        head.unit = of.number;
        head.file = "headrace";
        head.iostat = &iostat_;
    }
    inquire_block &block() noexcept { return *reinterpret_cast<inquire_block *>(memory_); }
    // False: it failed. Precondition: the run time has it.
    bool ask() noexcept
    {
        const run_time &real = *of_.real;
        ++run_own_statements;
        real.st_inquire(memory_);
        --run_own_statements;
        return iostat_ == 0;
    }

   private:
    const unit &of_;
    std::int32_t iostat_ = 0;
    // Behind it the run time may have more than we know.
    alignas(16) char memory_[transfer_block_bytes] = {};
};

bool is_word(const char *text, std::size_t bytes, const char *word) noexcept
{
    const std::size_t length = std::strlen(word);
    if (length > bytes || std::memcmp(text, word, length) != 0) return false;
    for (std::size_t i = length; i < bytes; ++i)
        if (text[i] != ' ') return false;
    return true;
}

}  // namespace

byte_form byte_form_of(const unit &one) noexcept
{
    const run_time *const real = one.real;
    if (real == nullptr || real->st_inquire == nullptr || !run_is_active || chosen.is_strict || one.each_record ||
        one.descriptor <= 2)
        return byte_form::none;
    char access[20], form[20], convert[40];
    std::int64_t record_length = 0;
    inquiry asked(one, inquire_record_length | inquire_access | inquire_form | inquire_convert);
    inquire_block &block = asked.block();
    block.record_length = &record_length;
    block.access = access, block.access_length = sizeof access;
    block.form = form, block.form_length = sizeof form;
    block.convert = convert, block.convert_length = sizeof convert;
    if (!asked.ask() || !is_word(form, sizeof form, "UNFORMATTED")) return byte_form::none;
    const bool is_direct = is_word(access, sizeof access, "DIRECT");
    if (!is_direct && !is_word(access, sizeof access, "STREAM")) return byte_form::none;
    if (static_cast<std::int64_t>(one.direct.record_bytes()) != (is_direct ? record_length : 0)) return byte_form::none;
    process_has_statements();
    if (is_word(convert, sizeof convert, "LITTLE_ENDIAN")) return byte_form::native;
    if (is_word(convert, sizeof convert, "BIG_ENDIAN")) return byte_form::swapped;
    return byte_form::none;
}

std::int64_t file_bytes_of(const unit &one) noexcept
{
    std::int64_t size = -1;
    inquiry asked(one, inquire_more);
    asked.block().more_flags = inquire_size;
    asked.block().size = &size;
    return asked.ask() ? size : -1;
}

void set_byte_form(unit &one, byte_form form) noexcept
{
    const byte_form before = one.bytes.exchange(form);
    const int change = (form != byte_form::none) - (before != byte_form::none);
    if (change != 0) __atomic_add_fetch(&run_byte_units, change, __ATOMIC_ACQ_REL);
}

namespace
{

template <class Bits>
void swap_all(char *to, const char *from, std::size_t n) noexcept
{
    for (std::size_t i = 0; i < n; ++i) {
        Bits bits;
        std::memcpy(&bits, from + i * sizeof bits, sizeof bits);
        if (sizeof bits == 8) bits = static_cast<Bits>(__builtin_bswap64(bits));
        else if (sizeof bits == 4) bits = static_cast<Bits>(__builtin_bswap32(static_cast<std::uint32_t>(bits)));
        else bits = static_cast<Bits>(__builtin_bswap16(static_cast<std::uint16_t>(bits)));
        std::memcpy(to + i * sizeof bits, &bits, sizeof bits);
    }
}

}  // namespace

void swap_values(char *to, const char *from, std::size_t n, std::size_t bytes) noexcept
{
    switch (bytes) {
    case 8: return swap_all<std::uint64_t>(to, from, n);
    case 4: return swap_all<std::uint32_t>(to, from, n);
    case 2: return swap_all<std::uint16_t>(to, from, n);
    default: std::memcpy(to, from, n * bytes);
    }
}

int leave_bytes(unit &of, transfer_block &block) noexcept
{
    if (of.has_waiting() || of.is_ahead() || of.owner != nullptr || of.is_locked) run_before_unit(of.number);
    // Defined output and input have statements on the same unit inside: those go on where the run time is.
    const bool is_to_be_seen = is_watched(block, of);
    if (((block.flags & transfer_defined) != 0 || is_to_be_seen) && frames_here().depth == 0) {
        if (frame *const one = push_frame(&block)) watch(*one, of);
    } else if (is_to_be_seen) {
        set_byte_form(of, byte_form::none);  // inside of another statement
    }
    return 0;
}

bool is_left_for_now(unit &of) noexcept
{
    if (of.bytes.load(std::memory_order_relaxed) == byte_form::none) return true;  // another thread may have had the unit

    // A file of few numbers is not worth an INQUIRE.
    constexpr std::uint32_t few = 3;
    if (of.bytes_to_leave > 0) {
        --of.bytes_to_leave;
        return true;
    }
    if (of.bytes.load(std::memory_order_relaxed) != byte_form::unknown) return false;
    if (++of.byte_statements <= few) return true;
    of.byte_statements = 0;
    set_byte_form(of, byte_form_of(of));
    return of.bytes.load(std::memory_order_relaxed) == byte_form::none;
}

site *byte_site(const transfer_block &block, unit &of, direction does, const void *caller) noexcept
{
    site *where = recent_site_of(block, does);
    if (where == nullptr) where = site_of(block, does);
    if (where == nullptr) return nullptr;
    if (__builtin_expect(where->real.load(std::memory_order_relaxed) != of.real, 0) &&
        run_time_of_site(*where, block.file != nullptr ? block.file : caller) != of.real)
        return nullptr;
    if (where->state() != site_state::left) return where;
    where->count_left();
    if (chosen.statistics[0] == '\0') of.left_file = block.file, of.left_line = block.line;
    return nullptr;
}

frame &begin_byte_frame(transfer_block &block, unit &of, site &where, frame_mode mode) noexcept
{
    thread_frames &here = frames_here();
    become_ours(here, block, mode, &of, where, of.real);
    frame &one = here.frames[0];
    one.is_swapped = of.bytes.load(std::memory_order_relaxed) == byte_form::swapped;
    one.bytes_passed = 0;
    of.file = block.file;
    of.line = block.line;
    of.owner = this_thread_identity();
    return one;
}

void grow_patience(unit &of, bool did_pay) noexcept
{
    of.bytes_to_leave = of.byte_patience = next_patience(of.byte_patience, did_pay);
}

int hand_over_bytes(unit &one, transfer_block *model) noexcept
{
    if (one.direct.is_ours()) return one.direct.write_waiting(one, model);
    const std::size_t n = one.text.size();
    one.text.clear();
    one.waiting_bytes = 0;
    if (model == nullptr) {  // somebody looks
        constexpr std::uint32_t worth_it = 4;
        grow_patience(one, one.byte_statements >= worth_it);
    }
    one.byte_statements = 0;
    const run_time &real = *one.real;
    own_statement statement(one.number, model, one.file, one.line);
    statement.begin(real);
    real.character(statement.block(), one.text.data(), static_cast<std::int64_t>(n));
    return statement.end(real, n);
}

}  // namespace headrace::run
