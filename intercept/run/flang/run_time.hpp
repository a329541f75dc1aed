// The run time of LLVM flang behind the functions that gfortran's has: a parameter block begins a statement, items follow.
#pragma once

#include "../run_time.hpp"

namespace headrace::run
{

// That of the object with this address inside. Null: it has none that is linked in, or some call to it goes past us.
const run_time *flang_run_time_of(const void *address) noexcept;

// The object that has it; 0 bytes until it was looked for, and if there is none.
struct object_range {
    std::uintptr_t begins, bytes;
    bool is_looked_for;
};
extern object_range flang_object;

// Are all calls of the object with this address inside ours? Otherwise a cookie of ours would come to the run time.
inline bool sees_all_calls(const void *address) noexcept
{
    const std::uintptr_t place = reinterpret_cast<std::uintptr_t>(address);
    const std::uintptr_t bytes = __atomic_load_n(&flang_object.bytes, __ATOMIC_ACQUIRE);
    if (place - flang_object.begins < bytes) return true;
    return !__atomic_load_n(&flang_object.is_looked_for, __ATOMIC_RELAXED) && flang_run_time_of(address) != nullptr;
}

// Was one found in this process, and is it good?
bool has_flang_run_time() noexcept;

}  // namespace headrace::run
