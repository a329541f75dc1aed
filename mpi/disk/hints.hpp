// Hints: what the user asked for, what a library says is in force, what it ignored.
#pragma once

#include <mpi.h>

#include <map>
#include <string>

#include "../together/communicator.hpp"

namespace headrace {

using hint_list = std::map<std::string, std::string>;

// "a=b,c=d", a profile's name, or a profile and more, which comes before the profile's own; of two
// profiles the later. A name with two values is refused. Failure option_unknown.
// Values with commas are quoted: striping="1,2". Hints that count or measure take the integers that
// mean something only, and headrace's own words must be right; other words are the libraries' own.
status parse_hints(const std::string& text, hint_list& hints);

// An MPI_Info with these; MPI_INFO_NULL when there are none. Free it with MPI_Info_free.
class info_of_hints {
 public:
  explicit info_of_hints(const hint_list& hints, bool for_hdf5 = false);
  // For files of HDF5, of which NetCDF-4's are: ROMIO would write the metadata
  // together with all elements in between, and so need room for these as well. The user's own
  // value comes first.
  static info_of_hints for_hdf5(const hint_list& hints) { return info_of_hints(hints, true); }
  ~info_of_hints();
  info_of_hints(const info_of_hints&) = delete;
  info_of_hints& operator=(const info_of_hints&) = delete;
  MPI_Info get() const noexcept { return info_; }
  // Collective, just after the file was opened with this: ROMIO of Open MPI 5 ignores every hint
  // of the opening, but takes those that it can still follow then.
  void give_again(MPI_File file) const noexcept;

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

// What is in force. asked - in_force, or another value there, is ignored.
struct hints_found {
  hint_list in_force;
  hint_list ignored;
  void learn(const hint_list& asked, const hint_list& found);
  // Asks an MPI_Info, as MPI_File_get_info or a library gives it; it is not freed. Open MPI
  // repeats whatever it was told: then only what its module can make sense of counts.
  void learn(const hint_list& asked, MPI_Info info);
  void learn(const hint_list& asked, MPI_File file);
};

// Collective: what MPI rank 0 has found, on all.
void broadcast_found(const communicator& comm, hints_found& found);

// "name=value,name=value"
std::string text_of(const hint_list& hints);

}  // namespace headrace
