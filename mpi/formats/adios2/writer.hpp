// Writes datasets through ADIOS2. States become ADIOS2's own steps: one holds all that is written
// between two changes of the step number. Next: adios2/transfer.cpp.
#pragma once

#include <map>
#include <utility>

#include "../../move/exchange.hpp"
#include "parameters.hpp"

namespace headrace {

class adios2_writer final : public dataset_writer {
 public:
  adios2_writer(std::string file, communicator_ptr comm, const parallel_settings& settings,
                parallel_notes& notes)
      : file_(std::move(file)), comm_(std::move(comm)), settings_(settings), notes_(notes) {}
  ~adios2_writer() override;

  status open();
  status write(const array_place& place, const array_view& local,
               const array_layout& layout) override;
  status write_attribute(const std::string& array, const std::string& name,
                         const array_view& value) override;
  status finish() override;

 private:
  struct written_array {
    adios2_variable* variable = nullptr;
    adios2_form form;
    box whole;
    std::vector<std::string> dimensions;
    std::vector<std::int64_t> steps;
    bool has_steps = false;
  };

  // MPI ranks that have the store open: all, MPI rank 0, or the first of each node.
  bool takes_part() const {
    return serial() ? comm_->rank() == 0 : !gathers() || comm_->node_rank() == 0;
  }
  bool serial() const { return settings_.pattern == write_pattern::serial; }
  // The first MPI rank of a node writes for all of it.
  bool gathers() const { return settings_.pattern == write_pattern::file_per_node; }
  bool is_bp4() const { return kind_ == adios2_engine_kind::bp4; }
  int writers() const { return serial() ? 1 : gathers() ? comm_->nodes() : comm_->size(); }
  status call(std::string_view what, function_ref<bool()> made) const {
    return adios2_try(what, file_, made);
  }
  status start();
  status declare(const array_place& place, const array_view& local, const array_layout& layout,
                 written_array*& array);
  status check_step_name(const array_place& place) const;
  status define(const std::string& name, written_array& array, const array_layout& layout);
  status begin_step(const std::optional<std::int64_t>& step);
  status put_step_number(std::int64_t step);
  status reserve_index();
  status end_step();
  status end_step_here();
  status close_here();
  status transfer(const written_array& array, const array_view& local, const array_layout& layout);
  status transfer_gathered(const written_array& array, const array_view& local,
                           const array_layout& layout);
  status put_piece(const written_array& array, const piece& part, const char* data,
                   std::size_t bytes, bool copies);
  status put_block(const written_array& array, const box& part, const char* data,
                   std::int64_t element_bytes, bool copies);
  bool waits(std::int64_t most_bytes);
  status put(const written_array& array, const box& part, const char* data, bool copies);
  status write_out();
  status put_attributes();
  status put_descriptions();

  std::string file_;
  std::string path_;  // the same, absolute
  communicator_ptr comm_;
  parallel_settings settings_;
  parallel_notes& notes_;
  adios2_adios* adios_ = nullptr;
  adios2_io* io_ = nullptr;
  adios2_engine* engine_ = nullptr;
  adios2_variable* step_variable_ = nullptr;
  adios2_engine_kind kind_ = adios2_engine_kind::bp5;
  bool in_step_ = false;
  // Something failed on some MPI rank, or may fail on this one alone before the next agreement.
  bool broken_ = false;
  std::optional<std::int64_t> step_;
  std::int64_t held_ = 0;     // bytes that the library keeps at most on an MPI rank
  std::int64_t blocks_ = 0;   // of this step, written here
  std::int64_t flushes_ = 0;  // of this step
  std::map<std::string, written_array> arrays_;
  // Written at the end, because ADIOS2 changes none that it has.
  struct kept_attribute {
    std::vector<char> bytes;
    array_view value;
  };
  std::map<std::string, kept_attribute> attributes_;
};

}  // namespace headrace
