// CDF-5 files, the classic form of NetCDF without its limits of size. It reads CDF-1 and CDF-2 as
// well. PnetCDF writes and reads the header, on MPI rank 0 alone; where arrays and records lie
// follows from it. Next: definitions.cpp, contents.hpp.
#include <pnetcdf.h>

#include <algorithm>
#include <cstdlib>

#include "../../../src/core/name_text.hpp"
#include "../../disk/library_files.hpp"
#include "file.hpp"

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

// The hint with the bytes behind the first header for definitions to come, which would move all
// data otherwise.
constexpr const char* reserve_hint = "h_minfree";

std::int64_t reserve_of(const hint_list& hints) {
  constexpr std::int64_t usual = 16384;
  const auto asked = hints.find(reserve_hint);
  return asked == hints.end() ? usual : std::max(0LL, std::atoll(asked->second.c_str()));
}

// The calls of pnetcdf.h, through MPI-IO.
class pnetcdf_file final : public library_file {
 public:
  ~pnetcdf_file() override {
    if (open_ && !mpi_has_ended()) ncmpi_abort(id_);
  }

  status create(const dataset_opening& how, MPI_Comm together) override {
    const bool by_library = how.settings.by_library();
    const info_of_hints info(by_library ? how.settings.hints : hint_list());
    const int code = ncmpi_create(or_self(together), how.file.c_str(), NC_CLOBBER | NC_64BIT_DATA,
                                  info.get(), &id_);
    open_ = code == NC_NOERR;
    if (!open_) return check(code, "cannot create the file");
    defining_ = true;
    header_reserve_ = reserve_of(how.settings.hints);
    learn_hints(how, by_library);
    return {};
  }

  status open(const dataset_opening& how, MPI_Comm together) override {
    const bool is_alone = together == MPI_COMM_NULL;
    // PnetCDF does not say why it cannot write.
    if (how.appends)
      if (status s = check_writable(how.file); !s.ok()) return s;
    const info_of_hints info(is_alone ? hint_list() : how.settings.hints);
    const int code = ncmpi_open(or_self(together), how.file.c_str(),
                                how.appends ? NC_WRITE : NC_NOWRITE, info.get(), &id_);
    open_ = code == NC_NOERR;
    if (code != NC_NOERR)
      return status::failure(
                 stat_code::header_damaged,
                 std::string("this is not a complete classic NetCDF file: ") + ncmpi_strerror(code))
          .advise("a NetCDF-4 file is read with format=\"netcdf4\"");
    if (!is_alone) learn_hints(how, true);
    if (how.appends) header_reserve_ = reserve_of(how.settings.hints);
    return drop_used_reserve();
  }

  status define() override {
    if (defining_) return {};
    if (status s = leave_independent(); !s.ok()) return s;
    defining_ = true;
    return check(ncmpi_redef(id_), "cannot add to the file");
  }

  status end_define() override {
    if (!defining_) return {};
    defining_ = false;
    const MPI_Offset reserve = header_reserve_;
    if (status s = drop_used_reserve(); !s.ok()) return s;
    return check(ncmpi__enddef(id_, reserve, 0, 0, 0), "cannot write definitions");
  }

  status add_dimension(const std::string& name, std::int64_t length, int& id) override {
    return check(
        ncmpi_def_dim(id_, name.c_str(), length == 0 ? NC_UNLIMITED : MPI_Offset{length}, &id),
        "cannot add the dimension", name.c_str());
  }

  status add_variable(const file_variable& variable, const std::vector<std::int64_t>& /*lengths*/,
                      int& id) override {
    return check(ncmpi_def_var(id_, variable.name.c_str(), static_cast<nc_type>(variable.type),
                               static_cast<int>(variable.dimensions.size()),
                               variable.dimensions.data(), &id),
                 "cannot add the variable", variable.name.c_str());
  }

  status put_attribute(int variable, const std::string& name, value_type type, std::int64_t count,
                       const void* values) override {
    return check(
        ncmpi_put_att(id_, variable, name.c_str(), static_cast<nc_type>(type), count, values),
        "cannot write the attribute", name.c_str());
  }

  status put_texts(int /*variable*/, const std::string& name,
                   const std::vector<std::string>& /*texts*/) override {
    return status::failure(
               stat_code::kind_unsupported,
               "classic NetCDF has no attributes of several texts, and " + shown(name) + " is one")
        .advise("join them to one text, or write NetCDF-4");
  }

  status use(int /*variable*/, bool& collective) override {
    if (collective) return leave_independent();
    if (independent_) return {};
    independent_ = true;
    return check(ncmpi_begin_indep_data(id_), "cannot begin independent access");
  }

