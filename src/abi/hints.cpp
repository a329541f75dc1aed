// The table of hints in C: who wants to know which hint a library looks up asks here.
#include "../../include/headrace.h"
#include "../core/mpi_hints.hpp"

using namespace headrace;

extern "C" int hr_hint_at(int number, hr_hint* hint) {
  const mpi_hint* const known = mpi_hint_at(number);
  if (known == nullptr || hint == nullptr) return 0;
  const auto takes = [known](hint_taker who) { return (known->takers & who) != 0 ? 1 : 0; };
  *hint = {known->name.data(), known->words.data(),   known->least,
           known->most,        takes(takes_ompio),    takes(takes_romio),
           takes(takes_cray),  takes(takes_headrace), takes(takes_pnetcdf)};
  return 1;
}
