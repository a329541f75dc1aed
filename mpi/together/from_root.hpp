// What MPI rank 0 finds out alone, and all must know.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "communicator.hpp"

namespace headrace {

// Puts values into a message, or takes them out: the same calls in the same order do both.
class message_pass {
 public:
  message_pass(std::string& all, bool packs) : all_(all), packs_(packs) {}
  bool packs() const noexcept { return packs_; }

  template <class Number>
  void number(Number& value) {
    auto passed = static_cast<std::int64_t>(value);
    bytes(reinterpret_cast<char*>(&passed), sizeof passed);
    value = static_cast<Number>(passed);
  }
  void text(std::string& value) {
    std::size_t count = value.size();
    number(count);
    value.resize(count);
    bytes(value.data(), count);
  }
  // each(value): passes one of them
  template <class Value, class Each>
  void list(std::vector<Value>& values, Each each) {
    std::size_t count = values.size();
    number(count);
    values.resize(count);
    for (Value& value : values) each(value);
  }
  void numbers(std::vector<std::int64_t>& values) {
    list(values, [&](std::int64_t& value) { number(value); });
  }
  void texts(std::vector<std::string>& values) {
    list(values, [&](std::string& value) { text(value); });
  }

 private:
  void bytes(char* value, std::size_t count) {
    if (packs_)
      all_.append(value, count);
    else
      at_ += all_.copy(value, count, at_);
  }

  std::string& all_;
  bool packs_;
  std::size_t at_ = 0;
};

// Collective: the outcome of MPI rank 0, on all; with "MPI rank 0: " if its node is to blame,
// and not the file or the request.
status status_of_root(const communicator& comm, const status& mine);

// Collective: what find() found on MPI rank 0, which may fail, is on all what pass(way) passes;
// they may lack memory for it.
template <class Find, class Pass>
status pass_from_root(const communicator& comm, Find find, Pass pass) {
  std::string all;
  status mine;
  if (comm.rank() == 0)
    mine = caught([&] {
      status found = find();
      if (!found.ok()) return found;
      message_pass way(all, true);
      pass(way);
      return found;
    });
  if (status s = status_of_root(comm, mine); !s.ok()) return s;
  return agree_on(comm, [&] {
    all = text_from(comm, 0, all);
    message_pass way(all, false);
    pass(way);
    return status();
  });
}

}  // namespace headrace
