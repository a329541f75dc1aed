// Reads stores through ADIOS2, foreign ones too, with selections: MPI rank 0 describes the arrays,
// and every MPI rank opens the store for itself, so that none can wait for another in ADIOS2. Next:
// ../../dataset/described.hpp.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <map>
#include <numeric>
#include <utility>

#include "../../../src/core/name_text.hpp"
#include "../../dataset/described.hpp"
#include "../../disk/library_files.hpp"
#include "format.hpp"

namespace headrace::adios2_format {
namespace {

// What ADIOS2 may buffer while it reads.
constexpr std::int64_t most_buffered_bytes = std::int64_t{16} << 20;
constexpr std::size_t most_threads = 16;  // BP5 has no more for each process

// BP5 leaves a profile of every reading process in /tmp, whatever its parameters say.
void remove_profile(const std::string& file) noexcept {
  std::array<char, PATH_MAX> profile{};
  const std::size_t slash = file.rfind('/');
  const char* const name = file.c_str() + (slash == std::string::npos ? 0 : slash + 1);
  std::snprintf(profile.data(), profile.size(), "/tmp/%s_%x_profiling.json", name,
                static_cast<unsigned>(::getpid()));
  if (*name != '\0') ::unlink(profile.data());
}

// From the first to the last element that a block has in common with a section.
std::int64_t span_of(const box& common, const box& block) {
  std::int64_t span = 1;
  std::int64_t stride = 1;
  for (std::size_t d = 0; d < static_cast<std::size_t>(block.array_rank); ++d) {
    span += (common.count[d] - 1) * stride;
    stride *= block.count[d];
  }
  return span;
}

// A section in parts that follow one another in its element order. Of each written block ADIOS2
// buffers all from the first to the last element of a part, of several blocks at once by its
// threads: no more elements than most, as far as a section can be cut.
void cut(const box& part, const std::vector<box>& written, std::int64_t most,
         std::vector<box>& parts) {
  std::vector<box> touched;
  std::int64_t longest = 0;
  for (const box& block : written) {
    const box common = intersection(part, block);
    if (is_empty(common)) continue;
    touched.push_back(block);
    longest = std::max(longest, span_of(common, block));
  }
  const auto buffers = static_cast<std::int64_t>(std::min(touched.size(), most_threads));
  auto slowest = static_cast<std::size_t>(std::max(1, part.array_rank)) - 1;
  while (slowest > 0 && part.count[slowest] <= 1) --slowest;
  if (buffers * longest <= most || part.array_rank == 0 || part.count[slowest] <= 1) {
    parts.push_back(part);
    return;
  }
  box first = part;
  box second = part;
  first.count[slowest] /= 2;
  second.start[slowest] += first.count[slowest];
  second.count[slowest] -= first.count[slowest];
  cut(first, touched, most, parts);
  cut(second, touched, most, parts);
}

struct known_array {
  described_array array;
  form of;
};

class open_store {
 public:
  explicit open_store(std::string file) : file_(std::move(file)) {}
  ~open_store() {
    if (mpi_has_ended() || has_no_step_) return;
    const status ignored = attempt("", "", [&] {
      if (engine) engine.Close();
      library_.end();
    });
    static_cast<void>(ignored);
    remove_profile(file_);
  }
  open_store(const open_store&) = delete;
  open_store& operator=(const open_store&) = delete;

  status open(const adios2::Params& parameters = {}) {
    const status opened = attempt("cannot open the store", file_, [&] {
      io = library_.begin(MPI_COMM_SELF);
      io.SetParameters(parameters);
      engine = io.Open(file_, adios2::Mode::ReadRandomAccess);
    });
    if (!opened.ok() || engine.Steps() > 0) return opened;
    has_no_step_ = true;  // ADIOS2 crashes when it closes such a store
    return status::failure(stat_code::library_failed, "it has no step").in_file(file_);
  }

  adios2::IO io;
  adios2::Engine engine;

 private:
  std::string file_;
  library library_;
  bool has_no_step_ = false;
};

class reader final : public described_file {
 public:
  explicit reader(const std::string& file) : path_(file), store_(file) {}

  status open() {
    if (status s = check_not_empty(path_); !s.ok()) return s;
    const status tried = store_.open();
    if (tried.ok() || tried.code() == ENOMEM || tried.code() == EIO) return tried;
    return status::failure(stat_code::header_damaged,
                           "this is not a complete ADIOS2 store: " + tried.message());
  }

  status names(std::vector<std::string>& found) override {
    found = names_here();
    return {};
  }

  status describe(const std::string& name, described_array& found) override {
    known_array* array = nullptr;
    if (status s = find(name, array); !s.ok()) return s;
    found = array->array;
    return {};
  }

  // ADIOS2 reads them all.
  status place(const std::string& /*name*/, std::int64_t /*step_index*/,
               stored_place& /*found*/) override {
    return {};
  }

  status begin_read(const std::string& name, std::int64_t step_index, bool /*collective*/,
                    bool& /*is_readable*/) override {
    known_array* array = nullptr;
    if (status s = find(name, array); !s.ok()) return s;
    return attempt("cannot read", path_, [&] {
      chosen_ = {array, step_index, store_.io.InquireVariable(name)};
      chosen_.written = written_blocks(array->array.global);
    });
  }

  status read(const box& part, char* data) override {
    if (data == nullptr) return {};
    const auto bytes = static_cast<std::int64_t>(chosen_.array->array.elem_len);
    return attempt("cannot read", path_, [&] {
      std::vector<box> parts;
      cut(part, chosen_.written, most_buffered_bytes / std::max<std::int64_t>(1, bytes), parts);
      for (const box& one : parts) {
        const auto section = section_of(one, chosen_.array->of);
        if (!section.first.empty()) chosen_.variable.SetSelection(section);
        if (chosen_.step_index >= 0)
          chosen_.variable.SetStepSelection({static_cast<std::size_t>(chosen_.step_index), 1});
        store_.engine.Get(chosen_.variable, data, adios2::Mode::Sync);
        data += volume(one) * bytes;
      }
    });
  }

