#include "formats.hpp"

#include <array>

#include "../binary/direct.hpp"
#include "../binary/meta.hpp"
#include "../binary/npy.hpp"
#include "../binary/npz.hpp"
#include "../binary/raw.hpp"
#include "../binary/sequential.hpp"
#include "../cells/characters.hpp"
#include "../core/compressed.hpp"
#include "../core/file_endings.hpp"
#include "../core/lower_case.hpp"
#include "../text/write.hpp"

namespace headrace {
namespace {

constexpr std::array formats = {
    format{"raw", ".raw .bin", write_raw, read_raw, describe_raw, uses_byte_order | takes_unsigned},
    format{"unformatted", ".unf .seq", write_sequential, read_sequential, describe_sequential,
           uses_append | uses_byte_order | uses_record_marker | uses_record | takes_unsigned},
    format{"direct", ".da .direct", write_direct, read_direct, describe_direct,
           uses_byte_order | uses_record_length | uses_record | takes_unsigned},
    format{"npy", ".npy", write_npy, read_npy, describe_npy,
           uses_byte_order | states_byte_order | takes_unsigned},
    format{"npz", ".npz", write_npz, read_npz, describe_npz,
           uses_byte_order | states_byte_order | uses_name | uses_append | uses_compression |
               takes_unsigned},
    format{"meta", ".meta", write_meta, read_meta, describe_meta,
           uses_append | uses_byte_order | states_byte_order | uses_checksum | uses_name},
    format{"csv", ".csv", write_text, read_text_array, nullptr, uses_append, true, ','},
    format{"tsv", ".tsv", write_text, read_text_array, nullptr, uses_append, true, '\t'},
    format{"text", ".txt .dat", write_text, read_text_array, nullptr, uses_append, true, ' '},
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

known_formats known_here() {
  known_formats known;
  for (const format& candidate : formats)
    known.push_back({candidate.name, candidate.endings, candidate.is_text});
  return known;
}

// The format of headrace_mpi with that name, or without a name of that ending; null where none is.
const other_format* find_other(const std::string& name, const std::string& ending) {
  for (const other_format& other : others)
    if (name.empty() ? has_ending(other.endings, ending) : name == other.name) return &other;
  return nullptr;
}

std::string use_other_library(const other_format& other) {
  const std::string advice =
      std::string(other.files) +
      " written and read by headrace_mpi: use that library, on one MPI rank too";
  return other.is_converted ? advice + "; or turn .npy into them, and back, with `headrace convert`"
                            : advice;
}

// What to do about a name or an ending that no format has.
std::string advice_about(const std::string& name, const std::string& ending) {
  const std::string near = did_you_mean(known_here(), name, ending);
  if (near.empty())
    for (const other_format& other : others)
      if (const std::string meant = did_you_mean({{other.name, other.endings}}, name, ending);
          !meant.empty())
        return meant + use_other_library(other);
  return near + advice_on(known_here(), name);
}

status no_format_here(const std::string& name, const std::string& ending) {
  const std::string wanted = lower_case(name);
  const other_format* const other = find_other(wanted, ending);
  if (other == nullptr)
    return unknown_format(name, ending, "").advise(advice_about(wanted, ending));
  const std::string what =
      name.empty() ? "the ending \"" + ending + "\"" : "the format \"" + name + "\"";
  return status::failure(stat_code::format_unknown, what + " belongs to headrace_mpi")
      .advise(use_other_library(*other));
}

}  // namespace

status find_format(const std::string& file, const std::string& name, const format*& found) {
  const std::string wanted = lower_case(name);
  const std::string whole_name = without_slashes(file);
  const std::string plain_name(without_compression_ending(whole_name));
  const std::string ending = ending_of(plain_name);
  for (const format& candidate : formats) {
    if (wanted.empty() ? !has_ending(candidate.endings, ending) : wanted != candidate.name)
      continue;
    found = &candidate;
    if (status s = refuse_slash(file, candidate.name); !s.ok()) return s;
    if (candidate.is_text || plain_name == whole_name) return {};
    return status::failure(stat_code::format_unknown,
                           std::string(candidate.name) + " files are not compressed")
        .in_file(file)
        .advise("leave out the last ending, or write a text file");
  }
  return no_format_here(name, ending).in_file(file);
}

}  // namespace headrace
