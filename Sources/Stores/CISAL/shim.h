// Inflating by ISA-L, behind functions: its state of 85 KiB holds arrays that Swift cannot see as
// such, and is never looked at.
#ifndef MOORING_ISAL_H
#define MOORING_ISAL_H

#include <isa-l/igzip_lib.h>
#include <stddef.h>
#include <stdlib.h>

// How far a call came: bytes used and made, whether a member ended, and ISA-L's own code, which is
// below zero where the data is at fault.
struct inflated {
    size_t used;
    size_t made;
    int ends_member;
    int code;
};

// Null where there is no memory.
static inline void *inflating_begin(void) {
    struct inflate_state *state = malloc(sizeof *state);
    if (state != NULL) {
        isal_inflate_init(state);
        state->crc_flag = ISAL_GZIP;
    }
    return state;
}

static inline void inflating_end(void *stream) { free(stream); }

// Behind a member's end the next one begins. At most 4 GiB are taken or made.
static inline struct inflated inflating_go_on(
    void *stream, const unsigned char *in, size_t in_count, unsigned char *out, size_t out_count) {
    struct inflate_state *state = stream;
    state->next_in = (unsigned char *)in;
    state->avail_in = (unsigned)in_count;
    state->next_out = out;
    state->avail_out = (unsigned)out_count;
    struct inflated result;
    result.code = isal_inflate(state);
    result.used = in_count - state->avail_in;
    result.made = out_count - state->avail_out;
    result.ends_member = result.code >= 0 && state->block_state == ISAL_BLOCK_FINISH;
    if (result.ends_member) {
        isal_inflate_reset(state);
        state->crc_flag = ISAL_GZIP;
    }
    return result;
}

#endif
