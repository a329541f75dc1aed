#include "fortran_unit.hpp"

#include <array>

extern "C" {
void hr_bench_open(const char* path, int length, int form, int write, int* unit, int* code,
                   char* message, int message_length);
void hr_bench_transfer(int unit, int form, int write, double* values, std::int64_t elements,
                       int* code, char* message, int message_length);
void hr_bench_close(int unit, int* code, char* message, int message_length);
void hr_bench_fortran_compiler(char* message, int message_length);
}

namespace headrace::bench {
namespace {

constexpr int message_length = 256;
using message_text = std::array<char, message_length>;

outcome told(int code, const std::string& what, const message_text& message) {
  if (code == 0) return {};
  return failure(code, what + ": " + message.data() + " (iostat " + std::to_string(code) + ")");
}

}  // namespace

outcome fortran_unit::open(const std::string& path, bool write) {
  path_ = path;
  message_text message{};
  int code = 0;
  hr_bench_open(path.c_str(), static_cast<int>(path.size()), form_, write ? 1 : 0, &unit_, &code,
                message.data(), message_length);
  return told(code, "OPEN of " + path, message);
}

outcome fortran_unit::transfer(double* values, std::int64_t elements, bool write) {
  message_text message{};
  int code = 0;
  hr_bench_transfer(unit_, form_, write ? 1 : 0, values, elements, &code, message.data(),
                    message_length);
  return told(code, (write ? "WRITE to " : "READ from ") + path_, message);
}

outcome fortran_unit::close() {
  message_text message{};
  int code = 0;
  hr_bench_close(unit_, &code, message.data(), message_length);
  return told(code, "CLOSE of " + path_, message);
}

std::string fortran_compiler() {
  message_text message{};
  hr_bench_fortran_compiler(message.data(), message_length);
  return message.data();
}

}  // namespace headrace::bench
