#include "connections.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "../frames.h"
#include "../sandbox.h"

enum { unit_slots = 8192, most_descriptors = 65536, probes = 16 };

static struct {
    int32_t unit;
    uint32_t connection, used;
} units[unit_slots];
static uint32_t descriptors[most_descriptors];
static uint32_t connections[profile_most_connections];
static uint32_t connection_count;
static struct profile_block *last_block;

static uint32_t unit_slot(int32_t unit) { return (uint32_t)unit * 2654435761u >> 19; }

uint32_t connection_of_unit(int32_t unit)
{
    for (uint32_t i = 0; i < probes; ++i) {
        uint32_t slot = (unit_slot(unit) + i) % unit_slots;
        if (!units[slot].used) return 0;
        if (units[slot].unit == unit) return units[slot].connection;
    }
    return 0;
}

static void set_unit(int32_t unit, uint32_t connection)
{
    __atomic_add_fetch(&connections_changed, 1, __ATOMIC_RELEASE);
    uint32_t first_empty = unit_slots;
    for (uint32_t i = 0; i < probes; ++i) {
        uint32_t slot = (unit_slot(unit) + i) % unit_slots;
        if (units[slot].used && units[slot].unit == unit) {
            units[slot].connection = connection;
            return;
        }
        if (!units[slot].connection && first_empty == unit_slots) first_empty = slot;
    }
    if (!connection || first_empty == unit_slots) return; /* too many at once: the unit has no file in the report */
    units[first_empty].unit = unit;
    units[first_empty].connection = connection;
    __atomic_store_n(&units[first_empty].used, 1, __ATOMIC_RELEASE);
}

uint32_t connection_of_descriptor(int descriptor)
{
    return descriptor >= 0 && descriptor < most_descriptors ? descriptors[descriptor] : 0;
}

void forget_descriptor(int descriptor)
{
    if (descriptor >= 0 && descriptor < most_descriptors) descriptors[descriptor] = 0;
}

static uint32_t kind_of(int descriptor)
{
    struct stat status;
    if (descriptor < 0 || system_calls_are_filtered || fstat(descriptor, &status)) return file_unknown;
    if (S_ISREG(status.st_mode)) return file_regular;
    if (S_ISCHR(status.st_mode)) return file_terminal;
    if (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)) return file_pipe;
    return file_other;
}

static uint32_t text_of(const char *text) { return profile_string(text, text ? strlen(text) : 0); }

/* The record of this OPEN line and this path, or a new one. The caller holds the lock. */
static struct profile_connection *find(uint32_t opened_in, int32_t opened_line, uint32_t path)
{
    for (uint32_t i = 0; i < connection_count; ++i) {
        struct profile_connection *known = profile_place(connections[i]);
        if (known->path == path && known->opened_line == opened_line && known->opened_in == opened_in) return known;
    }
    struct profile_connection *made = NULL;
    if (connection_count < profile_most_connections) made = profile_new_record(&last_block, block_connections, sizeof *made, 0);
    if (!made) {
        profile->connections_left_out++;
        return NULL;
    }
    made->opened_in = opened_in;
    made->opened_line = opened_line;
    made->path = path;
    connections[connection_count++] = profile_offset(made);
    return made;
}

/* What an OPEN asked for; if the same OPEN asked for something else before, from a variable: "various". */
static void keep(uint32_t *kept, const char *text, size_t length, int is_first)
{
    uint32_t asked = profile_string(text, length);
    *kept = is_first || *kept == asked ? asked : text_of("various");
}

static void fill(struct profile_connection *connection, const struct connection_request *request)
{
    int is_first = connection->opens == 1;
    keep(&connection->access, request->access, request->access_length, is_first);
    keep(&connection->form, request->form, request->form_length, is_first);
    keep(&connection->action, request->action, request->action_length, is_first);
    keep(&connection->convert, request->convert, request->convert_length, is_first);
    keep(&connection->status, request->status, request->status_length, is_first);
    keep(&connection->position, request->position, request->position_length, is_first);
    if (is_first) connection->record_length = request->record_length;
    if (connection->record_length != request->record_length) connection->record_length = 0;
}

uint32_t connect_unit(const struct statement *statement, int32_t unit, const struct connection_request *request, const char *path,
                      int descriptor)
{
    uint32_t offset = 0;
    int saved = errno;
    if (!profile_try_lock()) return 0;
    uint32_t path_text = path && *path ? text_of(path) : request ? profile_string(request->file, request->file_length) : 0;
    struct profile_connection *connection = find(text_of(statement->file), statement->line, path_text);
    if (connection) {
        connection->unit = connection->opens && connection->unit != unit ? unit_none : unit;
        connection->opens++;
        if (!connection->kind) connection->kind = kind_of(descriptor);
        if (request) fill(connection, request);
        offset = profile_offset(connection);
    }
    if (unit != unit_none) set_unit(unit, offset);
    if (descriptor >= 0 && descriptor < most_descriptors) descriptors[descriptor] = offset;
    profile_unlock();
    errno = saved;
    return offset;
}

void close_unit(int32_t unit)
{
    uint32_t offset = connection_of_unit(unit);
    if (!offset) return;
    __atomic_add_fetch(&((struct profile_connection *)profile_place(offset))->closes, 1, __ATOMIC_RELAXED);
    if (!profile_try_lock()) return;
    set_unit(unit, 0);
    profile_unlock();
}

void connections_forget(void)
{
    connection_count = 0;
    last_block = NULL;
    memset(units, 0, sizeof units);
    memset(descriptors, 0, sizeof descriptors);
}

static uint32_t inherited_text(const struct profile_header *parents, uint32_t offset)
{
    return offset ? text_of((const char *)parents + offset) : 0;
}

static uint32_t inherited(const struct profile_header *parents, uint32_t offset)
{
    const struct profile_connection *theirs = (const void *)((const char *)parents + offset);
    struct profile_connection *ours =
        find(inherited_text(parents, theirs->opened_in), theirs->opened_line, inherited_text(parents, theirs->path));
    if (!ours) return 0;
    ours->access = inherited_text(parents, theirs->access);
    ours->form = inherited_text(parents, theirs->form);
    ours->action = inherited_text(parents, theirs->action);
    ours->convert = inherited_text(parents, theirs->convert);
    ours->status = inherited_text(parents, theirs->status);
    ours->position = inherited_text(parents, theirs->position);
    ours->unit = theirs->unit;
    ours->kind = theirs->kind;
    ours->record_length = theirs->record_length;
    return profile_offset(ours);
}

void connections_inherit(const struct profile_header *parents)
{
    connection_count = 0;
    last_block = NULL;
    connections_changed++;
    if (!profile_try_lock()) return;
    for (uint32_t i = 0; i < unit_slots; ++i)
        if (units[i].connection) units[i].connection = inherited(parents, units[i].connection);
    for (uint32_t i = 0; i < most_descriptors; ++i)
        if (descriptors[i]) descriptors[i] = inherited(parents, descriptors[i]);
    profile_unlock();
}
