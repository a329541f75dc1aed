// Texts at random: numbers of all forms, separators, nulls, repeats, junk, and mutations of them.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include "both_ways.hpp"

namespace headrace {

class random_texts {
 public:
  explicit random_texts(std::uint64_t seed) : random_(seed) {}

  // A READ of the kind with a list-directed text.
  read_case list_directed();
  // A READ with a format.
  read_case formatted();

 private:
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  char any_of(std::string_view characters) { return characters[below(characters.size())]; }
  std::string digits(std::size_t most);
  std::string sign();
  std::string integer();
  std::string real(char point);
  std::string logical();
  std::string characters();
  std::string list_value(const read_case& one);
  std::string list_separator(const read_case& one);
  std::string complex(const read_case& one);
  void mutate(std::string& text, std::string_view alphabet);

  std::string field(const read_case& one);
  std::string radix_digits();
  std::string line(const read_case& one, bool plain);
  std::string data_descriptor(const read_case& one);
  std::string control_descriptor(const read_case& one, bool tabs);
  std::string format_list(const read_case& one, bool tabs, int depth);

  std::size_t width_ = 8;  // of most fields of a formatted case
  std::mt19937_64 random_;
};

}  // namespace headrace
