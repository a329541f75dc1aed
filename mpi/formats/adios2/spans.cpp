#include "spans.hpp"

#include <algorithm>

namespace headrace {
namespace {

constexpr std::size_t most_threads = 16;  // BP5 has no more for each process

// From the first to the last element that a block has in common with a section.
std::int64_t span_of(const box& common, const box& block) {
  std::int64_t span = 1;
  std::int64_t stride = 1;
  for (std::size_t d = 0; d < static_cast<std::size_t>(block.array_rank); ++d) {
    span += (common.count[d] - 1) * stride;
    stride *= block.count[d];
  }
  return span;
}

void cut(const box& part, const std::vector<box>& written, std::int64_t most,
         std::vector<box>& parts) {
  std::vector<box> touched;
  std::int64_t longest = 0;
  for (const box& block : written) {
    const box common = intersection(part, block);
    if (is_empty(common)) continue;
    touched.push_back(block);
    longest = std::max(longest, span_of(common, block));
  }
  const auto buffers = static_cast<std::int64_t>(std::min(touched.size(), most_threads));
  auto slowest = static_cast<std::size_t>(std::max(1, part.array_rank)) - 1;
  while (slowest > 0 && part.count[slowest] <= 1) --slowest;
  if (buffers * longest <= most || part.array_rank == 0 || part.count[slowest] <= 1) {
    parts.push_back(part);
    return;
  }
  box first = part;
  box second = part;
  first.count[slowest] /= 2;
  second.start[slowest] += first.count[slowest];
  second.count[slowest] -= first.count[slowest];
  cut(first, touched, most, parts);
  cut(second, touched, most, parts);
}

bool tells_blocks(const adios2_engine* engine) {
  std::size_t length = 0;
  if (adios2_engine_get_type(nullptr, &length, engine) != adios2_error_none) return false;
  std::string type(length, '\0');
  return adios2_engine_get_type(type.data(), &length, engine) == adios2_error_none &&
         type == "BP5Reader";
}

// In Fortran's order; false: not known.
bool block_of(const adios2_blockinfo& info, const box& whole, box& block) {
  if (info.Start == nullptr || info.Count == nullptr) return false;
  const auto array_rank = static_cast<std::size_t>(whole.array_rank);
  block.array_rank = whole.array_rank;
  for (std::size_t d = 0; d < array_rank; ++d) {
    block.start[d] = static_cast<std::int64_t>(info.Start[array_rank - 1 - d]);
    block.count[d] = static_cast<std::int64_t>(info.Count[array_rank - 1 - d]);
  }
  return true;
}

}  // namespace

std::vector<box> adios2_written_blocks(adios2_engine* engine, adios2_variable* variable,
                                       std::int64_t step_index, const box& whole,
                                       const adios2_form& form) {
  std::vector<box> blocks;
  bool known = false;
  // BP4 counts steps in another way here, and crashes where it has none of that number.
  const status told = adios2_try("", "", [&] {
    if (whole.array_rank == 0 || !tells_blocks(engine)) return true;
    const auto step = static_cast<std::size_t>(std::max<std::int64_t>(0, step_index));
    adios2_varinfo* const found = adios2_inquire_blockinfo(engine, variable, step);
    if (found == nullptr) return true;
    known = found->IsReverseDims == 0 &&
            found->Dims == whole.array_rank + (form.text_length > 0 ? 1 : 0);
    for (std::size_t i = 0; known && i < found->nblocks; ++i)
      known = block_of(found->BlocksInfo[i], whole, blocks.emplace_back());
    adios2_free_blockinfo(found);
    return true;
  });
  if (!told.ok() || !known) return {whole};
  return blocks;
}

std::vector<box> adios2_parts_for_reading(const box& section, const std::vector<box>& written,
                                          std::int64_t most_elements) {
  std::vector<box> parts;
  cut(section, written, most_elements, parts);
  return parts;
}

}  // namespace headrace
