#include "hints.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#include "../../src/core/blanks.hpp"
#include "../../src/core/lower_case.hpp"
#include "../../src/core/mpi_hints.hpp"
#include "../../src/core/near_words.hpp"
#include "../together/from_root.hpp"
#include "../together/mpi_io_module.hpp"

namespace headrace {
namespace {

struct profile {
  const char* name;
  const char* hints;
};

// archer2: the guide of ARCHER2 for one shared file with collective calls, Cray MPICH
// (docs.archer2.ac.uk, "I/O performance and tuning"). romio, ompio: what measured best on one node,
// doc/reference/bench_parallel.md.
constexpr std::array profiles = {
    profile{"archer2", "cray_cb_write_lock_mode=2,cray_cb_nodes_multiplier=4,striping_factor=-1"},
    profile{"romio",
            "romio_cb_write=enable,romio_cb_read=enable,romio_ds_write=disable,"
            "cb_buffer_size=4194304"},
    profile{"ompio", "collective_buffering=true,cb_buffer_size=4194304"},
};

// A hint that no library knows: who repeats it repeats everything.
const char* const echo_probe = "headrace_echo_probe";

status check_number(const std::string& name, const std::string& value) {
  const mpi_hint* const known = find_mpi_hint(name);
  if (known == nullptr || !known->is_number()) return {};
  std::int64_t number = 0;
  const char* const end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, number);
  if (error != std::errc() || stop != end)
    return status::failure(stat_code::option_unknown,
                           "the hint \"" + name + "\" is not an integer of 64 bits")
        .expected("digits, such as 4", "\"" + value + "\"")
        .advise(value.find_first_of(";=") == std::string::npos
                    ? "sizes are bytes: write 1048576 instead of 1M"
                    : "write commas between hints: cb_nodes=1,striping_factor=2");
  if (number >= known->least && number <= known->most) return {};
  return status::failure(stat_code::option_unknown, "the hint \"" + name + "\" cannot be " + value)
      .expected("from " + std::to_string(known->least) + " to " + std::to_string(known->most),
                value)
      .advise("leave it out for what headrace or the library chooses");
}

// What only headrace looks at is right or wrong; words for libraries are theirs to know.
status check_word(const std::string& name, const std::string& value) {
  if (name != "node_writers" || value == "all" || value == "leader") return {};
  return status::failure(stat_code::option_unknown, "there is no hint " + name + "=" + value)
      .expected("all or leader", "\"" + value + "\"")
      .advise("leave it out for all");
}

// At commas, except within double quotes.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  for (const char c : text) {
    quoted = quoted != (c == '"');
    if (c == ',' && !quoted)
      parts.emplace_back();
    else if (c != '"')
      parts.back() += c;
  }
  return parts;
}

// One value for each name: a second one that differs is a slip of who joined two lists.
status check_again(const hint_list& named, const std::string& name, const std::string& value) {
  const auto before = named.find(name);
  if (before == named.end() || before->second == value) return {};
  return status::failure(stat_code::option_unknown, "the hint \"" + name + "\" is given twice")
      .expected("one value", "\"" + before->second + "\" and \"" + value + "\"")
      .advise("leave one of them out");
}

status refused_hint(const std::string& part) {
  return status::failure(stat_code::option_unknown, "\"" + part + "\" is not a hint")
      .expected("name=value, shorter than " + std::to_string(MPI_MAX_INFO_KEY) + " and " +
                    std::to_string(MPI_MAX_INFO_VAL) + " characters",
                "\"" + part + "\"")
      .advise("write several with commas between: cb_nodes=1,striping_factor=2");
}

status refused_profile(const std::string& part) {
  std::string names;
  std::vector<std::string> words;
  for (const profile& known : profiles) {
    names += std::string(names.empty() ? "" : ", ") + known.name;
    words.emplace_back(known.name);
  }
  return status::failure(stat_code::option_unknown, "there is no profile of hints \"" + part + "\"")
      .advise(did_you_mean(lower_case(part), words) +
              "write name=value, several with commas between, or a profile: " + names);
}

}  // namespace

status parse_hints(const std::string& text, hint_list& hints) {
  hint_list named;
  for (const std::string& piece : split(text)) {
    const std::string part(trimmed(piece));
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    if (equals != std::string::npos) {
      const std::string name(trimmed(part.substr(0, equals)));
      const std::string value(trimmed(part.substr(equals + 1)));
      // MPI ends the program for these.
      const bool too_long = name.size() >= MPI_MAX_INFO_KEY || value.size() >= MPI_MAX_INFO_VAL;
      if (name.empty() || value.empty() || too_long) return refused_hint(part);
      if (status s = check_number(name, value); !s.ok()) return s;
      if (status s = check_word(name, value); !s.ok()) return s;
      if (status s = check_again(named, name, value); !s.ok()) return s;
      named[name] = value;
      continue;
    }
    const auto known = std::find_if(profiles.begin(), profiles.end(),
                                    [&](const profile& p) { return lower_case(part) == p.name; });
    if (known == profiles.end()) return refused_profile(part);
    if (status s = parse_hints(known->hints, hints); !s.ok()) return s;
  }
  for (const auto& [name, value] : named) hints[name] = value;
  return {};
}

