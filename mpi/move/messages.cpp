#include "messages.hpp"

#include <sched.h>

namespace headrace {
namespace {

constexpr int message_tag = 7117;

}  // namespace

// Where MPI ranks share processors, who waits lets the others work.
status piece_messages::wait_for(parcel& one) const {
  int code = one.code;
  for (int done = layout_.comm().is_crowded() ? 0 : 1; code == MPI_SUCCESS && done == 0;) {
    code = MPI_Test(&one.request, &done, MPI_STATUS_IGNORE);
    if (done == 0) ::sched_yield();
  }
  // Also after a test that failed: MPI may still use the memory of what is under way.
  const int last = MPI_Wait(&one.request, MPI_STATUS_IGNORE);
  if (code == MPI_SUCCESS) code = last;
  return code == MPI_SUCCESS ? status() : mpi_failure(code, "an exchange between nodes failed");
}

std::int64_t piece_messages::common_elements(const piece& part, const box& block) {
  if (part.first >= part.last || is_empty(block)) return 0;
  std::int64_t elements = 0;
  for (const box& range : boxes_of_range(part.of, part.first, part.last))
    elements += volume(intersection(range, block));
  return elements;
}

piece_messages::parcel& piece_messages::parcels::add(int other, const piece& part,
                                                     std::size_t bytes) {
  parcel fresh;
  fresh.other = other;
  fresh.part = part;
  fresh.data = memory.data() + used;
  fresh.bytes = bytes;
  used += bytes;
  list.push_back(fresh);
  return list.back();
}

void piece_messages::parcels::clear() noexcept {
  list.clear();
  used = 0;
}

void piece_messages::reserve(std::size_t sent_bytes, std::size_t expected_bytes) {
  const auto others = static_cast<std::size_t>(layout_.comm().size());
  sent_.list.reserve(others);
  expected_.list.reserve(others);
  sent_.memory.reserve(sent_bytes);
  expected_.memory.reserve(expected_bytes);
}

bool piece_messages::expect(int from, const piece& part, const box& block) {
  const std::size_t bytes =
      static_cast<std::size_t>(common_elements(part, block)) * form_.file_bytes;
  if (bytes == 0) return true;
  if (!expected_.has_room(bytes)) return false;
  parcel& coming = expected_.add(from, part, bytes);
  coming.code = MPI_Irecv(coming.data, static_cast<int>(bytes), MPI_BYTE, from, message_tag,
                          layout_.comm().handle(), &coming.request);
  return true;
}

// Where there is no room for it, sends are waited for.
status piece_messages::send(int to, const piece& part, const box& block,
                            function_ref<void(char* data)> pack) {
  const std::size_t bytes =
      static_cast<std::size_t>(common_elements(part, block)) * form_.file_bytes;
  if (bytes == 0) return {};
  status result;
  if (!sent_.has_room(bytes)) result = finish();
  parcel& packed = sent_.add(to, part, bytes);
  pack(packed.data);
  // A piece has at most some MiB, so an int is enough for the length.
  packed.code = MPI_Isend(packed.data, static_cast<int>(bytes), MPI_BYTE, to, message_tag,
                          layout_.comm().handle(), &packed.request);
  if (packed.code != MPI_SUCCESS)
    result.keep_first(mpi_failure(packed.code, "an exchange between nodes failed"));
  return result;
}

status piece_messages::send_part(const array_view& local, const piece& part, int owner) {
  const box& own = layout_.own();
  return send(owner, part, own,
              [&](char* to) { copy_common(direction::out, part, local, own, form_, to, true); });
}

status piece_messages::send_piece(const piece& part, char* data, int to) {
  const box& block = layout_.block(to);
  return send(to, part, block,
              [&](char* packed) { pack_common(direction::out, part, block, form_, data, packed); });
}

status piece_messages::unpack(function_ref<void(const parcel& came)> take) {
  status result;
  for (parcel& came : expected_.list) {
    result.keep_first(wait_for(came));
    take(came);
  }
  expected_.clear();
  return result;
}

status piece_messages::unpack_parts(const piece& part, char* data) {
  return unpack([&](const parcel& came) {
    pack_common(direction::in, part, layout_.block(came.other), form_, data, came.data);
  });
}

status piece_messages::unpack_pieces(const array_view& local) {
  return unpack([&](const parcel& came) {
    copy_common(direction::in, came.part, local, layout_.own(), form_, came.data, true);
  });
}

void piece_messages::progress() noexcept {
  int done = 0;
  for (parcels* const direction : {&sent_, &expected_})
    for (parcel& one : direction->list)
      if (one.request != MPI_REQUEST_NULL) {
        const int code = MPI_Test(&one.request, &done, MPI_STATUS_IGNORE);
        if (one.code == MPI_SUCCESS) one.code = code;
        return;  // a test of one request drives them all
      }
}

status piece_messages::finish() {
  status result;
  for (parcel& packed : sent_.list) result.keep_first(wait_for(packed));
  sent_.clear();
  return result;
}

}  // namespace headrace
