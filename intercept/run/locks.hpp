// The locks of what is rarely changed, in one place: in the child of a fork none of them is held.
#pragma once

#include <pthread.h>

namespace headrace::run
{

enum lock_of {
    lock_of_memory,
    lock_of_run_times,
    lock_of_formats,
    lock_of_layouts,
    lock_of_sites,
    lock_of_units,
    lock_of_test,
    locks
};

extern pthread_mutex_t cold_locks[locks];

class locked
{
   public:
    explicit locked(lock_of one) noexcept : lock_(cold_locks[one]) { pthread_mutex_lock(&lock_); }
    ~locked() { pthread_mutex_unlock(&lock_); }
    locked(const locked &) = delete;
    locked &operator=(const locked &) = delete;

   private:
    pthread_mutex_t &lock_;
};

}  // namespace headrace::run
