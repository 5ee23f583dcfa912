internal import BenchResults

/// Finds the stretches of time in which the WAL stays far above its limit, and the reason.
enum WALExcess {
  /// A shorter stretch is a burst that a checkpoint soon ends.
  static let shortestNanoseconds: UInt64 = 1_000_000_000

  /// Frames × nanoseconds of the WAL in the stretches, by the cause that kept the frames.
  private struct Shares {
    var pinned = 0.0
    /// In the database file already.
    var copied = 0.0
    /// Neither copied nor held by a pin.
    var uncopied = 0.0
    /// Nanoseconds for which each connection had the oldest pinned snapshot and held frames.
    var oldest: [String: UInt64] = [:]
    /// Nanoseconds for which each connection had any snapshot pinned.
    var holders: [String: UInt64] = [:]

    mutating func add(_ sample: EngineSample, wal: EngineSample.WAL, nanoseconds: UInt64) {
      func area(_ frames: Int) -> Double { Double(max(frames, 0)) * Double(nanoseconds) }
      pinned += area(wal.heldFrames)
      uncopied += area(wal.backlogFrames - wal.heldFrames)
      copied += area(wal.frames - wal.backlogFrames)
      if wal.heldFrames > 0, let name = wal.pinnedBy { oldest[name, default: 0] += nanoseconds }
      for connection in sample.connections where connection.pinnedNanoseconds != nil {
        holders[connection.name, default: 0] += nanoseconds
      }
    }

    var reason: WALExcessResult.Reason {
      if pinned >= max(copied, uncopied) { return .pinned }
      return copied >= uncopied ? .neverUnread : .writersAhead
    }

    var connection: String? {
      switch reason {
      case .pinned: longest(oldest)
      case .neverUnread: longest(holders)
      case .writersAhead: nil
      }
    }

    private func longest(_ times: [String: UInt64]) -> String? {
      times.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }
  }

  /// - Parameters:
  ///   - samples: the samples of a run, oldest first.
  ///   - frameBytes: the size of a frame of the WAL, header and page.
  ///   - limitBytes: the size at which the engine checkpoints more eagerly; nil for an engine without one.
  /// - Returns: nil if the WAL never stayed above `limitFactor` times its limit for longer than `shortestNanoseconds`,
  ///   or if there is no limit or no WAL.
  static func result(_ samples: [EngineSample], frameBytes: Int, limitBytes: Int?) -> WALExcessResult? {
    guard let limitBytes, limitBytes <= Int.max / WALExcessResult.limitFactor, frameBytes > 0 else { return nil }
    let greatestFrames = WALExcessResult.limitFactor * limitBytes / frameBytes
    // The index still counts the frames of a WAL that was truncated, until the next commit.
    func frames(_ sample: EngineSample) -> Int { sample.wal.map { min($0.frames, $0.bytes / frameBytes) } ?? 0 }
    var shares = Shares()
    var total: UInt64 = 0
    var longest: (nanoseconds: UInt64, phase: String)?
    // Each stretch is as long as its samples have more frames than that without a pause.
    for stretch in samples.indices.split(whereSeparator: { frames(samples[$0]) <= greatestFrames }) {
      let last = stretch.upperBound - 1
      let nanoseconds = samples[last].elapsedNanoseconds - samples[stretch.lowerBound].elapsedNanoseconds
      guard nanoseconds > shortestNanoseconds else { continue }
      total += nanoseconds
      if nanoseconds > longest?.nanoseconds ?? 0 { longest = (nanoseconds, samples[stretch.lowerBound].phase) }
      for index in stretch.dropLast() {
        guard let wal = samples[index].wal else { continue }
        let nanoseconds = samples[index + 1].elapsedNanoseconds - samples[index].elapsedNanoseconds
        shares.add(samples[index], wal: wal, nanoseconds: nanoseconds)
      }
    }
    guard let longest else { return nil }
    var result = WALExcessResult(limitBytes: limitBytes, reason: shares.reason)
    result.totalNanoseconds = total
    (result.longestNanoseconds, result.phase) = longest
    result.peakBytes = (samples.map(frames).max() ?? 0) * frameBytes
    result.connection = shares.connection
    return result
  }
}

/// The note in the report.
extension WALExcessResult {
  var note: String {
    "The WAL stayed above \(Self.limitFactor) times its limit "
      + "(aggressiveCheckpointAt: \(Quantity.bytes(limitBytes))) for "
      + "\(Quantity.duration(nanoseconds: totalNanoseconds)), with a peak of \(Quantity.bytes(peakBytes)). The longest "
      + "stretch, \(Quantity.duration(nanoseconds: longestNanoseconds)), began in phase \"\(phase)\". \(explanation)"
  }

  private var explanation: String {
    let name = connection.map { "the connection \"\($0)\"" } ?? "a connection"
    return switch reason {
    case .pinned:
      "The reason: \(name) had pinned a snapshot, so the frames behind it could not be copied. Move or end its "
        + "long-lived read more often."
    case .neverUnread:
      "The reason: most frames were copied, but readers used the WAL at every moment, "
        + (connection == nil ? "" : "\(name) for the longest time, ")
        + "so it could not restart. Leave moments without a reader, or move bookmarks more often."
    case .writersAhead:
      "The reason: nothing pinned the frames, but commits wrote them faster than checkpoints copied them. Write less, "
        + "or in larger transactions."
    }
  }
}
