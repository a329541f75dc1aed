// A program is killed at each of its writes, one after another, while it changes bytes in the
// middle of a file: who opens the file next finds all changes or none of them.
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "checks.hpp"
#include "disk/journal.hpp"

namespace {

int writes_until_kill = 0;  // 0: never

}  // namespace

extern "C" {

// Half of the bytes arrive.
ssize_t pwrite64(int descriptor, const void* data, size_t bytes, off64_t offset) {
  const bool dies = writes_until_kill > 0 && --writes_until_kill == 0;
  const ssize_t done =
      ::syscall(SYS_pwrite64, descriptor, data, dies ? (bytes + 1) / 2 : bytes, offset);
  if (dies) _exit(9);
  return done;
}

ssize_t pwrite(int descriptor, const void* data, size_t bytes, off_t offset) {
  return pwrite64(descriptor, data, bytes, offset);
}

}  // extern "C"

namespace {

using headrace::changed_bytes;

const std::string file = "changed.bin";
const std::string journal = file + ".headrace-journal";
const std::string old_text = "aaaa----bbbb----cccc----";
const std::string new_text = "AAAA----bbbb----CCCC----DD";

std::string contents() {
  std::ifstream opened(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(opened), {}};
}

void put(const std::string& text) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
}

headrace::status change() {
  headrace::positioned_file disk;
  if (headrace::status s = disk.open_to_write(file); !s.ok()) return s;
  return headrace::change_by_journal(
      disk, file, {{0, "aaaa", "AAAA"}, {16, "cccc", "CCCC"}, {24, std::string(2, '\0'), "DD"}},
      false);
}

// Whether the program came to its end.
bool dies_at(int write) {
  put(old_text);
  const pid_t child = ::fork();
  if (child == 0) {
    writes_until_kill = write;
    _exit(change().ok() ? 0 : 1);
  }
  int how = 0;
  ::waitpid(child, &how, 0);
  return WEXITSTATUS(how) == 9;
}

void test(spread::checks& check) {
  int write = 1;
  bool was_new = false;
  for (; dies_at(write) && write < 20; ++write) {
    const std::string what = "killed in write " + std::to_string(write);
    check.that(headrace::finish_changes(file).ok(), what);
    const std::string found = contents();
    check.that(found == old_text || found == new_text, what + ": " + found);
    check.that(found == new_text || !was_new, what + ": an old file after a new one");
    was_new = found == new_text;
    check.that(!std::filesystem::exists(journal), what + ": the journal stays");
  }
  check.that(write == 5 && was_new, std::to_string(write - 1) + " writes");
  check.that(contents() == new_text, "without a kill");

  // A journal of another file of that name does nothing.
  check.that(dies_at(2), "killed in the first change");
  put("something else, and longer than it was");
  check.that(headrace::finish_changes(file).ok(), "another file");
  check.that(contents() == "something else, and longer than it was", "another file is as it was");
  check.that(!std::filesystem::exists(journal), "the journal of another file stays");
}

}  // namespace

int main(int count, char** arguments) {
  return spread::run(count, arguments, "journal", test);
}
