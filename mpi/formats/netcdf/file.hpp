// The calls of a NetCDF library that writing and reading need: netcdf4.cpp makes them from
// nc_..., pnetcdf.cpp from ncmpi_.... Next: definitions.cpp, contents.hpp.
//
// Failures carry the library's own words. Definitions and attributes are the same on every MPI rank
// that has the file open; move is collective or not as use() chose.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "../../dataset/backend.hpp"
#include "../../move/boxes.hpp"
#include "../../move/placed_array.hpp"

namespace headrace::netcdf {

// What a Fortran array is in a NetCDF variable, for NetCDF-4 and PnetCDF alike. The two libraries
// have the same numbers for types; each checks them against its own header.
enum class value_type : int {
  int8 = 1,
  text = 2,
  int16 = 3,
  int32 = 4,
  real32 = 5,
  real64 = 6,
  uint8 = 7,
  uint16 = 8,
  uint32 = 9,
  int64 = 10,
  uint64 = 11,
  string = 12
};
std::size_t bytes_of(value_type type) noexcept;  // 0: none that we read
type_class class_of(value_type type) noexcept;
std::string name_of(value_type type);  // "int", "unsigned short"

// The value of a record that nobody wrote, as the NetCDF libraries have it.
std::vector<char> fill_values(value_type type, std::int64_t count);

// NetCDF has neither complex numbers, logicals nor strings of a fixed length: they are reals with a
// fastest dimension "complex" of 2, bytes, and characters with a fastest dimension
// "string<length>".
struct value_form {
  value_type type = value_type::int8;
  std::int64_t parts = 1;      // values of an element
  std::string part_dimension;  // "": there is none
  std::string mark;            // the attribute headrace_type; "": none
};
inline constexpr const char* mark_name = "headrace_type";
inline constexpr const char* step_name = "step";
// Attribute with the numbers of the steps of an array that does not have all steps of the file.
inline constexpr const char* steps_attribute = "headrace_steps";

// Failure kind_unsupported.
status form_of_kind(type_class type, std::size_t elem_len, value_form& form);

struct file_dimension {
  std::string name;
  std::int64_t length = 0;
  bool unlimited = false;
};

struct file_variable {
  std::string name;
  value_type type = value_type::int8;
  bool user_type = false;       // compound, enum and the like
  std::vector<int> dimensions;  // slowest first
};

// The array that a variable holds, and its form; dimensions: of the variable, slowest first; mark:
// its attribute headrace_type. Numbers of steps are not filled in. Failure kind_unsupported.
status array_of(const file_variable& variable, const std::vector<file_dimension>& dimensions,
                const std::string& mark, described_array& array, value_form& form);

// Bytes of the words of such values that a classic file, which is big-endian, has the other way
// round; 0: none.
std::size_t swapped_word_of(value_type type) noexcept;

// A part of an array in the order of a NetCDF variable: the record if there is one, the slowest
// dimension first, the parts of elements last.
struct file_section {
  int dimensions = 0;
  std::array<std::int64_t, max_parallel_rank + 2> start{};
  std::array<std::int64_t, max_parallel_rank + 2> count{};
  std::int64_t values = 0;
};
// record: -1 without steps. An empty section (empty: true) has as many dimensions.
file_section section_of(const box& part, const value_form& form, std::int64_t record, bool empty);

// Where a section begins and how far it reaches, in the integers of a library.
template <class Integer>
struct library_section {
  std::array<Integer, max_parallel_rank + 2> start{};
  std::array<Integer, max_parallel_rank + 2> count{};
  explicit library_section(const file_section& part) {
    std::copy(part.start.begin(), part.start.end(), start.begin());
    std::copy(part.count.begin(), part.count.end(), count.begin());
  }
};

inline constexpr int of_file = -1;  // the file itself, for attributes; NC_GLOBAL

struct found_attribute {
  bool there = false;
  value_type type{};
  std::int64_t count = 0;
};

class library_file {
 public:
  virtual ~library_file() = default;  // abandons a file that close() did not close

  // together: of the MPI ranks that open it through MPI-IO, for which the call is collective and
  // which may lack memory only when the library has done its part; MPI_COMM_NULL: one alone.
  virtual status create(const dataset_opening& how, MPI_Comm together) = 0;
  virtual status open(const dataset_opening& how, MPI_Comm together) = 0;

