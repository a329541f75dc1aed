// NetCDF-4 files: HDF5 files as the NetCDF library writes and reads them, by the calls of netcdf.h:
// parallel through HDF5 and MPI-IO, or by one process alone through POSIX. Next: netcdf4_own.cpp.
#include <netcdf.h>
#include <netcdf_par.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "../../../src/core/name_text.hpp"
#include "../../dataset/attribute_failures.hpp"
#include "../../disk/positioned_file.hpp"
#include "../../together/from_root.hpp"
#include "../../together/mpi_io_module.hpp"
#include "../hdf5/storage.hpp"
#include "file.hpp"

namespace headrace::netcdf {
namespace {

static_assert(static_cast<int>(value_type::int8) == NC_BYTE &&
              static_cast<int>(value_type::text) == NC_CHAR &&
              static_cast<int>(value_type::int16) == NC_SHORT &&
              static_cast<int>(value_type::int32) == NC_INT &&
              static_cast<int>(value_type::int64) == NC_INT64 &&
              static_cast<int>(value_type::real32) == NC_FLOAT &&
              static_cast<int>(value_type::real64) == NC_DOUBLE &&
              static_cast<int>(value_type::string) == NC_STRING && of_file == NC_GLOBAL &&
              bad_name == NC_EBADNAME);

// A whole record is one chunk, cut along its slowest dimensions if it is larger: HDF5 allows
// 4 GiB. Without filters HDF5 reads and writes parts of a chunk directly.
constexpr std::int64_t largest_chunk_bytes = std::int64_t{1} << 30;

std::vector<std::size_t> chunk_of(const std::vector<std::int64_t>& lengths, value_type type) {
  const std::vector<hsize_t> chunk =
      hdf5::chunk_of({lengths.begin(), lengths.end()}, bytes_of(type), largest_chunk_bytes);
  return {chunk.begin(), chunk.end()};
}

// NetCDF does not tell which hints are in force; MPI-IO does, opened in the same way.
void learn_hints(const dataset_opening& how, MPI_Comm together, const info_of_hints& info) {
  if (how.settings.hints.empty() || together == MPI_COMM_NULL) return;
  MPI_File file = MPI_FILE_NULL;
  if (MPI_File_open(together, how.file.c_str(), MPI_MODE_RDONLY, info.get(), &file) != MPI_SUCCESS)
    return;
  info.give_again(file);
  const status known = caught([&] {
    how.notes.hints.learn(how.settings.hints, file);
    return status();
  });
  MPI_File_close(&file);
  if (!known.ok()) throw std::bad_alloc();
}

// CDF-1, 2 or 5.
bool begins_as_classic(const std::string& file) {
  std::array<char, 3> magic{};
  const status read = caught([&] {
    positioned_file probe;
    status done = probe.open_to_read(file);
    return done.ok() ? probe.read_at(0, magic.data(), 3) : done;
  });
  return read.ok() && std::memcmp(magic.data(), "CDF", 3) == 0;
}

class netcdf4_file final : public library_file {
 public:
  ~netcdf4_file() override {
    if (open_ && !mpi_has_ended()) nc_close(id_);
  }

  status create(const dataset_opening& how, MPI_Comm together) override {
    if (status s = check_module(together); !s.ok()) return s;
    const info_of_hints info = info_of_hints::for_hdf5(how.settings.hints);
    const int mode = NC_NETCDF4 | NC_CLOBBER;
    const int code = parallel_ ? nc_create_par(how.file.c_str(), mode, together, info.get(), &id_)
                               : nc_create(how.file.c_str(), mode, &id_);
    open_ = code == NC_NOERR;
    if (!open_) return check(code, "cannot create the file");
    defining_ = true;
    learn_hints(how, together, info);
    int old = 0;
    return check(nc_set_fill(id_, NC_NOFILL, &old), "cannot avoid filling");
  }

