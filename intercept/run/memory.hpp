// Memory of our own, from mmap: a program's heap is as it would be without us. All of `new` in this
// shared object ends here (memory.cpp).
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace headrace::run
{

// Null when the system gives none (ulimit -v, a cgroup's limit).
void *take_memory(std::size_t bytes) noexcept;
void give_memory(void *place) noexcept;

// An array of plain values that grows. No destructor: what holds one lives as long as the process.
template <class T>
class growing
{
    static_assert(std::is_trivially_copyable<T>::value, "moved as bytes");

   public:
    T *data() noexcept { return data_; }
    const T *data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }
    std::size_t capacity() const noexcept { return capacity_; }
    bool empty() const noexcept { return size_ == 0; }
    T &operator[](std::size_t i) noexcept { return data_[i]; }
    const T &operator[](std::size_t i) const noexcept { return data_[i]; }
    void clear() noexcept { size_ = 0; }
    void give_back() noexcept
    {
        give_memory(data_);
        data_ = nullptr;
        size_ = capacity_ = 0;
    }
    void resize_down(std::size_t size) noexcept { size_ = size; }

    // Room for so many more. False without memory: nothing changed.
    bool reserve(std::size_t more) noexcept
    {
        if (size_ + more <= capacity_) return true;
        std::size_t capacity = capacity_ * 2 > size_ + more ? capacity_ * 2 : size_ + more;
        void *const place = take_memory(capacity * sizeof(T));
        if (place == nullptr) return false;
        if (size_ > 0) std::memcpy(place, data_, size_ * sizeof(T));
        give_memory(data_);
        data_ = static_cast<T *>(place);
        capacity_ = capacity;
        return true;
    }
    bool push(const T &value) noexcept
    {
        if (!reserve(1)) return false;
        data_[size_++] = value;
        return true;
    }
    // count more, whose bytes the caller fills. Precondition: there is room.
    T *extend(std::size_t count) noexcept
    {
        T *const place = data_ + size_;
        size_ += count;
        return place;
    }

   private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace headrace::run
