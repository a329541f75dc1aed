// How fast the kernels read numbers: million values a second on one core, every tier and its peers
// in one run. Not a test. Usage: headrace_bench_text_parse [values] [repetitions] [part
// of the names]
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#if defined(HEADRACE_HAS_FAST_FLOAT)
#include <fast_float/fast_float.h>
#endif

#include "core/cpu.hpp"
#include "text/edit/edit_format.hpp"
#include "text/edit/uniform_rows.hpp"
#include "text/kernels/parse_numbers.hpp"

namespace {

using namespace headrace;

const char* wished = "";  // part of the names of what is timed

// Values as comma-separated text, ten in a line, between paddings.
struct sample {
  std::string name;
  std::string bytes;
  std::size_t values = 0;
  std::vector<std::uint32_t> ends;
  std::vector<std::uint32_t> line_fields;
  field_map map;

  const char* text() const { return bytes.data() + parse_padding; }
  std::size_t text_bytes() const { return bytes.size() - 2 * parse_padding; }

  void find() { find_fields(text(), text_bytes(), {',', '.'}, "\"#", map); }
};

template <class Write>
sample make_sample(std::string name, std::size_t values, Write write, const char* separator = ",") {
  sample result;
  result.name = std::move(name);
  result.values = values;
  result.bytes.assign(parse_padding, ' ');
  char cell[64];
  for (std::size_t i = 1; i <= values; ++i) {
    result.bytes.append(cell, write(cell));
    result.bytes += i % 10 == 0 || i == values ? "\n" : separator;
  }
  result.bytes.append(parse_padding, ' ');
  result.ends.resize(result.text_bytes() + 65);
  result.ends[0] = ~std::uint32_t{0};
  result.line_fields.resize(result.text_bytes() + 64);
  result.map.ends = result.ends.data() + 1;
  result.map.line_fields = result.line_fields.data();
  return result;
}

// Seconds of the fastest repetition.
double fastest(std::size_t repetitions, const std::function<void()>& work) {
  double best = 1e30;
  for (std::size_t i = 0; i < repetitions; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    if (seconds.count() < best) best = seconds.count();
  }
  return best;
}

void print(const std::string& kernel, const char* tier, std::size_t values, double seconds,
           std::size_t bytes) {
  std::printf("%-34s %-10s %9.1f %9.2f\n", kernel.c_str(), tier,
              static_cast<double>(values) / seconds / 1e6,
              static_cast<double>(bytes) / seconds / 1e9);
}

struct named_tier {
  simd_tier tier;
  const char* name;
};
constexpr named_tier all_tiers[] = {
    {simd_tier::avx512, "avx512"}, {simd_tier::avx2, "avx2"}, {simd_tier::portable, "portable"}};

// A kernel on every tier, alone and behind find_fields.
template <class Parse>
void time_kernel(sample& text, std::size_t repetitions, Parse parse) {
  for (const named_tier& each : all_tiers) {
    if (limit_tier(each.tier) != each.tier) continue;
    const double finding = fastest(repetitions, [&] { text.find(); });
    const double parsing = fastest(repetitions, [&] { parse(text); });
    const double both = fastest(repetitions, [&] {
      text.find();
      parse(text);
    });
    print(text.name + ": find fields", each.name, text.values, finding, text.text_bytes());
    print(text.name + ": parse", each.name, text.values, parsing, text.text_bytes());
    print(text.name + ": find and parse", each.name, text.values, both, text.text_bytes());
  }
  limit_tier(simd_tier::avx512);
}

template <class Value>
void time_fields(sample text, std::size_t repetitions) {
  std::vector<Value> values(text.values);
  const auto parse = [&](const sample& s) {
    field_state state{};
    if (parse_fields(s.text(), s.map.ends, 0, s.values, '.', values.data(), state) != s.values)
      std::puts("a field is not good");
  };
  time_kernel(text, repetitions, parse);
}

// A peer that reads one number and returns the byte after it.
void time_peer(const sample& text, const char* name, std::size_t repetitions,
               const std::function<const char*(const char*, const char*)>& read) {
  const char* const end = text.text() + text.text_bytes();
  const double seconds = fastest(repetitions, [&] {
    for (const char* p = text.text(); p < end; ++p) {
      while (*p == ' ') ++p;
      p = read(p, end);
    }
  });
  print(text.name + ": find and parse", name, text.values, seconds, text.text_bytes());
}

template <class Value>
void time_peers(const sample& text, std::size_t repetitions) {
  volatile Value sink{};
  time_peer(text, "from_chars", repetitions, [&sink](const char* p, const char* end) {
    Value value{};
    p = std::from_chars(p, end, value).ptr;
    sink = value;
    return p;
  });
  if constexpr (sizeof(Value) == sizeof(double) && !std::is_integral_v<Value>)
    time_peer(text, "strtod", repetitions, [&sink](const char* p, const char*) {
      char* end = nullptr;
      sink = std::strtod(p, &end);
      return static_cast<const char*>(end);
    });
#if defined(HEADRACE_HAS_FAST_FLOAT)
  if constexpr (!std::is_integral_v<Value>)
    time_peer(text, "fast_float", repetitions, [&sink](const char* p, const char* end) {
      Value value{};
      p = fast_float::from_chars(p, end, value).ptr;
      sink = value;
      return p;
    });
#endif
}

template <class Value, class Write>
void time_type(const std::string& name, std::size_t values, std::size_t repetitions, Write write) {
  if (name.find(wished) == std::string::npos) return;
  const sample text = make_sample(name, values, write);
  time_fields<Value>(text, repetitions);
  time_peers<Value>(text, repetitions);
}

template <class Value>
std::size_t shortest(char* out, Value value) {
  return static_cast<std::size_t>(std::to_chars(out, out + 64, value).ptr - out);
}

// ES24.16E3 as Fortran writes it.
std::size_t scientific(char* out, double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%23.16E", value);
  const char* const letter = std::strchr(text, 'E');
  const int exponent = std::atoi(letter + 1);
  return static_cast<std::size_t>(std::snprintf(out, 64, "%.*s%c%03d",
                                                static_cast<int>(letter + 1 - text), text,
                                                exponent < 0 ? '-' : '+', std::abs(exponent)));
}

// Words as format_hexadecimal writes them.
template <class Word>
void time_hexadecimal(const char* name, std::size_t values, std::size_t repetitions) {
  std::mt19937_64 random(1);
  sample text = make_sample(name, values, [&](char* out) {
    return static_cast<std::size_t>(
        std::snprintf(out, 64, "0x%0*llX", static_cast<int>(2 * sizeof(Word)),
                      static_cast<unsigned long long>(static_cast<Word>(random()))));
  });
  std::vector<Word> bits(values);
  time_kernel(text, repetitions, [&](const sample& s) {
    field_state state{};
    if (parse_hexadecimal(s.text(), s.map.ends, 0, s.values, sizeof(Word), bits.data(), state) !=
        s.values)
      std::puts("a field is not good");
  });
}

// Equal records of a format, ten values each.
template <class Write>
void time_records(const char* edit, std::size_t values, std::size_t repetitions, Write write) {
  if (std::strstr(edit, wished) == nullptr) return;
  const bool has_gaps = std::strstr(edit, "1x") != nullptr;
  const sample text = make_sample(edit, values / 10 * 10, write, has_gaps ? " " : "");
  edit_format format;
  if (!parse_edit_format(edit, format).ok()) return;
  const auto parser = make_row_parser(format, type_class::real, sizeof(double));
  std::vector<double> read(text.values);
  for (const named_tier& each : all_tiers) {
    if (limit_tier(each.tier) != each.tier) continue;
    const double seconds = fastest(repetitions, [&] {
      if (parser->parse(text.text(), text.values, read.data()) != text.values)
        std::puts("a record is not good");
    });
    print(text.name, each.name, text.values, seconds, text.text_bytes());
  }
  limit_tier(simd_tier::avx512);
}

// E15.5 as Fortran writes it.
std::size_t exponential(char* out, double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.4E", std::abs(value));
  return static_cast<std::size_t>(std::snprintf(out, 64, "   %c0.%c%.4sE%+03d",
                                                value < 0 ? '-' : ' ', text[0], text + 2,
                                                std::atoi(std::strchr(text, 'E') + 1) + 1));
}

void time_formats(std::size_t n, std::size_t repetitions) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  const auto es = [&](char* out) { return scientific(out, normal(random)); };
  const auto f = [&](char* out) {
    return static_cast<std::size_t>(std::snprintf(out, 64, "%12.4f", normal(random)));
  };
  time_records("(10es24.16e3)", n, repetitions, es);
  time_records("(10(es24.16e3,1x))", n, repetitions, es);
  time_records("(10e15.5)", n, repetitions,
               [&](char* out) { return exponential(out, normal(random)); });
  time_records("(10f12.4)", n, repetitions, f);
  time_records("(10(f12.4,1x))", n, repetitions, f);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 50000;
  const std::size_t repetitions = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 200;
  if (argc > 3) wished = argv[3];
  std::printf("%-34s %-10s %9s %9s\n", "kernel", "tier", "Mvalue/s", "GB/s");

  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  time_type<double>("real64 shortest", n, repetitions,
                    [&](char* out) { return shortest(out, normal(random)); });
  time_type<double>("real64 ES24.16E3", n, repetitions,
                    [&](char* out) { return scientific(out, normal(random)); });
  time_type<float>("real32 shortest", n, repetitions,
                   [&](char* out) { return shortest(out, static_cast<float>(normal(random))); });
  time_type<std::int32_t>("int32", n, repetitions, [&](char* out) {
    return shortest(out, static_cast<std::int32_t>(random()));
  });
  time_type<std::int64_t>("int64", n, repetitions, [&](char* out) {
    return shortest(out, static_cast<std::int64_t>(random()));
  });
  time_formats(n, repetitions);
  if (*wished != '\0') return 0;
  time_hexadecimal<std::uint32_t>("hexadecimal 32 bits", n, repetitions);
  time_hexadecimal<std::uint64_t>("hexadecimal 64 bits", n, repetitions);
}
