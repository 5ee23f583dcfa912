#include "Recording.h"

#include <stdlib.h>
#include <string.h>

void recording_clear(struct recording *recording) {
  for (size_t index = 0; index < recording->operation_count; index += 1) {
    free((void *)recording->operations[index].bytes);
  }
  for (size_t number = 0; number < recording->file_count; number += 1) free(recording->files[number].path);
  free(recording->operations);
  free(recording->files);
  unsigned generation = recording->generation;
  *recording = (struct recording){.is_complete = 1, .generation = generation};
}

/// Makes room for one more element. Returns 0 if memory is exhausted.
static int reserve(void **elements, size_t count, size_t *capacity, size_t element_size) {
  if (count < *capacity) return 1;
  size_t wanted = *capacity == 0 ? 64 : 2 * *capacity;
  void *grown = realloc(*elements, wanted * element_size);
  if (grown == NULL) return 0;
  *elements = grown;
  *capacity = wanted;
  return 1;
}

/// Appends an operation. With the lock of the scope held.
static void append(struct recording *recording, struct cfaultvfs_operation operation) {
  if (!recording->is_on) return;
  int has_room = reserve(
      (void **)&recording->operations, recording->operation_count, &recording->operation_capacity, sizeof operation);
  if (!has_room) {
    free((void *)operation.bytes);
    recording->is_complete = 0;
    return;
  }
  recording->operations[recording->operation_count++] = operation;
}

/// Returns the number of the file at a path, and adds the file if it is not known. With the lock of the scope held.
static uint32_t file_at(struct recording *recording, const char *path, enum cfaultvfs_kind kind, int is_new) {
  for (size_t number = recording->file_count; number > 0; number -= 1) {
    struct recorded_file *file = &recording->files[number - 1];
    if (file->is_linked && strcmp(file->path, path) == 0) return (uint32_t)(number - 1);
  }
  int has_room =
      reserve((void **)&recording->files, recording->file_count, &recording->file_capacity, sizeof *recording->files);
  char *copy = has_room ? strdup(path) : NULL;
  if (copy == NULL) {
    recording->is_complete = 0;
    return 0;
  }
  uint32_t number = (uint32_t)recording->file_count++;
  recording->files[number] = (struct recorded_file){.path = copy, .kind = kind, .is_linked = 1};
  append(
      recording, (struct cfaultvfs_operation){.kind = is_new ? CFAULTVFS_CREATE : CFAULTVFS_OPEN, .file = number});
  return number;
}

unsigned recording_generation(struct cfaultvfs_scope *scope) {
  pthread_mutex_lock(&scope->lock);
  unsigned generation = scope->recording.is_on ? scope->recording.generation : 0;
  pthread_mutex_unlock(&scope->lock);
  return generation;
}

struct recorded_number recording_opened(
    struct cfaultvfs_scope *scope, const char *path, enum cfaultvfs_kind kind, int is_new) {
  struct recorded_number number = {0};
  pthread_mutex_lock(&scope->lock);
  if (scope->recording.is_on) {
    number.generation = scope->recording.generation;
    number.file = file_at(&scope->recording, path, kind, is_new);
  }
  pthread_mutex_unlock(&scope->lock);
  return number;
}

static void append_for(
    struct cfaultvfs_scope *scope, struct recorded_number number, struct cfaultvfs_operation operation) {
  pthread_mutex_lock(&scope->lock);
  if (scope->recording.is_on && number.generation == scope->recording.generation) {
    operation.file = number.file;
    append(&scope->recording, operation);
  } else {
    free((void *)operation.bytes);
  }
  pthread_mutex_unlock(&scope->lock);
}

