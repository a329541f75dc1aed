// How many processors the quotas of cgroups leave, as files of both versions tell.
#include "together/communicator.hpp"

#include <climits>
#include <filesystem>
#include <fstream>
#include <string>

#include "checks.hpp"

namespace {

using spread::checks;

void put(const std::string& file, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(file).parent_path());
  std::ofstream(file) << text;
}

void test(checks& check) {
  const auto quota = [&](const char* text, int expected) {
    check.that(headrace::processors_of_quota(text) == expected, std::string("quota ") + text);
  };
  quota("200000 100000\n", 2);
  quota("200001 100000\n", 3);
  quota("50000\n100000\n", 1);
  quota("99999999999999 1\n", INT_MAX);
  for (const char* const none : {"max 100000\n", "-1\n100000\n", "0 100000", "100000", "1 0", ""})
    quota(none, INT_MAX);

  std::filesystem::remove_all("cgroups");
  const auto allowed = [&](const std::string& list, int expected) {
    put("cgroups/list", list);
    check.that(headrace::processors_of_cgroups("cgroups/list", "cgroups") == expected, list);
  };
  const std::string named = "9:name=systemd:/job\n3:cpuset:/job\n";
  allowed("0::/job/step\n", INT_MAX);
  put("cgroups/job/cpu.max", "300000 100000\n");
  put("cgroups/job/step/cpu.max", "max 100000\n");
  allowed("0::/job/step\n", 3);
  allowed("0::/job/step/deeper\n", 3);
  allowed("0::/\n", INT_MAX);
  allowed(named, INT_MAX);
  put("cgroups/cpu.max", "200000 100000\n");
  allowed("0::/of/the/host\n", 2);
  std::filesystem::remove_all("cgroups");
  put("cgroups/cpu/job/cpu.cfs_quota_us", "450000\n");
  put("cgroups/cpu/job/cpu.cfs_period_us", "100000\n");
  put("cgroups/cpu/cpu.cfs_quota_us", "-1\n");
  put("cgroups/cpu/cpu.cfs_period_us", "100000\n");
  for (const char* const controllers : {"cpu", "cpu,cpuacct", "cpuacct,cpu"})
    allowed(named + "1:" + controllers + ":/job\n0::/\n", 5);
  allowed(named + "1:cpu:/\n0::/\n", INT_MAX);
  allowed(named + "1:cpu:/other:one/step\n0::/job\n", INT_MAX);  // a quota of version 1 is not of 2
  allowed("nothing that is known", INT_MAX);
  check.that(headrace::processors_of_cgroups("none", "none") == INT_MAX, "nothing to read");
  check.that(headrace::processors_of_cgroups() >= 1, "those of this process");
}

}  // namespace

int main(int count, char** arguments) {
  return spread::run(count, arguments, "processors", test);
}
