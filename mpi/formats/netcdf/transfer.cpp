#include "transfer.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "../../move/plans.hpp"
#include "../../move/slabs.hpp"
#include "room.hpp"

namespace headrace {
namespace {

class netcdf_calls {
 public:
  netcdf_calls(const netcdf_target& target, const element_form& form, bool writes)
      : target_(target), bytes_(static_cast<std::int64_t>(form.file_bytes)), writes_(writes) {}

  // null data: no elements. Made all the same, also independently: see netcdf_file::use.
  status pass(const box& part, char* data) {
    const netcdf_section section = section_of(part, target_.form, target_.record, data == nullptr);
    return writes_ ? target_.file->put(target_.variable, target_.form.type, section, data)
                   : target_.file->get(target_.variable, target_.form.type, section, data);
  }

  // MPI rank 0 alone.
  status pass_piece(const piece& part, char* data, const bytes_ahead& stored) {
    if (stored.look_before)
      if (status s = look_at(stored, part.first * bytes_, part.last * bytes_); !s.ok()) return s;
    for (const box& one : boxes_of_range(part.of, part.first, part.last)) {
      errno = 0;
      status s = pass(one, data);
      // The library's words have none.
      if (!s.ok() && !writes_ && errno == EIO) s = status::system(EIO, "cannot read");
      if (!s.ok()) return std::move(s).in_file_once(target_.path);
      data += volume(one) * bytes_;
    }
    return {};
  }

 private:
  const netcdf_target& target_;
  std::int64_t bytes_;
  bool writes_;
};

// Collective, as netcdf_file::place. None where the library does not tell all of them.
std::vector<byte_range> places_here(const netcdf_target& target, const array_layout& layout,
                                    const element_form& form) {
  const std::int64_t bytes = volume(layout.global()) * static_cast<std::int64_t>(form.file_bytes);
  std::vector<byte_range> found;
  const auto alone = [](status mine) { return mine; };  // nothing is extended
  if (target.file == nullptr ||
      !target.file->place(target.variable, target.record, target.record, bytes, alone, found)
           .ok() ||
      bytes_of(found) != bytes)
    found.clear();
  return found;
}

status choose_access(netcdf_target& target, const array_layout& layout, bool writes,
                     std::int64_t& together, bool& looks) {
  status chosen;
  looks = !writes && must_look_before_reads(layout.comm(), target.path);
  if (target.pattern == write_pattern::shared_collective) {
    const collective_calls calls = target.file->calls_for(layout);
    if (writes ? calls.apart : calls.read_apart) target.pattern = write_pattern::shared_independent;
    // A record may be chunks with the nodes of their index in between.
    if (writes && target.can_fail) together = target.record < 0 ? calls.bytes : calls.bytes / 2;
    looks = !writes && calls.look_before_reads;
  }
  bool collective = target.pattern == write_pattern::shared_collective;
  const bool extends = writes && !collective && target.record >= 0;
  box first = layout.global();
  first.count.fill(1);
  std::vector<char> nothing;
  if (extends) {
    const status ready = agree_on(layout.comm(), [&] {
      nothing = fill_values(target.form.type, std::max<std::int64_t>(1, target.form.parts));
      return status();
    });
    if (!ready.ok()) return ready;
  }
  if (target.file != nullptr) {
    if (extends)
      chosen = target.file->extend(
          target.variable, target.form.type,
          section_of(first, target.form, target.record, layout.comm().rank() != 0), nothing.data());
    chosen.keep_first(target.file->use(target.variable, collective));
    if (collective) target.pattern = write_pattern::shared_collective;
  }
  return agree(layout.comm(), chosen);
}

status pass_netcdf(netcdf_target target, const array_view& local, const array_layout& layout,
                   parallel_notes& notes, bool writes) {
  std::int64_t together = 0;
  bool looks = false;
  if (status s = choose_access(target, layout, writes, together, looks); !s.ok()) return s;
  const element_form form = form_of(local);
  bytes_ahead stored;
  std::vector<byte_range> here;
  const status found = agree_on(layout.comm(), [&] {
    stored = {target.path, {}, looks};
    if (looks) here = places_here(target, layout, form);
    return status();
  });
  if (!found.ok()) return found;
  if (looks) {
    const auto of_root = [&](std::vector<byte_range>& places) {
      places = here;
      return status();
    };
    if (status s = places_from_root(layout.comm(), of_root, stored.places); !s.ok()) return s;
  }
  netcdf_calls calls(target, form, writes);
  if (target.pattern == write_pattern::serial) {
    notes.writers = 1;
    std::unique_ptr<piece_plan> plan;
    if (status s = plan_shared_file(layout, static_cast<std::int64_t>(form.file_bytes),
                                    default_piece_bytes, 1, plan);
        !s.ok())
      return s;
    const auto pass = [&](const piece& part, char* data, std::size_t) {
      return calls.pass_piece(part, data, stored);
    };
    return writes ? exchange_out(layout, local, form, *plan, notes.line, pass)
                  : exchange_in(layout, local, form, *plan, notes.line, pass);
  }
  notes.writers = layout.comm().size();
  const auto pass = [&](const box& part, char* data) {
    const auto during = notes.line.during(HR_PHASE_TRANSFER);
    status done = calls.pass(part, data);
    // Where they lie is asked for only now, because that can take long.
    if (!done.ok() && !writes && !looks && stored.places.empty())
      stored.places = places_here(target, layout, form);
    return done;
  };
  return writes ? write_slabs(layout, local, form, pass, together)
                : read_slabs(layout, local, form, pass, stored);
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
