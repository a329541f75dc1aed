/* Prefixes, opcode, ModRM, SIB, displacement, immediate: only their sizes matter here. From the opcode maps of the
 * architecture's manuals (volume 2, appendix A; XOP and 3DNow! from AMD's). What compilers do not emit yet (APX) is not known: 0.
 */
#include "instruction_length.h"

/* What follows an opcode. */
enum {
    n_ = 0,   /* nothing */
    m_ = 1,   /* ModRM */
    b_ = 2,   /* one byte */
    w_ = 4,   /* two bytes */
    z_ = 8,   /* four bytes, or two with the prefix 66 */
    d_ = 16,  /* four bytes, whatever the prefixes are: branches */
    v_ = 32,  /* as z_, but eight with REX.W */
    o_ = 64,  /* an address of eight bytes, or four with the prefix 67 */
    x_ = 128, /* no such instruction, or handled apart */
    mb = m_ | b_,
    mz = m_ | z_,
    wb = w_ | b_
};

static const unsigned char one_byte_map[256] = {
    /* 00 */ m_, m_, m_, m_, b_, z_, x_, x_, m_, m_, m_, m_, b_, z_, x_, x_,
    /* 10 */ m_, m_, m_, m_, b_, z_, x_, x_, m_, m_, m_, m_, b_, z_, x_, x_,
    /* 20 */ m_, m_, m_, m_, b_, z_, x_, x_, m_, m_, m_, m_, b_, z_, x_, x_,
    /* 30 */ m_, m_, m_, m_, b_, z_, x_, x_, m_, m_, m_, m_, b_, z_, x_, x_,
    /* 40 */ x_, x_, x_, x_, x_, x_, x_, x_, x_, x_, x_, x_, x_, x_, x_, x_,
    /* 50 */ n_, n_, n_, n_, n_, n_, n_, n_, n_, n_, n_, n_, n_, n_, n_, n_,
    /* 60 */ x_, x_, x_, m_, x_, x_, x_, x_, z_, mz, b_, mb, n_, n_, n_, n_,
    /* 70 */ b_, b_, b_, b_, b_, b_, b_, b_, b_, b_, b_, b_, b_, b_, b_, b_,
    /* 80 */ mb, mz, x_, mb, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_,
    /* 90 */ n_, n_, n_, n_, n_, n_, n_, n_, n_, n_, x_, n_, n_, n_, n_, n_,
    /* A0 */ o_, o_, o_, o_, n_, n_, n_, n_, b_, z_, n_, n_, n_, n_, n_, n_,
    /* B0 */ b_, b_, b_, b_, b_, b_, b_, b_, v_, v_, v_, v_, v_, v_, v_, v_,
    /* C0 */ mb, mb, w_, n_, x_, x_, mb, mz, wb, n_, w_, n_, n_, b_, x_, n_,
    /* D0 */ m_, m_, m_, m_, x_, x_, x_, n_, m_, m_, m_, m_, m_, m_, m_, m_,
    /* E0 */ b_, b_, b_, b_, b_, b_, b_, b_, d_, d_, x_, b_, n_, n_, n_, n_,
    /* F0 */ x_, n_, x_, x_, n_, n_, m_, m_, n_, n_, n_, n_, n_, n_, m_, m_,
};

/* after 0F */
static const unsigned char two_byte_map[256] = {
    /* 00 */ m_, m_, m_, m_, x_, n_, n_, n_, n_, n_, x_, n_, x_, m_, n_, mb,
    /* 10 */ m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_,
    /* 20 */ m_, m_, m_, m_, x_, x_, x_, x_, m_, m_, m_, m_, m_, m_, m_, m_,
    /* 30 */ n_, n_, n_, n_, n_, n_, x_, n_, x_, x_, x_, x_, x_, x_, x_, x_,
    /* 40 */ m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_,
    /* 50 */ m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_,
    /* 60 */ m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_,
    /* 70 */ mb, mb, mb, mb, m_, m_, m_, n_, m_, m_, x_, x_, m_, m_, m_, m_,
    /* 80 */ d_, d_, d_, d_, d_, d_, d_, d_, d_, d_, d_, d_, d_, d_, d_, d_,
    /* 90 */ m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_,
    /* A0 */ n_, n_, n_, m_, mb, m_, m_, m_, n_, n_, n_, m_, mb, m_, m_, m_,
    /* B0 */ m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, mb, m_, m_, m_, m_, m_,
    /* C0 */ m_, m_, mb, m_, mb, mb, mb, m_, n_, n_, n_, n_, n_, n_, n_, n_,
    /* D0 */ m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_,
    /* E0 */ m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_,
    /* F0 */ m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_, m_,
};

struct reader {
    const unsigned char *code;
    size_t at, available;
    int has_66, has_67, has_f2, wide;
};

static int has(const struct reader *reader, size_t bytes) { return reader->available - reader->at >= bytes; }

static int is_prefix(unsigned char byte)
{
    switch (byte) {
    case 0x26:
    case 0x2e:
    case 0x36:
    case 0x3e:
    case 0x64:
    case 0x65: /* segments */
    case 0x66:
    case 0x67:
    case 0xf0:
    case 0xf2:
    case 0xf3: return 1;
    default: return 0;
    }
}

