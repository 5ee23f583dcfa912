internal import BenchResults

/// The amount of WAL that each connection has held, and for how long, over the recorded phases.
enum Blame {
  static func result(_ phases: [PhaseRecord]) -> BlameResult {
    var blame = BlameResult()
    var connections: [String: BlameResult.Connection] = [:]
    for phase in phases where phase.result.isRecorded {
      let areas = SampledAreas(phase.samples, frameBytes: phase.frameBytes)
      blame.walByteSeconds += areas.walByteSeconds
      blame.togetherByteSeconds += areas.togetherByteSeconds
      blame.notCopiedByteSeconds += areas.notCopiedByteSeconds
      blame.freeByteSeconds += areas.freeByteSeconds
      for connection in phase.samples.flatMap(\.connections) {
        var result = connections[connection.name] ?? BlameResult.Connection(name: connection.name)
        result.aloneMaximumBytes = max(result.aloneMaximumBytes, connection.framesHeldAlone * phase.frameBytes)
        result.longestPinNanoseconds = max(result.longestPinNanoseconds, connection.pinnedNanoseconds ?? 0)
        result.maximumAgeCommits = max(result.maximumAgeCommits, connection.ageCommits)
        connections[connection.name] = result
      }
      for (name, area) in areas.aloneByteSeconds { connections[name]?.aloneByteSeconds += area }
    }
    blame.connections = connections.values.sorted { $0.name < $1.name }
    return blame
  }
}
