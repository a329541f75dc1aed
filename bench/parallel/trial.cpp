#include "trial.hpp"

#include <algorithm>
#include <stdexcept>

#include "clocks.hpp"
#include "files.hpp"
#include "json_writer.hpp"
#include "method.hpp"
#include "pmpi_counts.hpp"
#include "process_costs.hpp"

namespace headrace::bench {
namespace {

// What this MPI rank measured. Times are of MPI rank 0's clock.
struct measurement {
  double begin = 0;
  double end = 0;
  double clock_offset = 0;
  recorder line;
  process_costs costs;
  trial_notes notes;
  std::string residency = "warm";
  std::int64_t bad_values = -1;  // -1: not compared
};

double least_of_all(const world& all, double mine) {
  double least = mine;
  MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE, MPI_MIN, all.comm);
  return least;
}

double most_of_all(const world& all, double mine) {
  return -least_of_all(all, -mine);
}

template <class number>
number sum_of_all(const world& all, number mine, MPI_Datatype type) {
  number sum = mine;
  MPI_Allreduce(&mine, &sum, 1, type, MPI_SUM, all.comm);
  return sum;
}

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
  const double everywhere = least_of_all(all, evicted ? 1.0 : 0.0);
  taken.residency = everywhere > 0.5 ? "cold" : "unknown";
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
    done = failure(6010, facts.asked.method + " reported success, but " + facts.asked.file +
                             " holds " + std::to_string(found) + " bytes of data, expected " +
                             std::to_string(least) + " or more; is the disk full?");
  }
  return agree(facts.all, done);
}

std::string text_of_events(const measurement& taken, double start) {
  std::vector<std::string> events;
  for (const event& each : taken.line.events()) {
    events.push_back(json_array({json(phase_names[static_cast<std::size_t>(each.what)]),
                                 json(each.begin + taken.clock_offset - start),
                                 json(each.end + taken.clock_offset - start)}));
  }
  return json_array(events);
}

std::string text_of_rank(const request& asked, const measurement& taken, double start) {
  json_object made;
  made.add("begin", taken.begin - start).add("end", taken.end - start);
  for (std::size_t each = 0; each < phases; ++each) {
    made.add(phase_names[each], taken.line.seconds(static_cast<phase>(each)));
  }
  if (asked.events) made.add_json("events", text_of_events(taken, start));
  return made.text();
}

std::string text_of_phases(const world& all, const measurement& taken) {
  json_object made;
  for (std::size_t each = 0; each < phases; ++each) {
    const double mine = taken.line.seconds(static_cast<phase>(each));
    made.add(phase_names[each], most_of_all(all, mine));
  }
  return made.text();
}

std::string text_of_counts(const world& all) {
  json_object made;
  for (std::size_t each = 0; each < mpi_io_count_names.size(); ++each) {
    made.add(mpi_io_count_names[each],
             sum_of_all(all, present_mpi_io_counts().of[each], MPI_INT64_T));
  }
  return made.text();
}

void add_hints(json_object& made, const request& asked, const trial_notes& notes) {
  if (notes.knows_hints) {
    made.add("hints_in_force", notes.hints_in_force).add("hints_ignored", notes.hints_ignored);
    return;
  }
  const hint_map& in_force = last_hints_in_force();
  const hint_map asked_for = parse_hint_text(asked.hints);
  made.add("hints_in_force", text_of_hints(in_force));
  made.add("hints_ignored", text_of_hints(ignored_hints(asked_for, in_force)));
}

std::string success(const world& all, const request& asked, const measurement& taken,
                    std::int64_t file_bytes) {
  const double start = least_of_all(all, taken.begin);
  const double last = most_of_all(all, taken.end) - start;
  json_object made;
  made.add("id", asked.id).add("ok", true).add("seconds", last);
  made.add("first_done", least_of_all(all, taken.end) - start).add("last_done", last);
  made.add_json("phases", text_of_phases(all, taken));
  made.add_json("ranks", json_array(gather_texts(all, text_of_rank(asked, taken, start))));
  made.add("user", sum_of_all(all, taken.costs.user(), MPI_DOUBLE));
  made.add("system", sum_of_all(all, taken.costs.system(), MPI_DOUBLE));
  const std::int64_t peak = taken.costs.peak_memory();
  made.add_json("peak_memory", json_array(gather_texts(all, json(peak))));
  made.add("file_bytes", file_bytes);
  const std::int64_t bad = sum_of_all(all, taken.bad_values, MPI_INT64_T);
  made.add_json("bad_values", bad < 0 ? "null" : json(bad));
  add_hints(made, asked, taken.notes);
  made.add("residency", taken.residency);
  made.add_json("counts", text_of_counts(all));
  made.add("writers", taken.notes.writers).add("redistributed", taken.notes.redistributed);
  return made.text();
}

// Throws std::invalid_argument, on all MPI ranks, for requests that make no sense.
outcome transfer(const world& all, const request& asked, block_memory& memory, std::string& text) {
  const decomposition split = decompose(asked.global, asked.layout, all.size);
  const std::unique_ptr<io_method> method = make_method(asked.method);
  const block& own = split.blocks[static_cast<std::size_t>(all.rank)];
  double* values = memory.with(own.elements());
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

std::string refusal(std::int64_t id, const outcome& failed) {
  json_object made;
  made.add("id", id).add("ok", false).add("error", failed.message).add("code", failed.code);
  return made.text();
}

std::string answer(const world& all, const request& asked, block_memory& memory) {
  std::string text;
  const outcome done = carry_out(all, asked, memory, text);
  return done.ok() ? text : refusal(asked.id, done);
}

}  // namespace headrace::bench