static void skip_prefixes(struct reader *reader)
{
    for (; has(reader, 1); ++reader->at) {
        unsigned char byte = reader->code[reader->at];
        int is_rex = byte >> 4 == 4;
        if (!is_rex && !is_prefix(byte)) return;
        reader->wide = is_rex && (byte & 8); /* REX counts only right before the opcode */
        if (byte == 0x66) reader->has_66 = 1;
        if (byte == 0x67) reader->has_67 = 1;
        if (byte == 0xf2) reader->has_f2 = 1;
    }
}

/* ModRM with what belongs to it; 0: cut off */
static int skip_operand(struct reader *reader)
{
    if (!has(reader, 1)) return 0;
    unsigned char operand = reader->code[reader->at++];
    unsigned mode = operand >> 6, place = operand & 7;
    size_t displacement = mode == 1 ? 1 : mode == 2 ? 4 : 0;
    if (mode == 3) return 1;
    if (place == 4) {
        if (!has(reader, 1)) return 0;
        if (mode == 0 && (reader->code[reader->at] & 7) == 5) displacement = 4;
        reader->at++;
    } else if (mode == 0 && place == 5) {
        displacement = 4; /* from the instruction pointer */
    }
    if (!has(reader, displacement)) return 0;
    reader->at += displacement;
    return 1;
}

static size_t finish(struct reader *reader, unsigned follows)
{
    size_t immediate = 0;
    int is_short = reader->has_66 && !reader->wide;
    if (follows & x_) return 0;
    if (follows & d_ && is_short) return 0; /* branches with 66: two bytes or four, by the maker of the processor */
    if (follows & m_ && !skip_operand(reader)) return 0;
    if (follows & b_) immediate += 1;
    if (follows & w_) immediate += 2;
    if (follows & z_) immediate += is_short ? 2 : 4;
    if (follows & d_) immediate += 4;
    if (follows & v_) immediate += reader->wide ? 8 : is_short ? 2 : 4;
    if (follows & o_) immediate += reader->has_67 ? 4 : 8;
    if (!has(reader, immediate)) return 0;
    reader->at += immediate;
    return reader->at <= 15 ? reader->at : 0;
}

/* VEX and EVEX have the maps of 0F, 0F 38 and 0F 3A by number. */
static size_t finish_vector(struct reader *reader, unsigned map, int is_evex)
{
    if (!has(reader, 1)) return 0;
    unsigned char opcode = reader->code[reader->at++];
    switch (map) {
    case 1:
        if (!is_evex && opcode == 0x77) return finish(reader, n_); /* vzeroupper */
        if ((opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 || (opcode >= 0xc4 && opcode <= 0xc6)) return finish(reader, mb);
        return finish(reader, m_);
    case 2: return finish(reader, m_);
    case 3: return finish(reader, mb);
    case 5:
    case 6: return is_evex ? finish(reader, m_) : 0; /* 16-bit reals */
    default: return 0;
    }
}

static size_t finish_xop(struct reader *reader, unsigned map)
{
    if (!has(reader, 2)) return 0;
    reader->at += 2; /* the second byte and the opcode */
    reader->has_66 = 0;
    return map == 8 ? finish(reader, mb) : map == 9 ? finish(reader, m_) : map == 10 ? finish(reader, m_ | d_) : 0;
}

static size_t finish_two_bytes(struct reader *reader)
{
    if (!has(reader, 1)) return 0;
    unsigned char opcode = reader->code[reader->at++];
    if (opcode == 0x38 || opcode == 0x3a) {
        if (!has(reader, 1)) return 0;
        reader->at++;
        return finish(reader, opcode == 0x38 ? m_ : mb);
    }
    if (opcode >= 0x20 && opcode <= 0x23) { /* control registers: ModRM names registers whatever its mode says */
        if (!has(reader, 1)) return 0;
        reader->at++;
        return finish(reader, n_);
    }
    if (opcode == 0x78 && (reader->has_66 || reader->has_f2)) return finish(reader, m_ | w_); /* extrq, insertq */
    return finish(reader, two_byte_map[opcode]);
}

size_t instruction_length(const unsigned char *code, size_t available)
{
    struct reader reader = {.code = code, .available = available};
    skip_prefixes(&reader);
    if (!has(&reader, 1)) return 0;
    unsigned char opcode = code[reader.at++];
    unsigned char next = has(&reader, 1) ? code[reader.at] : 0;
    switch (opcode) {
    case 0x0f: return finish_two_bytes(&reader);
    case 0xc5:
        if (!has(&reader, 1)) return 0;
        reader.at += 1;
        return finish_vector(&reader, 1, 0);
    case 0xc4:
        if (!has(&reader, 2)) return 0;
        reader.at += 2;
        return finish_vector(&reader, next & 0x1f, 0);
    case 0x62:
        if (!has(&reader, 3)) return 0;
        reader.at += 3;
        return finish_vector(&reader, next & 7, 1);
    case 0x8f:
        if ((next & 0x1f) >= 8) return ++reader.at, finish_xop(&reader, next & 0x1f);
        return finish(&reader, m_);
    case 0xf6: return finish(&reader, (next >> 3 & 7) < 2 ? mb : m_); /* only TEST has an immediate */
    case 0xf7: return finish(&reader, (next >> 3 & 7) < 2 ? mz : m_);
    default: return finish(&reader, one_byte_map[opcode]);
    }
}
