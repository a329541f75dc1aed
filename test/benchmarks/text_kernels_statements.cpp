// What a statement's value costs through the kernels: nanoseconds, and the ratio to the entry that
// headrace takes for one value of any descriptor (real_field::write, put_integer). For E, ES, D, F
// and I the block is no gain over row_formatter, which writes whole arrays by the same blocks.
// Usage: headrace_bench_text_statements [values] [repetitions]
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "text/edit/edit_write_real.hpp"
#include "text/edit/edit_write_values.hpp"
#include "text/kernels/format_columns.hpp"
#include "text/kernels/format_numbers.hpp"

namespace {

using namespace headrace;

std::size_t values = 300000;  // of fewer the processor learns the branches by heart
int repetitions = 9;

double nanoseconds(const std::function<void()>& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repetitions; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best * 1e9 / static_cast<double>(values);
}

// Today's entry, one value a call, a block a call.
void row(const char* name, const std::function<void()>& before, const std::function<void()>& one,
         const std::function<void()>& block) {
  const double old = nanoseconds(before);
  std::printf("%-16s %10.1f", name, old);
  for (const auto& work : {one, block}) {
    if (!work) {
      std::printf(" %10s %7s", "-", "-");
      continue;
    }
    const double now = nanoseconds(work);
    std::printf(" %10.1f %7.1f", now, old / now);
  }
  std::printf("\n");
}

struct data {
  std::vector<double> reals;
  std::vector<std::int64_t> integers;
  std::vector<std::int32_t> small;
  std::string separators;
  std::vector<char> out;
};

data make_data() {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  data d;
  for (std::size_t i = 0; i < values; ++i) {
    d.reals.push_back(normal(random));
    d.integers.push_back(static_cast<std::int64_t>(normal(random) * 1e5));
    d.small.push_back(static_cast<std::int32_t>(d.integers.back()));
  }
  d.separators.assign(values, '\n');
  d.out.resize(values * 160 + 4096);
  return d;
}

void each_real(const data& d, const field_layout& layout, char* out) {
  const int pitch = layout.edit.width + layout.suffix_length;
  for (const double value : d.reals) {
    format_field(layout, value, out);
    out += pitch;
  }
}

template <class Value>
void blocks(const std::vector<Value>& list, const field_layout& layout, char* out) {
  const auto pitch = static_cast<std::size_t>(layout.edit.width + layout.suffix_length);
  std::uint32_t offsets[field_block];
  for (std::size_t i = 0; i < field_block; ++i) offsets[i] = static_cast<std::uint32_t>(i * pitch);
  for (std::size_t i = 0; i < list.size(); i += field_block) {
    const std::size_t n = std::min(field_block, list.size() - i);
    if constexpr (std::is_integral_v<Value>)
      format_integer_fields(layout, list.data() + i, n, out + i * pitch, offsets);
    else
      format_fields(layout, list.data() + i, n, out + i * pitch, offsets);
  }
}

void real_row(data& d, const char* name, const edit_item& item, const field_edit& edit,
              bool list = false) {
  const real_field field =
      list ? real_field::list_directed({}, 8) : real_field(item, edit_modes(), 8);
  field_layout layout;
  if (!make_field_layout(edit, "\n", 1, layout)) return;
  row(
      name,
      [&] {
        char* out = d.out.data();
        for (const double value : d.reals) {
          out = field.write(out, value);
          *out++ = '\n';
        }
      },
      [&] { each_real(d, layout, d.out.data()); }, [&] { blocks(d.reals, layout, d.out.data()); });
}

void packed_row(data& d, const char* name, int digits) {
  edit_item item;
  item.kind = edit_kind::general;
  item.width = 0;
  item.digits = digits;
  const real_field field(item, {}, 8);
  field_edit edit;
  edit.form = field_form::general;
  edit.digits = digits > 0 ? digits : 17;
  edit.exponent_digits = 0;
  field_layout layout;
  if (!make_packed_layout(edit, layout)) return;
  row(
      name,
      [&] {
        char* out = d.out.data();
        for (const double value : d.reals) {
          out = field.write(out, value);
          *out++ = ',';
        }
      },
      [&] {
        char* out = d.out.data();
        for (const double value : d.reals) {
          out = format_packed(layout, value, out);
          *out++ = ',';
        }
      },
      [&] { format_packed(layout, d.reals.data(), values, d.separators.data(), d.out.data()); });
}

void integer_row(data& d, const char* name, int width, int digits) {
  edit_item item;
  item.kind = edit_kind::integer;
  item.width = width;
  item.digits = digits;
  field_layout layout;
  const bool fixed =
      width > 0 &&
      make_field_layout({field_form::integer, width, std::max(digits, 1)}, "\n", 1, layout);
  row(
      name,
      [&] {
        char* out = d.out.data();
        for (const std::int64_t value : d.integers) {
          out = put_integer(out, item, false, value);
          *out++ = '\n';
        }
      },
      [&] {
        char* out = d.out.data();
        for (const std::int64_t& value : d.integers) {
          if (!fixed) {
            out = format_integers(out, &value, 1, "\n");
            continue;
          }
          format_integer_field(layout, value, out);
          out += width + 1;
        }
      },
      [&] {
        if (fixed)
          blocks(d.integers, layout, d.out.data());
        else
          format_integers(d.out.data(), d.integers.data(), values, d.separators.data());
      });
}

edit_item item_of(edit_kind kind, int width, int digits) {
  edit_item item;
  item.kind = kind;
  item.width = width;
  item.digits = digits;
  return item;
}

// Records of an integer and reals; the figures are for a record.
void columns_row(data& d, const char* name, std::size_t reals, bool log) {
  const edit_item i8 = item_of(edit_kind::integer, 8, absent);
  const real_field f12(item_of(edit_kind::fixed, 12, log ? 6 : 5), {}, 8);
  const real_field es12(item_of(edit_kind::scientific, 12, 4), {}, 8);
  field_layout layouts[3];
  make_field_layout({field_form::integer, 8, 1}, "", 0, layouts[0]);
  make_field_layout({field_form::fixed, 12, log ? 6 : 5}, "", 0, layouts[1]);
  make_field_layout({field_form::scientific, 12, 4}, "", 0, layouts[2]);
  const std::size_t gap = log ? 8 : 0;
  std::vector<column_place> columns{{&layouts[0], type_class::integer, 4, d.small.data(), gap}};
  for (std::size_t c = 0; c < reals; ++c)
    columns.push_back({&layouts[log && c == 1 ? 2 : 1], type_class::real, 8, d.reals.data(),
                       gap + 8 + gap + (12 + gap) * c});
  const std::size_t bytes = columns.back().begin + 13;
  std::string image(bytes, '.');
  image.back() = '\n';
  row(
      name,
      [&] {
        char* out = d.out.data();
        for (std::size_t r = 0; r < values; ++r) {
          std::copy_n(image.data(), gap, out);
          out = put_integer(out + gap, i8, false, d.small[r]);
          for (std::size_t c = 0; c < reals; ++c) {
            std::copy_n(image.data(), gap, out);
            out = (log && c == 1 ? es12 : f12).write(out + gap, d.reals[r]);
          }
          *out++ = '\n';
        }
      },
      nullptr,
      [&] {
        format_columns({columns.data(), columns.size(), image.data(), bytes}, values, d.out.data());
      });
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1) values = std::strtoull(arguments[1], nullptr, 10);
  if (count > 2) repetitions = std::atoi(arguments[2]);
  data d = make_data();
  std::printf("%-16s %10s %10s %7s %10s %7s\n", "ns a value", "before", "one", "ratio", "block",
              "ratio");
  real_row(d, "es22.14", item_of(edit_kind::scientific, 22, 14), {field_form::scientific, 22, 14});
  real_row(d, "e15.5", item_of(edit_kind::exponent, 15, 5), {field_form::exponent, 15, 5});
  real_row(d, "f12.5", item_of(edit_kind::fixed, 12, 5), {field_form::fixed, 12, 5});
  real_row(d, "g15.6", item_of(edit_kind::general, 15, 6), {field_form::general, 15, 6});
  real_row(d, "*", {}, list_directed_real(8), true);
  packed_row(d, "g0", 0);
  packed_row(d, "g0.6", 6);
  integer_row(d, "i8", 8, absent);
  integer_row(d, "i8.6", 8, 6);
  integer_row(d, "* integer", 12, absent);
  integer_row(d, "i0", 0, absent);
  columns_row(d, "i8,5f12.5", 5, false);
  columns_row(d, "log, text fixed", 2, true);
}
