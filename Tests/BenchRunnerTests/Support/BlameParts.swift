@testable import BenchResults
@testable import BenchScenario

/// Compares the areas of the WAL in a result with sums over the samples.
struct BlameParts {
  let blame: BlameResult
  let samples: [EngineSample]
  /// The ends of recorded phases by name, in nanoseconds since the beginning of the run.
  let recorded: [String: UInt64]
  let frameBytes: Int

  /// The differences.
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
    // The sums have the same terms in another order.
    var faults = sums.filter { abs($0.told - $0.shown) > 1e-6 * max(blame.walByteSeconds, 1) }
      .map { "\($0.what) is told as \($0.told), and the samples show \($0.shown)" }
    // The file's header and writes between two observations belong to no part.
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

  /// The area under `value` in the recorded phases in bytes × seconds, interpolated linearly between samples.
  private func area(_ value: (EngineSample) -> Int) -> Double {
    zip(samples, samples.dropFirst()).reduce(0) { sum, pair in
      // Samples may follow the end of a phase, because its last transactions may end later.
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
