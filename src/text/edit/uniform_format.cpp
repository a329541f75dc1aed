// Writes numbers through formats whose records are all the same: takes the format apart, and
// ../kernels/format_fields.hpp writes the fields.
#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "../../core/array_view.hpp"
#include "../kernels/format_field_values.hpp"
#include "../kernels/format_fields.hpp"
#include "edit_format.hpp"
#include "edit_write_cursor.hpp"
#include "uniform_rows.hpp"

namespace headrace {
namespace {

// ---- a format taken apart into the fields of one record and the constant text around them ----

struct record_plan {
  std::vector<field_edit> fields;
  // before[i]: constant text before field i; one more for the text after the last field.
  std::vector<std::string> before;
  // tails[i]: what ends the record, without its line feed, when no value follows field i.
  std::vector<std::string> tails;
};

// A field takes about a hundred bytes of the plan.
constexpr std::size_t most_fields = 1 << 17;

// Walks over a format as format control does, once through all items.
class record_planner {
 public:
  record_planner(const edit_format& format, type_class type, int scale, record_plan& plan)
      : format_(format), type_(type), scale_(scale), plan_(plan) {}

  bool walk() {
    const bool known = walk_once(format_, [this](const edit_item& item) { return take(item); });
    if (!known || plan_.fields.empty()) return false;
    end_field();
    plan_.before.push_back(text_);
    return true;
  }
  int scale() const noexcept { return scale_; }

 private:
  bool take(const edit_item& item) {
    switch (item.kind) {
      case edit_kind::literal:
        text_.append(blanks_, ' ');
        text_ += item.literal;
        blanks_ = 0;
        return true;
      case edit_kind::skip:
        blanks_ += static_cast<std::size_t>(item.value);
        return true;
      case edit_kind::colon:
        end_field();
        return true;
      case edit_kind::scale:
        scale_ = item.value;
        return true;
      case edit_kind::sign:
        return item.value != '+';
      case edit_kind::decimal:
        return item.value == '.';
      case edit_kind::rounding:
        return item.value == 'p';
      case edit_kind::blank:
        return true;
      default:
        return take_data(item);
    }
  }

  bool take_data(const edit_item& item) {
    field_edit edit;
    if (item.width < 1 || !edit_of(item, edit) || plan_.fields.size() == most_fields) return false;
    end_field();
    text_.append(blanks_, ' ');
    plan_.before.push_back(text_);
    plan_.fields.push_back(edit);
    text_.clear();
    blanks_ = 0;
    ended_ = false;
    return true;
  }

  bool edit_of(const edit_item& item, field_edit& edit) const noexcept {
    edit.width = item.width;
    edit.digits = item.digits;
    const bool real = type_ == type_class::real;
    switch (item.kind) {
      case edit_kind::exponent:
      case edit_kind::exponent_d:
        edit.form = scale_ == 1 ? field_form::scientific : field_form::exponent;
        edit.letter = item.kind == edit_kind::exponent_d ? 'D' : 'E';
        edit.exponent_digits = item.exponent;
        return real && (scale_ == 0 || scale_ == 1) && item.digits > 0;
      case edit_kind::scientific:
        edit.form = field_form::scientific;
        edit.exponent_digits = item.exponent;
        return real && item.digits >= 0;
      case edit_kind::fixed:
        edit.form = field_form::fixed;
        return real && scale_ == 0 && item.digits >= 0;
      case edit_kind::integer:
        edit.form = field_form::integer;
        if (item.digits == absent) edit.digits = 1;
        return type_ == type_class::integer;
      case edit_kind::hexadecimal:
        edit.form = field_form::hexadecimal;
        if (item.digits == absent) edit.digits = 1;
        return real || type_ == type_class::integer;
      default:
        return false;
    }
  }

  // What follows the last field now ends a record whose values are used up. Blanks that no text
  // follows are not written.
  void end_field() {
    if (!plan_.fields.empty() && !ended_) plan_.tails.push_back(text_);
    ended_ = true;
  }

