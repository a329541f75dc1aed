#include "mpi_hints.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

namespace headrace::bench {
namespace {

constexpr const char* echo_probe = "headrace_echo";

// OMPIO of Open MPI 4 and 5 looks up these names; ROMIO those with these beginnings.
constexpr std::array ompio_names = {"cb_nodes",     "cb_buffer_size", "collective_buffering",
                                    "num_io_procs", "stripe_size",    "stripe_width"};
constexpr std::array romio_beginnings = {"romio_", "cb_", "ind_", "striping_", "direct_", "start_"};

bool is_looked_up(const std::string& name, bool romio) {
  if (!romio) return std::find(ompio_names.begin(), ompio_names.end(), name) != ompio_names.end();
  return std::any_of(romio_beginnings.begin(), romio_beginnings.end(),
                     [&](const char* beginning) { return name.rfind(beginning, 0) == 0; });
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

}  // namespace

hint_map parse_hint_text(const std::string& text) {
  hint_map hints;
  if (text.empty()) return hints;
  for (const std::string& part : split_at_commas(text)) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw std::invalid_argument("hints \"" + text + "\": expected name=value, found \"" + part +
                                  "\"");
    }
    hints[part.substr(0, equals)] = part.substr(equals + 1);
  }
  return hints;
}

std::string text_of_hints(const hint_map& hints) {
  std::string text;
  for (const auto& [name, value] : hints) {
    if (!text.empty()) text += ",";
    const bool quote = value.find(',') != std::string::npos;
    text += name + "=" + (quote ? "\"" + value + "\"" : value);
  }
  return text;
}

hint_map hints_of(MPI_Info info) {
  hint_map hints;
  int keys = 0;
  if (info == MPI_INFO_NULL || MPI_Info_get_nkeys(info, &keys) != MPI_SUCCESS) return hints;
  for (int each = 0; each < keys; ++each) {
    char name[MPI_MAX_INFO_KEY + 1] = "";
    int length = 0;
    int found = 0;
    MPI_Info_get_nthkey(info, each, name);
    MPI_Info_get_valuelen(info, name, &length, &found);
    if (found == 0) continue;
    std::vector<char> value(static_cast<std::size_t>(length) + 1, '\0');
    MPI_Info_get(info, name, length, value.data(), &found);
    hints[name] = value.data();
  }
  return hints;
}

hint_map hints_in_force(const hint_map& reported, bool romio) {
  if (reported.count(echo_probe) == 0) return reported;
  hint_map found;
  for (const auto& [name, value] : reported) {
    if (is_looked_up(name, romio)) found[name] = value;
  }
  return found;
}

hint_map ignored_hints(const hint_map& asked, const hint_map& in_force) {
  hint_map ignored;
  for (const auto& [name, value] : asked) {
    const auto found = in_force.find(name);
    if (found == in_force.end() || found->second != value) ignored[name] = value;
  }
  return ignored;
}

hint_info::hint_info(const std::string& text) {
  const hint_map hints = parse_hint_text(text);
  if (hints.empty()) return;
  MPI_Info_create(&info_);
  MPI_Info_set(info_, echo_probe, "1");
  for (const auto& [name, value] : hints) MPI_Info_set(info_, name.c_str(), value.c_str());
}

hint_info::~hint_info() {
  if (info_ != MPI_INFO_NULL) MPI_Info_free(&info_);
}

}  // namespace headrace::bench
