#include "pnetcdf_file.hpp"

#include <pnetcdf.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "../../../src/core/name_text.hpp"
#include "../../disk/library_files.hpp"

namespace headrace::netcdf {
namespace {

static_assert(static_cast<int>(value_type::int8) == NC_BYTE &&
              static_cast<int>(value_type::text) == NC_CHAR &&
              static_cast<int>(value_type::int16) == NC_SHORT &&
              static_cast<int>(value_type::int32) == NC_INT &&
              static_cast<int>(value_type::int64) == NC_INT64 &&
              static_cast<int>(value_type::real32) == NC_FLOAT &&
              static_cast<int>(value_type::real64) == NC_DOUBLE && of_file == NC_GLOBAL &&
              bad_name == NC_EBADNAME);

MPI_Datatype memory_type(value_type type) noexcept {
  switch (type) {
    case value_type::text:
      return MPI_CHAR;
    case value_type::int16:
      return MPI_SHORT;
    case value_type::int32:
      return MPI_INT;
    case value_type::int64:
      return MPI_LONG_LONG;
    case value_type::real32:
      return MPI_FLOAT;
    case value_type::real64:
      return MPI_DOUBLE;
    default:
      return MPI_SIGNED_CHAR;
  }
}

std::int64_t reserve_of(const hint_list& hints) {
  constexpr std::int64_t usual = 16384;
  const auto asked = hints.find(reserve_hint);
  return asked == hints.end() ? usual : std::max(0LL, std::atoll(asked->second.c_str()));
}

}  // namespace

status pnetcdf_file::check(int code, const char* what, const char* name) const {
  if (code == NC_NOERR) return {};
  return library_failure(code, ncmpi_strerror(code),
                         name == nullptr ? what : what + (" " + shown(name)), path_);
}

// Those that MPI-IO has, and the one that is ours.
void pnetcdf_file::learn_hints(const opening& how) {
  if (how.found == nullptr) return;
  if (how.hints.count(reserve_hint) != 0)
    how.found->in_force[reserve_hint] = std::to_string(reserve_of(how.hints));
  MPI_Info used = MPI_INFO_NULL;
  if (ncmpi_inq_file_info(id_, &used) == NC_NOERR) how.found->learn(how.hints, used);
  if (used != MPI_INFO_NULL) MPI_Info_free(&used);
}

status pnetcdf_file::create(const opening& how) {
  const info_of_hints info(how.hints);
  const int code =
      ncmpi_create(how.comm, how.path.c_str(), NC_CLOBBER | NC_64BIT_DATA, info.get(), &id_);
  open_ = code == NC_NOERR;
  if (!open_) return check(code, "cannot create the file");
  defining_ = true;
  header_reserve_ = reserve_of(how.hints);
  learn_hints(how);
  return {};
}

status pnetcdf_file::open(const opening& how) {
  const info_of_hints info(how.hints);
  const int code =
      ncmpi_open(how.comm, how.path.c_str(), how.appends ? NC_WRITE : NC_NOWRITE, info.get(), &id_);
  open_ = code == NC_NOERR;
  if (code != NC_NOERR)
    return status::failure(
               stat_code::header_damaged,
               std::string("this is not a complete classic NetCDF file: ") + ncmpi_strerror(code))
        .in_file(how.path)
        .advise("a NetCDF-4 file is read with format=\"netcdf4\"");
  learn_hints(how);
  if (how.appends) header_reserve_ = reserve_of(how.hints);
  return drop_used_reserve();
}

pnetcdf_file::~pnetcdf_file() {
  if (open_ && !mpi_has_ended()) ncmpi_abort(id_);
}

status pnetcdf_file::leave_independent() {
  if (!independent_) return {};
  independent_ = false;
  return check(ncmpi_end_indep_data(id_), "cannot end independent access");
}

status pnetcdf_file::define() {
  if (defining_) return {};
  if (status s = leave_independent(); !s.ok()) return s;
  defining_ = true;
  return check(ncmpi_redef(id_), "cannot add to the file");
}

// It lies before the first array; later definitions use it up.
status pnetcdf_file::drop_used_reserve() {
  int arrays = 0;
  const int code = ncmpi_inq_nvars(id_, &arrays);
  if (arrays > 0) header_reserve_ = 0;
  return check(code, "cannot count the arrays");
}

status pnetcdf_file::end_define() {
  if (!defining_) return {};
  defining_ = false;
  const MPI_Offset reserve = header_reserve_;
  if (status s = drop_used_reserve(); !s.ok()) return s;
  return check(ncmpi__enddef(id_, reserve, 0, 0, 0), "cannot write definitions");
}

status pnetcdf_file::add_dimension(const std::string& name, std::int64_t length, int& id) {
  return check(
      ncmpi_def_dim(id_, name.c_str(), length == 0 ? NC_UNLIMITED : MPI_Offset{length}, &id),
      "cannot add the dimension", name.c_str());
}

status pnetcdf_file::add_variable(const file_variable& variable,
                                  const std::vector<std::int64_t>& /*lengths*/, int& id) {
  return check(
      ncmpi_def_var(id_, variable.name.c_str(), static_cast<nc_type>(variable.type),
                    static_cast<int>(variable.dimensions.size()), variable.dimensions.data(), &id),
      "cannot add the variable", variable.name.c_str());
}

status pnetcdf_file::put_attribute(int variable, const std::string& name, value_type type,
                                   std::int64_t count, const void* values) {
  return check(
      ncmpi_put_att(id_, variable, name.c_str(), static_cast<nc_type>(type), count, values),
      "cannot write the attribute", name.c_str());
}

status pnetcdf_file::put_texts(int /*variable*/, const std::string& name,
                               const std::vector<std::string>& /*texts*/) {
  return status::failure(
             stat_code::kind_unsupported,
             "classic NetCDF has no attributes of several texts, and " + shown(name) + " is one")
      .in_file(path_)
      .advise("join them to one text, or write NetCDF-4");
}

status pnetcdf_file::use(int /*variable*/, bool& collective) {
  if (collective) return leave_independent();
  if (independent_) return {};
  independent_ = true;
  return check(ncmpi_begin_indep_data(id_), "cannot begin independent access");
}

status pnetcdf_file::put(int variable, value_type type, const file_section& part,
                         const void* values) {
  const library_section<MPI_Offset> where(part);
  const auto call = independent_ ? ncmpi_put_vara : ncmpi_put_vara_all;
  status done = check(call(id_, variable, where.start.data(), where.count.data(), values,
                           part.values, memory_type(type)),
                      "cannot write");
  if (!done.ok()) drop_locks(path_.c_str());
  return done;
}

status pnetcdf_file::get(int variable, value_type type, const file_section& part, void* values) {
  const library_section<MPI_Offset> where(part);
  const auto call = independent_ ? ncmpi_get_vara : ncmpi_get_vara_all;
  return check(call(id_, variable, where.start.data(), where.count.data(), values, part.values,
                    memory_type(type)),
               "cannot read");
}

status pnetcdf_file::contents(std::vector<file_dimension>& dimensions,
                              std::vector<file_variable>& variables) {
  int dimension_count = 0;
  int variable_count = 0;
  int unlimited = -1;
  int code = ncmpi_inq(id_, &dimension_count, &variable_count, nullptr, &unlimited);
  for (int id = 0; id < dimension_count && code == NC_NOERR; ++id) {
    char name[NC_MAX_NAME + 1] = "";
    MPI_Offset length = 0;
    code = ncmpi_inq_dim(id_, id, name, &length);
    dimensions.push_back({name, length, id == unlimited});
  }
  for (int id = 0; id < variable_count && code == NC_NOERR; ++id) {
    char name[NC_MAX_NAME + 1] = "";
    nc_type type = 0;
    int rank = 0;
    code = ncmpi_inq_varndims(id_, id, &rank);
    std::vector<int> dims(static_cast<std::size_t>(rank) + 1);
    if (code == NC_NOERR) code = ncmpi_inq_var(id_, id, name, &type, nullptr, dims.data(), nullptr);
    dims.pop_back();
    variables.push_back({name, static_cast<value_type>(type), false, dims});
  }
  return check(code, "cannot read the definitions");
}

status pnetcdf_file::find_attribute(int variable, const std::string& name, value_type& type,
                                    std::int64_t& count, bool& there) {
  nc_type found = 0;
  MPI_Offset length = 0;
  const int code = ncmpi_inq_att(id_, variable, name.c_str(), &found, &length);
  there = code != NC_ENOTATT;
  if (!there) return {};
  type = static_cast<value_type>(found);
  count = length;
  return check(code, "cannot read the attribute", name.c_str());
}

status pnetcdf_file::get_attribute(int variable, const std::string& name, void* values) {
  return check(ncmpi_get_att(id_, variable, name.c_str(), values), "cannot read the attribute",
               name.c_str());
}

status pnetcdf_file::get_texts(int /*variable*/, const std::string& name,
                               std::vector<std::string>& /*texts*/) {
  return status::failure(stat_code::library_failed,
                         "there are no texts in attribute " + shown(name))
      .in_file(path_);
}

std::int64_t pnetcdf_file::offset_of(int variable, std::int64_t record) {
  MPI_Offset offset = 0;
  MPI_Offset record_bytes = 0;
  if (ncmpi_inq_varoffset(id_, variable, &offset) != NC_NOERR ||
      ncmpi_inq_recsize(id_, &record_bytes) != NC_NOERR)
    return -1;
  return offset + std::max<std::int64_t>(0, record) * record_bytes;
}

std::int64_t pnetcdf_file::header_bytes() {
  MPI_Offset bytes = 0;
  return ncmpi_inq_header_size(id_, &bytes) == NC_NOERR ? bytes : 0;
}

std::int64_t pnetcdf_file::header_extent() {
  MPI_Offset bytes = 0;
  return ncmpi_inq_header_extent(id_, &bytes) == NC_NOERR ? bytes : 0;
}

// For independent access PnetCDF opens the file once more, by the name of its creation, which it
// has only until the first flush: a second file of that name would get the numbers of steps.
status pnetcdf_file::flush() {
  bool collective = false;
  status opened = use(of_file, collective);
  return opened.ok() ? leave_independent() : opened;
}

status pnetcdf_file::close() {
  status done = end_define();
  done.keep_first(leave_independent());
  open_ = false;
  done.keep_first(check(ncmpi_close(id_), "cannot close the file"));
  return done;
}

}  // namespace headrace::netcdf
