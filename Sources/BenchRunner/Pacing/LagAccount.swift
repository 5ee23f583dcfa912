/// Why a worker is behind its schedule: because of the engine, or of the harness.
///
/// It looks at the time since the worker was last free before an arrival was due: what of it the engine did not take,
/// the harness took itself.
struct LagAccount {
  private var busySince: UInt64 = 0
  private var engineNanoseconds: UInt64 = 0

  /// An arrival is taken.
  mutating func begin(_ intended: UInt64, freeSince: UInt64) {
    guard intended >= freeSince else { return }
    busySince = intended
    engineNanoseconds = 0
  }

  /// The engine took that long to serve it.
  mutating func served(_ nanoseconds: UInt64) { engineNanoseconds += nanoseconds }

  func isOfHarness(at now: UInt64) -> Bool {
    Double(engineNanoseconds) < Distrust.leastEngineShare * Double(now - min(now, busySince))
  }
}
