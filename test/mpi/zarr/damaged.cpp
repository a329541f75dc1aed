// Stores that are damaged, foreign or incomplete give a clear error on every MPI rank.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "stores.hpp"

namespace {

namespace fs = std::filesystem;
using namespace zarr_tests;

const std::string store = "damaged.zarr";

// Makes the store anew, damages it by MPI rank 0, and reads it.
class damage {
 public:
  damage(checks& check, const hr_parallel_options& how) : check_(check), how_(how) {}

  template <class Act>
  void leads_to(int expected, const std::vector<std::string>& words, const std::string& what,
                Act act) {
    const kind& of = kind_named("real64");
    spread_array from(MPI_COMM_WORLD, of, {16, 24}, cut::last);
    from.fill();
    write_store(check_, store, from, how_, what);
    MPI_Barrier(MPI_COMM_WORLD);
    if (check_.rank() == 0) act();
    MPI_Barrier(MPI_COMM_WORLD);
    spread_array to(MPI_COMM_WORLD, of, {16, 24}, cut::first);
    hr_parallel_options how{};
    how.format = "zarr";
    hr_error error{};
    const int code =
        hr_read_parallel(store.c_str(), to.array(), to.layout(), &how, nullptr, &error);
    check_.fails(code, error, expected, words, what);
    MPI_Barrier(MPI_COMM_WORLD);
  }

 private:
  checks& check_;
  hr_parallel_options how_;
};

std::string read(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

void write(const std::string& file, const std::string& text) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
}

std::string first_chunk() {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(store + "/data"))
    if (entry.path().filename() != "zarr.json") files.push_back(entry.path().string());
  return *std::min_element(files.begin(), files.end());
}

void flip_byte(const std::string& file, std::size_t at) {
  std::string text = read(file);
  text[at] = static_cast<char>(text[at] ^ 0x40);
  write(file, text);
}

void replace(const std::string& file, const std::string& from, const std::string& to) {
  std::string text = read(file);
  const std::size_t at = text.find(from);
  if (at == std::string::npos) MPI_Abort(MPI_COMM_WORLD, 3);  // the test would prove nothing
  write(file, text.replace(at, from.size(), to));
}

void damaged_chunks(checks& check) {
  damage plain(check, options(nullptr));
  damage checked(check, options(nullptr, "crc32c"));
  damage packed(check, options(nullptr, nullptr, "zstd"));
  damage both(check, options(nullptr, "crc32c", "zstd"));
  plain.leads_to(HR_CHUNK_MISSING, {"c.0.0", "(1:16, 1:"}, "a chunk that is gone",
                 [] { fs::remove(first_chunk()); });
  plain.leads_to(HR_FILE_SIZE_MISMATCH, {"c.0.0", "byte"}, "a chunk cut short",
                 [] { fs::resize_file(first_chunk(), fs::file_size(first_chunk()) - 1); });
  plain.leads_to(HR_FILE_SIZE_MISMATCH, {"c.0.0"}, "a chunk with more behind it",
                 [] { fs::resize_file(first_chunk(), fs::file_size(first_chunk()) + 8); });
  checked.leads_to(HR_CHECKSUM_MISMATCH, {"c.0.0", "(1:16, 1:", "crc32c"}, "a flipped bit",
                   [] { flip_byte(first_chunk(), 100); });
  checked.leads_to(HR_CHECKSUM_MISMATCH, {"c.0.0"}, "a flipped checksum",
                   [] { flip_byte(first_chunk(), fs::file_size(first_chunk()) - 1); });
  checked.leads_to(HR_CHECKSUM_MISMATCH, {"c.0.0"}, "an empty chunk",
                   [] { fs::resize_file(first_chunk(), 0); });
  packed.leads_to(HR_COMPRESSION_DAMAGED, {"c.0.0"}, "zstd cut short",
                  [] { fs::resize_file(first_chunk(), fs::file_size(first_chunk()) / 2); });
  packed.leads_to(HR_COMPRESSION_DAMAGED, {"c.0.0"}, "zstd without its mark",
                  [] { flip_byte(first_chunk(), 0); });
  both.leads_to(HR_CHECKSUM_MISMATCH, {"c.0.0"}, "a flipped checksum of zstd",
                [] { flip_byte(first_chunk(), fs::file_size(first_chunk()) - 1); });
}

