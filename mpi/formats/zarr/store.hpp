// A Zarr v3 store: a directory for each array, its description in zarr.json, a file for each chunk
// or shard. The zarr.json of the store has those of all arrays: it is replaced last, so that
// whoever reads it finds what was there at the last flush. Next: writer.cpp and stored.cpp.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "../../dataset/backend.hpp"
#include "../../together/from_root.hpp"
#include "files.hpp"

namespace headrace::zarr {

// What is there (stored.cpp). Not collective.
inline constexpr std::int64_t longest_document = std::int64_t{32} << 20;
// The zarr.json of a directory: its text, and what it is.
status document_in(const std::string& directory, std::string& text);
status names_in(const std::string& directory, std::vector<std::string>& names);
// Directories of the store with an array in them, and the texts of their zarr.json.
status arrays_in(const std::string& directory, std::map<std::string, std::string>& found);
// What the store's own document says of an array; null: nothing.
const json_value* consolidated(const json_value& store, const std::string& name);
described_array described_of(const std::string& name, const array_document& stored,
                             const std::vector<std::int64_t>& steps);
// Of an array in this group or in one below. No way leads out of the store.
bool is_safe_name(const std::string& name);

struct step_numbers {
  std::vector<std::int64_t> numbers;
  std::size_t stored = 0;  // so many of them are in the store
  std::int64_t chunk = 0;  // numbers of a file; 0: none, or not in plain files
};
// Failures header_damaged, and those of read_block().
status find_steps(const std::string& path, const json_value& store, const array_document& array,
                  file_maker make_file, timeline& line, step_numbers& found);

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
    const described_array* known = nullptr;  // null: of another program, and left as it is
    array_document stored;  // its last dimension, of the steps, is added in the document
    chunk_grid grid;
    bool is_changed = true;  // since its document was written
    attribute_texts attributes;

    bool has_steps() const noexcept { return known != nullptr && known->has_steps; }
  };

  bool is_in_chunks() const noexcept;
  int owner_of(const kept_array& one, std::size_t number) const;
  status write_own(const std::vector<kept_array>& all);
  chunk_files files_of(const written_array& array, std::int64_t state) const;
  status write_state(written_array& array, const catalogue_entry& entry, const array_view& local,
                     const array_layout& layout);
  written_array* find(const std::string& name) const;
  written_array& add(std::unique_ptr<written_array> made);
  using named_steps = std::pair<std::string, step_numbers>;
  status gather_documents(std::vector<std::string>& texts, std::vector<named_steps>& numbers);
  void remove_leftovers(const json_value& store,
                        const std::map<std::string, std::string>& arrays) const;
  status take_documents(const std::vector<std::string>& texts);
  void take_array(const std::string& name, const std::string& text);
  status take_up(const catalogue_entry& entry, const array_view& local, written_array*& array);
  status begin_array(const array_view& local, written_array& array);
  status check_dimensions(const described_array& array) const;
  // Of the documents, by MPI rank 0 alone.
  status name_steps();
  status write_steps(const std::string& name, step_numbers& steps);
  static bool have_one_text(const written_array& one, const written_array& other);
  static std::string text_of(const written_array& array);
  status write_documents();
  status put_document(const std::string& name, const std::string& text);

  file_maker make_file_;
  std::unique_ptr<kept_delivery> delivery_;             // of small arrays that were kept
  std::vector<std::size_t> together_;                   // those that nobody writes alone
  std::vector<std::unique_ptr<written_array>> arrays_;  // in the order in which they came
  std::unordered_map<std::string, written_array*> by_name_;
  std::map<std::string, step_numbers> steps_;     // by the names of their arrays
  std::map<std::string, std::string> documents_;  // in the store, on MPI rank 0
  bool has_document_ = false;                     // the store
  attribute_texts attributes_;
  std::vector<written_file> written_;
};

// What a backend does; make_file as above.
template <file_maker make_file>
status create_store(const dataset_opening& how, std::unique_ptr<dataset_writer>& made) {
  auto begun = std::make_unique<writer>(how, make_file);
  if (how.appends)
    if (status s = begun->open(); !s.ok()) return s;
  made = std::move(begun);
  return {};
}

// Collective (reader.cpp). Failures errno (there is no such directory), header_damaged (no store),
// format_unknown (a store of format 2).
status open_store(const dataset_opening& how, file_maker make_file,
                  std::unique_ptr<dataset_reader>& made);

template <file_maker make_file>
status open_store(const dataset_opening& how, std::unique_ptr<dataset_reader>& made) {
  return open_store(how, make_file, made);
}

}  // namespace headrace::zarr
