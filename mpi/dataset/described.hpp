// Datasets of the formats that describe their files (description.hpp): MPI rank 0 alone asks the
// format for the place of an array, and all MPI ranks move the bytes. Next:
// ../move/placed_array.hpp.
#pragma once

#include <functional>

#include "description.hpp"

namespace headrace {

// Makes the description on MPI rank 0; found: the arrays that an old file has. notes: of MPI rank
// 0.
using description_maker = function_ref<status(std::unique_ptr<file_description>& made,
                                              std::vector<catalogue_array>& found)>;

// Collective. The empty file is there when make() is called, with the striping of the hints.
status create_described(const dataset_opening& how, const description_maker& make,
                        std::unique_ptr<dataset_writer>& made);
// Collective, for a file that is there.
status append_described(const dataset_opening& how, const description_maker& make,
                        std::unique_ptr<dataset_writer>& made);

// Opens the file on MPI rank 0, and on the others when they must read it through the library.
using described_opener = std::function<status(std::unique_ptr<described_file>& made)>;

// Collective.
status open_described(const dataset_opening& how, described_opener open,
                      std::unique_ptr<dataset_reader>& made);

}  // namespace headrace
