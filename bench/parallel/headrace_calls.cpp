// headrace's own parallel arrays through its C interface: headrace:<format>:<pattern>[:<transfer>].
#include <headrace_mpi.h>
#include <stdlib.h>

#include <stdexcept>

#include "method.hpp"

// Gives the C++ library Fortran's statements, for the format "statements"; the Fortran module does
// it at its first call (mpi/headrace_mpi/stream_statements.f90).
extern "C" void hr_mpi_register_statements();

namespace headrace::bench {
namespace {

static_assert(HR_PHASES == static_cast<int>(phases));

// Parts of a name between colons.
std::vector<std::string> parts_of(const std::string& name) {
  std::vector<std::string> parts(1);
  for (const char c : name) {
    if (c == ':') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

outcome told(int code, const hr_error& error) {
  return code == 0 ? outcome{} : failure(code, error.message);
}

class headrace_method : public io_method {
 public:
  explicit headrace_method(const std::string& name) : parts_(parts_of(name)) {
    if (parts_.size() < 3 || parts_.size() > 4) {
      throw std::invalid_argument("method \"" + name +
                                  "\": expected headrace:<format>:<pattern>[:<transfer>]");
    }
    const char* former = getenv("HEADRACE_NODE_SIZE");
    former_node_size_ = former == nullptr ? "" : former;
  }
  ~headrace_method() override {
    if (layout_ != 0) hr_free_layout(&layout_, nullptr);
    set_node_size(former_node_size_);
  }

  outcome prepare(const trial_facts& facts) override {
    options_.format = parts_[1].c_str();
    options_.pattern = parts_[2].c_str();
    if (parts_.size() == 4) options_.transfer = parts_[3].c_str();
    options_.hints = facts.asked.hints.c_str();
    if (facts.asked.sync) options_.sync = "file";
    take_options(facts.asked.options);
    if (facts.asked.node_size > 0) set_node_size(std::to_string(facts.asked.node_size));
    return make_layout(facts);
  }

  outcome write(const trial_facts& facts, trial_notes& notes) override {
    return call(facts, notes, [&](hr_error& error) {
      return hr_write_parallel(facts.asked.file.c_str(), &array_, layout_, &options_, &report_,
                               &error);
    });
  }

  outcome read(const trial_facts& facts, trial_notes& notes) override {
    return call(facts, notes, [&](hr_error& error) {
      return hr_read_parallel(facts.asked.file.c_str(), &array_, layout_, &options_, &report_,
                              &error);
    });
  }

  // The library checks that itself, and compressed files are smaller.
  std::int64_t least_bytes(const trial_facts&) const override { return 0; }

 private:
  static void set_node_size(const std::string& size) {
    if (size.empty()) {
      unsetenv("HEADRACE_NODE_SIZE");
    } else {
      setenv("HEADRACE_NODE_SIZE", size.c_str(), 1);
    }
  }

  void take_options(const std::map<std::string, std::string>& options) {
    const std::map<std::string, const char**> members = {
        {"dataset", &options_.dataset},   {"dimensions", &options_.dimensions},
        {"checksum", &options_.checksum}, {"compression", &options_.compression},
        {"mode", &options_.mode},         {"sync", &options_.sync},
        {"transfer", &options_.transfer}};
    for (const auto& [name, value] : options) {
      const auto found = members.find(name);
      if (found == members.end()) {
        throw std::invalid_argument("headrace has no option \"" + name + "\" for parallel arrays");
      }
      *found->second = value.c_str();
    }
  }

  outcome make_layout(const trial_facts& facts) {
    long long global[3];
    long long start[3];
    long long count[3];
    array_.base = facts.values;
    array_.elem_len = sizeof(double);
    array_.type = HR_TYPE_REAL;
    array_.array_rank = 3;
    std::int64_t stride = sizeof(double);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      global[axis] = facts.split.global[axis];
      start[axis] = facts.own().start[axis] + 1;
      count[axis] = facts.own().count[axis];
      array_.extent[axis] = count[axis];
      array_.stride[axis] = stride;
      stride *= facts.own().count[axis];
    }
    hr_error error{};
    return told(hr_make_layout(&layout_, facts.all.comm, 3, global, start, count, &error), error);
  }

  template <class function>
  outcome call(const trial_facts& facts, trial_notes& notes, function&& transfer) {
    hr_error error{};
    const int code = transfer(error);
    take_report(facts, notes);
    return told(code, error);
  }

  void take_report(const trial_facts& facts, trial_notes& notes) const {
    // The library's clock, which each MPI rank may begin where it likes.
    const double ahead = now() - MPI_Wtime();
    for (int each = 0; each < report_.events && each < HR_MAX_EVENTS; ++each) {
      const hr_event& its = report_.event[each];
      facts.line.add_event(static_cast<phase>(its.phase), its.begin + ahead, its.end + ahead);
    }
    for (std::size_t each = 0; each < phases; ++each) {
      facts.line.add_seconds(static_cast<phase>(each), report_.seconds[each]);
    }
    notes.writers = report_.writers;
    notes.redistributed = report_.redistributed != 0;
    notes.knows_hints = true;
    notes.hints_in_force = report_.hints_in_force;
    notes.hints_ignored = report_.hints_ignored;
  }

  std::vector<std::string> parts_;
  std::string former_node_size_;
  hr_layout layout_ = 0;
  hr_array array_{};
  hr_parallel_options options_{};
  hr_parallel_report report_{};
};

std::unique_ptr<io_method> make(const std::string& name) {
  return std::make_unique<headrace_method>(name);
}

struct format_methods {
  const char* format;
  std::vector<const char*> ways;  // patterns with their transfer
};

}  // namespace

// The combinations that are worth a name; make_method takes any.
void add_headrace_methods(method_list& list) {
  hr_mpi_register_statements();  // before formats are asked whether they are there
  const std::vector<format_methods> formats = {
      {"zarr",
       {"file_per_process", "file_per_node", "serial", "shared_collective", "shared_independent"}},
      {"npy",
       {"shared_collective", "shared_independent", "serial", "shared_collective:library",
        "shared_independent:library"}},
      {"hdf5",
       {"shared_collective", "shared_independent", "serial", "shared_collective:library",
        "shared_independent:library"}},
      {"netcdf4",
       {"shared_collective", "shared_independent", "serial", "shared_collective:library",
        "shared_independent:library"}},
      {"pnetcdf",
       {"shared_collective", "shared_independent", "serial", "shared_collective:library",
        "shared_independent:library"}},
      {"adios2", {"file_per_process", "file_per_node", "serial"}},
      {"statements", {"file_per_process"}}};
  for (const format_methods& each : formats) {
    const char* missing = hr_parallel_unavailable(each.format);
    for (const char* way : each.ways) {
      list.push_back({std::string("headrace:") + each.format + ":" + way,
                      std::string("headrace writes ") + each.format + ", " + way,
                      missing == nullptr ? "" : missing, make});
    }
  }
}

}  // namespace headrace::bench
