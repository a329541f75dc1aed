// A dataset that is open: its backend, what was asked for, and what came of it. Next:
// ../dataset/backend.hpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "../disk/replacement.hpp"
#include "dataset_arguments.hpp"

namespace headrace {

struct attribute_call {
  std::string array;  // empty: of the file
  std::string name;
  array_view value;
  std::string compared;  // that MPI ranks give the same
};

// What a call of write() came to on this MPI rank before any other hears of it.
struct array_call {
  array_view local;
  kept_array array;
};

class parallel_dataset {
 public:
  // Collective. action: "read", "write" or "append". grows: whether this
  // program adds to a file already; null if nobody can.
  static status open(const char* file, const communicator_ptr& comm, const char* action,
                     const hr_parallel_options& options, std::shared_ptr<parallel_dataset>& made,
                     bool (*grows)(const std::string& file) = nullptr);

  const communicator& comm() const noexcept { return *comm_; }
  const communicator_ptr& comm_ptr() const noexcept { return comm_; }
  // Open for writing, until it is closed.
  bool writes() const noexcept { return writer_ != nullptr; }
  const std::string& file() const noexcept { return file_; }
  // Not collective: this dataset adds to the file of that name.
  bool adds_to(const std::string& file) const noexcept {
    return writes() && !is_unnamed() && are_one_file(file_, file);
  }

  // After the opening, not collective: nothing is kept, and each write ends with all MPI ranks.
  void write_at_once() noexcept { keeps_ = false; }
  bool keeps() const noexcept { return keeps_; }
  // HEADRACE_CHECK=1 when it was opened.
  bool checks() const noexcept { return checks_; }
  // Nothing more is written, and no MPI rank waits for another one: all know why.
  bool is_over() const noexcept { return keeps_ && !failed_.ok(); }

  // All collective, but small arrays only wait for others when they are delivered
  // (kept_arrays.hpp): a wrong argument of this MPI rank comes back at once, and the others hear of
  // it then. Names are C's, because a copy of one takes memory, and a lack of it must be agreed on;
  // null is an empty one. A call that is refused for its arguments leaves the dataset as it was; a
  // transfer that failed, or MPI ranks that kept different arrays, end it: close() repeats that and
  // keeps the old file.
  status write(const char* name, const hr_array* described, const layout_ptr& layout,
               const char* dimensions, const long long* step);
  status read(const char* name, const hr_array* described, const layout_ptr& layout,
              const long long* step);
  status write_attribute(const char* array, const char* name, const hr_array* value);
  status read_attribute(const char* array, const char* name, const hr_array* value);
  // Looked up once: nobody adds arrays to what is being read.
  status list(const std::vector<std::string>*& names);
  status describe(const char* name, described_array& found);
  // What was written so far survives a kill at any later moment. The first of a new dataset gives
  // it its name: what was there before is gone then.
  status flush();
  // Not collective: all MPI ranks have this failure, and nothing of the dataset is to stay.
  status fail(const status& why) noexcept;
  status close();
  // Collective while arrays are kept.
  status abandon();
  // At MPI_Finalize, not collective: says that the dataset is lost, if it was open for writing.
  void lose() noexcept;
  void fill(hr_parallel_report& report) const;

 private:
  status check_array(const char* given, const hr_array* described, const layout_ptr& layout,
                     const char* dimensions, const long long* step, array_call& call);
  status layout_here(const layout_ptr& given, const std::string& name, layout_ptr& here);
  bool is_small(const hr_array* described, const layout_ptr& layout, std::int64_t& bytes) const;
  status keep_small(const char* given, const hr_array* described, const layout_ptr& layout,
                    const char* dimensions, const long long* step, std::int64_t bytes,
                    catalogue_entry& entry);
  status deliver();
  status deliver_and_settle();
  status settle_before();
  status agree_on_kept();
  // Nothing of it is in a file of that name yet.
  bool is_unnamed() const noexcept { return !target_.path().empty() && !has_name_; }
  status begin_new(bool directory);
  status begin_to_append(bool directory, bool (*grows)(const std::string& file));
  status as_named(status failure) const noexcept;
  status after_failure(const char* what) const noexcept;
  template <class Part>
  status run_to_end(Part part);
  template <class Part>
  status keep(Part part);
  status check_open(bool writes) const;
  status check_attribute(bool writes, const char* array, const char* name, const hr_array* value,
                         attribute_call& call) const;
  status open_here(const std::string& action, const hr_parallel_options& options,
                   bool (*grows)(const std::string& file));
  status check_not_replaced() const;
  status find_step(const described_array& stored, const long long* step, std::int64_t& index) const;

  std::string file_;
  communicator_ptr comm_;
  const backend* format_ = nullptr;
  parallel_settings settings_;
  parallel_notes notes_;
  replacement target_;
  bool has_name_ = false;  // the new dataset, since it was flushed
  std::unique_ptr<dataset_writer> writer_;
  std::unique_ptr<dataset_reader> reader_;
  named_file opened_;                              // on MPI rank 0, while the dataset is read
  std::optional<std::vector<std::string>> names_;  // of all arrays, if they were asked for
  status failed_;
  std::vector<layout_ptr> layouts_;  // of earlier calls, on comm_
  bool checks_ = false;
  bool keeps_ = false;
  kept_arrays kept_;
  bool is_unsettled_ = false;  // a delivery is under way, and nobody knows of the others' part
  status late_;                // what came of this MPI rank's
  // Failures of this MPI rank with small arrays, of which the others know nothing yet: a lack of
  // memory, and a call that was refused, as a rule on all of them.
  status untold_;
  status refused_;
};

}  // namespace headrace