info_of_hints::info_of_hints(const hint_list& hints, bool for_hdf5) {
  if (hints.empty() && !for_hdf5) return;
  MPI_Info_create(&info_);
  if (for_hdf5) MPI_Info_set(info_, "romio_ds_write", "disable");
  MPI_Info_set(info_, echo_probe, "1");
  for (const auto& [name, value] : hints) MPI_Info_set(info_, name.c_str(), value.c_str());
}

info_of_hints::~info_of_hints() {
  if (info_ != MPI_INFO_NULL) MPI_Info_free(&info_);
}

namespace {

bool has_hint(MPI_Info info, const char* name) noexcept {
  int length = 0;
  int exists = 0;
  MPI_Info_get_valuelen(info, name, &length, &exists);
  return exists != 0;
}

}  // namespace

// ROMIO names what it found the file on. With Open MPI 4 it repeats all that it was told, and has
// followed it; OMPIO of Open MPI 5 would forget all.
void info_of_hints::give_again(MPI_File file) const noexcept {
  if (info_ == MPI_INFO_NULL || open_mpi_io_module().empty()) return;
  MPI_Info used = MPI_INFO_NULL;
  if (MPI_File_get_info(file, &used) != MPI_SUCCESS || used == MPI_INFO_NULL) return;
  const bool forgot = has_hint(used, "romio_filesystem_type") && !has_hint(used, echo_probe);
  MPI_Info_free(&used);
  if (forgot) MPI_File_set_info(file, info_);  // what fails is reported as ignored
}

void hints_found::learn(const hint_list& asked, const hint_list& found) {
  for (const auto& [name, value] : found) in_force[name] = value;
  for (const auto& [name, value] : asked) {
    const auto entry = in_force.find(name);
    if (entry != in_force.end() && entry->second == value)
      ignored.erase(name);
    else
      ignored[name] = value;
  }
}

void hints_found::learn(const hint_list& asked, MPI_Info info) {
  hint_list found;
  int count = 0;
  if (info != MPI_INFO_NULL) MPI_Info_get_nkeys(info, &count);
  for (int i = 0; i < count; ++i) {
    char name[MPI_MAX_INFO_KEY + 1] = "";
    std::array<char, 1025> value{};
    int exists = 0;
    MPI_Info_get_nthkey(info, i, name);
    MPI_Info_get(info, name, static_cast<int>(value.size()) - 1, value.data(), &exists);
    if (exists != 0) found[name] = value.data();
  }
  if (found.erase(echo_probe) != 0) {
    const hint_taker who = open_mpi_io_module().rfind("romio", 0) == 0 ? takes_romio : takes_ompio;
    for (auto entry = found.begin(); entry != found.end();)
      entry = takes_hint(who, entry->first, entry->second) ? std::next(entry) : found.erase(entry);
  }
  learn(asked, found);
}

void hints_found::learn(const hint_list& asked, MPI_File file) {
  MPI_Info used = MPI_INFO_NULL;
  if (MPI_File_get_info(file, &used) != MPI_SUCCESS || used == MPI_INFO_NULL) return;
  learn(asked, used);  // without memory for it the little that MPI holds stays
  MPI_Info_free(&used);
}

namespace {

void pass(message_pass& way, hint_list& list) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : list) texts.insert(texts.end(), {name, value});
  way.texts(texts);
  list.clear();
  for (std::size_t i = 0; i < texts.size(); i += 2) list[texts[i]] = texts[i + 1];
}

}  // namespace

void broadcast_found(const communicator& comm, hints_found& found) {
  const auto pass_both = [&](message_pass& way) {
    pass(way, found.in_force);
    pass(way, found.ignored);
  };
  const status known = pass_from_root(
      comm, [] { return status(); }, pass_both);
  if (!known.ok()) throw std::bad_alloc();  // on all: they leave together
}

std::string text_of(const hint_list& hints) {
  std::string text;
  for (const auto& [name, value] : hints) {
    const bool quoted = value.find(',') != std::string::npos;
    text += (text.empty() ? "" : ",") + name + "=" + (quoted ? "\"" + value + "\"" : value);
  }
  return text;
}

}  // namespace headrace
