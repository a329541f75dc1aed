// What is in an HDF5 file that is read, foreign ones too: arrays, steps and attributes, and where
// the elements lie. Of one MPI rank alone; with the library's transfer of all, through MPI-IO.
#pragma once

#include "../../dataset/described.hpp"
#include "../../disk/hints.hpp"
#include "storage.hpp"

namespace headrace::hdf5 {

class contents final : public described_file {
 public:
  // comm: null for one MPI rank alone; otherwise all of it calls. places: else it tells of none,
  // and everything is read by read().
  explicit contents(std::string file, communicator_ptr comm = nullptr, bool places = true)
      : path_(std::move(file)), comm_(std::move(comm)), places_(places) {}

  status open(const hint_list& hints = {}, hints_found* found = nullptr);
  status names(std::vector<std::string>& found) override;
  status describe(const std::string& name, described_array& found) override;
  // None of a step that HDF5 reads sooner than it tells its place.
  status place(const std::string& name, std::int64_t step_index, stored_place& found) override;
  status read(const std::string& name, std::int64_t step_index, const box& part,
              char* data) override;
  status read_attribute(const std::string& array, const std::string& name,
                        const array_view& value) override;
  status begin_read(const std::string& name, std::int64_t step_index, bool collective,
                    bool& is_readable) override;

  // As it is known of an array that is written. scales: paths of its dimensions, slowest first.
  // is_ours: it can be gone on with.
  status look_at(const std::string& name, described_array& found, std::vector<std::string>& scales,
                 bool& is_ours);

 private:
  status select(const std::string& name);
  status learn();

  std::string path_;
  communicator_ptr comm_;
  bool places_;
  handle file_;
  // The array that was last looked at.
  std::string name_;
  handle dataset_;
  element_kind kind_;
  described_array stored_;
  std::vector<std::string> scales_;
  std::int64_t stored_steps_ = 0;
  bool is_virtual_ = false;  // it has its elements in other datasets
  part_transfer transfer_;
};

}  // namespace headrace::hdf5
