internal import BenchResults

/// The largest sampled size of a run's WAL, and the connection that held it then.
struct HeldPeak: Codable, Sendable, Equatable {
  /// Larger than 0.
  let bytes: Int
  let phase: String
  /// Whether frames that were not yet copied were held.
  let isHeld: Bool
  /// nil if no frames were held, or by a connection that the driver does not name.
  let connection: String?

  /// - Returns: nil without a WAL.
  init?(of run: RunResult) {
    let samples = run.samples.compactMap { sample in sample.wal.map { (wal: $0, phase: sample.phase) } }
    guard let peak = samples.max(by: { $0.wal.bytes < $1.wal.bytes }), peak.wal.bytes > 0 else { return nil }
    (bytes, phase) = (peak.wal.bytes, peak.phase)
    isHeld = peak.wal.heldFrames > 0
    connection = isHeld ? peak.wal.pinnedBy : nil
  }

  var holder: ReportText { isHeld ? connection.map { "\(code: $0)" } ?? "a connection" : "no connection" }
}
