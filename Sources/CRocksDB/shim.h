#ifndef CROCKSDB_SHIM_H
#define CROCKSDB_SHIM_H

#include <rocksdb/c.h>

#endif
