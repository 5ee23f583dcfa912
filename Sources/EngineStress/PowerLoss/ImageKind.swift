internal import HarnessPrimitives

/// The kinds of images of one moment, by the effects of the operations that were not synced.
enum ImageKind: String, Sendable, CaseIterable {
  case syncedOnly = "only synced operations"
  case everything = "all operations"
  case subset = "a random subset"
  case dropped = "one operation dropped"
  case prefix = "a prefix"
  case tornSector = "a write torn at 512 B"
  case tornPage = "a write torn at 4 KiB"
  case garbage = "a write torn with garbage"
  case grown = "a file grown with zeros"
  case entryLost = "a created file lost"
  case cameBack = "a deleted file came back"

  var countName: String { "images: \(rawValue)" }
}

/// Makes the images of one moment.
struct ImagePlan {
  /// The most operations that are dropped one by one.
  private static let mostDropped = 8

  let state: DurableState
  let recording: FileRecording

  /// Calls `body` with each image, until it returns false. Images may be equal.
  func forEach(_ random: inout RandomStream, _ body: (ImageKind, DiskImage) throws -> Bool) rethrows {
    let pending = state.pending
    var planned: [(ImageKind, (Int) -> UnsyncedEffect)] = [
      (.syncedOnly, { _ in .none }), (.everything, { _ in .whole }),
    ]
    if !pending.isEmpty { planned += unsyncedEffects(pending, &random) }
    for (kind, effect) in planned {
      guard try body(kind, state.image(&random, effect: effect)) else { return }
    }
  }

  private func unsyncedEffects(
    _ pending: [Int],
    _ random: inout RandomStream
  ) -> [(ImageKind, (Int) -> UnsyncedEffect)] {
    let count = pending.count
    var planned: [(ImageKind, (Int) -> UnsyncedEffect)] = []
    if count > 1 {
      let kept = pending.map { _ in random.below(2) == 0 }
      planned.append((.subset, { kept[$0] ? .whole : .none }))
      let first = random.below(count)
      for number in 0..<min(count, Self.mostDropped) {
        let dropped = (first + number) % count
        planned.append((.dropped, { $0 == dropped ? .none : .whole }))
      }
      for _ in 0..<2 {
        let length = 1 + random.below(count - 1)
        planned.append((.prefix, { $0 < length ? .whole : .none }))
      }
    }
    let writes = pending.indices.filter { if case .write = recording.operations[pending[$0]] { true } else { false } }
    if !writes.isEmpty {
      // The last write is the one that is most likely under way.
      for (kind, sectorSize) in [(ImageKind.tornSector, 512), (.tornPage, 4096), (.garbage, 512)] {
        let torn = random.below(2) == 0 ? writes[writes.count - 1] : writes[random.below(writes.count)]
        let keepsLater = random.below(2) == 0
        planned.append(
          (
            kind,
            { position in
              if position == torn { return .torn(sectorSize: sectorSize, isGarbage: kind == .garbage) }
              return position < torn || keepsLater ? .whole : .none
            }
          )
        )
      }
      planned.append((.grown, { _ in .zeros }))
    }
    for position in pending.indices {
      switch recording.operations[pending[position]] {
      case .create: planned.append((.entryLost, { $0 == position ? .none : .whole }))
      case .delete: planned.append((.cameBack, { $0 == position ? .none : .whole }))
      default: break
      }
    }
    return planned
  }
}