  status open(const dataset_opening& how, MPI_Comm together) override {
    if (status s = check_module(together); !s.ok()) return s;
    if (how.appends && begins_as_classic(how.file))
      return status::failure(stat_code::argument_invalid,
                             "this is a classic NetCDF file, which does not grow as NetCDF-4")
          .expected("a NetCDF-4 file", "one that begins with CDF")
          .advise("open it with format=\"pnetcdf\"");
    const info_of_hints info(how.settings.hints);
    const int code = parallel_
                         ? nc_open_par(how.file.c_str(), NC_NOWRITE, together, info.get(), &id_)
                         : nc_open(how.file.c_str(), NC_NOWRITE, &id_);
    open_ = code == NC_NOERR;
    if (code < 0)
      return status::failure(
                 stat_code::header_damaged,
                 std::string("this is not a complete NetCDF-4 file: ") + nc_strerror(code))
          .advise("compare its size with the original's; ncdump -h shows what can be read");
    if (!open_) return check(code, "cannot open the file");
    learn_hints(how, together, info);
    return {};
  }

  status define() override {
    if (defining_) return {};
    defining_ = true;
    return check(nc_redef(id_), "cannot add to the file");
  }

  status end_define() override {
    if (!defining_) return {};
    defining_ = false;
    return check(nc_enddef(id_), "cannot write definitions");
  }

  status add_dimension(const std::string& name, std::int64_t length, int& id) override {
    return check(nc_def_dim(id_, name.c_str(),
                            length == 0 ? NC_UNLIMITED : static_cast<std::size_t>(length), &id),
                 "cannot add the dimension", name.c_str());
  }

  status add_variable(const file_variable& variable, const std::vector<std::int64_t>& lengths,
                      int& id) override {
    const char* const what = "cannot add the variable";
    const char* const name = variable.name.c_str();
    target made{id_, 0};
    const auto rank = static_cast<int>(variable.dimensions.size());
    int code = nc_def_var(id_, variable.name.c_str(), static_cast<nc_type>(variable.type), rank,
                          variable.dimensions.data(), &made.variable);
    if (code != NC_NOERR) return check(code, what, name);
    if (!lengths.empty() && lengths.front() == 0) {
      const std::vector<std::size_t> chunk = chunk_of(lengths, variable.type);
      code = nc_def_var_chunking(id_, made.variable, NC_CHUNKED, chunk.data());
    } else if (rank > 0) {
      code = nc_def_var_chunking(id_, made.variable, NC_CONTIGUOUS, nullptr);
    }
    if (code == NC_NOERR) code = nc_def_var_fill(id_, made.variable, NC_NOFILL, nullptr);
    id = static_cast<int>(variables_.size());
    variables_.push_back(made);
    return check(code, what, name);
  }

  status put_attribute(int variable, const std::string& name, value_type type, std::int64_t count,
                       const void* values) override {
    const target to = at(variable);
    return check(nc_put_att(to.group, to.variable, name.c_str(), static_cast<nc_type>(type),
                            static_cast<std::size_t>(count), values),
                 "cannot write the attribute", name.c_str());
  }

  status put_texts(int variable, const std::string& name,
                   const std::vector<std::string>& texts) override {
    const target to = at(variable);
    if (status s = check_c_texts(name, texts); !s.ok()) return s;
    std::vector<const char*> pointers;
    for (const std::string& text : texts) pointers.push_back(text.c_str());
    return check(
        nc_put_att_string(to.group, to.variable, name.c_str(), pointers.size(), pointers.data()),
        "cannot write the attribute", name.c_str());
  }

  // In every read of an array with steps the library asks all MPI ranks for their number, once for
  // each variable of collective access. So none but the last one that was used so is left; those
  // with filters stay, and all MPI ranks must make as many calls from then on.
  status use(int variable, bool& collective) override {
    if (!parallel_) return {};
    if (collective_ >= 0 && collective_ != variable) {
      const target last = at(collective_);
      const int code = nc_var_par_access(last.group, last.variable, NC_INDEPENDENT);
      if (code != NC_EINVAL)  // filters
        if (status s = check(code, "cannot end collective access"); !s.ok()) return s;
      collective_ = -1;
    }
    const target to = at(variable);
    int code =
        nc_var_par_access(to.group, to.variable, collective ? NC_COLLECTIVE : NC_INDEPENDENT);
    if (code == NC_EINVAL && !collective) {
      collective = true;
      code = nc_var_par_access(to.group, to.variable, NC_COLLECTIVE);
    }
    collective_ = collective ? variable : -1;
    return check(code, "cannot choose collective or independent access");
  }

