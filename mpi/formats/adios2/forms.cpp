#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>

#include "../../../src/core/lower_case.hpp"
#include "../../dataset/attribute_failures.hpp"
#include "../../together/library_words.hpp"
#include "format.hpp"

namespace headrace::adios2_format {
namespace {

// The message without colours, date and the names of the library's layers.
std::string plain_words(const char* words) {
  std::string plain;
  bool in_colour = false;
  for (; *words != '\0'; ++words) {
    if (*words == '\033') in_colour = true;
    if (!in_colour) plain += *words;
    if (*words == 'm') in_colour = false;
  }
  if (const std::size_t begin = plain.rfind("> : "); begin != std::string::npos)
    plain.erase(0, begin + 4);
  while (!plain.empty() && plain.back() == '\n') plain.pop_back();
  std::replace(plain.begin(), plain.end(), '\n', ' ');
  return plain;
}

// C++'s streams, by which ADIOS2 writes its profile, give no reason: what they left in errno does.
status explained(std::string_view what, const std::string& file, const char* said, int left) {
  const std::string words = plain_words(said);
  int error = error_in_words(words);
  if (error == 0 && words.find("iostream error") != std::string::npos && is_of_the_disk(left))
    error = left;
  if (error > 0) return status::system(error, std::string(what)).in_file(file);
  return status::failure(stat_code::library_failed, std::string(what) + ": " + words).in_file(file);
}

struct kind_entry {
  adios2::DataType type;
  type_class kind;
  std::size_t bytes;
};
constexpr std::array<kind_entry, 8> kinds = {{
    {adios2::DataType::Int8, type_class::integer, 1},
    {adios2::DataType::Int16, type_class::integer, 2},
    {adios2::DataType::Int32, type_class::integer, 4},
    {adios2::DataType::Int64, type_class::integer, 8},
    {adios2::DataType::Float, type_class::real, 4},
    {adios2::DataType::Double, type_class::real, 8},
    {adios2::DataType::FloatComplex, type_class::complex, 8},
    {adios2::DataType::DoubleComplex, type_class::complex, 16},
}};

}  // namespace

status attempt(std::string_view what, const std::string& file, function_ref<void()> call) {
  try {
    errno = 0;
    call();
    return {};
  } catch (const std::bad_alloc&) {
    return no_memory();
  } catch (const std::exception& failed) {
    const int left = errno;
    return caught([&] { return explained(what, file, failed.what(), left); });
  }
}

status find_form(const array_view& array, form& found) {
  found = {};
  const bool bytes = array.type == type_class::logical || array.type == type_class::character;
  if (bytes) {
    found.type = adios2::DataType::Int8;
    found.mark = array.type == type_class::logical ? "logical" : "character";
    found.text_length = array.type == type_class::character ? array.elem_len : 0;
    if (array.type == type_class::logical || array.elem_len > 0) return {};
  }
  for (const kind_entry& entry : kinds)
    if (entry.kind == array.type && entry.bytes == array.elem_len) {
      found.type = entry.type;
      return {};
    }
  return status::failure(stat_code::kind_unsupported,
                         "ADIOS2 holds no " + kinds_text(array.type, array.elem_len))
      .advise("it has integers of 1, 2, 4 and 8 bytes, reals of 4 and 8, complex ones of 8 and 16");
}

bool find_kind(const form& of, described_array& array) {
  for (const kind_entry& entry : kinds) {
    if (entry.type != of.type) continue;
    array.type = entry.kind;
    array.elem_len = entry.bytes;
    if (of.type == adios2::DataType::Int8 && of.mark == "logical") array.type = type_class::logical;
    if (of.text_length > 0) {
      array.type = type_class::character;
      array.elem_len = of.text_length;
    }
    return true;
  }
  return false;
}

adios2::Box<adios2::Dims> section_of(const box& part, const form& of) {
  adios2::Box<adios2::Dims> section;
  const std::size_t most = static_cast<std::size_t>(part.array_rank) + 1;
  section.first.reserve(most);
  section.second.reserve(most);
  for (auto d = static_cast<std::size_t>(part.array_rank); d-- > 0;) {
    section.first.push_back(static_cast<std::size_t>(part.start[d]));
    section.second.push_back(static_cast<std::size_t>(part.count[d]));
  }
  if (of.text_length > 0) {
    section.first.push_back(0);
    section.second.push_back(of.text_length);
  }
  return section;
}

// The engine that writes a store, and its parameters: headrace's own, and those hints that leave
// each writer a file of its own. Elsewhere a write that fails on one MPI rank makes others wait for
// ever, or a store takes its name before it is complete.
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
