/// Determines the held reader marks, and their effect on a checkpoint.
enum ReaderTable {
  /// - Parameter marks: The marks of the WAL-index. The first is for readers that read from the database file alone.
  static func readers(
    _ marks: [Int?],
    committed: Int,
    holders: (_ mark: Int) -> [WALReport.Holder]
  ) -> [WALReport.Reader] {
    var readers = marks.indices.compactMap { mark -> WALReport.Reader? in
      let held = holders(mark)
      guard !held.isEmpty else { return nil }
      let frame = mark == 0 ? 0 : min(marks[mark] ?? 0, committed)
      return WALReport.Reader(
        mark: mark,
        frame: frame,
        framesBehind: mark == 0 ? 0 : committed - frame,
        framesHeldAlone: 0,
        holders: held
      )
    }
    // Only readers of the oldest mark keep the frames between it and the next mark.
    let inTheWAL = readers.indices.filter { readers[$0].mark > 0 }.sorted { readers[$0].frame < readers[$1].frame }
    if let oldest = inTheWAL.first {
      let next = inTheWAL.dropFirst().first.map { readers[$0].frame } ?? committed
      readers[oldest].framesHeldAlone = next - readers[oldest].frame
    }
    return readers
  }

  /// Returns the number of frames that a checkpoint could have copied when it ends. A page must not change under a
  /// reader, so a checkpoint stops at the oldest mark, and copies nothing while readers read from the database file
  /// alone.
  static func copyable(_ readers: [WALReport.Reader], _ committed: Int, _ copied: Int) -> Int {
    if readers.contains(where: { $0.mark == 0 }) { return copied }
    return max(readers.map(\.frame).min() ?? committed, copied)
  }
}
