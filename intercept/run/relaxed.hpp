// A value that another thread may look at while it changes: it sees the old one or the new one. Nothing else is ordered by it.
#pragma once

#include <atomic>

namespace headrace::run
{

template <class T>
class relaxed
{
   public:
    constexpr relaxed(T value) noexcept : value_(value) {}
    operator T() const noexcept { return value_.load(std::memory_order_relaxed); }
    T operator=(T value) noexcept
    {
        value_.store(value, std::memory_order_relaxed);
        return value;
    }
    T operator=(const relaxed &other) noexcept { return *this = static_cast<T>(other); }
    // By one thread at a time.
    void operator+=(T more) noexcept { *this = static_cast<T>(*this + more); }
    // What was done before the store is done for who sees its value by `acquired`.
    void release(T value) noexcept { value_.store(value, std::memory_order_release); }
    T acquired() const noexcept { return value_.load(std::memory_order_acquire); }

   private:
    std::atomic<T> value_;
};

}  // namespace headrace::run
