// ADIOS2's BP5 and BP4: a store is a directory to which every MPI rank writes its own bytes. All
// here are plain calls of the library: if it waits for ever or ends the program, so does this
// (doc/reference/parallel_adios2.md). States become ADIOS2's own steps: one holds all that is
// written between two changes of the step number. Next: reader.cpp.
#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "../../../src/core/name_text.hpp"
#include "../../dataset/attribute_failures.hpp"
#include "../../disk/library_files.hpp"
#include "../../disk/positioned_file.hpp"
#include "../../move/plans.hpp"
#include "../../move/slabs.hpp"
#include "format.hpp"

namespace headrace::adios2_format {
namespace {

// Blocks up to this size are copied and written later, together.
constexpr std::int64_t small_block_bytes = std::int64_t{1} << 20;
constexpr std::int64_t most_held_bytes = std::int64_t{16} << 20;
// Every block has an entry in the metadata: the serial pattern makes few.
constexpr std::int64_t serial_piece_bytes = std::int64_t{16} << 20;
constexpr std::int64_t node_piece_bytes = std::int64_t{8} << 20;
// BP4 copies all it is given into a buffer that it writes when it is full.
constexpr std::int64_t bp4_piece_bytes = bp4_buffer_bytes / 4;

constexpr std::int64_t nothing = -1;  // the target of a piece without elements

// Elements of the node that has most.
std::int64_t most_of_a_node(const array_layout& layout) {
  const communicator& comm = layout.comm();
  std::vector<std::int64_t> elements(static_cast<std::size_t>(comm.nodes()), 0);
  for (int rank = 0; rank < comm.size(); ++rank)
    elements[static_cast<std::size_t>(comm.node_of(rank))] += volume(layout.block(rank));
  return *std::max_element(elements.begin(), elements.end());
}

// The pieces that the first MPI rank of each node writes for all of it: as many for each node as
// for the largest, the last ones empty, because writing out is collective among the writers.
std::unique_ptr<piece_plan> plan_nodes(const array_layout& layout, std::int64_t file_bytes,
                                       std::int64_t piece_bytes) {
  const communicator& comm = layout.comm();
  std::vector<box> blocks;
  std::vector<int> writer_of;
  for (int rank = 0; rank < comm.size(); ++rank) {
    blocks.push_back(layout.block(rank));
    writer_of.push_back(comm.leader_of(comm.node_of(rank)));
  }
  auto plan = plan_boxes(layout, blocks, writer_of, file_bytes, piece_bytes);
  // One element behind the array: an owner is asked only about pieces that have elements.
  piece behind{layout.global(), 0, 1, nothing};
  behind.of.start = behind.of.count;
  std::fill_n(behind.of.count.begin(), behind.of.array_rank, 1);
  for (int node = 0; node < comm.nodes(); ++node)
    while (plan->cycles_of(comm.leader_of(node)) < plan->cycles())
      plan->add(comm.leader_of(node), behind);
  return plan;
}

class writer final : public dataset_writer {
 public:
  using dataset_writer::dataset_writer;

  status open() {
    if (status s = find_engine(settings_.hints, kind_); !s.ok()) return s;
    if (status s = check_writable_directory(*comm_, path_); !s.ok()) return s;
    if (status s = agree_on(*comm_, [&] { return start(); }); !s.ok()) return s;
    status done;
    if (takes_part())
      done =
          call("cannot create the store", [&] { engine_ = io_.Open(path_, adios2::Mode::Write); });
    if (!done.ok() && !settings_.hints.empty())  // ADIOS2 names neither the parameter nor its value
      done = std::move(done).advise("check the values of hints=\"" + text_of(settings_.hints) +
                                    "\", which are ADIOS2's parameters");
    notes_.writers = writers();
    return agree(*comm_, done);
  }

