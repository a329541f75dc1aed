// How an MPI rank waits for others that may need its processor.
#pragma once

namespace headrace {

// pause() comes between two looks for what is waited for. It lets others run, and after a while it
// sleeps, for an eighth of the time that was waited so far, so that nothing is met much later:
// Linux gives the processor back to one that only yields as soon as to one that works.
class patience {
 public:
  void pause() noexcept;

 private:
  long long begin_ = 0;  // nanoseconds; 0 before the first pause
};

}  // namespace headrace
