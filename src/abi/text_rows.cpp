// Handles of text files that are written and read row by row. Next: ../text/write.hpp and
// ../text/read.hpp.
#include "../../include/headrace_rows.h"

#include <cerrno>

#include "../text/read.hpp"
#include "../text/write.hpp"
#include "errors.hpp"
#include "handles.hpp"
#include "options.hpp"
#include "views.hpp"

namespace headrace {
namespace {

struct open_writer {
  std::string file;
  text_file text;
  status failure;        // of the rows: nothing is written after it
  bool writing = false;  // still set when an exception has ended the writing
};

struct open_reader {
  std::string file;
  text_row_reader rows;
  bool begun = false;
  type_class type = type_class::integer;
  std::size_t elem_len = 0;
};

handle_registry<open_writer>& writers() {
  static handle_registry<open_writer> registry;
  return registry;
}

handle_registry<open_reader>& readers() {
  static handle_registry<open_reader> registry;
  return registry;
}

status null_pointer(const char* what, const std::string& file) {
  return status::failure(stat_code::argument_invalid, std::string(what) + " is a null pointer")
      .in_file(file)
      .advise("see headrace_rows.h");
}

template <class Options, class Settings>
status prepare(const std::string& file, const Options& options, Settings& settings) {
  const format* file_format = nullptr;
  if (status s = find_format(file, text_of(options.format), file_format); !s.ok()) return s;
  if (status s = convert(options, *file_format, settings); !s.ok())
    return std::move(s).in_file_once(file);
  if (file_format->is_text) return {};
  return status::failure(stat_code::format_unknown, "only text files have rows")
      .in_file(file)
      .advise("choose a text format such as \"csv\"");
}

// Nothing for a null pointer.
progress_function function_of(hr_progress progress) {
  if (progress == nullptr) return {};
  return [progress](std::uint64_t done, std::uint64_t total) {
    return progress(static_cast<std::int64_t>(done), static_cast<std::int64_t>(total)) != 0;
  };
}

status open(const std::string& file, const hr_write_options& options, hr_progress progress,
            hr_text_writer& writer) {
  auto opened = std::make_shared<open_writer>();
  write_settings settings;
  if (status s = prepare(file, options, settings); !s.ok()) return s;
  opened->file = file;
  if (status s = opened->text.open(file, settings); !s.ok()) return s;
  opened->text.on_progress(function_of(progress));
  writer = writers().add(std::move(opened));
  return {};
}

status open(const std::string& file, const hr_read_options& options, hr_progress progress,
            hr_text_reader& reader) {
  auto opened = std::make_shared<open_reader>();
  read_settings settings;
  if (status s = prepare(file, options, settings); !s.ok()) return s;
  if (!settings.text.edit.empty())
    return status::failure(stat_code::option_unknown, "rows are not read through edit=")
        .in_file(file)
        .advise("read_array takes edit=");
  opened->file = file;
  if (status s = opened->rows.open(file, settings); !s.ok()) return s;
  opened->rows.on_progress(function_of(progress));
  reader = readers().add(std::move(opened));
  return {};
}

status failure_of(open_writer& writer) {
  if (writer.writing && writer.failure.ok())
    writer.failure = status::system(ENOMEM, "cannot write the rows").in_file(writer.file);
  return writer.failure;
}

status write_rows(open_writer& writer, const hr_array& array) {
  if (status s = failure_of(writer); !s.ok()) return s;
  writer.writing = true;
  array_view view;
  status result = from_c(array, view);
  if (result.ok()) result = writer.text.write_rows(view);
  writer.writing = false;
  if (result.ok()) return result;
  writer.failure = std::move(result).in_file_once(writer.file);
  return writer.failure;
}

status read_rows(open_reader& reader, const hr_array& array, long long& count) {
  array_view view;
  count = 0;
  if (status s = from_c(array, view); !s.ok()) return std::move(s).in_file(reader.file);
  if (!reader.begun) {
    if (status s = reader.rows.begin(view.type, view.elem_len); !s.ok()) return s;
    reader.begun = true;
    reader.type = view.type;
    reader.elem_len = view.elem_len;
  }
  if (view.type != reader.type || view.elem_len != reader.elem_len)
    return status::failure(stat_code::argument_invalid, "the array has another kind than the first")
        .in_file(reader.file)
        .advise("read all rows into arrays of one type and kind");
  const text_matrix matrix(view);
  bool end = false;
  if (status s = reader.rows.at_end(end); !s.ok()) return s;
  if (end)
    return status::failure(stat_code::end_of_file, "there are no more rows").in_file(reader.file);
  if (matrix.columns() != reader.rows.columns())
    return status::failure(stat_code::row_length, "the array has the wrong number of columns")
        .expected(std::to_string(reader.rows.columns()), std::to_string(matrix.columns()))
        .in_file(reader.file)
        .advise("read into an array with the columns of the file");
  std::uint64_t rows = 0;
  status result = reader.rows.read(&matrix, matrix.rows(), rows);
  count = static_cast<long long>(rows);
  return result;
}

}  // namespace
}  // namespace headrace

extern "C" int hr_text_writer_open(const char* file, const hr_write_options* options,
                                   hr_progress progress, hr_text_writer* writer, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    if (writer == nullptr) return null_pointer("writer", text_of(file));
    return open(text_of(file), options == nullptr ? hr_write_options{} : *options, progress,
                *writer);
  });
}

extern "C" int hr_text_writer_rows(hr_text_writer writer, const hr_array* array, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    const std::shared_ptr<open_writer> opened = writers().find(writer);
    if (opened == nullptr) return closed_handle("the text_writer", writer);
    if (array == nullptr) {
      status failure = failure_of(*opened);
      failure.keep_first(null_pointer("array", opened->file));
      opened->failure = failure;
      return failure;
    }
    return write_rows(*opened, *array);
  });
}

extern "C" int hr_text_writer_close(hr_text_writer* writer, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    if (writer == nullptr) return null_pointer("writer", "");
    const std::shared_ptr<open_writer> opened = writers().remove(*writer);
    if (opened == nullptr) return closed_handle("the text_writer", *writer);
    status failure = failure_of(*opened);
    return failure.ok() ? opened->text.finish() : failure;
  });
}

extern "C" int hr_text_reader_open(const char* file, const hr_read_options* options,
                                   hr_progress progress, hr_text_reader* reader, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    if (reader == nullptr) return null_pointer("reader", text_of(file));
    return open(text_of(file), options == nullptr ? hr_read_options{} : *options, progress,
                *reader);
  });
}

extern "C" int hr_text_reader_rows(hr_text_reader reader, const hr_array* array, long long* count,
                                   hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    const std::shared_ptr<open_reader> opened = readers().find(reader);
    if (opened == nullptr) return closed_handle("the text_reader", reader);
    if (array == nullptr || count == nullptr) return null_pointer("array or count", opened->file);
    return read_rows(*opened, *array, *count);
  });
}

extern "C" int hr_text_reader_close(hr_text_reader* reader, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    if (reader == nullptr) return null_pointer("reader", "");
    const std::shared_ptr<open_reader> opened = readers().remove(*reader);
    if (opened == nullptr) return closed_handle("the text_reader", *reader);
    return opened->rows.check_unchanged();
  });
}
