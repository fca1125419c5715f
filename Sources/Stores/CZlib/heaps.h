// malloc.h is no part of Swift's Glibc module.
#ifndef MOORING_HEAPS_H
#define MOORING_HEAPS_H

// M_ARENA_MAX and M_MMAP_THRESHOLD of the GNU C library.
enum { HEAPS_AT_MOST = -8, OWN_PAGES_FROM = -3 };

extern int mallopt(int option, int value);

#endif
