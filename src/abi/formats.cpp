#include "formats.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "../binary/direct.hpp"
#include "../binary/meta.hpp"
#include "../binary/npy.hpp"
#include "../binary/npz.hpp"
#include "../binary/raw.hpp"
#include "../binary/sequential.hpp"
#include "../core/compressed.hpp"
#include "../core/lower_case.hpp"
#include "../text/text_read.hpp"
#include "../text/text_write.hpp"

namespace headrace {
namespace {

constexpr std::array formats = {
    format{"raw", ".raw .bin", write_raw, read_raw, describe_raw, uses_byte_order},
    format{"unformatted", ".unf .seq", write_sequential, read_sequential, describe_sequential,
           uses_append | uses_byte_order | uses_record_marker | uses_record},
    format{"direct", ".da .direct", write_direct, read_direct, describe_direct,
           uses_byte_order | uses_record_length | uses_record},
    format{"npy", ".npy", write_npy, read_npy, describe_npy, uses_byte_order | states_byte_order},
    format{"npz", ".npz", write_npz, read_npz, describe_npz,
           uses_byte_order | states_byte_order | uses_name | uses_append | uses_compression},
    format{"meta", ".meta", write_meta, read_meta, describe_meta,
           uses_append | uses_byte_order | states_byte_order | uses_checksum | uses_name},
    format{"csv", ".csv", write_text, read_text, nullptr, uses_append, true, ','},
    format{"tsv", ".tsv", write_text, read_text, nullptr, uses_append, true, '\t'},
    format{"text", ".txt .dat", write_text, read_text, nullptr, uses_append, true, ' '},
};

// Formats of headrace_mpi alone: who asks for one here has taken the wrong library.
struct other_format {
  const char* name;
  const char* endings;
  const char* files;
  bool is_converted;  // `headrace convert` writes it
};

constexpr std::array others = {
    other_format{"hdf5", ".h5 .hdf5", "HDF5 files are", true},
    other_format{"netcdf4", ".nc .nc4", "NetCDF-4 files are", true},
    other_format{"pnetcdf", ".pnc .cdf5", "CDF-5 files are", true},
    other_format{"adios2", ".bp", "ADIOS2's stores are", false},
    other_format{"zarr", ".zarr", "Zarr stores are", true},
};

// ".raw" of "run.1/x.raw", nothing of "run.1/x", of ".raw" and of "x.raw/"
std::string ending_of(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
  const std::size_t dot = file.rfind('.');
  return dot == std::string::npos || dot <= begin ? "" : lower_case(file.substr(dot));
}

// "x.zarr" of "x.zarr/", as shells complete the name of a directory
std::string without_slashes(std::string file) {
  while (file.size() > 1 && file.back() == '/') file.pop_back();
  return file;
}

bool has_ending(const char* endings, const std::string& ending) {
  std::istringstream words(endings);
  for (std::string known; words >> known;)
    if (known == ending) return true;
  return false;
}

std::string known_formats() {
  std::string text = "known are ";
  for (const format& candidate : formats) {
    if (&candidate != &formats.front()) text += ", ";
    text += std::string(candidate.name) + " (" + candidate.endings + ")";
  }
  return text;
}

// What to do about a name or an ending that no format here has.
std::string advice_about(const std::string& name, const std::string& ending) {
  for (const other_format& other : others) {
    if (name.empty() ? !has_ending(other.endings, ending) : name != other.name) continue;
    const std::string advice =
        std::string(other.files) +
        " written and read by headrace_mpi: use that library, on one MPI rank too";
    return other.is_converted ? advice + "; or `headrace convert`, from .npy and to it" : advice;
  }
  if (!name.empty()) return known_formats();
  return known_formats() + "; use such an ending or the option format=\"" + formats.front().name +
         "\"";
}

}  // namespace

status find_format(const std::string& file, const std::string& name, const format*& found) {
  const std::string wanted = lower_case(name);
  const std::string plain_name(without_compression_ending(file));
  const std::string ending = ending_of(plain_name);
  for (const format& candidate : formats) {
    if (wanted.empty() ? !has_ending(candidate.endings, ending) : wanted != candidate.name)
      continue;
    found = &candidate;
    if (candidate.is_text || plain_name == file) return {};
    return status::failure(stat_code::format_unknown,
                           std::string(candidate.name) + " files are not compressed")
        .in_file(file)
        .advise("leave out the last ending, or write a text file");
  }
  if (!wanted.empty())
    return status::failure(stat_code::format_unknown, "there is no format \"" + name + "\"")
        .in_file(file)
        .advise(advice_about(wanted, ending));
  return status::failure(stat_code::format_unknown,
                         ending.empty() ? "the file name has no ending that names a format"
                                        : "the ending \"" + ending + "\" names no format")
      .in_file(file)
      .advise(advice_about(wanted, ending_of(without_slashes(plain_name))));
}

}  // namespace headrace
