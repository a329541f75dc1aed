// Endings of file names, and the slash behind a name: for the tables of formats, here and in
// headrace_mpi.
#pragma once

#include <string>
#include <vector>

#include "status.hpp"

namespace headrace {

struct known_format {
  const char* name;
  const char* endings;   // separated by blanks, lower case
  bool is_text = false;  // .gz and .zst compress it
};
using known_formats = std::vector<known_format>;

// "x.zarr" of "x.zarr/", as shells complete the name of a directory
std::string without_slashes(std::string file);

// ".raw" of "run.1/x.RAW" and of "x.raw/", nothing of "run.1/x" and of ".raw"
std::string ending_of(const std::string& file);

bool has_ending(const char* endings, const std::string& ending);

// "did you mean .csv? " of endings, or of names if a name is given; empty if none is near.
std::string did_you_mean(const known_formats& known, const std::string& name,
                         const std::string& ending);

// "known are raw (.raw .bin), ..." and what to do with them.
std::string advice_on(const known_formats& known, const std::string& name);

// Failure format_unknown of a name, or without one of an ending. of: " of parallel arrays", or
// nothing.
status unknown_format(const std::string& name, const std::string& ending, const std::string& of);

// Failure argument_invalid if a slash is behind the name of a file. format: "csv", "" if it
// is not known.
status refuse_slash(const std::string& file, const std::string& format);

}  // namespace headrace
