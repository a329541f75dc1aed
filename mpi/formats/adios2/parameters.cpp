// The engine that writes a store, and its parameters: headrace's own, and those hints that leave
// each writer a file of its own. Elsewhere a write that fails on one MPI rank makes others wait for
// ever, or a store takes its name before it is complete.
#include <algorithm>

#include "../../../src/core/lower_case.hpp"
#include "format.hpp"

namespace headrace::adios2_format {
namespace {

const char* name_of(engine_kind kind) {
  return kind == engine_kind::bp5 ? "BP5" : "BP4";
}

// Parameters of writing that leave every writer alone with its file and every step whole at its
// end. Not among them: the number and the way of aggregators, which make writers share a file;
// burst buffers, local directories and asynchronous calls, whose failures come when nobody waits
// for them; statistics of parts of a block, which have no bound in the index; and what concerns
// reading only.
using name_list = std::vector<const char*>;
const name_list& free_parameters(engine_kind kind) {
  static const name_list bp5 = {"verbose",
                                "stripesize",
                                "directio",
                                "directioalignoffset",
                                "directioalignbuffer",
                                "growthfactor",
                                "initialbuffersize",
                                "mindeferredsize",
                                "bufferchunksize",
                                "buffervtype",
                                "statslevel",
                                "useonetimeattributes",
                                "useselectivemetadataaggregation",
                                "onelevelgatherrankslimit",
                                "flattensteps"};
  static const name_list bp4 = {"verbose", "buffergrowthfactor", "initialbuffersize", "threads",
                                "statslevel"};
  return kind == engine_kind::bp5 ? bp5 : bp4;
}

bool is_free(engine_kind kind, const std::string& name) {
  const name_list& names = free_parameters(kind);
  return std::any_of(names.begin(), names.end(),
                     [&](const char* known) { return lower_case(name) == known; });
}

// What beats the library's own defaults on a node (doc/reference/parallel_adios2.md has the
// figures): each writer has a file of its own and writes straight from memory, no statistics are
// made. Opening at once: a file that cannot be opened is a failure then, not at the first write,
// and none is made when the store is gone already.
hint_list parameters_of(engine_kind kind, int writers) {
  hint_list wanted = {
      {"NumAggregators", std::to_string(writers)}, {"StatsLevel", "0"}, {"AsyncOpen", "off"}};
  if (kind == engine_kind::bp5) {
    wanted["AggregationType"] = "EveryoneWritesSerial";
  } else {
    // Without it BP4 keeps a copy of a whole step.
    wanted["MaxBufferSize"] = std::to_string(bp4_buffer_bytes);
    wanted["Profile"] = "off";  // closing would gather it from MPI ranks that may have failed
  }
  return wanted;
}

hint_list::iterator find_parameter(hint_list& list, const std::string& name) {
  return std::find_if(list.begin(), list.end(), [&](const auto& entry) {
    return lower_case(entry.first) == lower_case(name);
  });
}

}  // namespace

status find_engine(const hint_list& hints, engine_kind& kind) {
  kind = engine_kind::bp5;
  for (const auto& [name, value] : hints) {
    if (lower_case(name) != "engine") continue;
    const std::string wanted = lower_case(value);
    if (wanted != "bp4" && wanted != "bp5")
      return status::failure(stat_code::option_unknown,
                             "there is no hints=\"engine=" + value + "\"")
          .expected("BP5 or BP4", value)
          .advise("leave it out for BP5");
    kind = wanted == "bp4" ? engine_kind::bp4 : engine_kind::bp5;
  }
  return {};
}

status configure(adios2::IO* io, const std::string& file, engine_kind kind, int writers,
                 const hint_list& hints, hints_found& found) {
  const char* const engine = name_of(kind);
  hint_list wanted = parameters_of(kind, writers);
  for (const auto& [name, value] : hints) {
    if (lower_case(name) == "engine") continue;
    const auto entry = find_parameter(wanted, name);
    if (is_free(kind, name)) {
      if (entry != wanted.end()) wanted.erase(entry);
      wanted[name] = value;
    } else if (entry == wanted.end() || lower_case(entry->second) != lower_case(value)) {
      found.ignored[name] = value;
    }
  }
  found.in_force["engine"] = engine;
  for (const auto& [name, value] : wanted) found.in_force[name] = value;
  if (io == nullptr) return {};
  return attempt(std::string("cannot choose the engine ") + engine, file, [&] {
    io->SetEngine(engine);
    for (const auto& [name, value] : wanted) io->SetParameter(name, value);
  });
}

}  // namespace headrace::adios2_format
