// How an MPI rank waits for others that may need its processor.
#pragma once

namespace headrace {

// pause() comes between two looks for what is waited for. It lets others run, and after a while it
// sleeps, for an eighth of the time that was waited so far, and no longer than 0.3 milliseconds: a
// collective call may wait so long once for each of its messages, one after the other. Linux gives
// the processor back to one that only yields as soon as to one that works. For waits in which MPI
// passes no large messages: they would stand still meanwhile.
class patience {
 public:
  void pause() noexcept;

 private:
  long long begin_ = 0;  // nanoseconds; 0 before the first pause
};

}  // namespace headrace