  status write(const catalogue_entry& entry, const array_view& local,
               const array_layout& layout) override {
    form of;
    status possible = check(entry, local, of);
    if (!possible.ok()) return std::move(possible).in_file_once(path_);
    {
      const auto during = notes_.line.during(HR_PHASE_OPEN);
      if (ends_step(entry))
        if (status s = end_step({}); !s.ok()) return s;
    }
    if (is_small(layout, local)) return write_small(entry, local, layout, of);
    written_array* array = nullptr;
    {
      const auto during = notes_.line.during(HR_PHASE_OPEN);
      const status declared = agree_on(*comm_, [&] { return declare(entry, layout, of, array); });
      if (!declared.ok()) return declared;
    }
    return transfer(*array, local, layout);
  }

  status accept(const catalogue_entry& entry, const array_view& local,
                const array_layout& /*layout*/) override {
    form of;
    return check(entry, local, of).in_file_once(path_);
  }

  // ADIOS2 copies small blocks, and nobody waits for anybody: MPI ranks agree before they do
  // something together.
  status write_kept(kept_arrays& kept) override {
    status mine;
    for (const kept_array& one : kept.all()) {
      const array_view local = kept.view_of(one);
      form of;
      if (status s = check(one.entry, local, of); !s.ok()) return std::move(s).in_file_once(path_);
      const bool is_together = ends_step(one.entry) || !is_small(*one.layout, local);
      if (!is_together) {
        mine.keep_first(caught([&] { return put_small(one.entry, *one.layout, of, local.base); }));
        continue;
      }
      if (status s = agree(*comm_, std::exchange(mine, status())); !s.ok()) return s;
      if (status s = agree(*comm_, write(one.entry, local, *one.layout)); !s.ok()) return s;
    }
    return mine;
  }

  status write_attribute(const std::string& array, const std::string& name,
                         const array_view& value) override {
    if (!array.empty() && !catalogue_.has(array)) return no_array_to_describe(array).in_file(path_);
    form of;
    if (value.type != type_class::character)
      if (status s = find_form(value, of); !s.ok()) return std::move(s).in_file(path_);
    return agree_on(*comm_, [&] {
      if (value.type == type_class::character)
        if (status s = check_c_texts(name, texts_of(value)); !s.ok())
          return std::move(s).in_file(path_);
      kept_attribute& kept = attributes_[attribute_name(array, name)];
      kept.bytes.assign(value.base, value.base + byte_count(value).value_or(0));
      kept.bytes.push_back('\0');
      kept.value = value;
      kept.value.base = kept.bytes.data();
      return status();
    });
  }

  status finish() override {
    {
      const auto during = notes_.line.during(HR_PHASE_CLOSE);
      if (status s = close(); !s.ok()) return s;
    }
    if (!settings_.sync) return {};
    const auto during = notes_.line.during(HR_PHASE_SYNC);
    return sync_on_all_nodes(*comm_, path_);
  }

 private:
  struct written_array {
    adios2::VariableNT variable;
    form of;
    const described_array* known = nullptr;
    box selected;  // in the variable
  };

  // MPI ranks that have the store open: all, MPI rank 0, or the first of each node.
  bool takes_part() const {
    return serial() ? comm_->rank() == 0 : !gathers() || comm_->node_rank() == 0;
  }
  bool serial() const { return settings_.pattern == write_pattern::serial; }
  // The first MPI rank of a node writes for all of it.
  bool gathers() const { return settings_.pattern == write_pattern::file_per_node; }
  bool is_bp4() const { return kind_ == engine_kind::bp4; }
  int writers() const { return serial() ? 1 : gathers() ? comm_->nodes() : comm_->size(); }
  status call(std::string_view what, function_ref<void()> made) const {
    return attempt(what, path_, made);
  }

  status start() {
    MPI_Comm members = serial() ? MPI_COMM_SELF : comm_->handle();
    if (gathers())
      MPI_Comm_split(comm_->handle(), takes_part() ? 0 : MPI_UNDEFINED, comm_->rank(), &members);
    status done;
    if (takes_part())
      done = call("cannot start ADIOS2", [&] { io_ = library_.begin(members); });  // duplicates it
    if (gathers() && takes_part()) MPI_Comm_free(&members);
    if (done.ok())
      done = configure(takes_part() ? &io_ : nullptr, path_, kind_, writers(), settings_.hints,
                       notes_.hints);
    return done.ok() && takes_part() ? make_data_file() : done;
  }