void damaged_shards(checks& check) {
  damage shard(check, options("shared_independent"));
  damage checked(check, options("shared_independent", "crc32c"));
  const auto size = [] { return fs::file_size(first_chunk()); };
  shard.leads_to(HR_CHUNK_MISSING, {"c.0.0"}, "a shard that is gone",
                 [] { fs::remove(first_chunk()); });
  shard.leads_to(HR_CHECKSUM_MISMATCH, {"c.0.0", "index"}, "a damaged index",
                 [&] { flip_byte(first_chunk(), size() - 10); });
  shard.leads_to(HR_FILE_SIZE_MISMATCH, {"c.0.0", "index"}, "a shard shorter than its index",
                 [] { fs::resize_file(first_chunk(), 10); });
  shard.leads_to(HR_CHECKSUM_MISMATCH, {"c.0.0"}, "a shard cut short",
                 [&] { fs::resize_file(first_chunk(), size() - 8); });
  checked.leads_to(HR_CHECKSUM_MISMATCH, {"c.0.0", "the chunk (1:16, 1:"}, "a flipped bit",
                   [] { flip_byte(first_chunk(), 100); });
}

void damaged_documents(checks& check) {
  damage plain(check, options(nullptr));
  const auto array = [] { return store + "/data/zarr.json"; };
  const auto replaced = [&](int code, const std::vector<std::string>& words,
                            const std::string& from, const std::string& to) {
    plain.leads_to(code, words, from + " becomes " + to, [&] { replace(array(), from, to); });
  };
  plain.leads_to(HR_HEADER_DAMAGED, {"zarr.json"}, "a document cut short",
                 [&] { fs::resize_file(array(), fs::file_size(array()) - 3); });
  plain.leads_to(HR_HEADER_DAMAGED, {"no zarr.json"}, "a store without its document",
                 [] { fs::remove(store + "/zarr.json"); });
  plain.leads_to(HR_FORMAT_UNKNOWN, {"format 2"}, "a store of format 2", [] {
    fs::remove(store + "/zarr.json");
    write(store + "/.zgroup", "{\"zarr_format\": 2}");
  });
  plain.leads_to(HR_ARRAY_MISSING, {"data"}, "an array without its document",
                 [&] { fs::remove(array()); });
  plain.leads_to(HR_HEADER_DAMAGED, {"directory"}, "a file where a store should be", [] {
    fs::remove_all(store);
    write(store, "no store");
  });
  if (check.rank() == 0) fs::remove_all(store);
  replaced(HR_KIND_UNSUPPORTED, {"blosc"},
           R"("name": "bytes", "configuration": {"endian": "little"}})",
           R"("name": "bytes", "configuration": {"endian": "little"}}, {"name": "blosc"})");
  replaced(HR_KIND_UNSUPPORTED, {"rectilinear"}, "\"regular\"", "\"rectilinear\"");
  replaced(HR_KIND_UNSUPPORTED, {"uint64"}, "\"float64\"", "\"uint64\"");
  replaced(HR_KIND_UNSUPPORTED, {"new_thing"}, "\"attributes\"",
           R"("new_thing": {}, "attributes")");
  replaced(HR_KIND_UNSUPPORTED, {"storage transformer"}, "\"attributes\"",
           R"("storage_transformers": [{"name": "t"}], "attributes")");
  replaced(HR_KIND_MISMATCH, {"data"}, "\"float64\"", "\"float32\"");
  replaced(HR_SHAPE_MISMATCH, {"(16, 24)"}, R"("shape": [16, 24])", R"("shape": [16, 25])");
  replaced(HR_HEADER_DAMAGED, {"shape"}, R"("shape": [16, 24])", R"("shape": [-16, 24])");
  replaced(HR_HEADER_DAMAGED, {"shape"}, R"("shape": [16, 24])", R"("shape": [16, 24.5])");
  replaced(HR_HEADER_DAMAGED, {"shape"}, R"("shape": [16, 24])",
           R"("shape": [4611686018427387904, 4611686018427387904])");
  replaced(HR_HEADER_DAMAGED, {"permutation"}, "[1, 0]", "[1, 1]");
  replaced(HR_HEADER_DAMAGED, {"chunk_shape"}, "\"chunk_shape\": [16", "\"chunk_shape\": [0");
  replaced(HR_HEADER_DAMAGED, {"fill_value"}, R"("fill_value": "NaN")", R"("fill_value": "none")");
  replaced(HR_HEADER_DAMAGED, {"zarr.json:"}, "\"shape\"", "\"shape");
}

}  // namespace

int main(int count, char** arguments) {
  return run(count, arguments, "damaged Zarr stores", [](checks& check) {
    damaged_chunks(check);
    damaged_shards(check);
    damaged_documents(check);
  });
}