void recording_wrote(
    struct cfaultvfs_scope *scope, struct recorded_number number, const void *bytes, int size, uint64_t offset) {
  if (number.generation == 0) return;
  uint8_t *copy = malloc((size_t)size);
  if (copy == NULL) {
    pthread_mutex_lock(&scope->lock);
    scope->recording.is_complete = 0;
    pthread_mutex_unlock(&scope->lock);
    return;
  }
  memcpy(copy, bytes, (size_t)size);
  append_for(
      scope,
      number,
      (struct cfaultvfs_operation){
          .kind = CFAULTVFS_WRITE, .size = (uint32_t)size, .offset = offset, .bytes = copy});
}

void recording_truncated(struct cfaultvfs_scope *scope, struct recorded_number number, uint64_t size) {
  append_for(scope, number, (struct cfaultvfs_operation){.kind = CFAULTVFS_TRUNCATE, .offset = size});
}

void recording_synced(struct cfaultvfs_scope *scope, struct recorded_number number, int flags, size_t begun) {
  append_for(
      scope,
      number,
      (struct cfaultvfs_operation){.kind = CFAULTVFS_SYNC, .flags = (uint32_t)flags, .offset = begun});
}

void recording_deleted(struct cfaultvfs_scope *scope, const char *path, enum cfaultvfs_kind kind, int syncs) {
  pthread_mutex_lock(&scope->lock);
  struct recording *recording = &scope->recording;
  if (recording->is_on) {
    uint32_t number = file_at(recording, path, kind, 0);
    append(recording, (struct cfaultvfs_operation){.kind = CFAULTVFS_DELETE, .file = number});
    if (number < recording->file_count) recording->files[number].is_linked = 0;
    if (syncs) append(recording, (struct cfaultvfs_operation){.kind = CFAULTVFS_DIRECTORY_SYNC, .file = number});
  }
  pthread_mutex_unlock(&scope->lock);
}

void cfaultvfs_start_recording(struct cfaultvfs_scope *scope) {
  pthread_mutex_lock(&scope->lock);
  recording_clear(&scope->recording);
  scope->recording.generation += 1;
  scope->recording.is_on = 1;
  pthread_mutex_unlock(&scope->lock);
}

void cfaultvfs_stop_recording(struct cfaultvfs_scope *scope) {
  pthread_mutex_lock(&scope->lock);
  scope->recording.is_on = 0;
  pthread_mutex_unlock(&scope->lock);
}

void cfaultvfs_mark(struct cfaultvfs_scope *scope, uint32_t kind, uint64_t number) {
  pthread_mutex_lock(&scope->lock);
  append(
      &scope->recording, (struct cfaultvfs_operation){.kind = CFAULTVFS_MARK, .flags = kind, .offset = number});
  pthread_mutex_unlock(&scope->lock);
}

size_t cfaultvfs_operation_count(struct cfaultvfs_scope *scope) {
  pthread_mutex_lock(&scope->lock);
  size_t count = scope->recording.operation_count;
  pthread_mutex_unlock(&scope->lock);
  return count;
}

struct cfaultvfs_operation cfaultvfs_operation_at(struct cfaultvfs_scope *scope, size_t index) {
  pthread_mutex_lock(&scope->lock);
  struct cfaultvfs_operation operation = scope->recording.operations[index];
  pthread_mutex_unlock(&scope->lock);
  return operation;
}

size_t cfaultvfs_file_count(struct cfaultvfs_scope *scope) {
  pthread_mutex_lock(&scope->lock);
  size_t count = scope->recording.file_count;
  pthread_mutex_unlock(&scope->lock);
  return count;
}

struct cfaultvfs_file cfaultvfs_file_at(struct cfaultvfs_scope *scope, size_t number) {
  pthread_mutex_lock(&scope->lock);
  struct recorded_file *file = &scope->recording.files[number];
  struct cfaultvfs_file found = {.path = file->path, .kind = file->kind};
  pthread_mutex_unlock(&scope->lock);
  return found;
}

int cfaultvfs_is_recording_complete(struct cfaultvfs_scope *scope) {
  pthread_mutex_lock(&scope->lock);
  int is_complete = scope->recording.is_complete;
  pthread_mutex_unlock(&scope->lock);
  return is_complete;
}
