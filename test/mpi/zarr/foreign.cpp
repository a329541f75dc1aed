// Stores that zarr-python wrote: lines "STORE ARRAY KIND EXTENT EXTENT ..." of foreign.txt, and
// "STORE ARRAY refused WORD" for those whose failure must name a word.
//
//     foreign [DIRECTORY]
#include <fstream>
#include <sstream>

#include "stores.hpp"

namespace {

using namespace zarr_tests;

hr_parallel_options array_of(const std::string& name) {
  hr_parallel_options how{};
  how.format = "zarr";
  how.dataset = name.c_str();
  return how;
}

void must_be_read(checks& check, const std::string& file, const std::string& name,
                  const std::string& of, const std::vector<long long>& shape) {
  const hr_parallel_options how = array_of(name);
  for (const cut wanted : cuts) {
    spread_array to(MPI_COMM_WORLD, kind_named(of), shape, wanted, memory::halo);
    to.clear();
    hr_error error{};
    const std::string what = file + " " + name + ", " + name_of(wanted);
    check.ok(hr_read_parallel(file.c_str(), to.array(), to.layout(), &how, nullptr, &error), error,
             what);
    check.that(to.wrong() == 0, "wrong bytes: " + what);
  }
}

void must_be_refused(checks& check, const std::string& file, const std::string& name,
                     const std::string& word) {
  const hr_parallel_options how = array_of(name);
  spread_array to(MPI_COMM_WORLD, kind_named("real64"), {4}, cut::equal);
  hr_error error{};
  const int code = hr_read_parallel(file.c_str(), to.array(), to.layout(), &how, nullptr, &error);
  check.that(code != 0 && std::string(error.message).find(word) != std::string::npos,
             file + " " + name + ": no \"" + word + "\" in: " + error.message);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string directory = count > 1 ? arguments[1] : ".";
  return run(count, arguments, "Zarr stores of zarr-python", [&](checks& check) {
    std::ifstream list(directory + "/foreign.txt");
    for (std::string line; std::getline(list, line);) {
      std::istringstream words(line);
      std::string file;
      std::string name;
      std::string of;
      words >> file >> name >> of;
      file = directory + "/" + file;
      if (of == "refused") {
        std::string word;
        words >> word;
        must_be_refused(check, file, name, word);
        continue;
      }
      std::vector<long long> shape;
      for (long long extent; words >> extent;) shape.push_back(extent);
      must_be_read(check, file, name, of, shape);
    }
  });
}
