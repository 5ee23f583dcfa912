// Compares layouts of the engine's data table: measures candidates on the same rows, in interleaved rounds.
//
//     clang -O2 -Wall -Wextra -Werror Benchmarks/table-layout.c -lsqlite3 -o table-layout
//     ./table-layout --rows 100000 --value 100 --keys random --rounds 7 --dir /tmp/table-layout
//
// On a shared machine only ratios within one round are meaningful. Each figure is the original layout's time divided by
// the candidate's, both measured in the same round, so more than 1 is faster than the original.
#define _POSIX_C_SOURCE 200809L

#include <sqlite3.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { KEY_BYTES = 16, FRAME_BYTES = 24 + 4096, POOL_BYTES = 1 << 20, RANGE_BITS = 40, MAX_COLLECTIONS = 10000 };
enum { LOAD_WAL_BYTES = 64 << 20, GROWN_WAL_BYTES = 160 << 20 };
enum { READS = 100000, UPDATES = 10000, BATCHES = 100, BATCH_ROWS = 100, MOST_SCANNED = 500000, MAX_SAMPLES = 100 };

// The address of a row in a layout: the collection's name or number and the key, or a rowid made from a hash of both.
typedef enum { BY_NAME, BY_NUMBER, BY_HASH, BY_RANGE } Address;

typedef enum { BEGIN, COMMIT, COUNT_UP, INSERT_ROW, READ_ROW, UPDATE_ROW, SCAN_ROWS, CREATE, STATEMENTS } Statement;

// Parameters: ?1 is the collection or the rowid, ?2 the key, ?3 the object, ?4 the collection's number beside a rowid.
typedef struct {
    const char *name, *about;
    Address address;
    const char *sql[STATEMENTS];
} Layout;

#define SHARED_SQL                                                                                                     \
    [BEGIN] = "BEGIN IMMEDIATE", [COMMIT] = "COMMIT",                                                                  \
    [COUNT_UP] = "UPDATE snapshot SET number = number + 1 WHERE id = 1"
#define KEYED_SQL                                                                                                      \
    SHARED_SQL, [INSERT_ROW] = "INSERT INTO data(collection, key, object, metadata) VALUES(?1, ?2, ?3, NULL)",         \
    [READ_ROW] = "SELECT object FROM data WHERE collection = ?1 AND key = ?2",                                         \
    [UPDATE_ROW] = "UPDATE data SET object = ?3 WHERE collection = ?1 AND key = ?2",                                   \
    [SCAN_ROWS] = "SELECT key, object FROM data WHERE collection = ?1"

static const Layout layouts[] = {
    {"original", "rowid table, collection as text, unique index (collection, key)", BY_NAME, {KEYED_SQL,
     [CREATE] = "CREATE TABLE data(rowid INTEGER PRIMARY KEY, collection TEXT NOT NULL, key TEXT NOT NULL,"
                " object BLOB, metadata BLOB); CREATE UNIQUE INDEX place ON data(collection, key)"}},
    {"interned", "the same, collection as a number", BY_NUMBER, {KEYED_SQL,
     [CREATE] = "CREATE TABLE data(rowid INTEGER PRIMARY KEY, collection INTEGER NOT NULL, key TEXT NOT NULL,"
                " object BLOB, metadata BLOB); CREATE UNIQUE INDEX place ON data(collection, key)"}},
    {"hashed", "rowid = 63-bit hash of (collection, key), index on collection", BY_HASH, {SHARED_SQL,
     [INSERT_ROW] = "INSERT INTO data(rowid, collection, key, object, metadata) VALUES(?1, ?4, ?2, ?3, NULL)",
     [READ_ROW] = "SELECT object, key, collection FROM data WHERE rowid = ?1",
     [UPDATE_ROW] = "UPDATE data SET object = ?3 WHERE rowid = ?1 AND key = ?2 AND collection = ?4",
     [SCAN_ROWS] = "SELECT key, object FROM data WHERE collection = ?1",
     [CREATE] = "CREATE TABLE data(rowid INTEGER PRIMARY KEY, collection INTEGER NOT NULL, key TEXT NOT NULL,"
                " object BLOB, metadata BLOB); CREATE INDEX place ON data(collection)"}},
    {"clustered", "WITHOUT ROWID, primary key (collection number, key)", BY_NUMBER, {KEYED_SQL,
     [CREATE] = "CREATE TABLE data(collection INTEGER NOT NULL, key TEXT NOT NULL, object BLOB, metadata BLOB,"
                " PRIMARY KEY(collection, key)) WITHOUT ROWID"}},
    {"ranged", "rowid = collection number (23 bits), hash of the key (40 bits); no index", BY_RANGE, {SHARED_SQL,
     [INSERT_ROW] = "INSERT INTO data(rowid, key, object, metadata) VALUES(?1, ?2, ?3, NULL)",
     [READ_ROW] = "SELECT object, key FROM data WHERE rowid = ?1",
     [UPDATE_ROW] = "UPDATE data SET object = ?3 WHERE rowid = ?1 AND key = ?2",
     [SCAN_ROWS] = "SELECT key, object FROM data WHERE rowid BETWEEN ?1 AND ?2",
     [CREATE] = "CREATE TABLE data(rowid INTEGER PRIMARY KEY, key TEXT NOT NULL, object BLOB, metadata BLOB)"}},
};

enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

typedef enum { LOAD, LOAD_CHECKPOINTED, READ, SCAN, UPDATE_ONE, UPDATE_BATCH, WORKS } Work;

static const char *const workNames[WORKS] = {"load, per row", "  with checkpoints", "random read, one transaction",
                                              "scan of collections", "update, 1 row a tx", "update, 100 rows a tx"};

static struct {
    long rows, value, rounds, collections, loadRows, slices, hashBits;
    bool randomKeys;
    const char *directory;
} options = {100000, 100, 5, 100, 10000, 0, 63, true, "/tmp/table-layout"};

typedef struct {
    const Layout *layout;
    char path[1024], wal[1040];
    sqlite3 *db;
    sqlite3_stmt *statements[STATEMENTS];
    long frames, checkpointedFrames;
} Store;
typedef struct { uint32_t collection; char key[KEY_BYTES]; } Row;

static Store stores[LAYOUTS];
static double samples[WORKS][LAYOUTS][MAX_SAMPLES], queuedShares[WORKS][LAYOUTS * MAX_SAMPLES];
static int sampleCounts[WORKS], queuedCounts[WORKS];
static double fileBytes[LAYOUTS], walBytes[WORKS][LAYOUTS];
static char names[MAX_COLLECTIONS][16];
static uint8_t pool[POOL_BYTES];
static uint64_t hashSeed, payloadState = 1, sink;
static long probes;

static void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

static void require(const Store *store, bool fine) {
    if (!fine) fail("%s: %s", store->layout->name, sqlite3_errmsg(store->db));
}

static uint64_t mix(uint64_t word) {
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
    return word ^ (word >> 31);
}

static uint64_t draw(uint64_t *state) { return mix(*state += 0x9e3779b97f4a7c15u); }

// Replaces a keyed hash such as SipHash-1-3, without which chosen keys could all share one rowid.
static uint64_t hashOf(const Row *row) {
    uint64_t words[2];
    memcpy(words, row->key, KEY_BYTES);
    return mix(mix(mix(hashSeed ^ row->collection) ^ words[0]) ^ words[1]);
}

// Sequential keys are inserted in order, one collection after the other; random keys in all collections in turn.
static Row rowAt(uint64_t index) {
    Row row;
    uint64_t number = options.randomKeys ? mix(index + 1) : index;
    uint64_t perCollection = (uint64_t)(options.rows / options.collections);
    row.collection = (uint32_t)(options.randomKeys ? index % (uint64_t)options.collections : index / perCollection);
    for (int i = KEY_BYTES - 1; i >= 0; i--, number >>= 4) row.key[i] = "0123456789abcdef"[number & 15];
    return row;
}

// Binds a window of the pool at a random offset. SQLite skips a write of identical bytes, so values must differ.
static void bindPayload(sqlite3_stmt *statement) {
    uint64_t offset = draw(&payloadState) % (uint64_t)(POOL_BYTES - options.value);
    sqlite3_bind_blob(statement, 3, pool + offset, (int)options.value, SQLITE_STATIC);
}

static bool isHashed(const Store *store) { return store->layout->address >= BY_HASH; }

