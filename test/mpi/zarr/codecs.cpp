// Stores of every codec, from every cut of the array to every other. Leaves stores for
// check_stores.py.
#include <cstdio>
#include <cstdlib>

#include "stores.hpp"

namespace {

using namespace zarr_tests;

struct way {
  const char* pattern;
  const char* hints;
};
const std::vector<way> ways = {{"file_per_process", nullptr},
                               {"file_per_node", "node_writers=all"},
                               {"file_per_node", "node_writers=leader"},
                               {"serial", nullptr},
                               {"shared_independent", nullptr},
                               {"shared_collective", nullptr},
                               {"shared_collective", "cb_nodes=2,cb_buffer_size=4096"}};

struct codecs {
  const char* checksum;
  const char* compression;
};
const std::vector<codecs> all_codecs = {
    {nullptr, nullptr}, {"crc32c", nullptr}, {nullptr, "zstd"}, {"crc32c", "zstd"}};

std::string text_of(const way& how, const codecs& coded) {
  return std::string(how.pattern) + " " + (how.hints == nullptr ? "" : how.hints) +
         (coded.checksum == nullptr ? "" : " crc32c") +
         (coded.compression == nullptr ? "" : " zstd");
}

// Kept under a name that tells check_stores.py what is in it.
void every_kind_in_every_way(checks& check) {
  for (std::size_t k = 0; k < kinds.size(); ++k)
    for (std::size_t w = 0; w < ways.size(); ++w) {
      const way& how = ways[w];
      const codecs& coded = all_codecs[(k + w) % all_codecs.size()];
      const std::string file =
          std::string(kinds[k].name) + "-13x7x5-" + std::to_string(w) + ".zarr";
      const std::string what = std::string(kinds[k].name) + ", " + text_of(how, coded);
      hr_parallel_options chosen =
          options(how.pattern, coded.checksum, coded.compression, how.hints);
      chosen.dimensions = "x,y,z";
      spread_array from(MPI_COMM_WORLD, kinds[k], {13, 7, 5}, cuts[(k + w) % cuts.size()]);
      from.fill();
      hr_parallel_report report{};
      write_store(check, file, from, chosen, what, &report);
      check.that(std::string(report.pattern) == how.pattern && report.writers >= 1,
                 "report of " + what);
      spread_array to(MPI_COMM_WORLD, kinds[k], {13, 7, 5}, cuts[(k + w + 1) % cuts.size()],
                      memory::halo);
      read_store(check, file, to, what);
    }
}

void every_cut_with_every_other(checks& check) {
  const kind& of = kind_named("int32");
  const std::string file = "cuts.zarr";
  for (const way& how : ways)
    for (const codecs& coded : {all_codecs[0], all_codecs[3]})
      for (const cut written : cuts) {
        spread_array from(MPI_COMM_WORLD, of, {25, 11, 9}, written, memory::every_second);
        from.fill();
        const std::string what = std::string(name_of(written)) + ", " + text_of(how, coded);
        write_store(check, file, from,
                    options(how.pattern, coded.checksum, coded.compression, how.hints), what);
        for (const cut wanted : cuts) {
          spread_array to(MPI_COMM_WORLD, of, {25, 11, 9}, wanted, memory::backwards);
          read_store(check, file, to, what + ", read " + name_of(wanted));
        }
      }
}

// Blocks of 13, 13, 12 and 12 planes are no chunk grid; equal ones are.
void redistribution_is_reported(checks& check) {
  const kind& of = kind_named("real64");
  const auto redistributed = [&](const char* pattern, cut how, extents shape) {
    spread_array from(MPI_COMM_WORLD, of, shape, how);
    from.fill();
    hr_parallel_report report{};
    write_store(check, "planes.zarr", from, options(pattern), pattern, &report);
    return report.redistributed != 0;
  };
  check.that(!redistributed("file_per_process", cut::last, {4, 50}), "equal slabs are chunks");
  check.that(!redistributed("file_per_node", cut::last, {4, 48}), "slabs of nodes are shards");
  check.that(redistributed("file_per_process", cut::first, {50, 4}) == (50 % check.size() != 0),
             "uneven slabs are no chunks");
}

// What was asked for and not done is told.
void hints_are_reported(checks& check) {
  spread_array from(MPI_COMM_WORLD, kind_named("real64"), {16, 12}, cut::first);
  from.fill();
  hr_parallel_report report{};
  const auto write = [&](const hr_parallel_options& how) {
    write_store(check, "hints.zarr", from, how, "hints", &report);
  };
  const auto expect = [&](const std::string& in_force, const std::string& ignored) {
    check.that(
        report.hints_in_force == in_force && report.hints_ignored == ignored,
        std::string("in force: ") + report.hints_in_force + "; ignored: " + report.hints_ignored);
  };
  // A buffer is in force if blocks go to other MPI ranks through it.
  const bool alone = check.size() == 1;
  const char* const node_size = std::getenv("HEADRACE_NODE_SIZE");
  const bool all_lead = alone || (node_size != nullptr && std::string(node_size) == "1");
  const std::string buffer = "cb_buffer_size=8192";
  write(options("file_per_node", nullptr, nullptr, "node_writers=leader,cb_buffer_size=8192"));
  expect((all_lead ? "" : buffer + ",") + "node_writers=leader", all_lead ? buffer : "");
  write(options("shared_collective", nullptr, "zstd", buffer.c_str()));
  expect((alone ? "" : buffer + ",") + "cb_nodes=1", alone ? buffer : "");
  spread_array planes(MPI_COMM_WORLD, kind_named("real64"), {4, 5 * check.size()}, cut::last);
  planes.fill();
  for (const char* pattern : {"file_per_process", "shared_independent"}) {
    write_store(check, "hints.zarr", planes, options(pattern, nullptr, nullptr, buffer.c_str()),
                pattern, &report);
    expect("", buffer);
  }
  write(options("file_per_node", nullptr, "zstd", "node_writers=all,striping_factor=4"));
  check.that(std::string(report.hints_ignored) == "node_writers=all,striping_factor=4",
             std::string("ignored: ") + report.hints_ignored);
}

// Blocks longer than windows and pieces, read by lines of many lengths.
void longer_than_windows(checks& check) {
  const kind& of = kind_named("real64");
  const std::string file = "long.zarr";
  for (const codecs& coded : all_codecs) {
    spread_array from(MPI_COMM_WORLD, of, {512, 512, 8}, cut::equal, memory::contiguous);
    from.fill();
    write_store(check, file, from, options(nullptr, coded.checksum, coded.compression), "long");
    for (const cut wanted : {cut::equal, cut::first, cut::last, cut::bisected}) {
      spread_array to(MPI_COMM_WORLD, of, {512, 512, 8}, wanted);
      read_store(check, file, to, std::string("long, read ") + name_of(wanted));
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  return run(count, arguments, "codecs and cuts of Zarr stores", [](checks& check) {
    every_kind_in_every_way(check);
    every_cut_with_every_other(check);
    redistribution_is_reported(check);
    hints_are_reported(check);
    longer_than_windows(check);
  });
}
