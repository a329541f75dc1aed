/* Functions of flang's run time that close units or end the program: what waits is handed over before. They are called in the
 * program by its name for them, and found by redirect/. */
#ifdef HEADRACE_RUN
#define _GNU_SOURCE
#include "../../frames.h"
#include "../../real_calls.h"
#include "../run.h"

typedef long gate_function(long, long, long, long, long, long, long, long);

#define GATE(name)                                                                      \
    EXPORTED long name(long a, long b, long c, long d, long e, long f, long g, long h); \
    EXPORTED long name(long a, long b, long c, long d, long e, long f, long g, long h)  \
    {                                                                                   \
        REAL_CALL(gate_function, name, #name);                                          \
        if (run_is_active) run_before_everything();                                     \
        return real_##name(a, b, c, d, e, f, g, h);                                     \
    }

GATE(_FortranAStopStatement)
GATE(_FortranAStopStatementText)
GATE(_FortranAPauseStatement)
GATE(_FortranAPauseStatementInt)
GATE(_FortranAPauseStatementText)
GATE(_FortranAFailImageStatement)
GATE(_FortranAProgramEndStatement)
GATE(_FortranAExit)
GATE(_FortranAAbort)
GATE(_FortranAReportFatalUserError)
GATE(_FortranAExecuteCommandLine)
GATE(_FortranARename)
#endif
