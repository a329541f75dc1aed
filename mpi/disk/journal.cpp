#include "journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "../../src/core/hash.hpp"

namespace headrace {
namespace {

constexpr char magic[16] = "headrace-change";

struct journal_head {
  char begin[16] = {};
  std::uint64_t bytes = 0;   // behind the head
  std::uint64_t digest = 0;  // FNV-1a of these
};

struct change_head {
  std::int64_t address = 0;
  std::uint64_t bytes = 0;  // before and after are so long each, and follow
};

std::uint64_t digest_of(const std::string& text, std::size_t from) noexcept {
  return hash_of(std::string_view(text).substr(from));
}

// Beside the file itself, whatever link leads to it.
std::string journal_of(const std::string& file) {
  char* const real = ::realpath(file.c_str(), nullptr);
  std::string name = (real == nullptr ? file : std::string(real)) + ".headrace-journal";
  std::free(real);
  return name;
}

template <class Number>
void append(std::string& text, const Number& number) {
  text.append(reinterpret_cast<const char*>(&number), sizeof number);
}

std::string text_of(const std::vector<changed_bytes>& changes) {
  std::string text(sizeof(journal_head), '\0');
  for (const changed_bytes& one : changes) {
    append(text, change_head{one.address, one.after.size()});
    text += one.before;
    text += one.after;
  }
  journal_head head;
  std::memcpy(head.begin, magic, sizeof magic);
  head.bytes = text.size() - sizeof head;
  head.digest = digest_of(text, sizeof head);
  std::memcpy(text.data(), &head, sizeof head);
  return text;
}

// False: it was not written to its end.
bool changes_in(const std::string& text, std::vector<changed_bytes>& changes) {
  journal_head head;
  if (text.size() < sizeof head) return false;
  std::memcpy(&head, text.data(), sizeof head);
  if (std::memcmp(head.begin, magic, sizeof magic) != 0 ||
      head.bytes != text.size() - sizeof head || head.digest != digest_of(text, sizeof head))
    return false;
  for (std::size_t at = sizeof head; at < text.size();) {
    change_head one;
    std::memcpy(&one, text.data() + at, sizeof one);
    at += sizeof one;
    changes.push_back(
        {one.address, text.substr(at, one.bytes), text.substr(at + one.bytes, one.bytes)});
    at += 2 * one.bytes;
  }
  return true;
}

status write_all(const positioned_file& disk, const std::vector<changed_bytes>& changes,
                 std::string changed_bytes::*which) {
  status done;
  for (const changed_bytes& one : changes)
    if (done.ok())
      done = disk.write_at(one.address, (one.*which).data(),
                           static_cast<std::int64_t>((one.*which).size()));
  return done;
}

// Each byte is the old one or the new one.
bool belong_to(const positioned_file& disk, const std::vector<changed_bytes>& changes) {
  std::int64_t size = 0;
  if (!disk.size(size).ok()) return false;
  for (const changed_bytes& one : changes) {
    std::string found = one.before;  // also behind the end of the file
    const std::int64_t there =
        std::min(static_cast<std::int64_t>(found.size()), size - one.address);
    if (there > 0 && !disk.read_at(one.address, found.data(), there).ok()) return false;
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i] != one.before[i] && found[i] != one.after[i]) return false;
  }
  return true;
}

class journal_file final : public positioned_file {
 public:
  // Waits for the program that makes changes at the moment. ENOENT if there is no journal: who
  // waited for it may find that it was removed meanwhile.
  status open_locked(const std::string& name, int flags) {
    const char* const what = "cannot open the journal beside the file";
    if (status s = open(name, flags, what, 0600); !s.ok()) return s;
    struct stat found {};
    while (::flock(descriptor(), LOCK_EX) != 0 && errno == EINTR) continue;  // some have no locks
    const int error = ::fstat(descriptor(), &found) != 0 ? errno : found.st_nlink == 0 ? ENOENT : 0;
    return error == 0 ? status() : status::system(error, what).in_file(name);
  }
  // An empty one, also if a reader that saw it before it was locked removes it.
  status make(const std::string& name) {
    status made = open_locked(name, O_RDWR | O_CREAT);
    while (made.code() == ENOENT && is_open()) {
      static_cast<void>(close());
      made = open_locked(name, O_RDWR | O_CREAT);
    }
    if (made.ok() && ::ftruncate(descriptor(), 0) != 0)
      made = status::system(errno, "cannot empty the journal beside the file").in_file(name);
    return made;
  }
  status write(const std::string& text, bool sync) const {
    status done = write_at(0, text.data(), static_cast<std::int64_t>(text.size()));
    return done.ok() && sync ? positioned_file::sync() : done;
  }
  status read(std::string& text) const {
    std::int64_t bytes = 0;
    if (status s = size(bytes); !s.ok()) return s;
    text.resize(static_cast<std::size_t>(bytes));
    return read_at(0, text.data(), bytes);
  }
  void remove() const noexcept { ::unlink(name().c_str()); }
};

}  // namespace

status change_by_journal(const positioned_file& disk, const std::string& file,
                         const std::vector<changed_bytes>& changes, bool sync) {
  if (changes.empty()) return {};
  journal_file journal;
  if (status s = journal.make(journal_of(file)); !s.ok()) return s;
  if (status s = journal.write(text_of(changes), sync); !s.ok()) {
    journal.remove();
    return s;
  }
  status done = write_all(disk, changes, &changed_bytes::after);
  if (done.ok() && sync) done = disk.sync();
  if (!done.ok()) static_cast<void>(write_all(disk, changes, &changed_bytes::before));
  journal.remove();
  return done;
}

status finish_changes(const std::string& file) {
  journal_file journal;
  if (!journal.open_locked(journal_of(file), O_RDONLY).ok()) return {};
  std::string text;
  std::vector<changed_bytes> changes;
  positioned_file disk;
  if (status s = journal.read(text); !s.ok()) return s;
  if (!changes_in(text, changes)) {
    journal.remove();
    return {};
  }
  if (!disk.open_to_read(file).ok()) return {};  // who opens it next says why
  if (!belong_to(disk, changes)) {
    journal.remove();
    return {};
  }
  positioned_file changed;
  status done = changed.open_to_write(file);
  if (done.ok()) done = write_all(changed, changes, &changed_bytes::after);
  if (!done.ok())
    return std::move(done).advise(
        "a program was killed while it changed the file: open it where it may be written");
  // The journal must not disappear from the device before the changes are there.
  if (done.ok()) done = changed.sync();
  if (!done.ok()) return done;
  journal.remove();
  return changed.close();
}

}  // namespace headrace
