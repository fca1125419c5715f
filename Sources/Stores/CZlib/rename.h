// Swift's Glibc module is built without _GNU_SOURCE and so lacks these; the C library has them.
#ifndef MOORING_RENAME_H
#define MOORING_RENAME_H

extern int renameat2(
    int old_folder, const char *old_name, int new_folder, const char *new_name,
    unsigned int flags);

// Its struct lacks there, too: 256 bytes, of which the adapter reads two words.
extern int statx(
    int folder, const char *name, int flags, unsigned int mask, void *facts);

// Nor is sys/vfs.h part of it: 120 bytes, of which the adapter reads the first word.
extern int fstatfs(int folder, void *facts);

#endif
