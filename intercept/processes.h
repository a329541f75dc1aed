/* Which process is ours: a child of vfork runs in our memory, but closes and ends itself, not us. */
#ifndef HEADRACE_PROCESSES_H
#define HEADRACE_PROCESSES_H

void processes_start(void);
int is_our_process(void);

#endif
