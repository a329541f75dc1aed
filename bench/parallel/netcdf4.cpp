// A minimal parallel NetCDF-4 program: one contiguous variable without fill values.
#include <netcdf.h>
#include <netcdf_par.h>

#include "method.hpp"
#include "mpi_hints.hpp"

#include <optional>

namespace headrace::bench {
namespace {

class netcdf4_method : public io_method {
 public:
  explicit netcdf4_method(bool collective) : collective_(collective) {}

  outcome prepare(const trial_facts& facts) override {
    info_.emplace(facts.asked.hints);
    return {};
  }

  outcome write(const trial_facts& facts, trial_notes& notes) override {
    notes.writers = facts.all.size;
    outcome done = create(facts);
    if (open_) transfer(facts, true, done);
    close(facts, done);
    // nc_sync stops at the page cache.
    return facts.asked.sync ? sync_closed_file(facts, done) : done;
  }

  outcome read(const trial_facts& facts, trial_notes& notes) override {
    notes.writers = facts.all.size;
    outcome done = open(facts);
    if (open_) transfer(facts, false, done);
    close(facts, done);
    return done;
  }

 private:
  static void check(outcome& done, int code, const char* call) {
    if (code == NC_NOERR || !done.ok()) return;
    done = failure(code > 0 ? code : library_failed, std::string(call) + ": " + nc_strerror(code));
  }

  outcome create(const trial_facts& facts) {
    const auto scope = facts.line.during(phase::open);
    outcome done;
    check(done,
          nc_create_par(facts.asked.file.c_str(), NC_NETCDF4 | NC_CLOBBER, facts.all.comm,
                        info_->get(), &file_),
          "nc_create_par");
    open_ = done.ok();
    if (!open_) return done;
    static const char* const names[3] = {"z", "y", "x"};
    int dimensions[3] = {0, 0, 0};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto extent = static_cast<std::size_t>(facts.split.global[2 - axis]);
      check(done, nc_def_dim(file_, names[axis], extent, &dimensions[axis]), "nc_def_dim");
    }
    check(done, nc_def_var(file_, "data", NC_DOUBLE, 3, dimensions, &variable_), "nc_def_var");
    check(done, nc_def_var_chunking(file_, variable_, NC_CONTIGUOUS, nullptr),
          "nc_def_var_chunking");
    check(done, nc_def_var_fill(file_, variable_, NC_NOFILL, nullptr), "nc_def_var_fill");
    check(done, nc_enddef(file_), "nc_enddef");
    set_access(done);
    return done;
  }

  outcome open(const trial_facts& facts) {
    const auto scope = facts.line.during(phase::open);
    outcome done;
    check(done,
          nc_open_par(facts.asked.file.c_str(), NC_NOWRITE, facts.all.comm, info_->get(), &file_),
          "nc_open_par");
    open_ = done.ok();
    if (!open_) return done;
    check(done, nc_inq_varid(file_, "data", &variable_), "nc_inq_varid");
    set_access(done);
    return done;
  }

  // Collective calls go on after a failure: the other MPI ranks make them too.
  void transfer(const trial_facts& facts, bool write, outcome& done) const {
    const auto scope = facts.line.during(phase::transfer);
    double* values = facts.values;
    const std::int64_t calls = facts.split.calls();
    for (std::int64_t call = 0; call < calls; ++call) {
      const block part = part_of_call(facts.own(), call, calls);
      std::size_t start[3];
      std::size_t count[3];
      for (std::size_t axis = 0; axis < 3; ++axis) {  // NetCDF names the slowest first
        start[axis] = static_cast<std::size_t>(part.start[2 - axis]);
        count[axis] = static_cast<std::size_t>(part.count[2 - axis]);
      }
      check(done,
            write ? nc_put_vara_double(file_, variable_, start, count, values)
                  : nc_get_vara_double(file_, variable_, start, count, values),
            write ? "nc_put_vara_double" : "nc_get_vara_double");
      values += part.elements();
    }
  }

  void set_access(outcome& done) const {
    check(done, nc_var_par_access(file_, variable_, collective_ ? NC_COLLECTIVE : NC_INDEPENDENT),
          "nc_var_par_access");
  }

  void close(const trial_facts& facts, outcome& done) {
    if (!open_) return;
    const auto scope = facts.line.during(phase::close);
    check(done, nc_close(file_), "nc_close");
  }

  bool collective_;
  bool open_ = false;
  int file_ = -1;
  int variable_ = -1;
  std::optional<hint_info> info_;
};

template <bool collective>
std::unique_ptr<io_method> make(const std::string&) {
  return std::make_unique<netcdf4_method>(collective);
}

}  // namespace

void add_netcdf4_methods(method_list& list) {
  list.push_back(
      {"netcdf4:collective", "nc_put_vara of a contiguous variable, collective", "", make<true>});
  list.push_back({"netcdf4:independent", "nc_put_vara of a contiguous variable, independent", "",
                  make<false>});
}

}  // namespace headrace::bench
