// headrace-parallel-worker: the program that `headrace bench parallel` starts on many MPI ranks.
//
// MPI rank 0 reads requests from standard input, a line of JSON each, and writes a line of JSON for
// each to standard output. Next: request.hpp says what may be asked, trial.hpp does it.
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>

#include "../../mpi/together/mpi_io_module.hpp"
#include "hello.hpp"
#include "reply.hpp"
#include "request.hpp"
#include "trial.hpp"
#include "world.hpp"

namespace {

using namespace headrace::bench;

// Standard output for answers only: what libraries print goes to standard error.
std::FILE* take_standard_output() {
  std::fflush(stdout);
  const int kept = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return fdopen(kept, "w");
}

void print(std::FILE* answers, const world& all, const std::string& text) {
  if (all.rank != 0) return;
  std::fprintf(answers, "%s\n", text.c_str());
  std::fflush(answers);
}

// Collective; false at the end of input.
bool next_request(const world& all, std::string& line) {
  line.clear();
  while (all.rank == 0 && line.empty() && std::getline(std::cin, line)) {
  }
  broadcast_gently(all, line);
  return !line.empty();
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  // Else whoever opens a file first would decide for all.
  headrace::avoid_unsafe_sieving();
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  std::FILE* answers = take_standard_output();
  const world all = learn_world(MPI_COMM_WORLD);
  print(answers, all, hello(all));
  block_memory memory;
  std::string line;
  while (next_request(all, line)) {
    request asked;
    try {
      asked = read_request(line);
      if (asked.operation == "quit") break;
      print(answers, all, answer(all, asked, memory));
    } catch (const std::exception& wrong) {
      print(answers, all, refusal(asked.id, failure(HR_ARGUMENT_INVALID, wrong.what())));
    }
  }
  MPI_Finalize();
  return 0;
}
