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
  const std::int64_t elements = common_elements(part, block);
  if (elements == 0) return true;
  const std::size_t bytes = static_cast<std::size_t>(elements) * form_.file_bytes;
  if (!expected_.has_room(bytes)) return false;
  parcel& coming = expected_.add(from, part, bytes);
  coming.code = MPI_Irecv(coming.data, static_cast<int>(bytes), MPI_BYTE, from, message_tag,
                          layout_.comm().handle(), &coming.request);
  return true;
}

status piece_messages::make_room(int to, const piece& part, std::int64_t elements,
                                 parcel*& packed) {
  const std::size_t bytes = static_cast<std::size_t>(elements) * form_.file_bytes;
  status result;
  if (!sent_.has_room(bytes)) result = finish();
  packed = &sent_.add(to, part, bytes);
  return result;
}

status piece_messages::post(parcel& packed) {
  // A piece has at most some MiB, so an int is enough for the length.
  packed.code = MPI_Isend(packed.data, static_cast<int>(packed.bytes), MPI_BYTE, packed.other,
                          message_tag, layout_.comm().handle(), &packed.request);
  if (packed.code == MPI_SUCCESS) return {};
  return mpi_failure(packed.code, "an exchange between nodes failed");
}

status piece_messages::send_part(const array_view& local, const piece& part, int owner) {
  const box& own = layout_.own();
  const std::int64_t elements = common_elements(part, own);
  if (elements == 0) return {};
  const int mergeable = contiguous_dimensions(local);
  parcel* packed = nullptr;
  status result = make_room(owner, part, elements, packed);
  char* to = packed->data;
  for_each_common_line(part, own, mergeable, [&](const piece_line& line) {
    form_.store(address_of(local, own, line.begin), first_stride(local), to,
                static_cast<std::size_t>(line.count));
    to += static_cast<std::size_t>(line.count) * form_.file_bytes;
  });
  result.keep_first(post(*packed));
  return result;
}

status piece_messages::unpack_parts(const piece& part, char* data) {
  status result;
  for (parcel& came : expected_.list) {
    result.keep_first(wait_for(came));
    unpack_common(part, layout_.block(came.other), form_, came.data, data);
  }
  expected_.clear();
  return result;
}

bool piece_messages::expect_part(const piece& part, int owner) {
  return expect(owner, part, layout_.own());
}

status piece_messages::unpack_pieces(const array_view& local) {
  status result;
  const box& own = layout_.own();
  const int mergeable = contiguous_dimensions(local);
  for (parcel& came : expected_.list) {
    result.keep_first(wait_for(came));
    const char* from = came.data;
    for_each_common_line(came.part, own, mergeable, [&](const piece_line& line) {
      form_.load(address_of(local, own, line.begin), first_stride(local), from,
                 static_cast<std::size_t>(line.count));
      from += static_cast<std::size_t>(line.count) * form_.file_bytes;
    });
  }
  expected_.clear();
  return result;
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
