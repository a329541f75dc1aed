// How the elements of an array get from the MPI ranks into the library (adios2/writer.cpp).
#include <algorithm>

#include "../../move/plans.hpp"
#include "../../move/slabs.hpp"
#include "node_plan.hpp"
#include "writer.hpp"

namespace headrace {
namespace {

// Blocks up to this size are copied and written later, together.
constexpr std::int64_t small_block_bytes = std::int64_t{1} << 20;
constexpr std::int64_t most_held_bytes = std::int64_t{16} << 20;
// Every block has an entry in the metadata: the serial pattern makes few.
constexpr std::int64_t serial_piece_bytes = std::int64_t{16} << 20;
constexpr std::int64_t node_piece_bytes = std::int64_t{8} << 20;
// BP4 copies all it is given into a buffer that it writes when it is full.
constexpr std::int64_t bp4_piece_bytes = adios2_bp4_buffer_bytes / 4;

std::int64_t elements_of_largest_block(const array_layout& layout) {
  std::int64_t most = 0;
  for (int rank = 0; rank < layout.comm().size(); ++rank)
    most = std::max(most, volume(layout.block(rank)));
  return most;
}

}  // namespace

// Small blocks wait in the library for others, large ones leave the array at once.
bool adios2_writer::waits(std::int64_t most_bytes) {
  held_ += most_bytes;
  return most_bytes <= small_block_bytes && held_ <= most_held_bytes;
}

status adios2_writer::transfer(const written_array& array, const array_view& local,
                               const array_layout& layout) {
  const element_form form = form_of(local);
  const auto file_bytes = static_cast<std::int64_t>(form.file_bytes);
  if (serial()) {
    std::unique_ptr<piece_plan> plan;
    if (status s = plan_shared_file(layout, file_bytes,
                                    is_bp4() ? bp4_piece_bytes : serial_piece_bytes, 1, plan);
        !s.ok())
      return s;
    return exchange_out(layout, local, form, *plan, notes_.line,
                        [&](const piece& part, char* data, std::size_t bytes) {
                          status done = put_piece(array, part, data, bytes, is_bp4());
                          done.keep_first(write_out());
                          return done;
                        });
  }
  if (gathers()) return transfer_gathered(array, local, layout);
  const bool waiting = waits(elements_of_largest_block(layout) * file_bytes);
  return write_slabs(layout, local, form, [&](const box& part, char* data) {
    const auto during = notes_.line.during(HR_PHASE_TRANSFER);
    status done;
    if (data != nullptr)
      done = caught([&] { return put_block(array, part, data, file_bytes, waiting); });
    if (!waiting) done.keep_first(write_out());
    return done;
  });
}

// The writers write out together: each of them in every cycle, also after a failure.
status adios2_writer::transfer_gathered(const written_array& array, const array_view& local,
                                        const array_layout& layout) {
  const element_form form = form_of(local);
  const auto file_bytes = static_cast<std::int64_t>(form.file_bytes);
  std::optional<adios2_node_plan> plan;
  const status planned = agree_on(*comm_, [&] {
    plan.emplace(layout, file_bytes, is_bp4() ? bp4_piece_bytes : node_piece_bytes);
    return status();
  });
  if (!planned.ok()) return planned;
  const bool waiting = waits(plan->most_elements() * file_bytes);
  status failed;
  status moved =
      exchange_out(layout, local, form, *plan, notes_.line,
                   [&](const piece& part, char* data, std::size_t bytes) {
                     const bool copies = waiting || is_bp4();
                     if (failed.ok() && !adios2_node_plan::is_empty(part))
                       failed = caught([&] { return put_piece(array, part, data, bytes, copies); });
                     if (!waiting) failed.keep_first(write_out());
                     return status();
                   });
  if (!waiting) held_ = 0;  // on the others too
  if (moved.ok()) moved = agree(*comm_, failed);
  return moved;
}

status adios2_writer::put_piece(const written_array& array, const piece& part, const char* data,
                                std::size_t bytes, bool copies) {
  const std::int64_t element_bytes = static_cast<std::int64_t>(bytes) / (part.last - part.first);
  status done;
  for (const box& one : boxes_of_range(part.of, part.first, part.last)) {
    done.keep_first(put(array, one, data, copies));
    data += volume(one) * element_bytes;
  }
  return done;
}

// Whole, or for BP4 in pieces.
status adios2_writer::put_block(const written_array& array, const box& part, const char* data,
                                std::int64_t element_bytes, bool copies) {
  if (!is_bp4()) return put(array, part, data, copies);
  const std::int64_t all = volume(part);
  const std::int64_t most = std::max<std::int64_t>(1, bp4_piece_bytes / element_bytes);
  status done;
  for (std::int64_t first = 0; first < all && done.ok(); first += most) {
    const std::int64_t last = std::min(all, first + most);
    done = put_piece(array, {part, first, last, 0}, data + first * element_bytes,
                     static_cast<std::size_t>((last - first) * element_bytes), true);
  }
  return done;
}

// A block that is not copied stays where it is until write_out().
status adios2_writer::put(const written_array& array, const box& part, const char* data,
                          bool copies) {
  const adios2_section section = adios2_section_of(part, array.form);
  ++blocks_;
  return call("cannot write", [&] {
    return adios2_set_selection(array.variable, section.start.size(), section.start.data(),
                                section.count.data()) == adios2_error_none &&
           adios2_put(engine_, array.variable, data,
                      copies ? adios2_mode_sync : adios2_mode_deferred) == adios2_error_none;
  });
}

status adios2_writer::write_out() {
  held_ = 0;
  if (is_bp4()) return {};
  ++flushes_;
  const auto write = [&] { return adios2_perform_data_write(engine_) == adios2_error_none; };
  const status done = caught([&] { return call("cannot write", write); });
  // An MPI rank whose write fails misses the exchange of sizes that follows it, and the others wait
  // there for ever. Alone in its file it can join them with a second call, which writes nothing.
  if (!done.ok() && !serial()) {
    const status joined = call("", write);
    static_cast<void>(joined);
  }
  return done;
}

}  // namespace headrace
