#include "from_root.hpp"

#include <cstddef>
#include <cstring>

#include "agreement.hpp"

namespace headrace {
namespace {

std::string text_of_root(const communicator& comm, const status& mine) {
  const std::string text = mine.message();
  const bool is_its_own = (mine.code() > 0 && mine.code() < 1000) ||
                          mine.code() == static_cast<int>(stat_code::library_failed);
  const bool names_it = comm.size() < 2 || text.rfind("MPI rank ", 0) == 0;
  return is_its_own && !names_it ? "MPI rank 0: " + text : text;
}

}  // namespace

status status_of_root(const communicator& comm, const status& mine) {
  int stage_of_all = on_the_way;
  const status nothing;
  return agreement(comm, comm.rank() == 0 ? mine : nothing, stage_of_all, text_of_root);
}

status status_of_all(const communicator& comm, const status& mine) {
  int stage_of_all = on_the_way;
  return agreement(comm, mine, stage_of_all, comm.rank() == 0 ? text_of_root : nullptr);
}

void small_message::unpack(root_message& all) const {
  if (!is_used) return;
  const auto count = static_cast<std::size_t>(lengths[0]);
  all.numbers.resize(count);
  if (count > 0) std::memcpy(all.numbers.data(), bytes, count * sizeof(std::int64_t));
  all.text.assign(bytes + count * sizeof(std::int64_t), static_cast<std::size_t>(lengths[1]));
}

status send_from_root(const communicator& comm, const status& mine, root_message& all,
                      small_message& small) {
  if (status s = status_of_root(comm, mine); !s.ok()) return s;
  if (comm.rank() == 0) {
    small.lengths[0] = static_cast<std::int64_t>(all.numbers.size());
    small.lengths[1] = static_cast<std::int64_t>(all.text.size());
    const std::size_t before = all.numbers.size() * sizeof(std::int64_t);
    if (before + all.text.size() <= small_message::most_bytes) {
      if (before > 0) std::memcpy(small.bytes, all.numbers.data(), before);
      all.text.copy(small.bytes + before, all.text.size());
    }
  }
  copy_from(comm, 0, &small, offsetof(small_message, is_used), MPI_BYTE);
  const std::int64_t* const lengths = small.lengths;
  const std::int64_t bytes =
      lengths[0] * static_cast<std::int64_t>(sizeof(std::int64_t)) + lengths[1];
  small.is_used = bytes <= static_cast<std::int64_t>(small_message::most_bytes);
  if (small.is_used) return {};
  const status ready = agree_on(comm, [&] {
    all.numbers.resize(static_cast<std::size_t>(lengths[0]));
    all.text.resize(static_cast<std::size_t>(lengths[1]));
    return status();
  });
  if (!ready.ok()) return ready;
  if (lengths[0] > 0)
    copy_from(comm, 0, all.numbers.data(), static_cast<int>(lengths[0]), MPI_INT64_T);
  if (lengths[1] > 0) copy_from(comm, 0, all.text.data(), static_cast<int>(lengths[1]), MPI_CHAR);
  return {};
}

status numbers_from_root(const communicator& comm, std::vector<std::int64_t>& numbers) {
  const auto make = [&](root_message& all) {
    all.numbers = numbers;
    return status();
  };
  return from_root(comm, make, [&](root_message& all) { numbers.swap(all.numbers); });
}

std::string joined_texts(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += text + '\0';
  return all;
}

std::vector<std::string> split_texts(const std::string& all) {
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = all.find('\0', at);
    texts.push_back(all.substr(at, end - at));
    at = end + 1;
  }
  return texts;
}

}  // namespace headrace