  status move(direction way, int variable, const file_section& part, void* values) override {
    const target to = at(variable);
    const library_section<std::size_t> where(part);
    char nothing[16] = "";  // a zero-sized part needs an address all the same
    void* const data = values == nullptr ? nothing : values;
    return way == direction::out ? check(nc_put_vara(to.group, to.variable, where.start.data(),
                                                     where.count.data(), data),
                                         "cannot write")
                                 : check(nc_get_vara(to.group, to.variable, where.start.data(),
                                                     where.count.data(), data),
                                         "cannot read");
  }

  // HDF5 extends a dataset collectively only.
  status extend(int variable, const file_section& first_value, void* values) override {
    if (!parallel_) return {};
    bool collective = true;
    status done = use(variable, collective);
    done.keep_first(move(direction::out, variable, first_value, values));
    return done;
  }

  status contents(std::vector<file_dimension>& dimensions,
                  std::vector<file_variable>& variables) override {
    variables_.clear();
    dimensions.clear();
    variables.clear();
    return add_group(id_, "", dimensions, variables);
  }

  status find_attribute(int variable, const std::string& name, found_attribute& found) override {
    const target from = at(variable);
    nc_type type = 0;
    std::size_t length = 0;
    const int code = nc_inq_att(from.group, from.variable, name.c_str(), &type, &length);
    found = {code != NC_ENOTATT, static_cast<value_type>(type), static_cast<std::int64_t>(length)};
    if (!found.there) return {};
    return check(code, "cannot read the attribute", name.c_str());
  }

  status get_attribute(int variable, const std::string& name, void* values) override {
    const target from = at(variable);
    return check(nc_get_att(from.group, from.variable, name.c_str(), values),
                 "cannot read the attribute", name.c_str());
  }

  status get_texts(int variable, const std::string& name,
                   std::vector<std::string>& texts) override {
    const target from = at(variable);
    std::size_t count = 0;
    int code = nc_inq_attlen(from.group, from.variable, name.c_str(), &count);
    std::vector<char*> pointers(count, nullptr);
    if (code == NC_NOERR)
      code = nc_get_att_string(from.group, from.variable, name.c_str(), pointers.data());
    texts.clear();
    for (const char* pointer : pointers) texts.emplace_back(pointer == nullptr ? "" : pointer);
    if (code == NC_NOERR) nc_free_string(count, pointers.data());
    return check(code, "cannot read the attribute", name.c_str());
  }

  status close() override {
    if (status s = end_define(); !s.ok()) return s;
    open_ = false;
    return check(nc_close(id_), "cannot close the file");
  }

  void forget() noexcept override { open_ = open_ && !parallel_; }

 private:
  struct target {
    int group = 0;
    int variable = 0;
  };
  // With ROMIO of Open MPI 5 steps of NetCDF-4 files had wrong elements (5.0.7, HDF5 1.14, NetCDF
  // 4.9.3); with OMPIO, its default, and with Open MPI 4 they have not.
  status check_module(MPI_Comm together) {
    parallel_ = together != MPI_COMM_NULL;
#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5
    if (parallel_ && open_mpi_io_module().rfind("romio", 0) == 0)
      return status::failure(stat_code::library_failed,
                             "NetCDF-4 files are not right with ROMIO of Open MPI 5")
          .advise("leave OMPI_MCA_io at its default (OMPIO), or use transfer=\"headrace\"");
#endif
    return {};
  }

  target at(int variable) const {
    if (variable == of_file) return {id_, NC_GLOBAL};
    return variables_[static_cast<std::size_t>(variable)];
  }

  // The words are put together only if it failed: that takes memory.
  status check(int code, const char* what, const char* name = nullptr) const {
    if (code == NC_NOERR) return {};
    return library_failure(code, nc_strerror(code),
                           name == nullptr ? what : what + (" " + shown(name)));
  }

