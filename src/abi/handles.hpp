// Numbers that stand for objects of the library: a number of a closed object is told from every
// number given out later, so that using it is an error with a name.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "../core/status.hpp"

namespace headrace {

// Objects of one kind. Several threads may call it at once; an object that is closed while another
// thread uses it lives until that thread is done.
template <class Object>
class handle_registry {
 public:
  // Never 0. The lower half is the place plus one, the upper half how often the place was used.
  std::int64_t add(std::shared_ptr<Object> object) {
    const std::lock_guard<std::mutex> lock(guard_);
    const std::uint32_t place = free_place();
    places_[place].object = std::move(object);
    return static_cast<std::int64_t>(std::uint64_t{places_[place].generation} << 32U |
                                     (place + 1U));
  }

  // Null when the number was never given out or its object is closed.
  std::shared_ptr<Object> find(std::int64_t number) const {
    const std::lock_guard<std::mutex> lock(guard_);
    const std::uint32_t place = place_of(number);
    return place < places_.size() ? places_[place].object : nullptr;
  }

  // The same for an object with a mutex of its own, guard, which is locked until the result goes.
  // Whoever closes an object locks its guard behind remove(), and so waits for all that have it.
  class locked {
   public:
    locked() = default;
    locked(Object* object, std::shared_ptr<Object> keeper) noexcept
        : keeper_(std::move(keeper)), object_(object) {}
    locked(locked&& other) noexcept
        : keeper_(std::move(other.keeper_)), object_(std::exchange(other.object_, nullptr)) {}
    locked& operator=(locked&&) = delete;
    ~locked() {
      if (object_ != nullptr) object_->guard.unlock();
    }
    Object* get() const noexcept { return object_; }

   private:
    std::shared_ptr<Object> keeper_;  // null: who closes it is waiting
    Object* object_ = nullptr;
  };

  locked find_locked(std::int64_t number) const {
    std::unique_lock<std::mutex> lock(guard_);
    const std::uint32_t place = place_of(number);
    if (place >= places_.size()) return {};
    Object* const object = places_[place].object.get();
    // Nobody has it, so that nobody can close it before this lock ends: no count of users is
    // needed.
    if (object->guard.try_lock()) return {object, nullptr};
    std::shared_ptr<Object> keeper = places_[place].object;
    lock.unlock();
    object->guard.lock();
    return {object, std::move(keeper)};
  }

  // Those that are open.
  std::vector<std::shared_ptr<Object>> all() const {
    const std::lock_guard<std::mutex> lock(guard_);
    std::vector<std::shared_ptr<Object>> open;
    for (const place_state& place : places_)
      if (place.object != nullptr) open.push_back(place.object);
    return open;
  }

  // Takes the object out; null as in find(). Needs no memory: who closes an object with others may
  // not be the one who cannot.
  std::shared_ptr<Object> remove(std::int64_t number) noexcept {
    const std::lock_guard<std::mutex> lock(guard_);
    const std::uint32_t place = place_of(number);
    if (place >= places_.size()) return nullptr;
    free_.push_back(place);
    // 31 bits, so that the numbers stay positive.
    places_[place].generation = (places_[place].generation + 1U) & 0x7FFFFFFFU;
    return std::move(places_[place].object);
  }

 private:
  struct place_state {
    std::shared_ptr<Object> object;
    std::uint32_t generation = 1;
  };

  std::uint32_t free_place() {
    if (free_.empty()) {
      if (free_.capacity() <= places_.size()) free_.reserve(2 * places_.size() + 1);
      places_.emplace_back();
      return static_cast<std::uint32_t>(places_.size() - 1);
    }
    const std::uint32_t place = free_.back();
    free_.pop_back();
    return place;
  }

  // The place of an open object, otherwise one that does not exist.
  std::uint32_t place_of(std::int64_t number) const {
    const auto bits = static_cast<std::uint64_t>(number);
    const auto place = static_cast<std::uint32_t>(bits & 0xFFFFFFFFU) - 1U;
    const bool open = place < places_.size() && places_[place].generation == bits >> 32U &&
                      places_[place].object != nullptr;
    return open ? place : UINT32_MAX;
  }

  mutable std::mutex guard_;
  std::vector<place_state> places_;
  std::vector<std::uint32_t> free_;
};

// what: "the table", "the text_writer", "the cells". number 0 was never opened, or closing set it
// back to 0: which of them it does not tell.
inline status closed_handle(const std::string& what, std::int64_t number) {
  const bool plural = what.back() == 's';
  if (number == 0)
    return status::failure(
               stat_code::handle_closed,
               what + (plural ? " are closed or were" : " is closed or was") + " never opened")
        .advise(plural ? "fill them first" : "open or fill it first");
  return status::failure(stat_code::handle_closed, what + (plural ? " are" : " is") + " closed")
      .advise(std::string(plural ? "fill them" : "open it") +
              " again; a copy of the variable is the same handle");
}

}  // namespace headrace