  // Definitions and data alternate; each call does nothing when that is so already.
  virtual status define() = 0;
  virtual status end_define() = 0;
  // length: 0 for the unlimited one
  virtual status add_dimension(const std::string& name, std::int64_t length, int& id) = 0;
  // lengths: of its dimensions, 0 for the unlimited one, which is the first
  virtual status add_variable(const file_variable& made, const std::vector<std::int64_t>& lengths,
                              int& id) = 0;
  virtual status put_attribute(int variable, const std::string& name, value_type type,
                               std::int64_t count, const void* values) = 0;
  virtual status put_texts(int variable, const std::string& name,
                           const std::vector<std::string>& texts) = 0;

  // collective: becomes true if the library reads a variable (a compressed one) only so; all
  // MPI ranks then call move equally often, also for the variables that they use afterwards
  virtual status use(int variable, bool& collective) = 0;
  virtual status move(direction way, int variable, const file_section& part, void* values) = 0;
  // Before records up to this one are written independently: collective with use(variable, true).
  virtual status extend(int /*variable*/, const file_section& /*first_value*/, void* /*values*/) {
    return {};
  }

  virtual status contents(std::vector<file_dimension>& dimensions,
                          std::vector<file_variable>& variables) = 0;
  virtual status find_attribute(int variable, const std::string& name, found_attribute& found) = 0;
  virtual status get_attribute(int variable, const std::string& name, void* values) = 0;
  // Of the type string, which classic files do not have.
  virtual status get_texts(int /*variable*/, const std::string& /*name*/,
                           std::vector<std::string>& /*texts*/) {
    return {};
  }
  // Offset of a variable, or of a record of it, in the file; -1: unknown.
  virtual std::int64_t offset_of(int /*variable*/, std::int64_t /*record*/) { return -1; }
  // Where the elements of a variable lie, or of a record of it; in a file that is written it gets
  // its place. None if they are not there as plain bytes.
  virtual status place(int variable, std::int64_t record, const value_form& form,
                       std::int64_t elements, stored_place& found) {
    const std::int64_t address = offset_of(variable, record);
    if (address < 0) return {};
    found.segments = {{0, elements, address}};
    found.swapped_word = swapped_word_of(form.type);
    return {};
  }
  // Bytes between the header and the first array.
  virtual std::int64_t header_room() { return 0; }

  // All that was written is in the file, also if the program is killed later.
  virtual status flush() { return {}; }
  virtual void renamed(const std::string& /*file*/) {}
  virtual status close() = 0;
  // After a failure of a file that all MPI ranks have open: does not close if that could wait for
  // ever.
  virtual void forget() noexcept {}
};

// An attribute, to and from a scalar or a contiguous array of rank 1. variable: of_file for one of
// the file.
status put_attribute(library_file& file, int variable, const std::string& name,
                     const array_view& value);
status get_attribute(library_file& file, int variable, const std::string& name,
                     const array_view& value);

// By the calls of netcdf.h; and for own transfer.
std::unique_ptr<library_file> make_netcdf4_file();
std::unique_ptr<library_file> make_netcdf4_own();

// NC_EBADNAME of both libraries.
inline constexpr int bad_name = -59;

// A failure of a library: a code above 0 is an errno.
status library_failure(int code, const char* words, const std::string& what);

// What NetCDF-4 and CDF-5 have in common: a library describes the file on MPI rank 0 and says where
// arrays lie (own transfer), or with transfer="library" all MPI ranks make its plain collective or
// independent calls, and agree before and after each: that is as safe as the library is.
struct netcdf_library {
  bool classic;  // one unlimited dimension only
  std::unique_ptr<library_file> (*make)();
  std::unique_ptr<library_file> (*make_own)();  // for own transfer
};

// Of several MPI ranks, which have the file open together; MPI_COMM_NULL for one alone.
inline MPI_Comm handle_of(const communicator_ptr& comm) noexcept {
  return comm == nullptr ? MPI_COMM_NULL : comm->handle();
}
// Not collective: that what most headers lie in can be read. The libraries have no errno for it,
// and OMPIO reports success of reads that failed.
status check_both_ends(const std::string& file);

// Collective: definitions.cpp and library.cpp.
status create(const netcdf_library& library, const dataset_opening& how,
              std::unique_ptr<dataset_writer>& made);
status open(const netcdf_library& library, const dataset_opening& how,
            std::unique_ptr<dataset_reader>& made);

inline constexpr unsigned abilities = can_serial | can_shared_independent | can_shared_collective |
                                      can_own_transfer | can_library_transfer | can_append |
                                      can_keep;

}  // namespace headrace::netcdf
