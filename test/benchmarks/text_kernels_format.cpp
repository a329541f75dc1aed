// How fast the kernels write numbers: million values a second on one core, every tier and its peers
// in one run, and as a share of a memcpy of the same text.
//
// Usage: headrace_bench_text_format [values] [repetitions]
//        headrace_bench_text_format real32      every real32, against std::to_chars (minutes)
//        headrace_bench_text_format real64 [n]  n random real64 against std::to_chars
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/cpu.hpp"
#include "text/edit/uniform_rows.hpp"
#include "text/kernels/format_numbers.hpp"

namespace {

using namespace headrace;

using writer = std::function<char*(char*)>;

struct setting {
  std::size_t values = 8192;
  int repetitions = 100;
};

double fastest(int repetitions, const std::function<void()>& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repetitions; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

// One line: rate, ratio to the first line of its table, share of memcpy.
class table {
 public:
  table(const char* title, const setting& how) : how_(how), out_(how.values * 64 + 4096) {
    std::printf("\n%-34s %10s %8s %10s\n", title, "Mvalues/s", "ratio", "of memcpy");
  }
  void line(const std::string& name, const writer& write) {
    const char* const end = write(out_.data());
    const auto bytes = static_cast<std::size_t>(end - out_.data());
    const double seconds = fastest(how_.repetitions, [&] { write(out_.data()); });
    copy_.resize(bytes);
    const double copying = fastest(how_.repetitions, [&] {
      std::memcpy(copy_.data(), out_.data(), bytes);
      asm volatile("" ::"r"(copy_.data()) : "memory");
    });
    if (first_ == 0) first_ = seconds;
    std::printf("%-34s %10.1f %8.2f %10.3f\n", name.c_str(),
                static_cast<double>(how_.values) / seconds / 1e6, first_ / seconds,
                copying / seconds);
  }
  // The same in every tier of this machine.
  void tiers(const std::string& name, const writer& write) {
    const char* const names[] = {"portable", "avx2", "avx512"};
    for (const simd_tier tier : {simd_tier::portable, simd_tier::avx2, simd_tier::avx512}) {
      if (tier > best_tier()) break;
      limit_tier(tier);
      line(name + ", " + names[static_cast<int>(tier)], write);
    }
    limit_tier(simd_tier::avx512);
  }

 private:
  const setting& how_;
  std::vector<char> out_;
  std::vector<char> copy_;
  double first_ = 0;
};

template <class Value>
std::vector<Value> normal_values(std::size_t n) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<Value> values(n);
  for (Value& value : values)
    value = static_cast<Value>(normal(random) * (std::is_integral_v<Value> ? 1e5 : 1.0));
  return values;
}

template <class Value>
writer by_to_chars(const std::vector<Value>& values) {
  return [&values](char* out) {
    for (const Value value : values) {
      out = std::to_chars(out, out + 32, value).ptr;
      *out++ = ',';
    }
    return out;
  };
}

writer by_printf(const std::vector<double>& values, const char* form) {
  return [&values, form](char* out) {
    for (const double value : values) out += std::snprintf(out, 64, form, value);
    return out;
  };
}

template <class Real>
void shortest(const char* title, const setting& how, const std::string& separators) {
  const auto values = normal_values<Real>(how.values);
  table rates(title, how);
  rates.line("std::to_chars", by_to_chars(values));
  rates.tiers("format_shortest", [&](char* out) {
    return format_shortest(out, values.data(), values.size(), separators.data());
  });
}

template <class Integer>
void integers(const char* title, const setting& how, const std::string& separators) {
  const auto values = normal_values<Integer>(how.values);
  table rates(title, how);
  rates.line("std::to_chars", by_to_chars(values));
  rates.tiers("format_integers", [&](char* out) {
    return format_integers(out, values.data(), values.size(), separators.data());
  });
  rates.tiers("format_hexadecimal", [&](char* out) {
    return format_hexadecimal(out, values.data(), sizeof(Integer), values.size(),
                              separators.data());
  });
}

template <class Value>
void add_format(table& rates, const char* text, const std::vector<Value>& values) {
  edit_format format;
  if (!parse_edit_format(text, format).ok()) return;
  const type_class type = std::is_integral_v<Value> ? type_class::integer : type_class::real;
  const std::shared_ptr<row_formatter> rows = make_row_formatter(format, type, sizeof(Value));
  if (rows == nullptr) return;
  rates.tiers(
      text, [&values, rows](char* out) { return rows->format(out, values.data(), values.size()); });
}

void fields(const setting& how) {
  const auto values = normal_values<double>(how.values);
  table rates("real64 fields", how);
  rates.line("snprintf %24.16e", by_printf(values, "%24.16e\n"));
  for (const char* const text :
       {"(es24.16e3)", "(10e15.5)", "(3(es24.16e3,:,','))", "(10(f12.4,1x))", "(f8.3,3e12.4)"})
    add_format(rates, text, values);
  const auto whole = normal_values<std::int32_t>(how.values);
  for (const char* const text : {"(10i12)", "(10i12.6)", "(8z8.8)"}) add_format(rates, text, whole);
}

// Python's repr from the digits of std::to_chars, without any of the library.
template <class Real>
char* reference(char* out, Real value) {
  const auto add = [&out](const char* text, std::ptrdiff_t length) {
    std::memcpy(out, text, static_cast<std::size_t>(length));
    out += length;
  };
  const auto zeros = [&out](int number) {
    while (number-- > 0) *out++ = '0';
  };
  if (std::isnan(value)) return std::memcpy(out, "nan", 3), out + 3;
  if (std::signbit(value)) *out++ = '-';
  if (std::isinf(value)) return std::memcpy(out, "inf", 3), out + 3;
  char text[40];
  const char* const end =
      std::to_chars(text + 1, text + 40, std::fabs(value), std::chars_format::scientific).ptr;
  const char* const mark = std::find(static_cast<const char*>(text + 1), end, 'e');
  const int number = mark - text > 2 ? static_cast<int>(mark - text) - 2 : 1;
  if (number > 1) text[2] = text[1];  // over the point
  const char* const digits = number > 1 ? text + 2 : text + 1;
  int exponent = 0;
  for (const char* p = mark + 2; p != end; ++p) exponent = 10 * exponent + *p - '0';
  if (mark[1] == '-') exponent = -exponent;
  if (exponent < -4 || exponent >= 16) {
    *out++ = *digits;
    if (number > 1) *out++ = '.';
    add(digits + 1, number - 1);
    add(mark, end - mark);
  } else if (exponent < 0) {
    add("0.", 2);
    zeros(-exponent - 1);
    add(digits, number);
  } else {
    add(digits, std::min(number, exponent + 1));
    zeros(exponent + 1 - number);
    *out++ = '.';
    if (number > exponent + 1)
      add(digits + exponent + 1, number - exponent - 1);
    else
      *out++ = '0';
  }
  return out;
}

// How many texts of a block differ from the reference.
template <class Real, class Bits>
std::size_t differences(const std::vector<Bits>& bits, const std::string& separators) {
  std::vector<Real> values(bits.size());
  std::memcpy(values.data(), bits.data(), bits.size() * sizeof(Bits));
  std::vector<char> text(values.size() * (longest_real64 + 1) + format_slack);
  format_shortest(text.data(), values.data(), values.size(), separators.data());
  const char* p = text.data();
  std::size_t different = 0;
  for (const Real value : values) {
    char expected[64];
    char* const end = reference(expected, value);
    *end = ',';
    const auto length = static_cast<std::size_t>(end + 1 - expected);
    if (std::memcmp(p, expected, length) != 0 && ++different < 5)
      std::printf("found %.40s, expected %.*s\n", p, static_cast<int>(length), expected);
    p += length;
  }
  return different;
}

int check_real32() {
  constexpr std::size_t block = std::size_t{1} << 20;
  const std::string separators(block, ',');
  std::vector<std::uint32_t> bits(block);
  std::size_t different = 0;
  for (std::uint64_t first = 0; first < std::uint64_t{1} << 32; first += block) {
    for (std::size_t i = 0; i < block; ++i) bits[i] = static_cast<std::uint32_t>(first + i);
    different += differences<float>(bits, separators);
  }
  std::printf("every real32: %zu of 2^32 differ\n", different);
  return different == 0 ? 0 : 1;
}

int check_real64(std::size_t n) {
  constexpr std::size_t block = std::size_t{1} << 18;
  const std::string separators(block, ',');
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> bits(block);
  std::size_t different = 0;
  for (std::size_t done = 0; done < n; done += block) {
    for (auto& value : bits) value = random();
    different += differences<double>(bits, separators);
  }
  std::printf("%zu random real64: %zu differ\n", n, different);
  return different == 0 ? 0 : 1;
}

// Nanoseconds of a call with one value, in every tier: what a program pays that writes scalars.
template <class Call>
void one_value(const char* name, const setting& how, Call call) {
  std::printf("%-34s", name);
  for (const simd_tier tier : {simd_tier::portable, simd_tier::avx2, simd_tier::avx512}) {
    if (tier > best_tier()) break;
    limit_tier(tier);
    const double seconds = fastest(how.repetitions, [&] {
      for (std::size_t i = 0; i < how.values; ++i) call(i);
    });
    std::printf(" %9.1f", seconds / static_cast<double>(how.values) * 1e9);
  }
  limit_tier(simd_tier::avx512);
  std::printf("\n");
}

void single_values(const setting& how) {
  const auto reals = normal_values<double>(how.values);
  const auto singles = normal_values<float>(how.values);
  const auto whole = normal_values<std::int64_t>(how.values);
  char out[256];
  const auto keep = [&out] { asm volatile("" ::"r"(out) : "memory"); };
  std::printf("\n%-34s %9s %9s %9s\n", "one value a call, ns", "portable", "avx2", "avx512");
  one_value("format_shortest, real64", how, [&](std::size_t i) {
    format_shortest(out, &reals[i], 1, ",");
    keep();
  });
  one_value("format_shortest, real32", how, [&](std::size_t i) {
    format_shortest(out, &singles[i], 1, ",");
    keep();
  });
  one_value("format_integers, int64", how, [&](std::size_t i) {
    format_integers(out, &whole[i], 1, ",");
    keep();
  });
  one_value("format_hexadecimal, real64", how, [&](std::size_t i) {
    format_hexadecimal(out, &reals[i], 8, 1, ",");
    keep();
  });
  for (const char* const text : {"(es24.16e3)", "(f12.4)"}) {
    edit_format format;
    if (!parse_edit_format(text, format).ok()) continue;
    const auto rows = make_row_formatter(format, type_class::real, 8);
    one_value(text, how, [&](std::size_t i) {
      rows->format(out, &reals[i], 1);
      keep();
    });
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::string first = count > 1 ? arguments[1] : "";
  if (first == "real32") return check_real32();
  if (first == "real64")
    return check_real64(count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 100000000);
  setting how;
  if (count > 1) how.values = std::strtoull(arguments[1], nullptr, 10);
  if (count > 2) how.repetitions = std::atoi(arguments[2]);
  const std::string separators(how.values, ',');
  shortest<double>("real64, shortest", how, separators);
  shortest<float>("real32, shortest", how, separators);
  integers<std::int32_t>("int32", how, separators);
  integers<std::int64_t>("int64", how, separators);
  fields(how);
  single_values(how);
  return 0;
}
