// MPI-IO by its own calls: the array in global order through a subarray view, or one contiguous
// block after the other at explicit offsets.
#include "large_count.hpp"
#include "method.hpp"
#include "mpi_hints.hpp"

#include <climits>
#include <optional>

namespace headrace::bench {
namespace {

class mpiio_method : public io_method {
 public:
  mpiio_method(bool collective, bool contiguous)
      : collective_(collective), contiguous_(contiguous) {}
  ~mpiio_method() override {
    if (view_ != MPI_DOUBLE) MPI_Type_free(&view_);
  }

  outcome prepare(const trial_facts& facts) override {
    info_.emplace(facts.asked.hints);
    what_.emplace(facts.elements());
    return contiguous_ || facts.elements() == 0 ? outcome{} : make_view(facts);
  }

  outcome write(const trial_facts& facts, trial_notes& notes) override {
    return run(facts, notes, true);
  }
  outcome read(const trial_facts& facts, trial_notes& notes) override {
    return run(facts, notes, false);
  }

 private:
  outcome run(const trial_facts& facts, trial_notes& notes, bool write) {
    notes.writers = facts.all.size;
    outcome done = open(facts, write ? MPI_MODE_CREATE | MPI_MODE_WRONLY : MPI_MODE_RDONLY);
    if (file_ == MPI_FILE_NULL) return done;
    {
      const auto scope = facts.line.during(phase::transfer);
      MPI_Status status;
      const int code = write ? call_write(facts, status) : call_read(facts, status);
      done.keep(transferred(code, status, write ? "MPI_File_write" : "MPI_File_read"));
    }
    if (write && facts.asked.sync) {
      const auto scope = facts.line.during(phase::sync);
      done.keep(mpi_outcome(MPI_File_sync(file_), "MPI_File_sync"));
    }
    return close(facts, done);
  }

  outcome make_view(const trial_facts& facts) {
    int sizes[3];
    int counts[3];
    int starts[3];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (facts.split.global[axis] > INT_MAX) {
        return failure(library_failed,
                       "MPI_Type_create_subarray takes extents up to 2147483647; "
                       "use an array with shorter axes");
      }
      sizes[axis] = static_cast<int>(facts.split.global[axis]);
      counts[axis] = static_cast<int>(facts.own().count[axis]);
      starts[axis] = static_cast<int>(facts.own().start[axis]);
    }
    const int code =
        MPI_Type_create_subarray(3, sizes, counts, starts, MPI_ORDER_FORTRAN, MPI_DOUBLE, &view_);
    if (code == MPI_SUCCESS) MPI_Type_commit(&view_);
    return mpi_outcome(code, "MPI_Type_create_subarray");
  }

  outcome open(const trial_facts& facts, int mode) {
    const auto scope = facts.line.during(phase::open);
    const std::string& name = facts.asked.file;
    const int code = MPI_File_open(facts.all.comm, name.c_str(), mode, info_->get(), &file_);
    if (code != MPI_SUCCESS) {
      file_ = MPI_FILE_NULL;
      return mpi_outcome(code, "MPI_File_open of " + name);
    }
    offset_ = 8 * facts.split.elements_before(facts.all.rank);
    if (contiguous_) return {};
    return mpi_outcome(MPI_File_set_view(file_, 0, MPI_DOUBLE, view_, "native", info_->get()),
                       "MPI_File_set_view of " + name);
  }

  int call_write(const trial_facts& facts, MPI_Status& status) const {
    const double* values = facts.values;
    const int n = what_->count();
    const MPI_Datatype type = what_->type();
    if (contiguous_) {
      return collective_ ? MPI_File_write_at_all(file_, offset_, values, n, type, &status)
                         : MPI_File_write_at(file_, offset_, values, n, type, &status);
    }
    return collective_ ? MPI_File_write_all(file_, values, n, type, &status)
                       : MPI_File_write(file_, values, n, type, &status);
  }

  int call_read(const trial_facts& facts, MPI_Status& status) const {
    double* values = facts.values;
    const int n = what_->count();
    const MPI_Datatype type = what_->type();
    if (contiguous_) {
      return collective_ ? MPI_File_read_at_all(file_, offset_, values, n, type, &status)
                         : MPI_File_read_at(file_, offset_, values, n, type, &status);
    }
    return collective_ ? MPI_File_read_all(file_, values, n, type, &status)
                       : MPI_File_read(file_, values, n, type, &status);
  }

  outcome transferred(int code, const MPI_Status& status, const std::string& call) const {
    if (code != MPI_SUCCESS) return mpi_outcome(code, call);
    MPI_Count found = 0;
    MPI_Get_elements_x(&status, what_->type(), &found);
    MPI_Count bytes = 0;
    MPI_Type_size_x(what_->type(), &bytes);
    const MPI_Count wanted = bytes * what_->count() / 8;
    if (found == wanted) return {};
    return failure(library_failed, call + ": expected " + std::to_string(wanted) +
                                       " values, moved " + std::to_string(found));
  }

  outcome close(const trial_facts& facts, outcome done) {
    const auto scope = facts.line.during(phase::close);
    done.keep(mpi_outcome(MPI_File_close(&file_), "MPI_File_close of " + facts.asked.file));
    return done;
  }

  bool collective_;
  bool contiguous_;
  MPI_Datatype view_ = MPI_DOUBLE;
  MPI_File file_ = MPI_FILE_NULL;
  MPI_Offset offset_ = 0;
  std::optional<hint_info> info_;
  std::optional<counted_type> what_;
};

}  // namespace

void add_mpiio_methods(method_list& list) {
  list.push_back({"mpiio:collective", "MPI_File_write_all with a subarray view", "",
                  make_new<mpiio_method, true, false>});
  list.push_back({"mpiio:independent", "MPI_File_write with a subarray view", "",
                  make_new<mpiio_method, false, false>});
  list.push_back({"mpiio:contiguous_collective", "MPI_File_write_at_all, one block after the other",
                  "", make_new<mpiio_method, true, true>});
  list.push_back({"mpiio:contiguous_independent", "MPI_File_write_at, one block after the other",
                  "", make_new<mpiio_method, false, true>});
}

}  // namespace headrace::bench
