// A minimal PnetCDF program: one variable in CDF-5, no fill values.
#include <pnetcdf.h>

#include "library_method.hpp"

namespace headrace::bench {
namespace {

class pnetcdf_method : public library_method {
 public:
  using library_method::library_method;

 private:
  static void check(outcome& done, int code, const char* call) {
    if (code == NC_NOERR || !done.ok()) return;
    const int number = code == NC_ENO_SPACE ? 28 : code > 0 ? code : library_failed;
    done = failure(number, std::string(call) + ": " + ncmpi_strerror(code));
  }

  bool open(const trial_facts& facts, bool write, outcome& done) override {
    const char* const name = facts.asked.file.c_str();
    const MPI_Comm comm = facts.all.comm;
    check(done,
          write ? ncmpi_create(comm, name, NC_CLOBBER | NC_64BIT_DATA, hints(), &file_)
                : ncmpi_open(comm, name, NC_NOWRITE, hints(), &file_),
          write ? "ncmpi_create" : "ncmpi_open");
    open_ = done.ok();
    if (!open_) return false;
    if (write)
      define(slowest_first<MPI_Offset>(facts.split.global), done);
    else
      check(done, ncmpi_inq_varid(file_, "data", &variable_), "ncmpi_inq_varid");
    return true;
  }

  void define(const std::array<MPI_Offset, 3>& global, outcome& done) {
    int dimensions[3] = {0, 0, 0};
    check(done, ncmpi_def_dim(file_, "z", global[0], &dimensions[0]), "ncmpi_def_dim");
    check(done, ncmpi_def_dim(file_, "y", global[1], &dimensions[1]), "ncmpi_def_dim");
    check(done, ncmpi_def_dim(file_, "x", global[2], &dimensions[2]), "ncmpi_def_dim");
    check(done, ncmpi_def_var(file_, "data", NC_DOUBLE, 3, dimensions, &variable_),
          "ncmpi_def_var");
    check(done, ncmpi_enddef(file_), "ncmpi_enddef");
  }

  void transfer(const block& part, bool write, double* values, outcome& done) override {
    const auto start = slowest_first<MPI_Offset>(part.start);
    const auto count = slowest_first<MPI_Offset>(part.count);
    if (!collective()) check(done, ncmpi_begin_indep_data(file_), "ncmpi_begin_indep_data");
    check(done,
          write ? put(start.data(), count.data(), values) : get(start.data(), count.data(), values),
          write ? "ncmpi_put_vara_double" : "ncmpi_get_vara_double");
    if (!collective()) check(done, ncmpi_end_indep_data(file_), "ncmpi_end_indep_data");
  }

  int put(const MPI_Offset* start, const MPI_Offset* count, const double* values) const {
    return collective() ? ncmpi_put_vara_double_all(file_, variable_, start, count, values)
                        : ncmpi_put_vara_double(file_, variable_, start, count, values);
  }

  int get(const MPI_Offset* start, const MPI_Offset* count, double* values) const {
    return collective() ? ncmpi_get_vara_double_all(file_, variable_, start, count, values)
                        : ncmpi_get_vara_double(file_, variable_, start, count, values);
  }

  void sync(const trial_facts& facts, outcome& done) override {
    const auto scope = facts.line.during(phase::sync);
    check(done, ncmpi_sync(file_), "ncmpi_sync");
  }

  void close(outcome& done) override {
    if (open_) check(done, ncmpi_close(file_), "ncmpi_close");
  }

  bool open_ = false;
  int file_ = -1;
  int variable_ = -1;
};

}  // namespace

void add_pnetcdf_methods(method_list& list) {
  list.push_back(
      {"pnetcdf:collective", "ncmpi_put_vara_all in CDF-5", "", make_new<pnetcdf_method, true>});
  list.push_back(
      {"pnetcdf:independent", "ncmpi_put_vara in CDF-5", "", make_new<pnetcdf_method, false>});
}

}  // namespace headrace::bench
