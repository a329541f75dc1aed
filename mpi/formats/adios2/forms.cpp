#include <algorithm>
#include <array>
#include <cerrno>
#include <complex>
#include <cstring>
#include <exception>

#include "../../../src/core/lower_case.hpp"
#include "../../../src/core/name_text.hpp"
#include "../../dataset/attribute_failures.hpp"
#include "../../move/element_form.hpp"
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
  const char* name;  // as ADIOS2 calls it
  type_class kind;
  std::size_t bytes;
};
constexpr std::array<kind_entry, 8> kinds = {{
    {adios2::DataType::Int8, "int8_t", type_class::integer, 1},
    {adios2::DataType::Int16, "int16_t", type_class::integer, 2},
    {adios2::DataType::Int32, "int32_t", type_class::integer, 4},
    {adios2::DataType::Int64, "int64_t", type_class::integer, 8},
    {adios2::DataType::Float, "float", type_class::real, 4},
    {adios2::DataType::Double, "double", type_class::real, 8},
    {adios2::DataType::FloatComplex, "float complex", type_class::complex, 8},
    {adios2::DataType::DoubleComplex, "double complex", type_class::complex, 16},
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
  return no_such_kind("ADIOS2 stores", array.type, array.elem_len);
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

// Attributes in ADIOS2: numbers and texts, one or a list. BP5 loses complex ones, which are pairs
// of reals here.
namespace {

std::size_t elements_of(const array_view& value) {
  return element_count(value).value_or(0);
}

// Calls act with a value of the type of that name, if it is one of these.
template <class... Numbers, class Act>
void with_one_of(const std::string& type, Act act) {
  ((type == adios2::GetType<Numbers>() ? act(Numbers{}) : void()), ...);
}
template <class Act>
void with_type(const std::string& type, Act act) {
  with_one_of<std::int8_t, std::int16_t, std::int32_t, std::int64_t, float, double>(type, act);
}

struct attribute_form {
  std::string type;
  std::size_t count = 0;
};

status find_attribute_form(const array_view& value, attribute_form& found) {
  array_view parts = value;
  const bool pairs = value.type == type_class::complex;
  if (pairs) {
    parts.type = type_class::real;
    parts.elem_len /= 2;
  }
  form of;
  if (status s = find_form(parts, of); !s.ok()) return s;
  found.count = elements_of(value) * (pairs ? 2 : 1);
  for (const kind_entry& known : kinds)
    if (known.type == of.type) found.type = known.name;
  return {};
}

// "integer of 4 bytes" for "int32_t"
std::string stored_kind(const std::string& type) {
  if (type == "string") return attribute_kind_text(type_class::character, 0);
  for (const kind_entry& known : kinds)
    if (type == known.name) return attribute_kind_text(known.kind, known.bytes);
  return "a type of ADIOS2 that headrace does not read";
}

void put_texts(adios2::IO& io, const std::string& name, const array_view& value) {
  const std::vector<std::string> texts = headrace::texts_of(value);
  if (value.array_rank == 0)
    io.DefineAttribute<std::string>(name, texts[0]);
  else
    io.DefineAttribute<std::string>(name, texts.data(), texts.size());
}

template <class T>
std::vector<T> values_of(adios2::IO& io, const std::string& name, const char* type) {
  std::vector<T> values;
  const status ignored = attempt("", "", [&] {
    if (io.AttributeType(name) == type) values = io.InquireAttribute<T>(name).Data();
  });
  return ignored.ok() ? values : std::vector<T>();
}

}  // namespace

std::string attribute_name(const std::string& array, const std::string& name) {
  return array.empty() ? name : array + "/" + name;
}

std::vector<std::string> texts_of(adios2::IO& io, const std::string& name) {
  return values_of<std::string>(io, name, "string");
}

std::vector<std::int64_t> numbers_of(adios2::IO& io, const std::string& name) {
  return values_of<std::int64_t>(io, name, "int64_t");
}

status put_attribute(adios2::IO& io, const std::string& file, const std::string& name,
                     const array_view& value) {
  const std::string what = "cannot write the attribute " + shown(name);
  if (value.type == type_class::character)
    return attempt(what, file, [&] { put_texts(io, name, value); });
  attribute_form of;
  if (status s = find_attribute_form(value, of); !s.ok()) return std::move(s).in_file(file);
  const element_form how = form_of(value);
  std::vector<char> bytes(elements_of(value) * how.file_bytes + sizeof(double));
  store_elements(value, how, bytes.data());
  return attempt(what, file, [&] {
    with_type(of.type, [&](auto zero) {
      using number = decltype(zero);
      const auto* const values = reinterpret_cast<const number*>(bytes.data());
      if (value.array_rank == 0 && of.count == 1)
        io.DefineAttribute<number>(name, *values);
      else
        io.DefineAttribute<number>(name, values, of.count);
    });
  });
}

status get_attribute(adios2::IO& io, const std::string& file, const std::string& name,
                     const array_view& value) {
  const std::string type = io.AttributeType(name);
  if (type.empty()) return no_attribute(name).in_file(file);
  if (value.type == type_class::character && type == "string")
    return set_texts(name, texts_of(io, name), value).in_file_once(file);
  attribute_form wanted;
  if (status s = find_attribute_form(value, wanted); !s.ok()) return std::move(s).in_file(file);
  if (value.type == type_class::character || type != wanted.type)
    return attribute_of_another_kind(name, value, stored_kind(type)).in_file(file);
  std::vector<char> bytes;
  status done = attempt("cannot read the attribute " + shown(name), file, [&] {
    with_type(wanted.type, [&](auto zero) {
      const auto values = io.InquireAttribute<decltype(zero)>(name).Data();
      bytes.resize(values.size() * sizeof zero + sizeof(double));
      std::memcpy(bytes.data(), values.data(), values.size() * sizeof zero);
      wanted.count = values.size();
    });
  });
  if (!done.ok()) return done;
  const std::size_t parts = value.type == type_class::complex ? 2 : 1;
  if (wanted.count != elements_of(value) * parts)
    return attribute_of_another_length(name, value, wanted.count / parts).in_file(file);
  load_elements(value, form_of(value), bytes.data());
  return {};
}

}  // namespace headrace::adios2_format
