#include "pnetcdf_file.hpp"

#include <pnetcdf.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "../../../src/core/name_text.hpp"
#include "../../disk/library_files.hpp"
#include "../../together/mpi_io_module.hpp"
#include "pnetcdf_ends.hpp"

namespace headrace {
namespace {

static_assert(static_cast<int>(netcdf_type::int8) == NC_BYTE &&
              static_cast<int>(netcdf_type::text) == NC_CHAR &&
              static_cast<int>(netcdf_type::int16) == NC_SHORT &&
              static_cast<int>(netcdf_type::int32) == NC_INT &&
              static_cast<int>(netcdf_type::int64) == NC_INT64 &&
              static_cast<int>(netcdf_type::real32) == NC_FLOAT &&
              static_cast<int>(netcdf_type::real64) == NC_DOUBLE && netcdf_global == NC_GLOBAL &&
              netcdf_bad_name == NC_EBADNAME);

// Bytes behind the first header for definitions to come, which would move all data otherwise. The
// hint of that name changes it.
constexpr const char* reserve_hint = "h_minfree";
constexpr MPI_Offset usual_reserve = 16384;

MPI_Datatype memory_type(netcdf_type type) noexcept {
  switch (type) {
    case netcdf_type::text:
      return MPI_CHAR;
    case netcdf_type::int16:
      return MPI_SHORT;
    case netcdf_type::int32:
      return MPI_INT;
    case netcdf_type::int64:
      return MPI_LONG_LONG;
    case netcdf_type::real32:
      return MPI_FLOAT;
    case netcdf_type::real64:
      return MPI_DOUBLE;
    default:
      return MPI_SIGNED_CHAR;
  }
}

}  // namespace

status pnetcdf_file::check(int code, const char* what, const char* name) const {
  if (code == NC_NOERR) return {};
  return netcdf_failure(code, ncmpi_strerror(code),
                        name == nullptr ? what : what + (" " + shown(name)), path_);
}

void pnetcdf_file::learn_hints(const netcdf_opening& how) {
  header_reserve_ = usual_reserve;
  hint_list asked = *how.hints;
  const auto reserve = asked.find(reserve_hint);
  if (reserve != asked.end()) {
    header_reserve_ = std::max(0LL, std::atoll(reserve->second.c_str()));
    how.found->in_force[reserve_hint] = std::to_string(header_reserve_);
  }
  MPI_Info used = MPI_INFO_NULL;
  if (ncmpi_inq_file_info(id_, &used) == NC_NOERR) how.found->learn(asked, used);
  if (used != MPI_INFO_NULL) MPI_Info_free(&used);
}

status pnetcdf_file::create(const netcdf_opening& how) {
  const info_of_hints info(*how.hints);
  const int code =
      ncmpi_create(how.comm, how.path.c_str(), NC_CLOBBER | NC_64BIT_DATA, info.get(), &id_);
  open_ = code == NC_NOERR;
  if (!open_) return check(code, "cannot create the file");
  defining_ = true;
  learn_hints(how);
  return {};
}

status pnetcdf_file::open(const netcdf_opening& how) {
  const info_of_hints info(*how.hints);
  const int code = ncmpi_open(how.comm, how.path.c_str(), NC_NOWRITE, info.get(), &id_);
  open_ = code == NC_NOERR;
  if (code != NC_NOERR)
    return status::failure(
               stat_code::header_damaged,
               std::string("this is no whole classic NetCDF file: ") + ncmpi_strerror(code))
        .in_file(how.path)
        .advise("a NetCDF-4 file is read with format=\"netcdf4\"");
  learn_hints(how);
  return {};
}

collective_calls pnetcdf_file::calls_for(const array_layout& layout) const {
  MPI_Info used = MPI_INFO_NULL;
  if (ncmpi_inq_file_info(id_, &used) != NC_NOERR) used = MPI_INFO_NULL;
  const info_owner owner(used);
  collective_calls calls = calls_that_end(layout, path_.c_str(), used);
  // PnetCDF itself makes no further collective call for who fails alone.
  if (!mpi_io_may_lose_writes()) calls.apart = calls.read_apart = false;
  return calls;
}

pnetcdf_file::~pnetcdf_file() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (open_ && finalized == 0) ncmpi_abort(id_);
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

status pnetcdf_file::end_define() {
  if (!defining_) return {};
  defining_ = false;
  const MPI_Offset reserve = header_reserve_;
  header_reserve_ = 0;  // once: later definitions use it up
  return check(ncmpi__enddef(id_, reserve, 0, 0, 0), "cannot write definitions");
}

status pnetcdf_file::add_dimension(const std::string& name, std::int64_t length, int& id) {
  return check(
      ncmpi_def_dim(id_, name.c_str(), length == 0 ? NC_UNLIMITED : MPI_Offset{length}, &id),
      "cannot add the dimension", name.c_str());
}

status pnetcdf_file::add_variable(const netcdf_variable& variable,
                                  const std::vector<std::int64_t>& /*lengths*/, int& id) {
  return check(
      ncmpi_def_var(id_, variable.name.c_str(), static_cast<nc_type>(variable.type),
                    static_cast<int>(variable.dimensions.size()), variable.dimensions.data(), &id),
      "cannot add the variable", variable.name.c_str());
}

status pnetcdf_file::put_attribute(int variable, const std::string& name, netcdf_type type,
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

status pnetcdf_file::put(int variable, netcdf_type type, const netcdf_section& part,
                         const void* values) {
  const netcdf_place<MPI_Offset> where(part);
  const auto call = independent_ ? ncmpi_put_vara : ncmpi_put_vara_all;
  status done = check(call(id_, variable, where.start.data(), where.count.data(), values,
                           part.values, memory_type(type)),
                      "cannot write");
  if (done.ok() && independent_ && mpi_io_may_lose_writes())
    done = check_put(variable, type, part, values);
  if (!done.ok()) drop_locks(path_.c_str());
  return done;
}

// Of a collective call MPI tells the MPI rank that wrote.
status pnetcdf_file::check_put(int variable, netcdf_type type, const netcdf_section& part,
                               const void* values) {
  pnetcdf_part written{0, {}, part};
  std::array<int, max_parallel_rank + 2> dims{};
  int code = ncmpi_inq_vardimid(id_, variable, dims.data());
  int unlimited = -1;
  if (code == NC_NOERR) code = ncmpi_inq_unlimdim(id_, &unlimited);
  for (std::size_t d = 0; code == NC_NOERR && d < static_cast<std::size_t>(part.dimensions); ++d) {
    MPI_Offset length = 1;
    if (dims[d] != unlimited) code = ncmpi_inq_dimlen(id_, dims[d], &length);
    written.lengths.push_back(length);
  }
  if (status s = check(code, "cannot learn the dimensions"); !s.ok()) return s;
  const bool has_records = part.dimensions > 0 && dims[0] == unlimited;
  written.first = offset_of(variable, has_records ? part.start[0] : -1);
  if (has_records) written.section.start[0] = 0;
  return check_ends_written(path_, written, type, values);
}

status pnetcdf_file::get(int variable, netcdf_type type, const netcdf_section& part, void* values) {
  const netcdf_place<MPI_Offset> where(part);
  const auto call = independent_ ? ncmpi_get_vara : ncmpi_get_vara_all;
  return check(call(id_, variable, where.start.data(), where.count.data(), values, part.values,
                    memory_type(type)),
               "cannot read");
}

status pnetcdf_file::contents(std::vector<netcdf_dimension>& dimensions,
                              std::vector<netcdf_variable>& variables) {
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
    variables.push_back({name, static_cast<netcdf_type>(type), false, dims});
  }
  return check(code, "cannot read the definitions");
}

status pnetcdf_file::find_attribute(int variable, const std::string& name, netcdf_type& type,
                                    std::int64_t& count, bool& there) {
  nc_type found = 0;
  MPI_Offset length = 0;
  const int code = ncmpi_inq_att(id_, variable, name.c_str(), &found, &length);
  there = code != NC_ENOTATT;
  if (!there) return {};
  type = static_cast<netcdf_type>(found);
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

status pnetcdf_file::close() {
  status done = end_define();
  done.keep_first(leave_independent());
  open_ = false;
  done.keep_first(check(ncmpi_close(id_), "cannot close the file"));
  return done;
}

}  // namespace headrace
