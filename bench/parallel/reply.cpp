#include "reply.hpp"

#include "json_writer.hpp"
#include "mpi_io_module.hpp"
#include "pmpi_counts.hpp"

namespace headrace::bench {
namespace {

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
  const bool romio = mpi_io_module().rfind("romio", 0) == 0;
  const hint_map& told = last_hints_in_force();
  const hint_map in_force = hints_in_force(told, romio);
  // Who tells nothing may have taken them all.
  const hint_map asked_for = told.empty() ? hint_map() : parse_hint_text(asked.hints);
  made.add("hints_in_force", text_of_hints(in_force));
  made.add("hints_ignored", text_of_hints(ignored_hints(asked_for, in_force)));
}

}  // namespace

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

std::string refusal(std::int64_t id, const outcome& failed) {
  json_object made;
  made.add("id", id).add("ok", false).add("error", failed.message).add("code", failed.code);
  return made.text();
}

}  // namespace headrace::bench
