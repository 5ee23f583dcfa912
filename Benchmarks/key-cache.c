// Measures the benefit of knowing a row's rowid: each statement of the engine by key and by rowid, on the same rows.
//
//     clang -O2 -Wall -Wextra -Werror Benchmarks/key-cache.c -lsqlite3 -o key-cache
//     ./key-cache 100000 100 15 /tmp/key-cache.sqlite    # rows, bytes of a value, rounds, file to create
//
// The statements use a small hot set of rows, like those in a cache. Rounds by key and by rowid alternate. A ratio is
// computed from the times of one round; more than 1 means that the rowid is faster. The cost of a cache itself is not
// included.

#define _POSIX_C_SOURCE 200809L

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { HOT = 500, CALLS = 50000, MAX_ROUNDS = 99, KEY_BYTES = 17 };

typedef struct {
    const char *name, *byKey, *byRowid;
} Pair;

// The statement by rowid compares the key as well: a reused rowid must not match another row.
static const Pair pairs[] = {
    {"exists", "SELECT 1 FROM data WHERE collection = ?1 AND key = ?2",
     "SELECT 1 FROM data WHERE rowid = ?4 AND collection = ?1 AND key = ?2"},
    {"object", "SELECT object FROM data WHERE collection = ?1 AND key = ?2",
     "SELECT object FROM data WHERE rowid = ?4 AND collection = ?1 AND key = ?2"},
    {"update", "UPDATE data SET object = ?3 WHERE collection = ?1 AND key = ?2",
     "UPDATE data SET object = ?3 WHERE rowid = ?4 AND collection = ?1 AND key = ?2"},
};

static sqlite3 *db;
static uint64_t state = 1;
static char keys[HOT][KEY_BYTES];
static sqlite3_int64 rowids[HOT];
static uint8_t value[65536];

static void require(int fine) {
    if (fine) return;
    fprintf(stderr, "%s\n", sqlite3_errmsg(db));
    exit(1);
}

static uint64_t draw(void) {
    uint64_t word = state += 0x9e3779b97f4a7c15u;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
    return word ^ (word >> 31);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void run(const char *sql) { require(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK); }

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement = NULL;
    require(sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) == SQLITE_OK);
    return statement;
}

static void load(long rows, int bytes) {
    run("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;"
        "CREATE TABLE data(rowid INTEGER PRIMARY KEY, collection INTEGER NOT NULL, key TEXT NOT NULL,"
        " object BLOB NOT NULL, metadata BLOB); CREATE UNIQUE INDEX data_by_key ON data(collection, key); BEGIN");
    sqlite3_stmt *insert = prepare("INSERT INTO data(collection, key, object) VALUES (1, ?1, ?2)");
    for (long row = 0; row < rows; row++) {
        char key[KEY_BYTES];
        snprintf(key, sizeof key, "%016llx", (unsigned long long)draw());
        sqlite3_bind_text(insert, 1, key, KEY_BYTES - 1, SQLITE_STATIC);
        sqlite3_bind_blob(insert, 2, value, bytes, SQLITE_STATIC);
        require(sqlite3_step(insert) == SQLITE_DONE);
        sqlite3_reset(insert);
        long place = row / (rows / HOT);
        if (row % (rows / HOT) || place >= HOT) continue;
        memcpy(keys[place], key, sizeof key);
        rowids[place] = sqlite3_last_insert_rowid(db);
    }
    sqlite3_finalize(insert);
    run("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
}

// Returns the nanoseconds of one call, with all calls in one transaction.
static double measure(sqlite3_stmt *statement, int bytes) {
    int parameters = sqlite3_bind_parameter_count(statement);
    run("BEGIN");
    double start = now();
    for (int call = 0; call < CALLS; call++) {
        int hot = (int)(draw() % HOT);
        sqlite3_bind_int64(statement, 1, 1);
        sqlite3_bind_text(statement, 2, keys[hot], KEY_BYTES - 1, SQLITE_STATIC);
        if (parameters > 2) sqlite3_bind_blob(statement, 3, value + hot, bytes, SQLITE_STATIC);
        if (parameters > 3) sqlite3_bind_int64(statement, 4, rowids[hot]);
        int code = sqlite3_step(statement);
        require(code == SQLITE_ROW || (code == SQLITE_DONE && sqlite3_changes(db) == 1));
        if (code == SQLITE_ROW) value[0] ^= (uint8_t)sqlite3_column_bytes(statement, 0);
        sqlite3_reset(statement);
    }
    double took = (now() - start) / CALLS;
    run("COMMIT");
    return took;
}

static int ascending(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

int main(int count, char **arguments) {
    if (count != 5) return fprintf(stderr, "key-cache ROWS BYTES ROUNDS FILE\n"), 2;
    long rows = atol(arguments[1]);
    int bytes = atoi(arguments[2]), rounds = atoi(arguments[3]);
    if (rows < HOT || bytes < 0 || bytes > 60000 || rounds < 1 || rounds > MAX_ROUNDS) return 2;
    unlink(arguments[4]);
    require(sqlite3_open(arguments[4], &db) == SQLITE_OK);
    load(rows, bytes);
    printf("%-8s %10s %10s %8s %14s\n", "", "by key ns", "by rowid", "ratio", "spread");
    for (size_t pair = 0; pair < sizeof pairs / sizeof *pairs; pair++) {
        sqlite3_stmt *byKey = prepare(pairs[pair].byKey), *byRowid = prepare(pairs[pair].byRowid);
        double keyed[MAX_ROUNDS], direct[MAX_ROUNDS], ratios[MAX_ROUNDS];
        for (int round = -1; round < rounds; round++) {  // the first round warms up
            double first = measure(round % 2 ? byKey : byRowid, bytes);
            double second = measure(round % 2 ? byRowid : byKey, bytes);
            if (round < 0) continue;
            keyed[round] = round % 2 ? first : second;
            direct[round] = round % 2 ? second : first;
            ratios[round] = keyed[round] / direct[round];
        }
        qsort(keyed, (size_t)rounds, sizeof *keyed, ascending);
        qsort(direct, (size_t)rounds, sizeof *direct, ascending);
        qsort(ratios, (size_t)rounds, sizeof *ratios, ascending);
        printf("%-8s %10.0f %10.0f %8.2f    %.2f – %.2f\n", pairs[pair].name, keyed[rounds / 2], direct[rounds / 2],
               ratios[rounds / 2], ratios[rounds / 4], ratios[rounds * 3 / 4]);
        sqlite3_finalize(byKey);
        sqlite3_finalize(byRowid);
    }
    sqlite3_close(db);
}