  // Before ADIOS2 does: who cannot would leave the others waiting.
  status make_data_file() const {
    const int number = gathers() ? comm_->node_of(comm_->rank()) : comm_->rank();
    positioned_file made;
    if (status s = made.create(path_ + "/data." + std::to_string(number)); !s.ok()) return s;
    return made.close();
  }

  // All MPI ranks have the same arguments and the same catalogue.
  status check(const catalogue_entry& entry, const array_view& local, form& of) const {
    const described_array& array = *entry.array;
    if (status s = find_form(local, of); !s.ok()) return s;
    if (status s = check_step_name(array); !s.ok()) return s;
    if (!is_empty(array.global)) return {};
    return status::failure(
        stat_code::argument_invalid,
        "ADIOS2 keeps no array without elements, and " + shown(array.name) + " has none");
  }

  // Not collective, but for ADIOS2's own calls.
  status declare(const catalogue_entry& entry, const array_layout& layout, const form& of,
                 written_array*& array) {
    const bool has_step = entry.step >= 0;
    if (status s = begin_step(has_step ? std::optional(entry.step_number()) : std::nullopt);
        !s.ok())
      return s;
    const std::string& name = entry.array->name;
    array = &arrays_[name];
    if (!entry.is_new) return {};
    array->known = entry.array;
    array->of = of;
    return define(name, *array, layout);
  }

  // The numbers of steps are a variable too.
  status check_step_name(const described_array& next) const {
    const bool clashes = next.name == step_variable
                             ? catalogue_.has_steps()
                             : next.has_steps && catalogue_.has(step_variable);
    if (!clashes) return {};
    return status::failure(stat_code::argument_invalid,
                           "array \"step\" has the name of the numbers of steps")
        .advise("give it another name, or write no arrays with steps beside it");
  }

  status define(const std::string& name, written_array& array, const array_layout& layout) {
    if (!takes_part()) return {};
    const adios2::Dims shape = section_of(layout.global(), array.of).second;
    const auto own = section_of(layout.own(), array.of);
    array.selected = layout.own();
    status done = call("cannot add the variable", [&] {
      array.variable = io_.DefineVariable(array.of.type, name, shape, own.first, own.second);
    });
    return done.ok() ? std::move(done) : std::move(done).in_array(name);
  }

  status begin_step(std::optional<std::int64_t> number) {
    // All MPI ranks know the same of the step, also one that fails here: they end it together.
    const bool begins = !std::exchange(in_step_, true);
    const bool is_named = number && std::exchange(step_, number) != number;
    if (!takes_part()) return {};
    if (begins) {
      const auto begin = [&] { engine_.BeginStep(adios2::StepMode::Append); };
      if (status s = call("cannot begin a step", begin); !s.ok()) return s;
    }
    if (!is_named) return {};
    return call("cannot write the number of the step", [&] {
      if (!step_variable_) step_variable_ = io_.DefineVariable<std::int64_t>(step_variable);
      if (comm_->rank() == 0) engine_.Put(step_variable_, &*number, adios2::Mode::Sync);
    });
  }

  // Held blocks go out first: a failure of that others learn of, one of EndStep leaves them
  // waiting. mine: of what this MPI rank did before; the others did not wait for it.
  status end_step(status mine) {
    in_step_ = false;
    step_.reset();
    if (held_ > 0 && takes_part()) mine.keep_first(write_out());
    held_ = 0;
    if (status s = agree(*comm_, std::move(mine)); !s.ok()) return s;
    status done;
    if (takes_part()) done = call("cannot write the step", [&] { engine_.EndStep(); });
    return agree(*comm_, done);
  }

  status close() {
    status done = caught([&] {
      status put = begin_step({});
      if (!put.ok() || comm_->rank() != 0) return put;  // one of the writers is enough
      for (const auto& [name, kept] : attributes_)
        put.keep_first(put_attribute(io_, path_, name, kept.value));
      put.keep_first(call("cannot write what describes the arrays", [&] { put_attributes(); }));
      return put;
    });
    if (status s = end_step(std::move(done)); !s.ok()) return s;
    status closed;
    if (takes_part()) closed = call("cannot close the store", [&] { engine_.Close(); });
    if (status s = agree(*comm_, std::move(closed)); !s.ok()) return s;
    library_.end();
    return {};
  }

