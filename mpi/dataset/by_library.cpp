#include "by_library.hpp"

#include "../disk/library_files.hpp"
#include "../move/slabs.hpp"
#include "../together/from_root.hpp"
#include "attribute_failures.hpp"

namespace headrace {
namespace {

class library_writer final : public dataset_writer {
 public:
  using dataset_writer::dataset_writer;

  status create(const library_maker& make);
  status write(const catalogue_entry& entry, const array_view& local,
               const array_layout& layout) override;
  status write_attribute(const std::string& array, const std::string& name,
                         const array_view& value) override;
  status finish() override;
  void fail() noexcept override {
    if (description_ != nullptr) description_->fail();
  }

 private:
  status close();
  bool is_together() const noexcept { return settings_.pattern != write_pattern::serial; }
  // The format knows what is in force of its own hints.
  void tell_hints() {
    if (is_together() || settings_.hints.empty()) return;
    broadcast_found(*comm_, notes_.hints);
    notes_.hints.learn(settings_.hints, hint_list{});
  }
  // Collective: what the MPI ranks do that have the file open. All know of a failure before one of
  // them closes the file, which waits for the others.
  template <class Part>
  status here(Part part) {
    const auto named = [&] { return part().in_file_once(path_); };
    const bool is_alone = !is_together() && comm_->rank() == 0;
    status mine = is_together() ? run_to_end(*comm_, named)
                                : status_of_root(*comm_, is_alone ? caught(named) : status());
    if (!mine.ok()) fail();
    return mine;
  }

  std::unique_ptr<library_description> description_;  // where the file is open
};

status library_writer::create(const library_maker& make) {
  const auto during = notes_.line.during(HR_PHASE_OPEN);
  notes_.writers = is_together() ? comm_->size() : 1;
  if (status s = create_for_library(*comm_, path_, settings_.hints, notes_.hints); !s.ok())
    return s;
  status created = here([&] { return make(is_together() ? comm_ : nullptr, description_); });
  tell_hints();
  return created;
}

status library_writer::write(const catalogue_entry& entry, const array_view& local,
                             const array_layout& layout) {
  const bool collective = settings_.pattern == write_pattern::shared_collective;
  {
    const auto during = notes_.line.during(HR_PHASE_OPEN);
    stored_place unused;
    if (status s = here([&] { return description_->place(entry, unused); }); !s.ok()) return s;
    if (entry.is_new) tell_hints();
    if (is_empty(layout.global())) return {};
    if (status s = here([&] { return description_->begin_put(entry, collective); }); !s.ok())
      return s;
  }
  const element_form form = form_of(local);
  const auto put_alone = [&](const box& part, char* data) {
    status done = description_->put(part, data).in_file_once(path_);
    if (!done.ok()) drop_locks(path_.c_str());
    return done;
  };
  const auto put = [&](const box& part, char* data) {
    const auto during = notes_.line.during(HR_PHASE_TRANSFER);
    return put_alone(part, data);
  };
  return is_together() ? pass_slabs(layout, local, form, direction::out, put)
                       : pass_by_root(layout, local, form, notes_.line, direction::out, put_alone);
}

status library_writer::write_attribute(const std::string& array, const std::string& name,
                                       const array_view& value) {
  const auto during = notes_.line.during(HR_PHASE_OPEN);
  if (!array.empty() && !catalogue_.has(array)) return no_array_to_describe(array).in_file(path_);
  return here([&] { return description_->write_attribute(array, name, value); });
}

status library_writer::close() {
  const auto during = notes_.line.during(HR_PHASE_CLOSE);
  if (status s = here([&] { return description_->finish(); }); !s.ok()) return s;
  status checked;
  if (comm_->rank() == 0) checked = caught([&] { return description_->check_file(); });
  return status_of_root(*comm_, std::move(checked).in_file_once(path_));
}

status library_writer::finish() {
  if (status s = close(); !s.ok()) return s;
  tell_hints();
  if (!settings_.sync) return {};
  const auto during = notes_.line.during(HR_PHASE_SYNC);
  return sync_on_all_nodes(*comm_, path_);
}

// MPI rank 0 describes; all have the file open for the elements.
class library_reader final : public dataset_reader {
 public:
  library_reader(const dataset_opening& how, std::unique_ptr<dataset_reader> described)
      : dataset_reader(how), described_(std::move(described)) {}

  status open(const library_opener& open) {
    const auto during = notes_.line.during(HR_PHASE_OPEN);
    return agree(*comm_, open(comm_, source_).in_file_once(path_));
  }
  status names(std::vector<std::string>& found) override { return described_->names(found); }
  status describe(const std::string& name, stored_array& found) override {
    return described_->describe(name, found);
  }
  status read_attribute(const std::string& array, const std::string& name,
                        const array_view& value) override {
    return described_->read_attribute(array, name, value);
  }

  status read(const std::string& name, std::int64_t step_index, const array_view& local,
              const array_layout& layout) override {
    if (is_empty(layout.global())) return {};
    const bool collective = settings_.pattern == write_pattern::shared_collective;
    bool is_readable = true;
    status ready = source_->begin_read(name, step_index, collective, is_readable);
    if (status s = agree(*comm_, std::move(ready).in_file_once(path_)); !s.ok()) return s;
    if (!is_readable) return described_->read(name, step_index, local, layout);
    notes_.writers = comm_->size();
    const auto get = [&](const box& part, char* data) {
      const auto during = notes_.line.during(HR_PHASE_TRANSFER);
      status done = source_->read(name, step_index, part, data).in_file_once(path_);
      if (!done.ok()) drop_locks(path_.c_str());
      return done;
    };
    return pass_slabs(layout, local, form_of(local), direction::in, get);
  }

 private:
  std::unique_ptr<dataset_reader> described_;
  std::unique_ptr<library_source> source_;
};

}  // namespace

status create_by_library(const dataset_opening& how, const library_maker& make,
                         std::unique_ptr<dataset_writer>& made) {
  const auto begin = [&](library_writer& writer) { return writer.create(make); };
  return make_and_begin<library_writer>(*how.comm, made, begin, how);
}

status open_by_library(const dataset_opening& how, const library_opener& open,
                       described_opener describe, std::unique_ptr<dataset_reader>& made) {
  if (status s = check_readable(*how.comm, how.file); !s.ok()) return s;
  std::unique_ptr<dataset_reader> described;
  if (status s = open_described(how, std::move(describe), described); !s.ok()) return s;
  const auto begin = [&](library_reader& reader) { return reader.open(open); };
  return make_and_begin<library_reader>(*how.comm, made, begin, how, std::move(described));
}

}  // namespace headrace
