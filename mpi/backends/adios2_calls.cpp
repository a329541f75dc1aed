#include "adios2_calls.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <sstream>

#include "../../src/core/lower_case.hpp"

namespace headrace {
namespace {

// One at a time: std::cerr belongs to the whole program.
std::mutex one_at_a_time;

// While it lives, std::cerr goes to a text.
class caught_words {
 public:
  caught_words() : before_(std::cerr.rdbuf(text_.rdbuf())) {}
  ~caught_words() { std::cerr.rdbuf(before_); }
  caught_words(const caught_words&) = delete;
  caught_words& operator=(const caught_words&) = delete;

  // The last message, without colours, date and the names of its layers.
  std::string last() const {
    std::string plain;
    bool in_colour = false;
    for (const char c : text_.str()) {
      if (c == '\033') in_colour = true;
      if (!in_colour) plain += c;
      if (c == 'm') in_colour = false;
    }
    while (!plain.empty() && plain.back() == '\n') plain.pop_back();
    const std::size_t begin = plain.rfind("> : ");
    if (begin != std::string::npos) plain = plain.substr(begin + 4);
    std::replace(plain.begin(), plain.end(), '\n', ' ');
    return plain;
  }

 private:
  std::ostringstream text_;
  std::streambuf* before_;
};

// "... : errno = 28: No space left on device"; 0: not the operating system's. C++'s streams, by
// which ADIOS2 writes its profile, say nothing: what they left in errno counts.
int error_in(const std::string& words, int left) {
  const std::string mark = "errno = ";
  const std::size_t at = words.rfind(mark);
  if (at != std::string::npos) return std::atoi(words.c_str() + at + mark.size());
  const bool of_a_stream = words.find("iostream error") != std::string::npos;
  return of_a_stream && (left == ENOSPC || left == EDQUOT || left == EFBIG) ? left : 0;
}

constexpr std::array bp5_parameters = {"opentimeoutsecs",
                                       "beginsteppollingfrequencysecs",
                                       "streamreader",
                                       "burstbufferdrain",
                                       "burstbufferpath",
                                       "nodelocal",
                                       "verbose",
                                       "numaggregators",
                                       "aggregatorratio",
                                       "numsubfiles",
                                       "stripesize",
                                       "directio",
                                       "directioalignoffset",
                                       "directioalignbuffer",
                                       "aggregationtype",
                                       "enablewriterrerouting",
                                       "reroutingthresholdfactor",
                                       "asyncopen",
                                       "asyncwrite",
                                       "growthfactor",
                                       "initialbuffersize",
                                       "mindeferredsize",
                                       "bufferchunksize",
                                       "maxshmsize",
                                       "buffervtype",
                                       "appendaftersteps",
                                       "selectsteps",
                                       "readershortcircuitreads",
                                       "statslevel",
                                       "threads",
                                       "metadatathreads",
                                       "useonetimeattributes",
                                       "useselectivemetadataaggregation",
                                       "onelevelgatherrankslimit",
                                       "flattensteps",
                                       "ignoreflattensteps",
                                       "maxopenfilesatonce"};
constexpr std::array bp4_parameters = {"profile",
                                       "profileunits",
                                       "opentimeoutsecs",
                                       "beginsteppollingfrequencysecs",
                                       "buffergrowthfactor",
                                       "initialbuffersize",
                                       "maxbuffersize",
                                       "threads",
                                       "asyncopen",
                                       "statslevel",
                                       "statsblocksize",
                                       "collectivemetadata",
                                       "flushstepscount",
                                       "substreams",
                                       "numaggregators",
                                       "aggregatorratio",
                                       "node-local",
                                       "nodelocal",
                                       "burstbufferpath",
                                       "burstbufferdrain",
                                       "burstbufferverbose",
                                       "streamreader"};

bool knows(const std::string& engine, const std::string& name) {
  const std::string wanted = lower_case(name);
  const auto is_wanted = [&](const char* known) { return wanted == known; };
  if (lower_case(engine) == "bp5")
    return std::any_of(bp5_parameters.begin(), bp5_parameters.end(), is_wanted);
  if (lower_case(engine) == "bp4")
    return std::any_of(bp4_parameters.begin(), bp4_parameters.end(), is_wanted);
  return true;  // an engine that we do not know
}

// ADIOS2 parts MPI ranks into consecutive groups; where nodes are none, 0 makes it ask who shares
// memory.
std::string aggregators_per_node(const communicator& comm) {
  const int small = comm.size() / comm.nodes();
  const int larger = comm.size() % comm.nodes();  // the first groups have one more
  for (int rank = 0; rank < comm.size(); ++rank) {
    const int group = rank < larger * (small + 1) ? rank / (small + 1)
                                                  : larger + (rank - larger * (small + 1)) / small;
    if (group != comm.node_of(rank)) return "0";
  }
  return std::to_string(comm.nodes());
}

// What beats the library's own defaults on a node (doc/parallel_adios2.md has the figures): each
// writer has a file of its own and writes straight from memory, no statistics are made.
hint_list defaults_of(const std::string& engine, int writers, const communicator& comm,
                      const parallel_settings& settings) {
  const bool is_bp5 = lower_case(engine) == "bp5";
  const bool shares = settings.pattern == write_pattern::file_per_node && !is_bp5;
  hint_list wanted;
  if (settings.pattern != write_pattern::serial)
    wanted["NumAggregators"] = shares ? aggregators_per_node(comm) : std::to_string(writers);
  if (is_bp5) wanted["AggregationType"] = "EveryoneWritesSerial";
  wanted["StatsLevel"] = "0";
  return wanted;
}

adios2_type integer_type(std::size_t bytes) {
  if (bytes == 1) return adios2_type_int8_t;
  if (bytes == 2) return adios2_type_int16_t;
  if (bytes == 4) return adios2_type_int32_t;
  return bytes == 8 ? adios2_type_int64_t : adios2_type_unknown;
}

struct kind_entry {
  adios2_type type;
  type_class kind;
  std::size_t bytes;
};
constexpr std::array<kind_entry, 8> kinds = {{
    {adios2_type_int8_t, type_class::integer, 1},
    {adios2_type_int16_t, type_class::integer, 2},
    {adios2_type_int32_t, type_class::integer, 4},
    {adios2_type_int64_t, type_class::integer, 8},
    {adios2_type_float, type_class::real, 4},
    {adios2_type_double, type_class::real, 8},
    {adios2_type_float_complex, type_class::complex, 8},
    {adios2_type_double_complex, type_class::complex, 16},
}};

}  // namespace

status adios2_try(const std::string& what, const std::string& file,
                  const std::function<bool()>& call) {
  std::string words;
  int left = 0;
  {
    const std::lock_guard<std::mutex> lock(one_at_a_time);
    const caught_words caught;
    errno = 0;
    if (call()) return {};
    left = errno;
    words = caught.last();
  }
  if (words.empty()) words = "ADIOS2 says no more than that it failed";
  const int error = error_in(words, left);
  if (error > 0) return status::system(error, what).in_file(file);
  return status::failure(stat_code::library_failed, what + ": " + words).in_file(file);
}

status adios2_form_of(const array_view& array, adios2_form& form) {
  form = {};
  switch (array.type) {
    case type_class::logical:
      form.type = adios2_type_int8_t;
      form.mark = "logical";
      return {};
    case type_class::character:
      form.type = adios2_type_int8_t;
      form.mark = "character";
      form.text_length = array.elem_len;
      if (array.elem_len > 0) return {};
      break;
    case type_class::integer:
      form.type = integer_type(array.elem_len);
      if (form.type != adios2_type_unknown) return {};
      break;
    default:
      for (const kind_entry& entry : kinds)
        if (entry.kind == array.type && entry.bytes == array.elem_len) form.type = entry.type;
      if (form.type != adios2_type_unknown) return {};
  }
  const char* const names[] = {"",         "integers",  "reals", "complex numbers",
                               "logicals", "characters"};
  return status::failure(stat_code::kind_unsupported, std::string("ADIOS2 holds no ") +
                                                          names[static_cast<int>(array.type)] +
                                                          " of " + bytes_text(array.elem_len))
      .advise("it has integers of 1, 2, 4 and 8 bytes, reals of 4 and 8, complex ones of 8 and 16");
}

bool adios2_kind_of(const adios2_form& form, array_info& info) {
  for (const kind_entry& entry : kinds) {
    if (entry.type != form.type) continue;
    info.type = entry.kind;
    info.elem_len = entry.bytes;
    if (form.type == adios2_type_int8_t && form.mark == "logical") {
      info.type = type_class::logical;
      info.any_logical_kind = true;
    }
    if (form.text_length > 0) {
      info.type = type_class::character;
      info.elem_len = form.text_length;
    }
    return true;
  }
  return false;
}

adios2_section adios2_section_of(const box& part, const adios2_form& form) {
  adios2_section section;
  for (auto d = static_cast<std::size_t>(part.array_rank); d-- > 0;) {
    section.start.push_back(static_cast<std::size_t>(part.start[d]));
    section.count.push_back(static_cast<std::size_t>(part.count[d]));
  }
  if (form.text_length > 0) {
    section.start.push_back(0);
    section.count.push_back(form.text_length);
  }
  return section;
}

std::string adios2_engine_of(const hint_list& hints) {
  for (const auto& [name, value] : hints)
    if (lower_case(name) == "engine") return value;
  return "BP5";
}

status adios2_configure(adios2_io* io, const std::string& file, int writers,
                        const communicator& comm, const parallel_settings& settings,
                        hints_found& found) {
  const std::string engine = adios2_engine_of(settings.hints);
  status done = adios2_try("cannot choose the engine " + engine, file, [&] {
    return adios2_set_engine(io, engine.c_str()) == adios2_error_none;
  });
  hint_list wanted = defaults_of(engine, writers, comm, settings);
  found.in_force["engine"] = engine;
  for (const auto& [name, value] : settings.hints) {
    const std::string lower = lower_case(name);
    if (lower == "engine") continue;
    if (!knows(engine, name)) {
      found.ignored[name] = value;
      continue;
    }
    for (auto entry = wanted.begin(); entry != wanted.end();)
      entry = lower_case(entry->first) == lower ? wanted.erase(entry) : std::next(entry);
    wanted[name] = value;
  }
  for (const auto& [name, value] : wanted) {
    found.in_force[name] = value;
    done.keep_first(adios2_try("cannot set the parameter " + name, file, [&, n = name, v = value] {
      return adios2_set_parameter(io, n.c_str(), v.c_str()) == adios2_error_none;
    }));
  }
  return done;
}

}  // namespace headrace