  // Whether blocks, each of an MPI rank with the store open, may wait in the library for others.
  bool is_small(const array_layout& layout, const array_view& local) const {
    if (serial() || gathers()) return false;
    const std::int64_t bytes =
        layout.largest_block() * static_cast<std::int64_t>(form_of(local).file_bytes);
    return bytes <= small_block_bytes && held_ + bytes <= most_held_bytes;
  }

  // What is written without a step goes with what is being written.
  bool ends_step(const catalogue_entry& next) const {
    return in_step_ && next.step >= 0 && step_ && next.step_number() != *step_;
  }

  // block: as it is in the file.
  status put_small(const catalogue_entry& entry, const array_layout& layout, const form& of,
                   const char* block) {
    const auto file_bytes = static_cast<std::int64_t>(entry.array->elem_len);
    held_ += layout.largest_block() * file_bytes;
    written_array* array = nullptr;
    if (status s = declare(entry, layout, of, array); !s.ok()) return s;
    const auto during = notes_.line.during(HR_PHASE_TRANSFER);
    return put_block(*array, layout.own(), block, file_bytes, true);
  }

  // ADIOS2 copies it, and nobody waits for anybody: the dataset agrees on the outcome.
  status write_small(const catalogue_entry& entry, const array_view& local,
                     const array_layout& layout, const form& of) {
    return caught([&]() -> status {
      const element_form how = form_of(local);
      std::vector<char> block(static_cast<std::size_t>(volume(layout.own())) * how.file_bytes + 1);
      if (!is_empty(layout.own())) store_elements(local, how, block.data());
      return put_small(entry, layout, of, block.data());
    });
  }

  // Small blocks wait in the library for others, large ones leave the array at once.
  bool waits(std::int64_t most_bytes) {
    held_ += most_bytes;
    return most_bytes <= small_block_bytes && held_ <= most_held_bytes;
  }

  status transfer(written_array& array, const array_view& local, const array_layout& layout) {
    if (serial() || gathers()) return transfer_pieces(array, local, layout);
    const element_form how = form_of(local);
    const auto file_bytes = static_cast<std::int64_t>(how.file_bytes);
    return pass_slabs(layout, local, how, direction::out, [&](const box& part, char* data) {
      const auto during = notes_.line.during(HR_PHASE_TRANSFER);
      status done;
      if (data != nullptr)
        done = caught([&] { return put_block(array, part, data, file_bytes, false); });
      done.keep_first(write_out());
      return done;
    });
  }

  // To MPI rank 0, or to the first of each node. They write out together: each of them in every
  // cycle, also after a failure.
  status transfer_pieces(written_array& array, const array_view& local,
                         const array_layout& layout) {
    const element_form how = form_of(local);
    const auto file_bytes = static_cast<std::int64_t>(how.file_bytes);
    std::unique_ptr<piece_plan> plan;
    std::int64_t most_bytes = 0;
    const status planned = agree_on(*comm_, [&] {
      const std::int64_t one = is_bp4()   ? bp4_piece_bytes
                               : serial() ? serial_piece_bytes
                                          : node_piece_bytes;
      plan = serial() ? make_shared_plan(layout, file_bytes, one, 1)
                      : plan_nodes(layout, file_bytes, one);
      most_bytes = file_bytes * (serial() ? volume(layout.global()) : most_of_a_node(layout));
      return status();
    });
    if (!planned.ok()) return planned;
    const bool waiting = waits(most_bytes);
    status failed;
    status moved = exchange_out(
        layout, local, how, *plan, notes_.line,
        [&](const piece& part, const char* data, std::size_t) {
          const bool copies = waiting || is_bp4();
          if (failed.ok() && part.target != nothing)
            failed = caught([&] { return put_piece(array, part, data, file_bytes, copies); });
          if (!waiting) failed.keep_first(write_out());
          return status();
        });
    if (!waiting) held_ = 0;  // on the others too
    if (moved.ok()) moved = agree(*comm_, failed);
    return moved;
  }

