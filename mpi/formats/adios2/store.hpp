// ADIOS2 believes what the index files of a BP5 store say; cut or damaged ones make it crash. This
// looks whether they fit together first.
#pragma once

#include <string>

#include "../../../src/core/status.hpp"

namespace headrace {

// Not collective. Success too for what is no BP5 store: then ADIOS2 says what it is. Failures
// header_damaged, end_of_file for a cut data file, ENOENT for one that is gone.
status check_bp5_store(const std::string& directory);

}  // namespace headrace
