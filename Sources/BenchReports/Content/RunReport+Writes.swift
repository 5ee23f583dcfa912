internal import BenchModel

extension RunReport {
  /// What went to the disk for what the actors have stored, in the recorded phases; nothing where nobody has counted.
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
      "From the first to the last sample of a phase. Logical are keys, objects and metadata that transactions have "
      + "stored; amplification is what the WAL and the database's file took for each byte of that. Checkpoints write "
      + "the database's file, also what earlier phases have left in the WAL."
    return ReportSection(anchor: "writes", title: "What was written", blocks: [.table(table), .paragraph([remark])])
  }
}
