// Reads datasets through ADIOS2, foreign ones too, with selections.
#pragma once

#include <map>
#include <utility>

#include "../../together/from_root.hpp"
#include "calls.hpp"

namespace headrace {

class adios2_reader final : public dataset_reader {
 public:
  adios2_reader(std::string file, communicator_ptr comm, const parallel_settings& settings,
                parallel_notes& notes)
      : file_(std::move(file)), comm_(std::move(comm)), settings_(settings), notes_(notes) {
    while (file_.size() > 1 && file_.back() == '/') file_.pop_back();
  }
  ~adios2_reader() override;

  status open();
  status names(std::vector<std::string>& found) override;
  status describe(const std::string& name, stored_array& found) override;
  status read(const std::string& name, std::int64_t step_index, const array_view& local,
              const array_layout& layout) override;
  status read_attribute(const std::string& array, const std::string& name,
                        const array_view& value) override;

 private:
  struct known_array {
    stored_array array;
    adios2_form form;
  };
  // What is read: an array, or a step of it (-1: it has none).
  struct selection {
    adios2_variable* variable;
    adios2_form form;
    std::int64_t step_index;
    std::int64_t element_bytes;
    std::vector<box> written;
  };

  bool takes_part() const { return !serial() || comm_->rank() == 0; }
  bool serial() const { return settings_.pattern == write_pattern::serial; }
  status call(std::string_view what, function_ref<bool()> made) const {
    return adios2_try(what, file_, made);
  }
  status try_alone() const;
  status start(MPI_Comm comm);
  status find(const std::string& name, known_array*& found);
  status missing(const std::string& name);
  status learn(const std::string& name, known_array& array);
  status learn_shape(adios2_variable* variable, const std::string& name, known_array& array);
  void learn_steps(adios2_variable* variable, const std::string& name, known_array& array);
  // From MPI rank 0 to those that have not opened the store.
  static root_message pack(const known_array& array);
  static void unpack(const root_message& all, known_array& array);
  status get(const selection& from, const box& part, char* data);
  status get_part(const selection& from, const box& part, char* data);

  std::string file_;
  communicator_ptr comm_;
  parallel_settings settings_;
  parallel_notes& notes_;
  adios2_adios* adios_ = nullptr;
  adios2_io* io_ = nullptr;
  adios2_engine* engine_ = nullptr;
  bool broken_ = false;  // and left open
  std::map<std::string, known_array> arrays_;
};

}  // namespace headrace
