// The limits of the file system: plain calls of the operating system, no library, no order of MPI
// ranks. Files of blocks hold the contiguous block of one MPI rank after the other.
#include "files.hpp"
#include "method.hpp"
#include "posix_file.hpp"

namespace headrace::bench {
namespace {

enum class raw_pattern { file_per_process, file_per_node, shared_file, rows };

class raw_method : public io_method {
 public:
  explicit raw_method(raw_pattern pattern) : pattern_(pattern) {}

  outcome prepare(const trial_facts& facts) override {
    const world& all = facts.all;
    path_ = facts.asked.file;
    offset_ = 0;
    if (pattern_ == raw_pattern::file_per_process) path_ += "/" + std::to_string(all.rank);
    if (pattern_ == raw_pattern::shared_file) offset_ = 8 * facts.split.elements_before(all.rank);
    if (pattern_ == raw_pattern::file_per_node) find_place_in_node(facts);
    const bool directory = path_ != facts.asked.file && facts.asked.operation == "write";
    return directory && all.rank == 0 ? make_directory(facts.asked.file) : outcome{};
  }

  outcome write(const trial_facts& facts, trial_notes& notes) override {
    return run(facts, notes, true);
  }
  outcome read(const trial_facts& facts, trial_notes& notes) override {
    return run(facts, notes, false);
  }

 private:
  outcome run(const trial_facts& facts, trial_notes& notes, bool write) const {
    notes.writers = facts.all.size;
    posix_file file;
    outcome done;
    {
      const auto scope = facts.line.during(phase::open);
      done = write ? file.open_to_write(path_) : file.open_to_read(path_);
    }
    if (!done.ok()) return done;
    {
      const auto scope = facts.line.during(phase::transfer);
      done = for_each_part(facts, [&](std::int64_t offset, char* data, std::int64_t bytes) {
        return write ? file.write_at(offset, data, bytes) : file.read_at(offset, data, bytes);
      });
    }
    if (write && facts.asked.sync) {
      const auto scope = facts.line.during(phase::sync);
      done.keep(file.sync());
    }
    const auto scope = facts.line.during(phase::close);
    done.keep(file.close());
    return done;
  }

  void find_place_in_node(const trial_facts& facts) {
    const std::vector<int> groups = node_groups(facts.all, facts.asked.node_size);
    const auto rank = static_cast<std::size_t>(facts.all.rank);
    for (std::size_t earlier = 0; earlier < rank; ++earlier) {
      if (groups[earlier] == groups[rank]) offset_ += 8 * facts.split.blocks[earlier].elements();
    }
    path_ += "/" + std::to_string(groups[rank]);
  }

  template <class function>
  outcome for_each_part(const trial_facts& facts, function&& transfer) const {
    if (pattern_ != raw_pattern::rows) return transfer(offset_, facts.bytes(), facts.byte_count());
    outcome done;
    for_each_run(facts.split.global, facts.own(),
                 [&](std::int64_t in_file, std::int64_t in_block, std::int64_t elements) {
                   done = transfer(8 * in_file, facts.bytes() + 8 * in_block, 8 * elements);
                   return done.ok();
                 });
    return done;
  }

  raw_pattern pattern_;
  std::string path_;
  std::int64_t offset_ = 0;
};

}  // namespace

void add_raw_methods(method_list& list) {
  list.push_back({"raw:file_per_process", "each MPI rank pwrites its block to a file of its own",
                  "", make_new<raw_method, raw_pattern::file_per_process>});
  list.push_back({"raw:file_per_node",
                  "each MPI rank pwrites its block at its place in the file of its node", "",
                  make_new<raw_method, raw_pattern::file_per_node>});
  list.push_back({"raw:shared_file", "each MPI rank pwrites its block at its place in one file", "",
                  make_new<raw_method, raw_pattern::shared_file>});
  list.push_back({"raw:rows", "one file in global order, a pwrite for each contiguous run", "",
                  make_new<raw_method, raw_pattern::rows>});
}

}  // namespace headrace::bench
