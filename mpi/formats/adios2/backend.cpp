// ADIOS2's BP5 and BP4: a store is a directory to which every MPI rank writes its own bytes. All
// here are plain calls of the library: where it waits for ever or ends the program, so does this
// (doc/reference/parallel_adios2.md). Next: writer.cpp.
#include "format.hpp"

namespace headrace {

const backend adios2_backend = {
    "adios2",
    can_serial | can_file_per_process | can_file_per_node | can_library_transfer | is_a_directory |
        can_keep,
    write_pattern::file_per_process,
    transfer_way::library,
    nullptr,
    adios2_format::create,
    adios2_format::open,
};

}  // namespace headrace
