#include "trial.hpp"

#include "clocks.hpp"
#include "files.hpp"
#include "json_writer.hpp"
#include "pmpi_counts.hpp"
#include "reply.hpp"

namespace headrace::bench {
namespace {

// The old file goes before a write, outside the clock: all methods write to fresh pages.
outcome clear_place(const world& all, const request& asked) {
  outcome done;
  if (all.rank == 0) {
    done = remove_all(asked.file);
    done.keep(make_parent_directory(asked.file));
  }
  return agree(all, done);
}

outcome evict(const world& all, const request& asked, measurement& taken) {
  outcome done;
  bool evicted = true;
  if (all.node_rank == 0) done = evict_pages(asked.file, evicted);
  const int mine = evicted ? 1 : 0;
  int everywhere = mine;
  MPI_Allreduce(&mine, &everywhere, 1, MPI_INT, MPI_MIN, all.comm);
  taken.residency = everywhere == 1 ? "cold" : "unknown";
  return agree(all, done);
}

outcome make_ready(const trial_facts& facts, io_method& method, measurement& taken) {
  const request& asked = facts.asked;
  const bool write = asked.operation == "write";
  if (write) {
    const outcome cleared = clear_place(facts.all, asked);
    if (!cleared.ok()) return cleared;
    fill_values(facts.values, facts.split.global, facts.own(), asked.seed);
  } else {
    fill_nan(facts.values, facts.own());
  }
  const outcome prepared = agree(facts.all, method.prepare(facts));
  if (!prepared.ok()) return prepared;
  taken.clock_offset = learn_clock_offset(facts.all);
  return !write && asked.condition == "cold" ? evict(facts.all, asked, taken) : outcome{};
}

outcome run_timed(const trial_facts& facts, io_method& method, measurement& taken) {
  reset_mpi_io_counts();
  taken.costs.begin();
  MPI_Barrier(facts.all.comm);
  taken.begin = now() + taken.clock_offset;
  const outcome done = facts.asked.operation == "write" ? method.write(facts, taken.notes)
                                                        : method.read(facts, taken.notes);
  taken.end = now() + taken.clock_offset;
  taken.costs.end();
  return agree(facts.all, done);
}

// Libraries and run times report success on full disks; and what they read beyond the end of a file
// may be right by chance, from a buffer that held it before.
outcome check_size(const trial_facts& facts, const io_method& method) {
  const std::int64_t least = method.least_bytes(facts);
  if (least == 0) return {};
  outcome done;
  const std::int64_t found = facts.all.rank == 0 ? data_bytes_of(facts.asked.file) : least;
  if (found < least) {
    done = failure(HR_FILE_SIZE_MISMATCH, facts.asked.method + " reported success, but " +
                                              facts.asked.file + " holds " + std::to_string(found) +
                                              " bytes of data, expected " + std::to_string(least) +
                                              " or more; is the disk full?");
  }
  return agree(facts.all, done);
}

// Throws std::invalid_argument, on all MPI ranks, for requests that make no sense.
outcome transfer(const world& all, const request& asked, block_memory& memory, std::string& text) {
  const decomposition split = decompose(asked.global, asked.layout, all.size);
  const std::unique_ptr<io_method> method = make_method(asked.method);
  const block& own = split.blocks[static_cast<std::size_t>(all.rank)];
  double* values = memory.with(own.elements(), asked.at_page);
  outcome done;
  if (values == nullptr) {
    done = failure(12, "no memory for " + std::to_string(8 * own.elements()) + " bytes");
  }
  done = agree(all, done);
  if (!done.ok()) return done;
  measurement taken;
  const trial_facts facts{all, asked, split, values, taken.line};
  done = make_ready(facts, *method, taken);
  if (done.ok()) done = run_timed(facts, *method, taken);
  if (!done.ok()) return done;
  std::int64_t file_bytes = all.rank == 0 ? bytes_of(asked.file) : 0;
  MPI_Bcast(&file_bytes, 1, MPI_INT64_T, 0, all.comm);
  done = check_size(facts, *method);
  if (!done.ok()) return done;
  if (asked.operation == "read" && asked.verify && method->transfers()) {
    taken.bad_values = count_bad_values(values, asked.global, own, asked.seed);
  }
  text = success(all, asked, taken, file_bytes);
  return {};
}

outcome carry_out(const world& all, const request& asked, block_memory& memory, std::string& text) {
  if (asked.operation == "write" || asked.operation == "read") {
    return transfer(all, asked, memory, text);
  }
  outcome done = clear_place(all, asked);
  text = json_object().add("id", asked.id).add("ok", true).text();
  return done;
}

}  // namespace

std::string answer(const world& all, const request& asked, block_memory& memory) {
  std::string text;
  const outcome done = carry_out(all, asked, memory, text);
  return done.ok() ? text : refusal(asked.id, done);
}

}  // namespace headrace::bench
