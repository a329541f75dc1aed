#include "job_place.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "hash.hpp"

namespace headrace {
namespace {

// Names that a launcher gives each process: its MPI rank, how many there are, and their job.
struct launcher {
  const char* rank;
  const char* size;  // null: it does not tell
  const char* job;
  const char* part;  // of the job, null where the job is all
};

// Slurm comes last: a script of a batch job has a SLURM_PROCID too, and starts others from within.
constexpr launcher launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_NAMESPACE", nullptr},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_MCA_ess_base_jobid", nullptr},
    {"PMI_RANK", "PMI_SIZE", "PMI_JOBID", nullptr},
    {"PMI_RANK", "PMI_SIZE", "SLURM_JOB_ID", "SLURM_STEP_ID"},
    {"PMIX_RANK", nullptr, "PMIX_NAMESPACE", nullptr},
    {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_JOB_ID", "SLURM_STEP_ID"}};

// Those of MPICH's own launcher name no job: its processes on a node have the same parent.
constexpr launcher with_parent = {"PMI_RANK", "PMI_SIZE", nullptr, nullptr};

const char* text_of(const char* name) noexcept {
  const char* const text = name == nullptr ? nullptr : std::getenv(name);
  return text == nullptr || *text == '\0' ? nullptr : text;
}

// When the parent began, in ticks since the boot: numbers of processes come again.
std::string beginning_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  // Behind the name, which may hold anything: the 20th field from there.
  std::size_t at = text.rfind(')');
  for (int field = 0; field < 20 && at != std::string::npos; ++field) at = text.find(' ', at + 1);
  return at == std::string::npos ? "" : text.substr(at, text.find(' ', at + 1) - at);
}

bool is_one_of_several(const launcher& by) noexcept {
  if (text_of(by.rank) == nullptr) return false;
  const char* const size = text_of(by.size);
  return by.size == nullptr || (size != nullptr && std::atol(size) > 1);
}

job_place place_of(const char* rank, const std::string& job) {
  job_place found;
  found.rank = std::atol(text_of(rank));
  found.job = hash_of(job);
  if (found.job == 0) found.job = 1;
  return found;
}

}  // namespace

job_place find_place_in_job() {
  for (const launcher& by : launchers) {
    const char* const job = text_of(by.job);
    const char* const part = text_of(by.part);
    if (job == nullptr || (by.part != nullptr && part == nullptr) || !is_one_of_several(by))
      continue;
    return place_of(by.rank, std::string(by.job) + "=" + job + "." + (part == nullptr ? "" : part));
  }
  if (!is_one_of_several(with_parent)) return {};
  const pid_t parent = ::getppid();
  const std::string began = beginning_of(parent);
  if (began.empty()) return {};
  return place_of(with_parent.rank, "parent=" + std::to_string(parent) + began);
}

const job_place& place_in_job() {
  static const job_place place = find_place_in_job();
  return place;
}

}  // namespace headrace
