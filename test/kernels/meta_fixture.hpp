// What the tests of pairs share: options, edited texts and the names of files.
#pragma once

#include <set>

#include "binary_fixture.hpp"

namespace headrace {

class MetaPairs : public KilledPrograms {
 protected:
  static hr_write_options named(const char* name, const char* append = nullptr) {
    hr_write_options options{};
    options.name = name;
    options.append = append;
    return options;
  }
  static hr_read_options wanted(const char* name) {
    hr_read_options options{};
    options.name = name;
    return options;
  }

  // A .meta text with one line changed or added.
  void edit(const std::string& from, const std::string& to) {
    std::string text = content(path("x.meta"));
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << text;
    put(path("x.meta"), text.replace(at, from.size(), to));
  }

  int read_edited(const std::string& from, const std::string& to) {
    std::vector<double> values(3);
    std::filesystem::remove(path("x.meta"));
    std::filesystem::remove(path("x.real64.bin"));
    EXPECT_EQ(write("x.meta", std::vector<double>{1, 2, 3}), 0) << error_.message;
    edit(from, to);
    const int result = read("x.meta", values);
    EXPECT_TRUE(result != 0 || values == (std::vector<double>{1, 2, 3})) << to;
    return result;
  }

  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(directory_))
      found.insert(entry.path().filename().string());
    return found;
  }
};

}  // namespace headrace
