/* The C interface to spread arrays, as C: each MPI rank writes one element and reads it back. */
#include <headrace_mpi.h>
#include <stdio.h>

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const long long global = ranks;
  const long long start = rank + 1;
  const long long one = 1;
  double x = rank + 0.5;
  double y = 0;
  hr_array from = {&x, sizeof x, HR_TYPE_REAL, 1, {1}, {sizeof x}};
  hr_array to = {&y, sizeof y, HR_TYPE_REAL, 1, {1}, {sizeof y}};
  hr_layout layout;
  hr_error error;
  if (hr_make_layout(&layout, MPI_COMM_WORLD, 1, &global, &start, &one, &error) != 0 ||
      hr_write_parallel("from_c.npy", &from, layout, NULL, NULL, &error) != 0 ||
      hr_read_parallel("from_c.npy", &to, layout, NULL, NULL, &error) != 0) {
    puts(error.message);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  if (y == x) printf("MPI rank %d: equal\n", rank);
  hr_free_layout(&layout, &error);
  MPI_Finalize();
  return 0;
}