  const edit_format& format_;
  type_class type_;
  int scale_;
  record_plan& plan_;
  std::string text_;
  std::size_t blanks_ = 0;
  bool ended_ = true;
};

// False when the records of the format are not all the same, or when a descriptor has no kernel for
// values of this type.
bool plan_record(const edit_format& format, type_class type, record_plan& plan) {
  // Format control goes on at the last group; only the whole format again makes equal records.
  if (format.reversion != 0) return false;
  record_planner first(format, type, 0, plan);
  if (!first.walk()) return false;
  if (first.scale() == 0) return true;
  // The scale factor holds on into the next record.
  record_plan next;
  record_planner second(format, type, first.scale(), next);
  return second.walk() && next.fields == plan.fields;
}

constexpr std::size_t largest_record = std::size_t{1} << 30;

char* append(char* out, const std::string& text) noexcept {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

// The end of a record, its line feed and the beginning of the next one.
std::string text_between(const record_plan& plan) {
  return plan.before.back() + '\n' + plan.before.front();
}

// Where the fields of a record are, and what stands around them.
class record_formatter : public row_formatter {
 public:
  record_formatter(record_plan plan, type_class type, std::size_t elem_len)
      : plan_(std::move(plan)), writer_(type, elem_len), elem_len_(elem_len) {
    values = plan_.fields.size();
    begin_ = plan_.before.front();
    between_ = text_between(plan_);
  }

  char* format(char* out, const void* contiguous_values, std::size_t n,
               bool more_follow) const noexcept override {
    if (n == 0) return out;
    const std::size_t records = n <= values ? 0 : (n - 1) / values;  // a division costs as a value
    const std::size_t last = n - records * values;
    const char* const source = static_cast<const char*>(contiguous_values);
    write_fields(out, source, n);
    char* const end = out + records * bytes + field_end(last - 1);
    char* const stop = append(end, more_follow ? plan_.before.back() : plan_.tails[last - 1]);
    *stop = '\n';
    return stop + 1;
  }

 protected:
  // Writes all fields and the text between them, but nothing after the last.
  virtual void write_fields(char* out, const char* source, std::size_t n) const noexcept = 0;
  // From the beginning of the record.
  virtual std::size_t field_end(std::size_t field) const noexcept = 0;

  record_plan plan_;
  field_writer writer_;
  std::size_t elem_len_;
  std::string begin_;
  std::string between_;
};

// All fields are the same with the same text between them: the kernel writes it with the field.
class equal_fields final : public record_formatter {
 public:
  equal_fields(record_plan plan, type_class type, std::size_t elem_len,
               std::unique_ptr<field_layout> layout)
      : record_formatter(std::move(plan), type, elem_len), layout_(std::move(layout)) {
    width_ = static_cast<std::size_t>(layout_->edit.width);
    pitch_ = width_ + static_cast<std::size_t>(layout_->suffix_length);
    bytes = begin_.size() + (values - 1) * pitch_ + width_ + plan_.before.back().size() + 1;
    kernel_joins_ = values == 1;
    const std::size_t wrapped = std::min(values, most_wrapped) + field_block;
    for (std::size_t i = 0; i < wrapped; ++i)
      offsets_.push_back(static_cast<std::uint32_t>(
          values > most_wrapped ? i * pitch_ : i / values * bytes + field_begin(i % values)));
  }

 private:
  // Records with more fields are written piece by piece, shorter ones in blocks over their ends.
  static constexpr std::size_t most_wrapped = 512;

  std::size_t field_begin(std::size_t field) const noexcept {
    return begin_.size() + field * pitch_;
  }
  std::size_t field_end(std::size_t field) const noexcept override {
    return field_begin(field) + width_;
  }

  void write_fields(char* out, const char* source, std::size_t n) const noexcept override {
    append(out, begin_);
    std::size_t field = 0;
    for (std::size_t done = 0; done < n;) {
      const bool piece = values > most_wrapped;
      const std::size_t room = piece ? std::min(field_block, values - field) : field_block;
      const std::size_t count = std::min(room, n - done);
      char* const place = piece ? out + field_begin(field) : out;
      writer_.write(*layout_, source + done * elem_len_, count, place,
                    offsets_.data() + (piece ? 0 : field));
      done += count;
      field += count;
      if (kernel_joins_) {
        out += count * bytes;
        field = 0;
      } else {
        const std::size_t passed = done < n ? field : field - 1;
        const std::size_t ended = passed < values ? 0 : passed / values;
        join_records(out + field_end(values - 1), ended);
        out += ended * bytes;
        field -= ended * values;
      }
    }
  }

  // Writes what stands between records at the end of each.
  void join_records(char* end, std::size_t records) const noexcept {
    const std::size_t pitch = bytes;  // which the stores cannot change
    const std::size_t length = between_.size();
    const char* const text = between_.data();
    if (length == 1)
      for (std::size_t r = 0; r < records; ++r) end[r * pitch] = '\n';
    else
      for (std::size_t r = 0; r < records; ++r) std::memcpy(end + r * pitch, text, length);
  }

  std::unique_ptr<field_layout> layout_;
  std::size_t width_ = 0;
  std::size_t pitch_ = 0;
  bool kernel_joins_ = false;  // what stands between records follows every field
  std::vector<std::uint32_t> offsets_;
};

// Fields of several kinds, or with different texts between them: the kernels write beside the
// record, and each field is copied into its place.
class mixed_fields final : public record_formatter {
 public:
  mixed_fields(record_plan plan, type_class type, std::size_t elem_len)
      : record_formatter(std::move(plan), type, elem_len) {
    for (std::size_t i = 0; i < values; ++i) {
      image_ += plan_.before[i];
      begins_.push_back(image_.size());
      image_.append(static_cast<std::size_t>(plan_.fields[i].width), ' ');
    }
    image_ += plan_.before.back() + '\n';
    bytes = image_.size();
    for (std::size_t i = 0; i < field_block; ++i)
      offsets_[i] = static_cast<std::uint32_t>(i * field_window);
  }

  // False when a field has no kernel.
  bool find_runs() {
    for (std::size_t i = 0; i < values; ++i) {
      if (i > 0 && plan_.fields[i] == plan_.fields[i - 1]) {
        ++runs_.back().count;
        continue;
      }
      runs_.push_back({i, 1, std::make_unique<field_layout>()});
      if (!make_field_layout(plan_.fields[i], "", 0, *runs_.back().layout)) return false;
    }
    return true;
  }

 private:
  // Neighbours with the same descriptor.
  struct field_run {
    std::size_t first;
    std::size_t count;
    std::unique_ptr<field_layout> layout;
  };

  std::size_t field_end(std::size_t field) const noexcept override {
    return begins_[field] + static_cast<std::size_t>(plan_.fields[field].width);
  }

  void write_fields(char* out, const char* source, std::size_t n) const noexcept override {
    const std::size_t group = std::max<std::size_t>(1, field_block / values);
    const std::size_t full = n / values;
    for (std::size_t r = 0; r < full; r += group) {
      const std::size_t records = std::min(group, full - r);
      write_records(out + r * bytes, source + r * values * elem_len_, records, values);
    }
    const std::size_t rest = n - full * values;
    if (rest > 0) write_records(out + full * bytes, source + full * values * elem_len_, 1, rest);
  }

  // The first fields of some records.
  void write_records(char* out, const char* source, std::size_t records,
                     std::size_t fields) const noexcept {
    for (std::size_t r = 0; r < records; ++r)
      std::memcpy(out + r * bytes, image_.data(), fields == values ? bytes : field_end(fields - 1));
    const std::size_t most = field_block / records;
    for (const field_run& run : runs_)
      for (std::size_t i = run.first; i < std::min(fields, run.first + run.count);) {
        const std::size_t count = std::min({most, run.first + run.count - i, fields - i});
        write_piece(*run.layout, out, source, records, i, count);
        i += count;
      }
  }

  // count fields from first on, of all these records
  void write_piece(const field_layout& layout, char* out, const char* source, std::size_t records,
                   std::size_t first, std::size_t count) const noexcept {
    char gathered[field_block * sizeof(double)] = {};
    char texts[(field_block + 2) * field_window];
    for (std::size_t r = 0; r < records; ++r)
      std::memcpy(gathered + r * count * elem_len_, source + (r * values + first) * elem_len_,
                  count * elem_len_);
    writer_.write(layout, gathered, records * count, texts, offsets_.data());
    const auto width = static_cast<std::size_t>(layout.edit.width);
    const char* text = texts;
    for (std::size_t r = 0; r < records; ++r)
      for (std::size_t i = first; i < first + count; ++i, text += field_window)
        std::memcpy(out + r * bytes + begins_[i], text, width);
  }

  std::string image_;  // a record with blanks for its fields
  std::vector<std::size_t> begins_;
  std::vector<field_run> runs_;
  std::array<std::uint32_t, field_block> offsets_{};
};

bool all_equal(const record_plan& plan) {
  for (std::size_t i = 1; i < plan.fields.size(); ++i)
    if (!(plan.fields[i] == plan.fields[0]) || plan.before[i] != plan.before[1]) return false;
  return true;
}

bool has_kernel(type_class type, std::size_t elem_len) noexcept {
  if (type == type_class::real) return elem_len == 4 || elem_len == 8;
  return type == type_class::integer && elem_len <= 8;
}

std::size_t record_bytes(const record_plan& plan) {
  std::size_t total = 1;
  for (const std::string& text : plan.before) total += text.size();
  for (const field_edit& edit : plan.fields) total += static_cast<std::size_t>(edit.width);
  return total;
}

}  // namespace

std::unique_ptr<row_formatter> make_row_formatter(const edit_format& format, type_class type,
                                                  std::size_t elem_len) {
  record_plan plan;
  if (!has_kernel(type, elem_len) || !plan_record(format, type, plan)) return nullptr;
  if (record_bytes(plan) > largest_record) return nullptr;
  if (all_equal(plan)) {
    const std::string suffix = plan.fields.size() > 1 ? plan.before[1] : text_between(plan);
    auto layout = std::make_unique<field_layout>();
    if (suffix.size() <= 8 &&
        make_field_layout(plan.fields[0], suffix.data(), static_cast<int>(suffix.size()), *layout))
      return std::make_unique<equal_fields>(std::move(plan), type, elem_len, std::move(layout));
  }
  auto formatter = std::make_unique<mixed_fields>(std::move(plan), type, elem_len);
  if (!formatter->find_runs()) return nullptr;
  return formatter;
}

}  // namespace headrace
