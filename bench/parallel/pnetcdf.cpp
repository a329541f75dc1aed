// A minimal PnetCDF program: one variable in CDF-5, no fill values.
#include <pnetcdf.h>

#include "method.hpp"
#include "mpi_hints.hpp"

#include <optional>

namespace headrace::bench {
namespace {

class pnetcdf_method : public io_method {
 public:
  explicit pnetcdf_method(bool collective) : collective_(collective) {}

  outcome prepare(const trial_facts& facts) override {
    info_.emplace(facts.asked.hints);
    return {};
  }

  outcome write(const trial_facts& facts, trial_notes& notes) override {
    notes.writers = facts.all.size;
    outcome done = create(facts);
    if (open_) transfer(facts, true, done);
    if (open_ && facts.asked.sync) {
      const auto scope = facts.line.during(phase::sync);
      check(done, ncmpi_sync(file_), "ncmpi_sync");
    }
    close(facts, done);
    return done;
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
    const int number = code == NC_ENO_SPACE ? 28 : code > 0 ? code : library_failed;
    done = failure(number, std::string(call) + ": " + ncmpi_strerror(code));
  }

  outcome create(const trial_facts& facts) {
    const auto scope = facts.line.during(phase::open);
    outcome done;
    check(done,
          ncmpi_create(facts.all.comm, facts.asked.file.c_str(), NC_CLOBBER | NC_64BIT_DATA,
                       info_->get(), &file_),
          "ncmpi_create");
    open_ = done.ok();
    if (!open_) return done;
    static const char* const names[3] = {"z", "y", "x"};  // the slowest first
    int dimensions[3] = {0, 0, 0};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      check(done,
            ncmpi_def_dim(file_, names[axis], facts.split.global[2 - axis], &dimensions[axis]),
            "ncmpi_def_dim");
    }
    check(done, ncmpi_def_var(file_, "data", NC_DOUBLE, 3, dimensions, &variable_),
          "ncmpi_def_var");
    check(done, ncmpi_enddef(file_), "ncmpi_enddef");
    return done;
  }

  outcome open(const trial_facts& facts) {
    const auto scope = facts.line.during(phase::open);
    outcome done;
    check(done,
          ncmpi_open(facts.all.comm, facts.asked.file.c_str(), NC_NOWRITE, info_->get(), &file_),
          "ncmpi_open");
    open_ = done.ok();
    if (open_) check(done, ncmpi_inq_varid(file_, "data", &variable_), "ncmpi_inq_varid");
    return done;
  }

  // Collective calls go on after a failure: the other MPI ranks make them too.
  void transfer(const trial_facts& facts, bool write, outcome& done) {
    const auto scope = facts.line.during(phase::transfer);
    if (!collective_) check(done, ncmpi_begin_indep_data(file_), "ncmpi_begin_indep_data");
    double* values = facts.values;
    const std::int64_t calls = facts.split.calls();
    for (std::int64_t call = 0; call < calls; ++call) {
      const block part = part_of_call(facts.own(), call, calls);
      const MPI_Offset start[3] = {part.start[2], part.start[1], part.start[0]};
      const MPI_Offset count[3] = {part.count[2], part.count[1], part.count[0]};
      check(done, write ? put(start, count, values) : get(start, count, values),
            write ? "ncmpi_put_vara_double" : "ncmpi_get_vara_double");
      values += part.elements();
    }
    if (!collective_) check(done, ncmpi_end_indep_data(file_), "ncmpi_end_indep_data");
  }

  int put(const MPI_Offset* start, const MPI_Offset* count, const double* values) const {
    return collective_ ? ncmpi_put_vara_double_all(file_, variable_, start, count, values)
                       : ncmpi_put_vara_double(file_, variable_, start, count, values);
  }

  int get(const MPI_Offset* start, const MPI_Offset* count, double* values) const {
    return collective_ ? ncmpi_get_vara_double_all(file_, variable_, start, count, values)
                       : ncmpi_get_vara_double(file_, variable_, start, count, values);
  }

  void close(const trial_facts& facts, outcome& done) {
    if (!open_) return;
    const auto scope = facts.line.during(phase::close);
    check(done, ncmpi_close(file_), "ncmpi_close");
  }

  bool collective_;
  bool open_ = false;
  int file_ = -1;
  int variable_ = -1;
  std::optional<hint_info> info_;
};

template <bool collective>
std::unique_ptr<io_method> make(const std::string&) {
  return std::make_unique<pnetcdf_method>(collective);
}

}  // namespace

void add_pnetcdf_methods(method_list& list) {
  list.push_back({"pnetcdf:collective", "ncmpi_put_vara_all in CDF-5", "", make<true>});
  list.push_back({"pnetcdf:independent", "ncmpi_put_vara in CDF-5", "", make<false>});
}

}  // namespace headrace::bench
