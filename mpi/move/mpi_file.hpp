// MPI_File with errors as statuses, for the pattern's collective or independent calls.
#pragma once

#include <mpi.h>

#include "settings.hpp"
#include "slabs.hpp"

namespace headrace {

class mpi_file {
 public:
  mpi_file() = default;
  ~mpi_file();  // collective when still open
  mpi_file(const mpi_file&) = delete;
  mpi_file& operator=(const mpi_file&) = delete;

  // Collective. mode: MPI_MODE_... found: what MPI made of the hints.
  status open(const communicator& comm, const std::string& file, int mode, const hint_list& hints,
              hints_found& found);
  // Collective. The array lies from offset on in global element order.
  status pass_array(std::int64_t offset, const array_view& local, const array_layout& layout,
                    bool collective, direction way);
  status sync();  // collective
  status close();
  // After a failure of a collective call: MPI ranks that left it early have messages under way,
  // which those who get the file's communicator next would take for theirs. MPI_Finalize closes it.
  void forget() noexcept { file_ = MPI_FILE_NULL; }

 private:
  status transfer(std::int64_t offset, const box& part, const array_layout& layout,
                  const element_form& form, char* data, bool collective, bool writes);
  status done(int code, const char* what) const;

  MPI_File file_ = MPI_FILE_NULL;
  std::string name_;
};

}  // namespace headrace
