import BenchModel

/// The blame for the WAL, held against the samples that it was made of, which are added up here by themselves.
struct BlameParts {
  let blame: BlameResult
  let samples: [EngineSample]
  /// Ends of the phases that count, by their names: nanoseconds since the run began.
  let recorded: [String: UInt64]
  let frameBytes: Int

  /// What is wrong with it.
  var faults: [String] {
    let alone = Dictionary(blame.connections.map { ($0.name, $0.aloneByteSeconds) }, uniquingKeysWith: +)
    let held = alone.values.reduce(0, +) + blame.togetherByteSeconds
    let backlog = held + blame.notCopiedByteSeconds
    var sums: [(what: String, told: Double, shown: Double)] = [
      ("the WAL", blame.walByteSeconds, area { $0.wal?.bytes ?? 0 }),
      ("what is held", held, frameArea { $0.wal?.heldFrames ?? 0 }),
      ("what is not copied", backlog, frameArea { $0.wal?.backlogFrames ?? 0 }),
      ("what is free", blame.freeByteSeconds, frameArea(freeFrames)),
    ]
    for name in Set(alone.keys).union(samples.flatMap(\.connections).map(\.name)).sorted() {
      let shown = frameArea { $0.connections.filter { $0.name == name }.map(\.framesHeldAlone).reduce(0, +) }
      sums.append(("what \(name) holds alone", alone[name] ?? 0, shown))
    }
    // They are sums of the same numbers, in another order.
    var faults = sums.filter { abs($0.told - $0.shown) > 1e-6 * max(blame.walByteSeconds, 1) }
      .map { "\($0.what) is told as \($0.told), and the samples show \($0.shown)" }
    // The file's header, and what was written between two looks, belong to nobody.
    let parts = backlog + blame.freeByteSeconds
    if abs(parts - blame.walByteSeconds) > 0.02 * blame.walByteSeconds {
      faults.append("the parts are \(parts), and the WAL is \(blame.walByteSeconds)")
    }
    return faults
  }

  private func freeFrames(_ sample: EngineSample) -> Int {
    guard let wal = sample.wal else { return 0 }
    let room = (max(wal.bytes, 32) - 32) / frameBytes
    return max(room, wal.frames) - wal.backlogFrames
  }

  private func frameArea(_ frames: (EngineSample) -> Int) -> Double { area { frames($0) * frameBytes } }

  /// Bytes × seconds under `value` in the recorded phases, between two samples a straight line.
  private func area(_ value: (EngineSample) -> Int) -> Double {
    zip(samples, samples.dropFirst()).reduce(0) { sum, pair in
      // The last transactions may end after the phase, and be looked at.
      guard pair.0.phase == pair.1.phase, let end = recorded[pair.0.phase], pair.0.elapsedNanoseconds < end else {
        return sum
      }
      let seconds = Double(pair.1.elapsedNanoseconds - pair.0.elapsedNanoseconds) / 1e9
      return sum + Double(value(pair.0) + value(pair.1)) / 2 * seconds
    }
  }
}

extension BlameParts {
  init(_ result: RunResult) {
    self.init(
      blame: result.blame,
      samples: result.samples,
      recorded: Dictionary(
        uniqueKeysWithValues: result.phases.filter(\.isRecorded).map { ($0.name, $0.endNanoseconds) }
      ),
      frameBytes: result.pageSizeBytes + 24
    )
  }
}
