#include "netcdf_transfer.hpp"

#include <algorithm>

#include "../core/plans.hpp"
#include "../core/slabs.hpp"

namespace headrace {
namespace {

class netcdf_calls {
 public:
  netcdf_calls(const netcdf_target& target, const array_layout& layout, const element_form& form,
               bool writes, std::int64_t together)
      : target_(target),
        bytes_(static_cast<std::int64_t>(form.file_bytes)),
        writes_(writes),
        together_(together) {
    most_ = std::max<std::int64_t>(1, largest_call_bytes / bytes_);
    if (target.pattern != write_pattern::shared_collective) return;
    if (together_ > 0) {
      calls_ = 1;
      return;
    }
    for (int rank = 0; rank < layout.comm().size(); ++rank)
      calls_ = std::max(calls_, parts_for_calls(layout.block(rank), most_).size());
  }

  // One part of the local array; null data: none. Collective calls are as many on every MPI rank,
  // also after a failure.
  status pass(const box& part, char* data) {
    const std::vector<box> parts =
        data == nullptr ? std::vector<box>() : parts_for_calls(part, most_);
    status done;
    for (std::size_t i = 0; i < std::max(calls_, parts.size()); ++i) {
      const bool empty = i >= parts.size();
      done.keep_first(call(empty ? part : parts[i], empty ? nullptr : data));
      if (!empty) data += volume(parts[i]) * bytes_;
    }
    return done;
  }

  status pass_piece(const piece& part, char* data) {
    for (const box& one : boxes_of_range(part.of, part.first, part.last)) {
      if (status s = call(one, data); !s.ok()) return s;
      data += volume(one) * bytes_;
    }
    return {};
  }

 private:
  status call(const box& part, char* data) {
    const netcdf_section section = section_of(part, target_.form, target_.record, data == nullptr);
    return writes_ ? target_.file->put(target_.variable, target_.form.type, section, data)
                   : target_.file->get(target_.variable, target_.form.type, section, data);
  }

  const netcdf_target& target_;
  std::int64_t bytes_;
  bool writes_;
  std::int64_t together_;  // see write_slabs
  std::int64_t most_ = 1;
  std::size_t calls_ = 0;  // collective ones for a part
};

status choose_access(netcdf_target& target, const array_layout& layout, bool writes,
                     std::int64_t& together) {
  status chosen;
  if (writes && target.pattern == write_pattern::shared_collective) {
    const collective_calls calls = target.file->calls_for(layout);
    if (calls.apart) target.pattern = write_pattern::shared_independent;
    // A record may be chunks with the nodes of their index in between.
    together = target.record < 0 ? calls.bytes : calls.bytes / 2;
  }
  bool collective = target.pattern == write_pattern::shared_collective;
  if (target.file != nullptr) {
    if (writes && !collective && target.record >= 0) {
      box first = layout.global();
      first.count.fill(1);
      chosen = target.file->extend(
          target.variable, target.form.type,
          section_of(first, target.form, target.record, layout.comm().rank() != 0));
    }
    chosen.keep_first(target.file->use(target.variable, collective));
    if (collective) target.pattern = write_pattern::shared_collective;
  }
  return agree(layout.comm(), chosen);
}

status pass_netcdf(netcdf_target target, const array_view& local, const array_layout& layout,
                   parallel_notes& notes, bool writes) {
  std::int64_t together = 0;
  if (status s = choose_access(target, layout, writes, together); !s.ok()) return s;
  const element_form form = form_of(local);
  netcdf_calls calls(target, layout, form, writes, together);
  if (target.pattern == write_pattern::serial) {
    notes.writers = 1;
    const auto plan = plan_shared_file(layout, static_cast<std::int64_t>(form.file_bytes),
                                       default_piece_bytes, 1);
    const auto pass = [&](const piece& part, char* data, std::size_t) {
      return calls.pass_piece(part, data);
    };
    return writes ? exchange_out(layout, local, form, *plan, notes.line, pass)
                  : exchange_in(layout, local, form, *plan, notes.line, pass);
  }
  notes.writers = layout.comm().size();
  const auto pass = [&](const box& part, char* data) {
    const auto during = notes.line.during(HR_PHASE_TRANSFER);
    return calls.pass(part, data);
  };
  return writes ? write_slabs(layout, local, form, pass, together)
                : read_slabs(layout, local, form, pass);
}

}  // namespace

status write_netcdf(const netcdf_target& to, const array_view& local, const array_layout& layout,
                    parallel_notes& notes) {
  return pass_netcdf(to, local, layout, notes, true);
}

status read_netcdf(const netcdf_target& from, const array_view& local, const array_layout& layout,
                   parallel_notes& notes) {
  return pass_netcdf(from, local, layout, notes, false);
}

}  // namespace headrace
