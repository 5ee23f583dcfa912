internal import BenchModel

extension RunReport {
  /// The bytes written to the disk and the bytes stored by the actors, in the recorded phases; nil if not counted.
  var writes: ReportSection? {
    var table = ReportTable([
      ("phase", .left), ("logical", .right), ("WAL", .right), ("database", .right), ("amplification", .right),
      ("WAL syncs", .right), ("database syncs", .right), ("time in syncs", .right),
    ])
    for phase in result.phases where phase.isRecorded {
      guard let writes = PhaseWrites(result.samples.filter({ $0.phase == phase.name })) else { continue }
      table.append([
        .code(phase.name), .text(Quantity.bytes(writes.logicalBytes)), .text(Quantity.bytes(writes.files.wal.bytes)),
        .text(Quantity.bytes(writes.files.database.bytes)),
        .text(writes.amplification.map(Quantity.number) ?? Quantity.missing),
        .text(Quantity.count(writes.files.wal.syncs)), .text(Quantity.count(writes.files.database.syncs)),
        .text(Quantity.duration(nanoseconds: UInt64(max(writes.files.syncNanoseconds, 0)))),
      ])
    }
    guard !table.isEmpty else { return nil }
    let remark: ReportText =
      "From the first to the last sample of a phase. Logical: keys, objects and metadata that transactions stored. "
      + "Amplification: bytes written to the WAL and the database file per logical byte. Checkpoints write to the "
      + "database file, including the frames that earlier phases left in the WAL."
    return ReportSection(anchor: "writes", title: "Writes", blocks: [.table(table), .paragraph([remark])])
  }
}
