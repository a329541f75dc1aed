// The files of a pair: a .meta text and the data files beside it. Next: meta.cpp writes and reads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "../core/array_info.hpp"
#include "meta_entry.hpp"

namespace headrace {

class meta_pair {
 public:
  explicit meta_pair(const std::string& file);

  // The .meta file, symbolic links followed: data files stand beside the text itself.
  const std::string& text_file() const noexcept { return text_file_; }
  std::string path_of(const std::string& data_file) const;

  // Reads the text; entries know their data files then.
  status load(std::string& text, std::vector<meta_entry>& entries) const;

  // True for a name that create_data_file() gives; the number in it, 0 without one.
  bool is_own(const meta_entry& entry, std::uint64_t& number) const;

  // Creates an empty data file for the kind of array that info tells, under a name that no older
  // text of the pair has: run.real64.bin, run.real64.1.bin, ...
  status create_data_file(const array_info& info, const std::vector<meta_entry>& older,
                          std::string& data_file) const;

  // Removes the data files of older texts that no entry of a new one mentions. Files of other names
  // stay: somebody wrote them by other means.
  void remove_unused(const std::vector<meta_entry>& older,
                     const std::vector<meta_entry>& newer) const noexcept;

 private:
  std::string beginning_of(const array_info& info) const;

  std::string file_;  // as the caller names it
  std::string text_file_;
  std::string directory_;
  std::string stem_;
};

// Checks that the data file is there and long enough.
status check_data(const meta_entry& entry, const std::string& file);

}  // namespace headrace