  status add_group(int group, const std::string& path, std::vector<file_dimension>& dimensions,
                   std::vector<file_variable>& variables) {
    if (status s = add_dimensions_of(group, dimensions); !s.ok()) return s;
    int count = 0;
    int code = nc_inq_varids(group, &count, nullptr);
    std::vector<int> ids(static_cast<std::size_t>(count));
    if (code == NC_NOERR) code = nc_inq_varids(group, &count, ids.data());
    for (const int id : ids) {
      char name[NC_MAX_NAME + 1] = "";
      int type = 0;
      int rank = 0;
      std::array<int, NC_MAX_VAR_DIMS> dims{};
      if (code == NC_NOERR) code = nc_inq_var(group, id, name, &type, &rank, dims.data(), nullptr);
      variables.push_back({path + name,
                           static_cast<value_type>(type),
                           type > NC_STRING,
                           {dims.begin(), dims.begin() + rank}});
      variables_.push_back({group, id});
    }
    if (code == NC_NOERR) code = nc_inq_grps(group, &count, nullptr);
    std::vector<int> groups(static_cast<std::size_t>(code == NC_NOERR ? count : 0));
    if (code == NC_NOERR) code = nc_inq_grps(group, &count, groups.data());
    for (const int inner : groups) {
      char name[NC_MAX_NAME + 1] = "";
      if (code == NC_NOERR) code = nc_inq_grpname(inner, name);
      if (code != NC_NOERR) break;
      if (status s = add_group(inner, path + name + "/", dimensions, variables); !s.ok()) return s;
    }
    return check(code, "cannot read the variables");
  }

  status add_dimensions_of(int group, std::vector<file_dimension>& dimensions) const {
    int count = 0;
    int unlimited_count = 0;
    int code = nc_inq_dimids(group, &count, nullptr, 0);
    if (code == NC_NOERR) code = nc_inq_unlimdims(group, &unlimited_count, nullptr);
    std::vector<int> ids(static_cast<std::size_t>(count));
    std::vector<int> unlimited(static_cast<std::size_t>(unlimited_count));
    if (code == NC_NOERR) code = nc_inq_dimids(group, &count, ids.data(), 0);
    if (code == NC_NOERR) code = nc_inq_unlimdims(group, &unlimited_count, unlimited.data());
    for (const int id : ids) {
      char name[NC_MAX_NAME + 1] = "";
      std::size_t length = 0;
      if (code == NC_NOERR) code = nc_inq_dim(group, id, name, &length);
      if (dimensions.size() <= static_cast<std::size_t>(id))
        dimensions.resize(static_cast<std::size_t>(id) + 1);
      const bool is_unlimited =
          std::find(unlimited.begin(), unlimited.end(), id) != unlimited.end();
      dimensions[static_cast<std::size_t>(id)] = {name, static_cast<std::int64_t>(length),
                                                  is_unlimited};
    }
    return check(code, "cannot read the dimensions");
  }

  int id_ = -1;
  bool parallel_ = false;
  bool open_ = false;
  bool defining_ = false;
  int collective_ = -1;  // the variable that was last used so; -1: none
  std::vector<target> variables_;
};

constexpr netcdf_library netcdf4 = {false, make_netcdf4_file, make_netcdf4_own};

// Parallel NetCDF-4 reads no classic files, but PnetCDF does.
status open_netcdf4(const dataset_opening& how, std::unique_ptr<dataset_reader>& made) {
  bool is_classic = false;
  const auto look = [&] {
    is_classic = begins_as_classic(how.file);
    return status();
  };
  // In agreements: an MPI rank that lacked memory meets the others there.
  const auto pass = [&](message_pass& way) { way.number(is_classic); };
  if (status s = pass_from_root(*how.comm, look, pass); !s.ok()) return s;
  if (is_classic && pnetcdf_backend.unavailable == nullptr) return pnetcdf_backend.open(how, made);
  if (is_classic)
    return status::failure(stat_code::backend_unavailable,
                           std::string("a classic NetCDF file needs PnetCDF, which is not here: ") +
                               pnetcdf_backend.unavailable)
        .in_file(how.file);
  return open(netcdf4, how, made);
}

}  // namespace

std::unique_ptr<library_file> make_netcdf4_file() {
  return std::make_unique<netcdf4_file>();
}

}  // namespace headrace::netcdf

namespace headrace {

const backend netcdf4_backend = {
    "netcdf4",
    netcdf::abilities,
    write_pattern::shared_collective,
    transfer_way::headrace,
    nullptr,
    [](const dataset_opening& how, auto& made) { return create(netcdf::netcdf4, how, made); },
    netcdf::open_netcdf4,
};

}  // namespace headrace