  // Without a datatype the values are of the variable's.
  status move(direction way, int variable, const file_section& part, void* values) override {
    const library_section<MPI_Offset> where(part);
    const auto put = independent_ ? ncmpi_put_vara : ncmpi_put_vara_all;
    const auto get = independent_ ? ncmpi_get_vara : ncmpi_get_vara_all;
    const MPI_Offset* const start = where.start.data();
    const MPI_Offset* const count = where.count.data();
    return way == direction::out
               ? check(put(id_, variable, start, count, values, 0, MPI_DATATYPE_NULL),
                       "cannot write")
               : check(get(id_, variable, start, count, values, 0, MPI_DATATYPE_NULL),
                       "cannot read");
  }

  status contents(std::vector<file_dimension>& dimensions,
                  std::vector<file_variable>& variables) override {
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
      if (code == NC_NOERR)
        code = ncmpi_inq_var(id_, id, name, &type, nullptr, dims.data(), nullptr);
      dims.pop_back();
      variables.push_back({name, static_cast<value_type>(type), false, dims});
    }
    return check(code, "cannot read the definitions");
  }

  status find_attribute(int variable, const std::string& name, found_attribute& found) override {
    nc_type type = 0;
    MPI_Offset length = 0;
    const int code = ncmpi_inq_att(id_, variable, name.c_str(), &type, &length);
    found = {code != NC_ENOTATT, static_cast<value_type>(type), length};
    if (!found.there) return {};
    return check(code, "cannot read the attribute", name.c_str());
  }

  status get_attribute(int variable, const std::string& name, void* values) override {
    return check(ncmpi_get_att(id_, variable, name.c_str(), values), "cannot read the attribute",
                 name.c_str());
  }

  std::int64_t offset_of(int variable, std::int64_t record) override {
    MPI_Offset offset = 0;
    MPI_Offset record_bytes = 0;
    if (ncmpi_inq_varoffset(id_, variable, &offset) != NC_NOERR ||
        ncmpi_inq_recsize(id_, &record_bytes) != NC_NOERR)
      return -1;
    return offset + std::max<std::int64_t>(0, record) * record_bytes;
  }

  std::int64_t header_room() override {
    MPI_Offset bytes = 0;
    MPI_Offset extent = 0;
    const bool is_known = ncmpi_inq_header_size(id_, &bytes) == NC_NOERR &&
                          ncmpi_inq_header_extent(id_, &extent) == NC_NOERR;
    return is_known ? extent - bytes : 0;
  }

  // For independent access PnetCDF opens the file once more, by the name of its creation, which it
  // has only until the first flush: a second file of that name would get the numbers of steps.
  status flush() override {
    bool collective = false;
    status opened = use(of_file, collective);
    return opened.ok() ? leave_independent() : opened;
  }

  status close() override {
    status done = end_define();
    done.keep_first(leave_independent());
    open_ = false;
    done.keep_first(check(ncmpi_close(id_), "cannot close the file"));
    return done;
  }

 private:
  // The words are put together only if it failed: that takes memory.
  status check(int code, const char* what, const char* name = nullptr) const {
    if (code == NC_NOERR) return {};
    return library_failure(code, ncmpi_strerror(code),
                           name == nullptr ? what : what + (" " + shown(name)));
  }

  static MPI_Comm or_self(MPI_Comm together) {
    return together == MPI_COMM_NULL ? MPI_COMM_SELF : together;
  }

  // The one that is ours, and those that MPI-IO has.
  void learn_hints(const dataset_opening& how, bool has_given_them) {
    const hint_list& hints = how.settings.hints;
    if (hints.count(reserve_hint) != 0)
      how.notes.hints.in_force[reserve_hint] = std::to_string(reserve_of(hints));
    if (!has_given_them) return;
    MPI_Info used = MPI_INFO_NULL;
    if (ncmpi_inq_file_info(id_, &used) == NC_NOERR) how.notes.hints.learn(hints, used);
    if (used != MPI_INFO_NULL) MPI_Info_free(&used);
  }

  status leave_independent() {
    if (!independent_) return {};
    independent_ = false;
    return check(ncmpi_end_indep_data(id_), "cannot end independent access");
  }

  // It lies before the first array; later definitions use it up.
  status drop_used_reserve() {
    int arrays = 0;
    const int code = ncmpi_inq_nvars(id_, &arrays);
    if (arrays > 0) header_reserve_ = 0;
    return check(code, "cannot count the arrays");
  }

  int id_ = -1;
  bool open_ = false;
  bool defining_ = false;
  bool independent_ = false;
  MPI_Offset header_reserve_ = 0;
};

std::unique_ptr<library_file> make_file() {
  return std::make_unique<pnetcdf_file>();
}

constexpr netcdf_library pnetcdf = {true, make_file, make_file};

}  // namespace
}  // namespace headrace::netcdf

namespace headrace {

const backend pnetcdf_backend = {
    "pnetcdf",
    netcdf::abilities,
    write_pattern::shared_collective,
    transfer_way::headrace,
    nullptr,
    [](const dataset_opening& how, auto& made) { return create(netcdf::pnetcdf, how, made); },
    [](const dataset_opening& how, auto& made) { return open(netcdf::pnetcdf, how, made); },
};

}  // namespace headrace
