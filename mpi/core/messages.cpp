#include "messages.hpp"

#include <cstring>

namespace headrace {
namespace {

constexpr int message_tag = 7117;

status wait_for(MPI_Request& request) {
  const int code = MPI_Wait(&request, MPI_STATUS_IGNORE);
  return code == MPI_SUCCESS ? status() : mpi_failure(code, "an exchange between nodes failed");
}

}  // namespace

std::int64_t piece_messages::common_elements(const piece& part, const box& block) {
  if (part.first >= part.last || is_empty(block)) return 0;
  std::int64_t elements = 0;
  for (const box& range : boxes_of_range(part.of, part.first, part.last))
    elements += volume(intersection(range, block));
  return elements;
}

void piece_messages::expect(int from, const piece& part, std::int64_t elements) {
  if (elements == 0) return;
  parcel empty;
  empty.other = from;
  empty.part = part;
  empty.bytes.resize(static_cast<std::size_t>(elements) * form_.file_bytes);
  expected_.push_back(std::move(empty));
  parcel& last = expected_.back();
  MPI_Irecv(last.bytes.data(), static_cast<int>(last.bytes.size()), MPI_BYTE, from, message_tag,
            layout_.comm().handle(), &last.request);
}

status piece_messages::post(parcel&& packed) {
  // A piece has at most some MiB, so an int is enough for the length.
  sent_.push_back(std::move(packed));
  parcel& last = sent_.back();
  pending_ += last.bytes.size();
  const int code = MPI_Isend(last.bytes.data(), static_cast<int>(last.bytes.size()), MPI_BYTE,
                             last.other, message_tag, layout_.comm().handle(), &last.request);
  if (code != MPI_SUCCESS) return mpi_failure(code, "an exchange between nodes failed");
  return pending_ > most_pending ? finish() : status();
}

status piece_messages::send_part(const array_view& local, const piece& part, int owner) {
  const box& own = layout_.own();
  const int mergeable = contiguous_dimensions(local);
  const std::ptrdiff_t stride =
      local.array_rank == 0 ? static_cast<std::ptrdiff_t>(local.elem_len) : local.stride[0];
  parcel packed;
  packed.other = owner;
  for_each_common_line(part, own, mergeable, [&](const piece_line& line) {
    const std::size_t at = packed.bytes.size();
    packed.bytes.resize(at + static_cast<std::size_t>(line.count) * form_.file_bytes);
    form_.store(address_of(local, own, line.begin), stride, packed.bytes.data() + at,
                static_cast<std::size_t>(line.count));
  });
  return packed.bytes.empty() ? status() : post(std::move(packed));
}

status piece_messages::unpack_parts(const piece& part, char* data) {
  status result;
  for (parcel& came : expected_) {
    result.keep_first(wait_for(came.request));
    const char* from = came.bytes.data();
    for_each_common_line(
        part, layout_.block(came.other), max_parallel_rank, [&](const piece_line& line) {
          const std::size_t bytes = static_cast<std::size_t>(line.count) * form_.file_bytes;
          std::memcpy(data + static_cast<std::size_t>(line.at) * form_.file_bytes, from, bytes);
          from += bytes;
        });
  }
  expected_.clear();
  return result;
}

void piece_messages::expect_part(const piece& part, int owner) {
  expect(owner, part, common_elements(part, layout_.own()));
}

status piece_messages::unpack_pieces(const array_view& local) {
  status result;
  const box& own = layout_.own();
  const int mergeable = contiguous_dimensions(local);
  const std::ptrdiff_t stride =
      local.array_rank == 0 ? static_cast<std::ptrdiff_t>(local.elem_len) : local.stride[0];
  for (parcel& came : expected_) {
    result.keep_first(wait_for(came.request));
    const char* from = came.bytes.data();
    for_each_common_line(came.part, own, mergeable, [&](const piece_line& line) {
      form_.load(address_of(local, own, line.begin), stride, from,
                 static_cast<std::size_t>(line.count));
      from += static_cast<std::size_t>(line.count) * form_.file_bytes;
    });
  }
  expected_.clear();
  return result;
}

void piece_messages::progress() noexcept {
  int done = 0;
  for (std::vector<parcel>* const list : {&sent_, &expected_})
    for (parcel& one : *list)
      if (one.request != MPI_REQUEST_NULL) {
        MPI_Test(&one.request, &done, MPI_STATUS_IGNORE);
        return;  // a test of one request drives them all
      }
}

status piece_messages::finish() {
  status result;
  for (parcel& packed : sent_) result.keep_first(wait_for(packed.request));
  sent_.clear();
  pending_ = 0;
  return result;
}

}  // namespace headrace
