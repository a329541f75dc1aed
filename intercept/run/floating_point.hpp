// The floating-point state of the thread: what the run time heeds when it formats, and the flags that it leaves.
#pragma once

#include <cstdint>

namespace headrace::run
{

#if defined(__x86_64__)
inline unsigned floating_point_state() noexcept { return __builtin_ia32_stmxcsr(); }
inline void restore_floating_point(unsigned state) noexcept { __builtin_ia32_ldmxcsr(state); }
// No flush to zero, rounding to nearest, no traps.
inline bool is_default_state(unsigned state) noexcept { return (state & 0xFFC0u) == 0x1F80u; }
// Flush to zero, subnormal operands as zero, and traps for invalid operations, division by zero and overflow.
inline constexpr unsigned harmless_bits = 0x8000 | 0x40 | 0x80 | 0x200 | 0x400;
inline constexpr unsigned default_bits = 0x1F80, control_bits = 0xFFC0;
inline constexpr unsigned inexact_flag = 0x20;
inline constexpr unsigned denormal_flag = 0x02;
#else
inline unsigned floating_point_state() noexcept
{
    std::uint64_t control, flags;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    __asm__ volatile("mrs %0, fpsr" : "=r"(flags));
    return static_cast<unsigned>(flags & 0x9F) | static_cast<unsigned>(control & 0x07FFFF00u);
}
inline void restore_floating_point(unsigned state) noexcept
{
    const std::uint64_t flags = state & 0x9F, control = state & 0x07FFFF00u;
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
    __asm__ volatile("msr fpsr, %0" : : "r"(flags));
}
inline bool is_default_state(unsigned state) noexcept { return (state & 0x07FFFF00u) == 0; }
inline constexpr unsigned harmless_bits = 0x1000000 | 0x100 | 0x200 | 0x400;
inline constexpr unsigned default_bits = 0, control_bits = 0x07FFFF00;
inline constexpr unsigned inexact_flag = 0x10;
inline constexpr unsigned denormal_flag = 0x80;
#endif

#if defined(__x86_64__)
inline void set_default_state() noexcept { restore_floating_point(0x1F80u); }
#else
inline void set_default_state() noexcept
{
    const std::uint64_t none = 0;
    __asm__ volatile("msr fpcr, %0" : : "r"(none));
}
#endif

// Does the run time write and read ordinary numbers as in the default state? Of a number that is neither subnormal nor an infinity
// it raises at most that a result is inexact, and nothing is flushed to zero: so these bits change what they do with others only,
// and those are the run time's.
inline bool is_as_by_default(unsigned state) noexcept { return ((state ^ default_bits) & control_bits & ~harmless_bits) == 0; }

// Our arithmetic is not the program's: it rounds to nearest and traps nothing, and what it raises is forgotten.
class kept_flags
{
   public:
    kept_flags() noexcept : state_(floating_point_state())
    {
        if (!is_default_state(state_)) set_default_state();
    }
    ~kept_flags()
    {
        if (floating_point_state() != state_) restore_floating_point(state_);
    }
    kept_flags(const kept_flags &) = delete;
    kept_flags &operator=(const kept_flags &) = delete;

   private:
    unsigned state_;
};

inline void raise_inexact() noexcept
{
    const unsigned state = floating_point_state();
    if ((state & inexact_flag) == 0) restore_floating_point(state | inexact_flag);
}

// A subnormal number or a signalling NaN: the run time raises flags for some of them, in some forms.
inline bool is_unusual(std::uint64_t bits) noexcept
{
    const std::uint64_t magnitude = bits << 1;
    if (magnitude - (std::uint64_t{1} << 53) < std::uint64_t{0x7FE} << 53) return false;
    if (magnitude == 0 || magnitude == std::uint64_t{0x7FF} << 53) return false;
    return magnitude < (std::uint64_t{1} << 53) || (bits & (std::uint64_t{1} << 51)) == 0;
}
inline bool is_unusual(std::uint32_t bits) noexcept
{
    const std::uint32_t magnitude = bits << 1;
    if (magnitude - (std::uint32_t{1} << 24) < std::uint32_t{0xFE} << 24) return false;
    if (magnitude == 0 || magnitude == std::uint32_t{0xFF} << 24) return false;
    return magnitude < (std::uint32_t{1} << 24) || (bits & (std::uint32_t{1} << 22)) == 0;
}

inline bool is_finite(std::uint64_t bits) noexcept { return bits << 1 < std::uint64_t{0x7FF} << 53; }
inline bool is_finite(std::uint32_t bits) noexcept { return bits << 1 < std::uint32_t{0xFF} << 24; }

}  // namespace headrace::run
