#include "record_sinks.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "../core/files.hpp"
#include "record_writer.hpp"

namespace headrace {
namespace {

class sequential_sink final : public record_sink {
 public:
  status open(const std::string& file, const record_dialect& dialect, sync_mode sync) {
    return writer_.open(file, replace_mode::whole, dialect, sync);
  }
  status begin(std::uint64_t bytes) override { return writer_.begin(bytes); }
  status put(const char* data, std::size_t bytes) override { return writer_.put(data, bytes); }
  status end() override { return writer_.end(); }
  status put_records(const char* data, std::size_t records, std::size_t bytes) override {
    array_view view;
    view.base = const_cast<char*>(data);  // a view has no const; write_many() does not change it
    view.elem_len = bytes;
    view.type = type_class::character;
    view.array_rank = 1;
    view.extent[0] = static_cast<std::ptrdiff_t>(records);
    view.stride[0] = static_cast<std::ptrdiff_t>(bytes);
    return writer_.write_many(view);
  }
  status close() override { return writer_.close(); }

 private:
  record_writer writer_;
};

class plain_sink final : public record_sink {
 public:
  status open(const std::string& file, const record_layout& layout, sync_mode sync) {
    file_ = file;
    record_length_ = layout.form == record_form::direct ? layout.record_length : 0;
    sync_ = sync;
    if (status s = writer_.open(file); !s.ok()) return s;
    return writer_.write(layout.head.data(), layout.head.size());
  }

  status begin(std::uint64_t bytes) override {
    ++number_;
    if (record_length_ > 0 && bytes > record_length_)
      return status::failure(stat_code::record_size_mismatch, "a record is too long")
          .expected("at most " + bytes_text(record_length_) + " (record_length)",
                    bytes_text(bytes) + " in record " + std::to_string(number_))
          .in_file(file_)
          .advise("use the length of the longest record");
    padding_ = record_length_ > 0 ? record_length_ - bytes : 0;
    return {};
  }
  status put(const char* data, std::size_t bytes) override { return writer_.write(data, bytes); }
  status end() override {
    static constexpr std::array<char, 4096> zeros{};
    while (padding_ > 0) {
      const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(padding_, zeros.size()));
      if (status s = writer_.write(zeros.data(), part); !s.ok()) return s;
      padding_ -= part;
    }
    return {};
  }
  status put_records(const char* data, std::size_t records, std::size_t bytes) override {
    if (record_length_ == 0 || record_length_ == bytes) {
      number_ += records;
      return writer_.write(data, records * bytes);
    }
    for (std::size_t i = 0; i < records; ++i) {
      if (status s = begin(bytes); !s.ok()) return s;
      if (status s = put(data + i * bytes, bytes); !s.ok()) return s;
      if (status s = end(); !s.ok()) return s;
    }
    return {};
  }
  status close() override { return writer_.finish(sync_); }

 private:
  std::string file_;
  file_writer writer_;
  sync_mode sync_ = sync_mode::none;
  std::uint64_t record_length_ = 0;  // 0: a stream
  std::uint64_t padding_ = 0;
  std::uint64_t number_ = 0;
};

}  // namespace

status open_sink(const std::string& file, const record_layout& layout, sync_mode sync,
                 std::unique_ptr<record_sink>& sink) {
  if (layout.form == record_form::sequential) {
    auto opened = std::make_unique<sequential_sink>();
    if (status s = opened->open(file, layout.dialect, sync); !s.ok()) return s;
    sink = std::move(opened);
    return {};
  }
  auto opened = std::make_unique<plain_sink>();
  if (status s = opened->open(file, layout, sync); !s.ok()) return s;
  sink = std::move(opened);
  return {};
}

}  // namespace headrace
