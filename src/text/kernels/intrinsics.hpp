// The vector instructions of x86-64 as functions.
#pragma once

// GCC 12 warns of its own header wherever an AVX-512 function is inlined (GCC bug 105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <immintrin.h>

#include "../../core/cpu.hpp"
