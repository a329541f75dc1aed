#include <algorithm>

#include "../../dataset/attribute_failures.hpp"
#include "../../disk/library_files.hpp"
#include "../../disk/positioned_file.hpp"
#include "../../move/element_form.hpp"
#include "../../together/library_words.hpp"
#include "contents.hpp"
#include "file.hpp"

namespace headrace::netcdf {
namespace {

// Of HDF5 within NetCDF-4, and of MPI-IO within PnetCDF: not of the arguments.
bool is_of_the_system(int code) noexcept {
  constexpr int hdf5_error = -101;
  constexpr int first_of_files = -201;
  constexpr int last_of_files = -225;
  return code == hdf5_error || (code <= first_of_files && code >= last_of_files);
}

}  // namespace

status library_failure(int code, const char* words, const std::string& what) {
  const int left = disk_error_in_errno();
  // NetCDF-4 takes every failure of HDF5 to create a file for one of permissions.
  if (left != 0 && (code > 0 || is_of_the_system(code))) return status::system(left, what);
  if (code > 0) return status::system(code, what);
  if (const int error = error_in_words(words); error > 0) return status::system(error, what);
  status failed = status::failure(stat_code::library_failed, what + ": " + words);
  if (code != bad_name) return failed;
  return std::move(failed).advise(
      "a name is UTF-8, begins with a letter, a digit or _ (or a character beyond ASCII), has no "
      "slash and no control character, and does not end with a blank");
}

status check_both_ends(const std::string& file) {
  constexpr std::int64_t most = std::int64_t{256} << 10;  // as PnetCDF reads at once
  positioned_file both;
  std::int64_t size = 0;
  status found = check_not_empty(file);
  if (found.ok()) found = both.open_to_read(file);
  if (found.ok()) found = both.size(size);
  const std::int64_t bytes = std::min(size, most);
  std::vector<char> part(static_cast<std::size_t>(bytes));
  if (found.ok()) found = both.read_at(0, part.data(), bytes);
  if (found.ok()) found = both.read_at(size - bytes, part.data(), bytes);
  return found;
}

status open(const netcdf_library& library, const dataset_opening& how,
            std::unique_ptr<dataset_reader>& made) {
  const bool together = how.settings.by_library_together();
  const bool tells_places = together || !how.settings.by_library();
  const auto open_file = [&library, how, tells_places](const communicator_ptr& comm,
                                                       std::unique_ptr<described_file>& opened) {
    // Alone an MPI rank describes, or reads what has no place.
    const bool own = comm == nullptr && tells_places;
    std::shared_ptr<library_file> file;
    std::unique_ptr<contents> one;
    status done = agreed(comm.get(), [&] {
      file = own ? library.make_own() : library.make();
      one = std::make_unique<contents>(how.file, file, own, comm);
      return comm == nullptr ? check_both_ends(how.file) : status();
    });
    if (done.ok()) done = agreed(comm.get(), [&] { return file->open(how, handle_of(comm)); });
    if (done.ok()) done = agreed(comm.get(), [&] { return one->learn(); });
    opened = std::move(one);
    return done;
  };
  if (!library.classic && !together)
    if (status s = check_readable(*how.comm, how.file); !s.ok()) return s;
  return open_described(how, open_file, made);
}

// Attributes: numbers are themselves, logicals bytes, complex numbers pairs of reals, a text loses
// the blanks that fill it up, and several texts are strings (NetCDF-4 only).
namespace {

std::int64_t elements_of(const array_view& value) {
  return static_cast<std::int64_t>(element_count(value).value_or(0));
}

status get_text(library_file& file, int variable, const std::string& name,
                const found_attribute& found, const array_view& value) {
  std::vector<std::string> texts;
  if (found.type == value_type::string) {
    if (status s = file.get_texts(variable, name, texts); !s.ok()) return s;
    return set_texts(name, texts, value);
  }
  texts.emplace_back(static_cast<std::size_t>(found.count), '\0');
  if (found.count > 0)
    if (status s = file.get_attribute(variable, name, texts[0].data()); !s.ok()) return s;
  return set_texts(name, texts, value);
}

}  // namespace

status put_attribute(library_file& file, int variable, const std::string& name,
                     const array_view& value) {
  value_form form;
  if (value.type == type_class::character) {
    const std::vector<std::string> texts = texts_of(value);
    if (value.array_rank > 0) return file.put_texts(variable, name, texts);
    return file.put_attribute(variable, name, value_type::text,
                              static_cast<std::int64_t>(texts[0].size()), texts[0].data());
  }
  if (status s = form_of_kind(value.type, value.elem_len, form); !s.ok()) return s;
  const element_form how = form_of(value);
  std::vector<char> bytes(static_cast<std::size_t>(elements_of(value)) * how.file_bytes + 1);
  store_elements(value, how, bytes.data());
  return file.put_attribute(variable, name, form.type, elements_of(value) * form.parts,
                            bytes.data());
}

status get_attribute(library_file& file, int variable, const std::string& name,
                     const array_view& value) {
  found_attribute found;
  if (status s = file.find_attribute(variable, name, found); !s.ok()) return s;
  if (!found.there) return no_attribute(name);
  if (value.type == type_class::character && class_of(found.type) == type_class::character)
    return get_text(file, variable, name, found, value);
  value_form form;
  if (status s = form_of_kind(value.type, value.elem_len, form); !s.ok()) return s;
  if (found.type != form.type) return attribute_of_another_kind(name, value, name_of(found.type));
  if (found.count != elements_of(value) * form.parts)
    return attribute_of_another_length(name, value,
                                       static_cast<std::size_t>(found.count / form.parts));
  const element_form how = form_of(value);
  std::vector<char> bytes(static_cast<std::size_t>(elements_of(value)) * how.file_bytes + 1);
  if (found.count > 0)
    if (status s = file.get_attribute(variable, name, bytes.data()); !s.ok()) return s;
  load_elements(value, how, bytes.data());
  return {};
}

}  // namespace headrace::netcdf