static void bindRow(const Store *store, sqlite3_stmt *statement, const Row *row) {
    if (store->layout->address == BY_NAME) sqlite3_bind_text(statement, 1, names[row->collection], -1, SQLITE_STATIC);
    if (store->layout->address == BY_NUMBER) sqlite3_bind_int64(statement, 1, row->collection);
    // A hash reads by rowid alone, and the key is compared afterwards.
    if (isHashed(store) && statement == store->statements[READ_ROW]) return;
    if (store->layout->address == BY_HASH) sqlite3_bind_int64(statement, 4, row->collection);
    sqlite3_bind_text(statement, 2, row->key, KEY_BYTES, SQLITE_STATIC);
}

// A key whose rowid is taken by another key uses the next rowid.
static void bindRowid(const Store *store, sqlite3_stmt *statement, const Row *row, uint64_t hash) {
    if (!isHashed(store)) return;
    bool ranged = store->layout->address == BY_RANGE;
    long bits = ranged && options.hashBits > RANGE_BITS ? RANGE_BITS : options.hashBits;
    uint64_t range = ranged ? (uint64_t)row->collection << RANGE_BITS : 0;
    sqlite3_bind_int64(statement, 1, (int64_t)(range | (hash & (UINT64_MAX >> (64 - bits)))));
}

static void stepOnce(const Store *store, Statement statement) {
    require(store, sqlite3_step(store->statements[statement]) == SQLITE_DONE);
    sqlite3_reset(store->statements[statement]);
}

static bool isFound(const Store *store, const Row *row) {
    sqlite3_stmt *statement = store->statements[READ_ROW];
    if (!isHashed(store)) return true;
    if (memcmp(sqlite3_column_blob(statement, 1), row->key, KEY_BYTES) != 0) return false;
    return store->layout->address == BY_RANGE || sqlite3_column_int64(statement, 2) == row->collection;
}

static void touch(sqlite3_stmt *statement, int column) {
    const uint8_t *bytes = sqlite3_column_blob(statement, column);
    int count = sqlite3_column_bytes(statement, column);
    if (count == 0) fail("a row without bytes");
    sink += (uint64_t)bytes[0] + bytes[count - 1];
}

// Inserts, reads or updates one row, which must exist unless it is inserted. A hash probes past rows of other keys.
static void perform(const Store *store, Statement kind, const Row *row) {
    sqlite3_stmt *statement = store->statements[kind];
    int collision = kind == INSERT_ROW ? SQLITE_CONSTRAINT : kind == READ_ROW ? SQLITE_ROW : SQLITE_DONE;
    uint64_t hash = isHashed(store) ? hashOf(row) : 0;
    bindRow(store, statement, row);
    if (kind != READ_ROW) bindPayload(statement);
    for (bool found = false; !found; hash++, probes += !found) {
        bindRowid(store, statement, row, hash);
        int code = sqlite3_step(statement);
        if (kind == INSERT_ROW) found = code == SQLITE_DONE;
        if (kind == UPDATE_ROW) found = code == SQLITE_DONE && sqlite3_changes(store->db) == 1;
        if (kind == READ_ROW) found = code == SQLITE_ROW && isFound(store, row);
        if (kind == READ_ROW && found) touch(statement, 0);
        sqlite3_reset(statement);
        require(store, found || (isHashed(store) && code == collision));
    }
}

static long scanCollection(const Store *store, uint32_t collection) {
    sqlite3_stmt *statement = store->statements[SCAN_ROWS];
    int64_t first = store->layout->address == BY_RANGE ? (int64_t)collection << RANGE_BITS : (int64_t)collection;
    sqlite3_bind_int64(statement, 1, first);
    if (store->layout->address == BY_RANGE) sqlite3_bind_int64(statement, 2, first + (1LL << RANGE_BITS) - 1);
    if (store->layout->address == BY_NAME) sqlite3_bind_text(statement, 1, names[collection], -1, SQLITE_STATIC);
    long count = 0;
    for (; sqlite3_step(statement) == SQLITE_ROW; count++) touch(statement, 0), touch(statement, 1);
    require(store, sqlite3_reset(statement) == SQLITE_OK);
    return count;
}

static int countFrames(void *store, sqlite3 *db, const char *schema, int frames) {
    (void)db, (void)schema;
    ((Store *)store)->frames = frames;
    return SQLITE_OK;
}

// RESTART and not TRUNCATE, so that the next section overwrites the same file, as a running engine does.
static void checkpoint(Store *store) {
    require(store, sqlite3_wal_checkpoint_v2(store->db, NULL, SQLITE_CHECKPOINT_RESTART, NULL, NULL) == SQLITE_OK);
    store->checkpointedFrames += store->frames;
    store->frames = 0;
}

