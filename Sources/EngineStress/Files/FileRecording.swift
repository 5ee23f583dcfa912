internal import CFaultVFS

/// The changes of a scope's files. If a thread relies on a change, that change comes before the thread's own.
package struct FileRecording: Sendable {
  package enum Operation: Sendable, Equatable {
    /// A file was created, with length 0. Its entry in the folder is not durable yet.
    case create(file: Int)
    /// An existing file was opened for the first time in this recording.
    case open(file: Int)
    case write(file: Int, offset: Int, bytes: [UInt8])
    case truncate(file: Int, size: Int)
    /// A sync has ended. `flags` are SQLite's. `begun` is the number of operations when it began; it covers the file's
    /// earlier ones.
    case sync(file: Int, flags: UInt32, begun: Int)
    /// A file was deleted. Its removal from the folder is not durable yet.
    case delete(file: Int)
    /// The folder was synced: all earlier creations and deletions are durable.
    case directorySync
    /// A mark that `FileScope.mark` added.
    case mark(kind: UInt32, number: UInt64)
  }

  package struct File: Sendable, Equatable {
    package var path: String
    package var kind: FileKind
  }

  package var operations: [Operation] = []
  /// The files by number. A file that was created at the path of a deleted one has its own number.
  package var files: [File] = []
}

/// The error if memory was exhausted, so that operations are missing.
package struct IncompleteRecording: Error, CustomStringConvertible {
  package var description: String { "memory was exhausted while operations on files were recorded; free some memory" }
}

extension FileScope {
  /// Starts a recording, and drops the previous one. Databases, WALs and rollback journals are recorded; the shared
  /// memory is not.
  package func startRecording() { cfaultvfs_start_recording(pointer) }

  /// Adds a mark to the recording, if one runs. It follows all operations that the thread has finished.
  package func mark(_ kind: UInt32, _ number: UInt64) { cfaultvfs_mark(pointer, kind, number) }

  /// The number of operations so far.
  package var operationCount: Int { cfaultvfs_operation_count(pointer) }

  /// Stops the recording.
  /// - Returns: All of its operations.
  /// - Throws: `IncompleteRecording`.
  package func stopRecording() throws -> FileRecording {
    cfaultvfs_stop_recording(pointer)
    guard cfaultvfs_is_recording_complete(pointer) != 0 else { throw IncompleteRecording() }
    return FileRecording(
      operations: (0..<operationCount).map { operation(at: $0) },
      files: (0..<cfaultvfs_file_count(pointer)).map { number in
        let file = cfaultvfs_file_at(pointer, number)
        return FileRecording.File(
          path: String(cString: file.path),
          kind: FileKind(rawValue: file.kind.rawValue) ?? .other
        )
      }
    )
  }

  private func operation(at index: Int) -> FileRecording.Operation {
    let found = cfaultvfs_operation_at(pointer, index)
    let file = Int(found.file)
    switch found.kind {
    case CFAULTVFS_CREATE: return .create(file: file)
    case CFAULTVFS_OPEN: return .open(file: file)
    case CFAULTVFS_WRITE:
      let bytes = Array(UnsafeBufferPointer(start: found.bytes, count: Int(found.size)))
      return .write(file: file, offset: Int(found.offset), bytes: bytes)
    case CFAULTVFS_TRUNCATE: return .truncate(file: file, size: Int(found.offset))
    case CFAULTVFS_SYNC: return .sync(file: file, flags: found.flags, begun: Int(found.offset))
    case CFAULTVFS_DELETE: return .delete(file: file)
    case CFAULTVFS_DIRECTORY_SYNC: return .directorySync
    default: return .mark(kind: found.flags, number: found.offset)
    }
  }
}
