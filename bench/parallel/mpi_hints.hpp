// Hints for MPI-IO: those asked for, and what became of them.
#pragma once

#include <mpi.h>

#include <map>
#include <string>

namespace headrace::bench {

using hint_map = std::map<std::string, std::string>;

// "name=value,name=value"; a value with commas stands in quotation marks. Throws
// std::invalid_argument.
hint_map parse_hint_text(const std::string& text);
std::string text_of_hints(const hint_map& hints);
hint_map hints_of(MPI_Info info);
// What is in force of what MPI reports. Open MPI reports every hint that was asked for, whoever
// looks it up or not: then those are left that its module of MPI-IO knows.
hint_map hints_in_force(const hint_map& reported, bool romio);
// Those that are not in force as asked.
hint_map ignored_hints(const hint_map& asked, const hint_map& in_force);

// An MPI_Info with hints, and one more that tells whether MPI repeats what it does not know;
// MPI_INFO_NULL without any.
class hint_info {
 public:
  explicit hint_info(const std::string& text);
  ~hint_info();
  hint_info(const hint_info&) = delete;
  hint_info& operator=(const hint_info&) = delete;
  MPI_Info get() const noexcept { return info_; }

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

}  // namespace headrace::bench
