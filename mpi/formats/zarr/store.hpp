// A Zarr v3 store: a directory for each array, its description in zarr.json, a file for each chunk
// or shard. The zarr.json of the store has those of all arrays: it is replaced last, so that
// whoever reads it finds what was there at the last flush. Next: writer.cpp and reader.cpp.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "../../dataset/backend.hpp"
#include "../../together/from_root.hpp"
#include "write.hpp"

namespace headrace::zarr {

// The zarr.json of a directory: its text, and what it is.
inline constexpr std::int64_t longest_document = std::int64_t{32} << 20;
status document_in(const std::string& directory, std::string& text);
// Not collective: directories of the store with an array in them, and the texts of their zarr.json.
status arrays_in(const std::string& directory, std::map<std::string, json_value>& found);
// What the store's own document says of an array; null: nothing.
const json_value* consolidated(const json_value& store, const std::string& name);
// The numbers of an array of steps.
status read_numbers(const std::string& directory, const array_document& stored,
                    file_maker make_file, timeline& line, std::vector<std::int64_t>& numbers);

class writer final : public dataset_writer {
 public:
  // make_file: how chunks are written.
  writer(const dataset_opening& how, file_maker make_file)
      : dataset_writer(how), make_file_(make_file) {}
  // Collective: goes on with the store that is there.
  status open();

  status write(const catalogue_entry& entry, const array_view& local,
               const array_layout& layout) override;
  status accept(const catalogue_entry& entry, const array_view& local,
                const array_layout& layout) override;
  status prepare(kept_arrays& kept) override;
  status write_kept(kept_arrays& kept) override;
  status write_attribute(const std::string& array, const std::string& name,
                         const array_view& value) override;
  status flush() override;
  void renamed(const std::string& file) noexcept override;
  status finish() override { return flush(); }

 private:
  struct written_array {
    std::string name;
    const catalogue_array* known = nullptr;  // null: of another program, and left as it is
    array_document stored;  // its last dimension, of the steps, is added in the document
    chunk_grid grid;
    bool is_changed = true;  // since its document was written
    attribute_texts attributes;

    bool has_steps() const noexcept { return known != nullptr && known->has_steps; }
  };
  struct step_numbers {
    std::vector<std::int64_t> numbers;
    std::size_t stored = 0;  // so many of them are in the store
    std::int64_t chunk = 0;  // numbers of a file
  };

  // A whole array, or one of its states, and the MPI rank that writes it.
  struct kept_chunk {
    written_array* array = nullptr;
    catalogue_entry entry;
    bool is_one = false;  // chunk: otherwise the blocks are chunks, or several are
    int owner = 0;
  };

  status write_chunk(const kept_chunk& chunk, char* data);
  status write_own(kept_delivery& delivery);
  destination destination_of(const written_array& array, std::int64_t state) const;
  status write_state(written_array& array, std::int64_t state, const write_plan& plan,
                     const array_view& local, const array_layout& layout);
  written_array* find(std::string_view name);
  written_array& add(std::unique_ptr<written_array> made);
  status gather_documents(root_message& all);
  status take_documents(root_message& all);
  status take_array(const std::string& name, const std::string& text);
  status take_up(const catalogue_entry& entry, const array_view& local, const array_layout& layout,
                 written_array*& array);
  status begin_array(const array_view& local, const array_layout& layout, written_array& array);
  status check_dimensions(const std::string& name, const array_layout& layout,
                          const std::vector<std::string>& dimensions);
  // Of the documents, by MPI rank 0 alone.
  status name_steps();
  status write_steps(const std::string& name, step_numbers& steps);
  static bool have_one_text(const written_array& one, const written_array& other);
  static std::string text_of(const written_array& array);
  status write_documents();
  status put_document(const std::string& name, const std::string& text);

  file_maker make_file_;
  std::vector<kept_chunk> kept_;                        // of arrays that were accepted
  std::unique_ptr<kept_delivery> delivery_;             // of them
  std::vector<std::unique_ptr<written_array>> arrays_;  // in the order in which they came
  std::unordered_map<std::string_view, written_array*> by_name_;
  std::map<std::string, std::int64_t> extents_;   // of dimensions, by their names
  std::map<std::string, step_numbers> steps_;     // by the names of their arrays
  std::map<std::string, std::string> documents_;  // in the store, on MPI rank 0
  bool has_document_ = false;                     // the store
  attribute_texts attributes_;
  std::vector<written_file> written_;
};

class reader final : public dataset_reader {
 public:
  reader(const dataset_opening& how, file_maker make_file)
      : dataset_reader(how), make_file_(make_file) {}
  // Collective. Failures errno (there is no such directory), header_damaged (no store),
  // format_unknown (a store of format 2).
  status open();

  status names(std::vector<std::string>& found) override;
  status describe(const std::string& name, stored_array& found) override;
  status read(const std::string& name, std::int64_t step_index, const array_view& local,
              const array_layout& layout) override;
  status read_attribute(const std::string& array, const std::string& name,
                        const array_view& value) override;
  void forget() noexcept override { arrays_.clear(); }

 private:
  struct known_array {
    std::string directory;
    array_document stored;
    std::vector<std::int64_t> steps;
  };

  // is_named: no such file is the failure array_missing.
  status read_document(const std::string& directory, json_value& document,
                       bool is_named = false) const;
  status find(const std::string& name, const known_array*& found);
  status load(const std::string& name, known_array& array);
  status read_steps(known_array& array);
  status missing(const std::string& name);

  file_maker make_file_;
  bool is_array_ = false;                                       // the store is one array, no group
  json_value document_;                                         // of the store
  std::map<std::string, std::unique_ptr<known_array>> arrays_;  // that were asked for
};

// What a backend does; make_file as above.
template <file_maker make_file>
status create_store(const dataset_opening& how, std::unique_ptr<dataset_writer>& made) {
  made = std::make_unique<writer>(how, make_file);
  return {};
}

template <file_maker make_file>
status open_store(const dataset_opening& how, std::unique_ptr<dataset_reader>& made) {
  auto begun = std::make_unique<reader>(how, make_file);
  if (status s = begun->open(); !s.ok()) return s;
  how.notes.hints.learn(how.settings.hints, hint_list{});
  made = std::move(begun);
  return {};
}

}  // namespace headrace::zarr
