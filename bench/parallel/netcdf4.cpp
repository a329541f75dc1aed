// A minimal parallel NetCDF-4 program: one contiguous variable without fill values.
#include <netcdf.h>
#include <netcdf_par.h>

#include "library_method.hpp"

namespace headrace::bench {
namespace {

class netcdf4_method : public library_method {
 public:
  using library_method::library_method;

  // nc_sync stops at the page cache.
  outcome write(const trial_facts& facts, trial_notes& notes) override {
    const outcome done = library_method::write(facts, notes);
    return facts.asked.sync ? sync_closed_file(facts, done) : done;
  }

 private:
  static void check(outcome& done, int code, const char* call) {
    if (code == NC_NOERR || !done.ok()) return;
    done = failure(code > 0 ? code : library_failed, std::string(call) + ": " + nc_strerror(code));
  }

  bool open(const trial_facts& facts, bool write, outcome& done) override {
    const char* const name = facts.asked.file.c_str();
    const MPI_Comm comm = facts.all.comm;
    check(done,
          write ? nc_create_par(name, NC_NETCDF4 | NC_CLOBBER, comm, hints(), &file_)
                : nc_open_par(name, NC_NOWRITE, comm, hints(), &file_),
          write ? "nc_create_par" : "nc_open_par");
    open_ = done.ok();
    if (!open_) return false;
    if (write)
      define(slowest_first<std::size_t>(facts.split.global), done);
    else
      check(done, nc_inq_varid(file_, "data", &variable_), "nc_inq_varid");
    check(done, nc_var_par_access(file_, variable_, collective() ? NC_COLLECTIVE : NC_INDEPENDENT),
          "nc_var_par_access");
    return true;
  }

  void define(const std::array<std::size_t, 3>& global, outcome& done) {
    int dimensions[3] = {0, 0, 0};
    check(done, nc_def_dim(file_, "z", global[0], &dimensions[0]), "nc_def_dim");
    check(done, nc_def_dim(file_, "y", global[1], &dimensions[1]), "nc_def_dim");
    check(done, nc_def_dim(file_, "x", global[2], &dimensions[2]), "nc_def_dim");
    check(done, nc_def_var(file_, "data", NC_DOUBLE, 3, dimensions, &variable_), "nc_def_var");
    check(done, nc_def_var_chunking(file_, variable_, NC_CONTIGUOUS, nullptr),
          "nc_def_var_chunking");
    check(done, nc_def_var_fill(file_, variable_, NC_NOFILL, nullptr), "nc_def_var_fill");
    check(done, nc_enddef(file_), "nc_enddef");
  }

  void transfer(const block& part, bool write, double* values, outcome& done) override {
    const auto start = slowest_first<std::size_t>(part.start);
    const auto count = slowest_first<std::size_t>(part.count);
    check(done,
          write ? nc_put_vara_double(file_, variable_, start.data(), count.data(), values)
                : nc_get_vara_double(file_, variable_, start.data(), count.data(), values),
          write ? "nc_put_vara_double" : "nc_get_vara_double");
  }

  void close(outcome& done) override {
    if (open_) check(done, nc_close(file_), "nc_close");
  }

  bool open_ = false;
  int file_ = -1;
  int variable_ = -1;
};

}  // namespace

void add_netcdf4_methods(method_list& list) {
  list.push_back({"netcdf4:collective", "nc_put_vara of a contiguous variable, collective", "",
                  make_new<netcdf4_method, true>});
  list.push_back({"netcdf4:independent", "nc_put_vara of a contiguous variable, independent", "",
                  make_new<netcdf4_method, false>});
}

}  // namespace headrace::bench
