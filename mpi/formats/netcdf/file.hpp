// The calls of a NetCDF library that writing and reading need: netcdf4.cpp makes them from nc_...,
// pnetcdf.cpp from ncmpi_.... Next: netcdf/writer.cpp, netcdf/reader.cpp.
//
// Failures carry the library's own words. Definitions and attributes are the same on every MPI rank
// that has the file open; put and get are collective or not as use() chose.
#pragma once

#include <memory>

#include "../../disk/byte_ranges.hpp"
#include "../../move/collective_cycles.hpp"
#include "../../together/function_ref.hpp"
#include "types.hpp"

namespace headrace {

inline constexpr int netcdf_global = -1;  // the file itself, for attributes; NC_GLOBAL

struct netcdf_opening {
  std::string path;
  MPI_Comm comm = MPI_COMM_SELF;
  bool parallel = false;  // through MPI-IO
  const hint_list* hints = nullptr;
  hints_found* found = nullptr;  // learns
};

class netcdf_file {
 public:
  virtual ~netcdf_file() = default;  // abandons a file that close() did not close

  // Collective on the MPI ranks that open it, which may lack memory only when the library has done
  // its part.
  virtual status create(const netcdf_opening& how) = 0;
  virtual status open(const netcdf_opening& how) = 0;
  // Collective, for a new file that all MPI ranks have open.
  virtual status prepare_to_write(const communicator_ptr& /*together*/) { return {}; }
  // Collective on the MPI ranks that have the file open: act() writes little, by a way in which
  // nobody waits for an MPI rank that cannot write.
  virtual status write_little(function_ref<status()> act) { return act(); }

  // Definitions and data alternate; each call does nothing when that is so already.
  virtual status define() = 0;
  virtual status end_define() = 0;
  virtual bool is_defining() const noexcept = 0;
  // length: 0 for the unlimited one
  virtual status add_dimension(const std::string& name, std::int64_t length, int& id) = 0;
  // lengths: of its dimensions, 0 for the unlimited one, which is the first
  virtual status add_variable(const netcdf_variable& variable,
                              const std::vector<std::int64_t>& lengths, int& id) = 0;
  virtual status put_attribute(int variable, const std::string& name, netcdf_type type,
                               std::int64_t count, const void* values) = 0;
  virtual status put_texts(int variable, const std::string& name,
                           const std::vector<std::string>& texts) = 0;

  // collective: becomes true where the library reads a variable (a compressed one) only so; all
  // MPI ranks then call get equally often, also for the variables that they use afterwards
  virtual status use(int variable, bool& collective) = 0;
  virtual status put(int variable, netcdf_type type, const netcdf_section& part,
                     const void* values) = 0;
  virtual status get(int variable, netcdf_type type, const netcdf_section& part, void* values) = 0;
  // How collective put()s of such an array are made.
  virtual collective_calls calls_for(const array_layout& layout) const = 0;
  // Before records up to this one are written independently: collective with use(variable, true).
  virtual status extend(int variable, netcdf_type type, const netcdf_section& first_value,
                        const void* values) = 0;
  // A variable has fewer records than the file and nobody reads garbage there.
  virtual bool pads_records() const noexcept = 0;

  virtual status contents(std::vector<netcdf_dimension>& dimensions,
                          std::vector<netcdf_variable>& variables) = 0;
  virtual status find_attribute(int variable, const std::string& name, netcdf_type& type,
                                std::int64_t& count, bool& there) = 0;
  virtual status get_attribute(int variable, const std::string& name, void* values) = 0;
  virtual status get_texts(int variable, const std::string& name,
                           std::vector<std::string>& texts) = 0;
  // Offset of a variable, or of a record of it, in the file; -1: unknown.
  virtual std::int64_t offset_of(int variable, std::int64_t record) = 0;
  // Collective, between definitions. Gives the records of a variable up to `last` a place in the
  // file; found: where records first to last lie, of so many bytes each, none where the library
  // does not tell. -1 and -1: a variable without records. agreed(): the outcome on all of them.
  virtual status place(int variable, std::int64_t first, std::int64_t last, std::int64_t bytes,
                       function_ref<status(status mine)> agreed, std::vector<byte_range>& found);

  virtual status close() = 0;
  // After a failure of writing: does not close, where closing could wait for ever.
  virtual void forget() noexcept = 0;
  // After a failed write: closes at the end without harm where it can, else forgets.
  virtual void abandon() noexcept { forget(); }
};

// NC_EBADNAME of both libraries.
inline constexpr int netcdf_bad_name = -59;

// A failure of a library: a code above 0 is an errno.
status netcdf_failure(int code, const char* words, const std::string& what,
                      const std::string& file);

}  // namespace headrace
