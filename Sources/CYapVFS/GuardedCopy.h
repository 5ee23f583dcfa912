#ifndef GUARDED_COPY_H
#define GUARDED_COPY_H

#include <stdbool.h>
#include <stddef.h>

/// Copies bytes from mapped memory of a file. Returns false if the kernel could not provide them, because the file is
/// shorter or the disk has failed; `to` then has any content.
bool guarded_copy(void *to, const void *from, size_t size);

#endif
