#include "same_values.hpp"

#include <cstdio>
#include <cstring>
#include <string_view>

#include "../../src/core/name_text.hpp"
#include "from_root.hpp"

namespace headrace {
namespace {

// FNV-1a: what is compared is short.
class digest {
 public:
  void add(const char* bytes, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
      value_ ^= static_cast<unsigned char>(bytes[i]);
      value_ *= std::uint64_t{0x100000001b3};
    }
  }
  std::uint64_t value() const noexcept { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

std::string_view text_at(const char* element, std::size_t bytes) noexcept {
  while (bytes > 0 && element[bytes - 1] == ' ') --bytes;
  return {element, bytes};
}

bool is_true(const char* element, std::size_t bytes) noexcept {
  for (std::size_t i = 0; i < bytes; ++i)
    if (element[i] != 0) return true;
  return false;
}

std::uint64_t digest_of(const array_view& value) noexcept {
  digest made;
  const std::size_t count = element_count(value).value_or(0);
  if (value.type != type_class::character && value.type != type_class::logical) {
    made.add(value.base, count * value.elem_len);
    return made.value();
  }
  const char* element = value.base;
  for (std::size_t i = 0; i < count; ++i, element += value.elem_len) {
    if (value.type == type_class::logical) {
      const char truth = is_true(element, value.elem_len) ? '\1' : '\0';
      made.add(&truth, 1);
      continue;
    }
    const std::string_view text = text_at(element, value.elem_len);
    const std::size_t length = text.size();  // else "ab" and "c" would be "a" and "bc"
    made.add(reinterpret_cast<const char*>(&length), sizeof length);
    made.add(text.data(), length);
  }
  return made.value();
}

template <class Number>
std::string number_at(const char* element, const char* format) {
  Number number;
  std::memcpy(&number, element, sizeof number);
  char text[40] = "";
  std::snprintf(text, sizeof text, format, number);
  return text;
}

// Of a scalar, for a message; empty: too much to say.
std::string scalar_text(const array_view& value) {
  if (value.array_rank > 0) return {};
  if (value.type == type_class::character) return shown(text_at(value.base, value.elem_len));
  if (value.type == type_class::logical) return is_true(value.base, value.elem_len) ? "T" : "F";
  const bool is_long = value.elem_len == 8;
  if (value.elem_len != 4 && !is_long) return {};
  if (value.type == type_class::integer)
    return is_long ? number_at<long long>(value.base, "%lld") : number_at<int>(value.base, "%d");
  if (value.type != type_class::real) return {};
  return is_long ? number_at<double>(value.base, "%.17g") : number_at<float>(value.base, "%.9g");
}

}  // namespace

status same_value_everywhere(const communicator& comm, const std::string& file,
                             const std::string& array, const std::string& name,
                             const array_view& value) {
  const std::uint64_t mine = digest_of(value);
  std::uint64_t least[2] = {mine, ~mine};  // of the digests, and the opposite of the largest
  reduce(comm, MPI_IN_PLACE, least, 2, MPI_UINT64_T, MPI_MIN);
  if (least[0] == ~least[1]) return {};
  std::int64_t first = 0;
  std::string wanted;
  const auto tell = [&](root_message& all) {
    all.numbers.assign(1, static_cast<std::int64_t>(mine));
    all.text = scalar_text(value);
    return status();
  };
  const status told = from_root(comm, tell, [&](root_message& all) {
    first = all.numbers.front();
    wanted.swap(all.text);
  });
  if (!told.ok()) return told;
  return agree_on(comm, [&] {
    if (first == static_cast<std::int64_t>(mine)) return status();
    const std::string found = scalar_text(value);
    return status::failure(stat_code::ranks_disagree, "the value of attribute " + shown(name) +
                                                          " is another one than on MPI rank 0")
        .in_file(file)
        .in_array(array)
        .expected(wanted.empty() ? "the values of MPI rank 0" : wanted,
                  found.empty() ? "others" : found)
        .advise(
            "an attribute has one value for all MPI ranks: broadcast it before, or write what "
            "differs as an array");
  });
}

}  // namespace headrace