  status read_attribute(const std::string& array, const std::string& name,
                        const array_view& value) override {
    return get_attribute(store_.io, path_, attribute_name(array, name), value);
  }

 private:
  // What is read: an array, or a step of it (-1: it has none).
  struct selection {
    known_array* array = nullptr;
    std::int64_t step_index = -1;
    adios2::VariableNT variable{};
    std::vector<box> written{};
  };

  std::vector<std::string> names_here() {
    std::vector<std::string> names;
    for (const auto& [name, ignored] : store_.io.AvailableVariables(true))
      if (name != step_variable) names.push_back(name);
    return names;
  }

  status find(const std::string& name, known_array*& found) {
    auto known = arrays_.find(name);
    if (known == arrays_.end()) {
      known_array array;
      if (status s = learn(name, array); !s.ok()) return s;
      known = arrays_.emplace(name, std::move(array)).first;
    }
    found = &known->second;
    return {};
  }

  status learn(const std::string& name, known_array& array) {
    status shape;
    const status done = attempt("cannot look for " + shown(name), path_, [&] {
      const adios2::VariableNT variable = store_.io.InquireVariable(name);
      if (!variable) {
        const std::vector<std::string> there = names_here();
        shape = status::failure(stat_code::array_missing, "there is no array " + shown(name))
                    .in_file(path_)
                    .advise("the store has " + (there.empty() ? "none" : names_text(there)));
        return;
      }
      array.of.type = store_.io.InquireVariableType(name);
      shape = learn_shape(variable, name, array);
      if (shape.ok()) learn_steps(variable, name, array);
    });
    return done.ok() ? shape : done;
  }

  status learn_shape(const adios2::VariableNT& variable, const std::string& name,
                     known_array& array) {
    const adios2::ShapeID kind = variable.ShapeID();
    adios2::Dims shape = variable.Shape();
    const auto mark = texts_of(store_.io, attribute_name(name, mark_attribute));
    if (!mark.empty()) array.of.mark = mark[0];
    auto dimensions = texts_of(store_.io, attribute_name(name, dimensions_attribute));
    dimensions.resize(shape.size());
    if (array.of.mark == "character" && !shape.empty()) {
      array.of.text_length = shape.back();
      shape.pop_back();
      dimensions.pop_back();
    }
    const bool fits = shape.size() <= max_parallel_rank && (kind == adios2::ShapeID::GlobalArray ||
                                                            kind == adios2::ShapeID::GlobalValue);
    if (!fits || !find_kind(array.of, array.array))
      return status::failure(
                 stat_code::kind_unsupported,
                 fits ? "variable " + shown(name) + " has a type that Fortran does not have"
                      : "variable " + shown(name) + " is not a global array of array rank 0 to 7")
          .in_file(path_);
    array.array.global.array_rank = static_cast<int>(shape.size());
    for (std::size_t d = 0; d < shape.size(); ++d) {
      array.array.global.count[d] = static_cast<std::int64_t>(shape[shape.size() - 1 - d]);
      const std::string& given = dimensions[shape.size() - 1 - d];
      array.array.dimensions.push_back(given.empty() ? "d" + std::to_string(d + 1) : given);
    }
    return {};
  }

  // Ours have their numbers in an attribute; those of others count from 1.
  void learn_steps(const adios2::VariableNT& variable, const std::string& name,
                   known_array& array) {
    const std::size_t count = variable.Steps();
    std::vector<std::int64_t> steps = numbers_of(store_.io, attribute_name(name, steps_attribute));
    array.array.has_steps = !steps.empty() || count > 1;
    if (steps.size() != count && array.array.has_steps) {
      steps.resize(count);
      std::iota(steps.begin(), steps.end(), 1);
    }
    array.array.steps = step_list(std::move(steps));
  }

  // The blocks in which an array, or a step of it, was written. The whole array if the engine
  // does not tell (BP4 counts steps in another way here): its lines are no shorter.
  std::vector<box> written_blocks(const box& whole) {
    std::vector<box> blocks;
    const status told = attempt("", path_, [&] {
      if (whole.array_rank == 0 || store_.engine.Type() != "BP5Reader") return;
      const auto step = static_cast<std::size_t>(std::max<std::int64_t>(0, chosen_.step_index));
      const auto array_rank = static_cast<std::size_t>(whole.array_rank);
      for (const auto& info : store_.engine.BlocksInfo(chosen_.variable, step)) {
        box& block = blocks.emplace_back();
        block.array_rank = whole.array_rank;
        for (std::size_t d = 0; d < array_rank; ++d) {
          block.start[d] = static_cast<std::int64_t>(info.Start.at(array_rank - 1 - d));
          block.count[d] = static_cast<std::int64_t>(info.Count.at(array_rank - 1 - d));
        }
      }
    });
    return told.ok() && !blocks.empty() ? blocks : std::vector<box>{whole};
  }

  std::string path_;
  open_store store_;
  std::map<std::string, known_array> arrays_;
  selection chosen_;
};

}  // namespace

status open(const dataset_opening& how, std::unique_ptr<dataset_reader>& made) {
  const auto open_store = [file = how.file](const communicator_ptr&,
                                            std::unique_ptr<described_file>& opened) {
    auto store = std::make_unique<reader>(file);
    if (status s = store->open(); !s.ok()) return s;
    opened = std::move(store);
    return status();
  };
  return open_described(how, open_store, made);
}

}  // namespace headrace::adios2_format
