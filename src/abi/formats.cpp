#include "formats.hpp"

#include <algorithm>
#include <array>
#include <new>

#include "../../include/headrace.h"
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

// A format of headrace_mpi alone; files: "HDF5 files are"
constexpr format elsewhere(const char* name, const char* endings, const char* files,
                           unsigned options) {
  return {name, endings, nullptr, nullptr, nullptr, options, false, '\0', files};
}

constexpr std::array formats = {
    format{"raw", ".raw .bin", write_raw, read_raw, describe_raw, uses_byte_order | takes_unsigned},
    format{"unformatted", ".unf .seq", write_sequential, read_sequential, describe_sequential,
           uses_append | uses_byte_order | uses_record_marker | uses_record | takes_unsigned},
    format{"direct", ".da .direct", write_direct, read_direct, describe_direct,
           uses_byte_order | uses_record_length | uses_record | takes_unsigned},
    format{"npy", ".npy", write_npy, read_npy, describe_npy,
           uses_byte_order | states_byte_order | takes_unsigned | keeps_indices},
    format{"npz", ".npz", write_npz, read_npz, describe_npz,
           uses_byte_order | states_byte_order | uses_name | uses_append | uses_compression |
               takes_unsigned | keeps_indices},
    format{"meta", ".meta", write_meta, read_meta, describe_meta,
           uses_append | uses_byte_order | states_byte_order | uses_checksum | uses_name |
               keeps_indices},
    format{"csv", ".csv", write_text, read_text_array, nullptr, uses_append, true, ','},
    format{"tsv", ".tsv", write_text, read_text_array, nullptr, uses_append, true, '\t'},
    format{"text", ".txt .dat", write_text, read_text_array, nullptr, uses_append, true, ' '},
    // Who asks here for one of these has taken the wrong library.
    elsewhere("hdf5", ".h5 .hdf5", "HDF5 files are", is_converted),
    elsewhere("netcdf4", ".nc .nc4", "NetCDF-4 files are", is_converted),
    elsewhere("pnetcdf", ".pnc .cdf5", "CDF-5 files are", is_converted),
    elsewhere("adios2", ".bp", "ADIOS2's stores are", 0),
    elsewhere("zarr", ".zarr", "Zarr stores are", is_converted),
};

known_formats known_here() {
  known_formats known;
  for (const format& one : formats)
    if (one.elsewhere == nullptr) known.push_back({one.name, one.endings, one.is_text});
  return known;
}

// The format of that name, or without a name of that ending; null if there is none.
const format* look_up(std::string_view name, const std::string& ending) noexcept {
  for (const format& one : formats)
    if (name.empty() ? has_ending(one.endings, ending) : name == one.name) return &one;
  return nullptr;
}

std::string use_other_library(const format& other) {
  const std::string advice =
      std::string(other.elsewhere) +
      " written and read by headrace_mpi: use that library, on one MPI rank too";
  return (other.options & is_converted) != 0
             ? advice + "; or turn .npy into them, and back, with `headrace convert`"
             : advice;
}

// What to do about a name or an ending that no format has.
std::string advice_about(const std::string& name, const std::string& ending) {
  if (!name.empty() && name.front() == '(')
    return "give a Fortran format by edit=, and the kind of the file by its ending, .txt or .csv";
  const std::string near = did_you_mean(known_here(), name, ending);
  if (near.empty())
    for (const format& other : formats)
      if (other.elsewhere != nullptr)
        if (const std::string meant = did_you_mean({{other.name, other.endings}}, name, ending);
            !meant.empty())
          return meant + use_other_library(other);
  return near + advice_on(known_here(), name);
}

status belongs_elsewhere(const format& other, const std::string& name, const std::string& ending) {
  const std::string what =
      name.empty() ? "the ending \"" + ending + "\"" : "the format \"" + name + "\"";
  return status::failure(stat_code::format_unknown, what + " belongs to headrace_mpi")
      .advise(use_other_library(other));
}

}  // namespace

status find_format(const std::string& file, const std::string& name, const format*& found) {
  const std::string wanted = lower_case(name);
  const std::string whole_name = without_slashes(file);
  const std::string plain_name(without_compression_ending(whole_name));
  const std::string ending = ending_of(plain_name);
  const format* const chosen = look_up(wanted, ending);
  if (chosen == nullptr)
    return unknown_format(name, ending, "").in_file(file).advise(advice_about(wanted, ending));
  if (chosen->elsewhere != nullptr) return belongs_elsewhere(*chosen, name, ending).in_file(file);
  found = chosen;
  if (status s = refuse_slash(file, chosen->name); !s.ok()) return s;
  if (chosen->is_text || plain_name == whole_name) return {};
  return status::failure(stat_code::format_unknown,
                         std::string(chosen->name) + " files are not compressed")
      .in_file(file)
      .advise("leave out the last ending, or write a text file");
}

const format* format_by_ending(const std::string& file) {
  const std::string whole_name = without_slashes(file);
  return look_up("", ending_of(std::string(without_compression_ending(whole_name))));
}

const char* endings_of(std::string_view name) noexcept {
  const format* const named = name.empty() ? nullptr : look_up(name, "");
  return named == nullptr ? "" : named->endings;
}

}  // namespace headrace

using namespace headrace;

extern "C" const hr_format* hr_format_at(int number) {
  static const auto table = [] {
    std::array<hr_format, formats.size()> made{};
    std::transform(formats.begin(), formats.end(), made.begin(), [](const format& one) {
      return hr_format{one.name,
                       one.endings,
                       one.is_text,
                       (one.options & keeps_indices) != 0,
                       (one.options & takes_unsigned) != 0,
                       one.elsewhere != nullptr};
    });
    return made;
  }();
  const auto place = static_cast<std::size_t>(number);
  return place < table.size() ? &table[place] : nullptr;
}

extern "C" const hr_format* hr_format_of(const char* file) {
  if (file == nullptr) return nullptr;
  try {
    const format* const found = format_by_ending(file);
    return found == nullptr ? nullptr : hr_format_at(static_cast<int>(found - formats.data()));
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