  // A block that is not copied stays where it is until write_out().
  status put_piece(written_array& array, const piece& part, const char* data,
                   std::int64_t element_bytes, bool copies) {
    return call("cannot write", [&] {
      for (const box& one : boxes_of_range(part.of, part.first, part.last)) {
        if (!(one == array.selected)) array.variable.SetSelection(section_of(one, array.of));
        array.selected = one;
        engine_.Put(array.variable, data, copies ? adios2::Mode::Sync : adios2::Mode::Deferred);
        data += volume(one) * element_bytes;
      }
    });
  }

  // Whole, or for BP4 in pieces.
  status put_block(written_array& array, const box& part, const char* data,
                   std::int64_t element_bytes, bool copies) {
    const std::int64_t all = volume(part);
    const std::int64_t most =
        is_bp4() ? std::max<std::int64_t>(1, bp4_piece_bytes / element_bytes) : all;
    status done;
    for (std::int64_t first = 0; first < all && done.ok(); first += most)
      done = put_piece(array, {part, first, std::min(all, first + most), 0},
                       data + first * element_bytes, element_bytes, copies || is_bp4());
    return done;
  }

  status write_out() {
    held_ = 0;
    if (is_bp4()) return {};
    const auto write = [&] { engine_.PerformDataWrite(); };
    const status done = call("cannot write", write);
    // The others wait in the exchange of sizes that follows the write. Alone in its file an MPI
    // rank whose write failed can join them with a second call, which writes nothing.
    if (!done.ok() && !serial()) static_cast<void>(call("", write));
    return done;
  }

  // Names of dimensions, marks and steps, for headrace and for people with bpls -a.
  void put_attributes() {
    for (const auto& [name, array] : arrays_) {
      const described_array& known = *array.known;
      std::vector<std::string> dimensions(known.dimensions.rbegin(), known.dimensions.rend());
      if (array.of.text_length > 0)
        dimensions.push_back("string" + std::to_string(array.of.text_length));
      io_.DefineAttribute<std::string>(attribute_name(name, dimensions_attribute),
                                       dimensions.data(), dimensions.size());
      if (!array.of.mark.empty())
        io_.DefineAttribute<std::string>(attribute_name(name, mark_attribute), &array.of.mark, 1);
      if (known.has_steps)
        io_.DefineAttribute<std::int64_t>(attribute_name(name, steps_attribute),
                                          known.steps.numbers().data(),
                                          known.steps.numbers().size());
    }
  }

  // A store that is not closed waits for other MPI ranks or ends the program when it is destroyed:
  // it is left to the end of the process.
  library library_;
  adios2::IO io_;
  adios2::Engine engine_;
  adios2::Variable<std::int64_t> step_variable_;
  engine_kind kind_ = engine_kind::bp5;
  bool in_step_ = false;
  std::optional<std::int64_t> step_;
  std::int64_t held_ = 0;  // bytes that the library keeps at most on an MPI rank
  std::unordered_map<std::string, written_array> arrays_;
  // Written at the end, because ADIOS2 changes none that it has.
  struct kept_attribute {
    std::vector<char> bytes;
    array_view value;
  };
  std::map<std::string, kept_attribute> attributes_;
};

}  // namespace

status create(const dataset_opening& how, std::unique_ptr<dataset_writer>& made) {
  const auto during = how.notes.line.during(HR_PHASE_OPEN);
  auto created = std::make_unique<writer>(how);
  if (status s = created->open(); !s.ok()) return s;
  made = std::move(created);
  return {};
}

}  // namespace headrace::adios2_format

namespace headrace {

const backend adios2_backend = {
    "adios2",
    can_serial | can_file_per_process | can_file_per_node | can_library_transfer | is_a_directory |
        can_keep,
    write_pattern::file_per_process,
    transfer_way::library,
    nullptr,
    adios2_format::create,
    adios2_format::open,
};

}  // namespace headrace
