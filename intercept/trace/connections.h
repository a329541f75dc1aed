/* Which file a unit number or a descriptor means. */
#ifndef HEADRACE_CONNECTIONS_H
#define HEADRACE_CONNECTIONS_H

#include "../events.h"
#include "profile.h"

/* Offsets of struct profile_connection in the profile; 0: none. */
uint32_t connection_of_unit(int32_t unit);
uint32_t connection_of_descriptor(int descriptor);

uint32_t connect_unit(const struct statement *statement, int32_t unit, const struct connection_request *request, const char *path,
                      int descriptor);
void close_unit(int32_t unit);
void forget_descriptor(int descriptor);

/* Writes the units that are connected in a parent's profile into this process's own. */
void connections_inherit(const struct profile_header *parents);

/* Without a profile of the parent: nothing is connected. */
void connections_forget(void);

#endif