static void run(const Store *store, const char *sql) {
    require(store, sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK);
}

// A growing WAL takes about twice as long as an overwritten one, so all start large; SQLite ignores the excess.
static void growWal(const Store *store) {
    FILE *file = fopen(store->wal, "ab");
    if (!file) fail("cannot open %s", store->wal);
    for (long bytes = 0; bytes < GROWN_WAL_BYTES; bytes += POOL_BYTES)
        if (fwrite(pool, POOL_BYTES, 1, file) != 1) fail("cannot grow %s", store->wal);
    fclose(file);
}

static void openStore(Store *store, const Layout *layout) {
    *store = (Store){.layout = layout};
    snprintf(store->path, sizeof store->path, "%s/%s.sqlite", options.directory, layout->name);
    snprintf(store->wal, sizeof store->wal, "%s-wal", store->path);
    unlink(store->path);
    if (sqlite3_open(store->path, &store->db) != SQLITE_OK) fail("cannot open %s", store->path);
    run(store, "PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;"
               "PRAGMA cache_size = -2000; PRAGMA wal_autocheckpoint = 0;"
               "CREATE TABLE snapshot(id INTEGER PRIMARY KEY, number INTEGER NOT NULL);"
               "INSERT INTO snapshot VALUES(1, 0)");
    run(store, layout->sql[CREATE]);
    for (int i = 0; i < CREATE; i++) {
        sqlite3_stmt **statement = &store->statements[i];
        int code = sqlite3_prepare_v3(store->db, layout->sql[i], -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
        require(store, code == SQLITE_OK);
    }
    sqlite3_wal_hook(store->db, countFrames, store);
    checkpoint(store);
    growWal(store);
}

static void closeStore(Store *store) {
    for (int i = 0; i < STATEMENTS; i++) sqlite3_finalize(store->statements[i]);
    require(store, sqlite3_close(store->db) == SQLITE_OK);
    unlink(store->path);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// Returns the seconds spent waiting for a core, which show the figures that other processes affected. Linux only.
static double queued(void) {
    unsigned long long running = 0, waiting = 0;
    FILE *file = fopen("/proc/thread-self/schedstat", "r");
    if (!file) return 0;
    if (fscanf(file, "%llu %llu", &running, &waiting) != 2) waiting = 0;
    fclose(file);
    return (double)waiting / 1e9;
}

// Loads the rows from `first` up to `last`, without `last`. Checkpoints inside a load are timed separately, and
// reported in their own line.
static double loadRows(Store *store, long first, long last) {
    double outside = 0;
    for (long row = first; row < last;) {
        long end = row + options.loadRows < last ? row + options.loadRows : last;
        stepOnce(store, BEGIN);
        for (; row < end; row++) {
            Row next = rowAt((uint64_t)row);
            perform(store, INSERT_ROW, &next);
        }
        stepOnce(store, COUNT_UP);
        stepOnce(store, COMMIT);
        if (store->frames > LOAD_WAL_BYTES / FRAME_BYTES || row == last) {
            double start = now();
            checkpoint(store);
            outside += now() - start;
        }
    }
    return outside;
}

static void readRows(const Store *store, uint64_t seed) {
    run(store, "BEGIN");
    for (long i = 0; i < READS; i++) {
        Row row = rowAt(draw(&seed) % (uint64_t)options.rows);
        perform(store, READ_ROW, &row);
    }
    run(store, "COMMIT");
}

static long scanRows(const Store *store, uint64_t seed) {
    long goal = options.rows < MOST_SCANNED ? options.rows : MOST_SCANNED, count = 0;
    for (uint64_t next = draw(&seed); count < goal; next++) {
        long found = scanCollection(store, (uint32_t)(next % (uint64_t)options.collections));
        if (found != options.rows / options.collections) fail("%s: rows are missing", store->layout->name);
        count += found;
    }
    return count;
}

static void updateRows(const Store *store, uint64_t seed, long transactions, long rows) {
    for (long i = 0; i < transactions; i++) {
        stepOnce(store, BEGIN);
        for (long j = 0; j < rows; j++) {
            Row row = rowAt(draw(&seed) % (uint64_t)options.rows);
            perform(store, UPDATE_ROW, &row);
        }
        stepOnce(store, COUNT_UP);
        stepOnce(store, COMMIT);
    }
}

static void measure(Work work, int layout, uint64_t seed, long first, long last) {
    Store *store = &stores[layout];
    double operations = (double)(last - first), outside = 0;
    store->checkpointedFrames = 0;
    double waited = queued(), start = now();
    if (work == LOAD) outside = loadRows(store, first, last);
    if (work == READ) readRows(store, seed), operations = READS;
    if (work == SCAN) operations = (double)scanRows(store, seed);
    if (work == UPDATE_ONE) updateRows(store, seed, UPDATES, 1), operations = UPDATES;
    if (work == UPDATE_BATCH) updateRows(store, seed, BATCHES, BATCH_ROWS), operations = BATCHES * BATCH_ROWS;
    double seconds = now() - start;
    queuedShares[work][queuedCounts[work]++] = (queued() - waited) / seconds;
    checkpoint(store);
    samples[work][layout][sampleCounts[work]] = (seconds - outside) / operations;
    if (work == LOAD) samples[LOAD_CHECKPOINTED][layout][sampleCounts[work]] = seconds / operations;
    double transactions = work == UPDATE_BATCH ? BATCHES : operations;
    walBytes[work][layout] += (double)store->checkpointedFrames * FRAME_BYTES / transactions;
    fprintf(stderr, " %s %.2f", store->layout->name, seconds / operations * 1e6);
}

// Every layout does the same work, in a new random order, before any layout continues with the next work.
static void measureAll(Work work, uint64_t *seed, long first, long last) {
    int order[LAYOUTS];
    for (int i = 0; i < LAYOUTS; i++) {
        int place = (int)(draw(seed) % (uint64_t)(i + 1));
        if (place < i) order[i] = order[place];
        order[place] = i;
    }
    uint64_t shared = draw(seed);
    fprintf(stderr, "%s (us):", workNames[work]);
    for (int i = 0; i < LAYOUTS; i++) measure(work, order[i], shared, first, last);
    fputc('\n', stderr);
    sampleCounts[work]++;
    if (work == LOAD) sampleCounts[LOAD_CHECKPOINTED]++;
}

static void loadAll(uint64_t *seed) {
    hashSeed = draw(seed);
    for (int i = 0; i < LAYOUTS; i++) openStore(&stores[i], &layouts[i]);
    long slices = options.slices > 0 ? options.slices : 1;
    for (long slice = 0; slice < slices; slice++)
        measureAll(LOAD, seed, options.rows * slice / slices, options.rows * (slice + 1) / slices);
    struct stat status = {0};
    for (int i = 0; i < LAYOUTS; i++)
        if (stat(stores[i].path, &status) == 0) fileBytes[i] = (double)status.st_size;
}

static void measureRounds(void) {
    uint64_t seed = (uint64_t)time(NULL);
    bool once = options.slices > 0;
    for (long round = 0; round < options.rounds; round++) {
        if (!once || round == 0) loadAll(&seed);
        for (Work work = READ; work < WORKS; work++) measureAll(work, &seed, 0, 0);
        if (once && round < options.rounds - 1) continue;
        for (int i = 0; i < LAYOUTS; i++) closeStore(&stores[i]);
    }
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, ascending);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static void printSpeeds(void) {
    printf("%-30s %9s", "speed, ratio to original", "original");
    for (int i = 1; i < LAYOUTS; i++) printf("   %-17s", layouts[i].name);
    printf("  queued\n");
    for (int work = 0; work < WORKS; work++) {
        int count = sampleCounts[work];
        double sorted[MAX_SAMPLES];
        memcpy(sorted, samples[work][0], sizeof sorted);
        printf("%-30s %6.2f us", workNames[work], median(sorted, count) * 1e6);
        for (int i = 1; i < LAYOUTS; i++) {
            for (int j = 0; j < count; j++) sorted[j] = samples[work][0][j] / samples[work][i][j];
            double middle = median(sorted, count);
            printf("   %4.2f (%4.2f-%5.2f)", middle, sorted[0], sorted[count - 1]);
        }
        if (queuedCounts[work]) printf("   %4.1f %%", 100 * median(queuedShares[work], queuedCounts[work]));
        printf("\n");
    }
}

static void printSizes(const char *title, const double *values, double divisor) {
    printf("%-30s %9.1f", title, values[0] / divisor);
    for (int i = 1; i < LAYOUTS; i++) printf("   %9.1f (%4.2f)", values[i] / divisor, values[i] / values[0]);
    printf("\n");
}

static void report(void) {
    const char *keys = options.randomKeys ? "random" : "sequential";
    printf("%ld rows in %ld collections, %ld-byte values, ", options.rows, options.collections, options.value);
    printf("%s keys, %ld rounds, SQLite %s, synchronous OFF\n", keys, options.rounds, sqlite3_libversion());
    printSpeeds();
    printSizes("file, MiB", fileBytes, 1 << 20);
    printSizes("WAL bytes a row loaded", walBytes[LOAD], sampleCounts[LOAD]);
    printSizes("WAL bytes a tx of 1 update", walBytes[UPDATE_ONE], sampleCounts[UPDATE_ONE]);
    printSizes("WAL bytes a tx of 100 updates", walBytes[UPDATE_BATCH], sampleCounts[UPDATE_BATCH]);
    if (probes) printf("probes past another key's rowid: %ld\n", probes);
}

static void help(void) {
    puts("usage: table-layout [option value]...\n\n"
         "Compares layouts of the data table. WAL, page cache 2 MB, synchronous OFF, no automatic checkpoint, a\n"
         "checkpoint between works. Every writing transaction also counts up the one row of a snapshot table.\n\n"
         "  --rows         rows to load, a multiple of the collections (100000)\n"
         "  --value        bytes of an object (100)\n"
         "  --keys         random, in all collections by turns; or sequential, collection after collection (random)\n"
         "  --rounds       rounds, each with the layouts in an order drawn anew (5)\n"
         "  --dir          directory for the files, made if absent; the files are removed (/tmp/table-layout)\n"
         "  --collections  collections (100)\n"
         "  --load-rows    rows a transaction of the load (10000)\n"
         "  --slices       load once, not per round, in so many interleaved slices, each a sample (0: per round)\n"
         "  --hash-bits    bits of the hash that count; few of them exercise the probing (63)\n\n"
         "Ratios are medians, with the least and the greatest of all rounds; more than 1 is faster than the original.\n"
         "queued is the median share of time spent waiting for a core. Progress goes to standard error.\n\nlayouts:");
    for (int i = 0; i < LAYOUTS; i++) printf("  %-13s%s\n", layouts[i].name, layouts[i].about);
    exit(0);
}

static long number(const char *name, const char *text, long least, long most) {
    char *end = NULL;
    long value = strtol(text, &end, 10);
    if (*text == 0 || *end != 0 || value < least || value > most)
        fail("%s takes %ld to %ld, not %s", name, least, most, text);
    return value;
}

static void parse(int count, char **arguments) {
    for (int i = 1; i < count; i++) {
        const char *name = arguments[i];
        if (strcmp(name, "--help") == 0) help();
        if (++i == count) fail("%s: unknown, or needs a value; see --help", name);
        const char *text = arguments[i];
        if (strcmp(name, "--dir") == 0) options.directory = text;
        else if (strcmp(name, "--keys") == 0) options.randomKeys = strcmp(text, "sequential") != 0;
        else if (strcmp(name, "--rows") == 0) options.rows = number(name, text, 1, 1000000000);
        else if (strcmp(name, "--value") == 0) options.value = number(name, text, 16, POOL_BYTES / 2);
        else if (strcmp(name, "--rounds") == 0) options.rounds = number(name, text, 1, MAX_SAMPLES);
        else if (strcmp(name, "--load-rows") == 0) options.loadRows = number(name, text, 1, 1000000);
        else if (strcmp(name, "--slices") == 0) options.slices = number(name, text, 0, MAX_SAMPLES);
        else if (strcmp(name, "--hash-bits") == 0) options.hashBits = number(name, text, 1, 63);
        else if (strcmp(name, "--collections") == 0) options.collections = number(name, text, 1, MAX_COLLECTIONS);
        else fail("%s: unknown; see --help", name);
    }
    if (options.rows % options.collections != 0) fail("--rows must be a multiple of --collections");
    if (options.hashBits < 63 && options.rows > 1L << options.hashBits) fail("--hash-bits: fewer rowids than rows");
}

int main(int count, char **arguments) {
    parse(count, arguments);
    mkdir(options.directory, 0755);
    uint64_t state = 0;
    for (int i = 0; i < POOL_BYTES; i++) pool[i] = (uint8_t)draw(&state);
    for (int i = 0; i < MAX_COLLECTIONS; i++) snprintf(names[i], sizeof names[i], "thread-%05d", i);
    measureRounds();
    report();
    if (sink == 0) fail("nothing was read");
}
