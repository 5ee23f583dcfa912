/// Times at which transactions arrive, as a file says them.
///
/// The file has one time on each line, such as `12.5ms`, counted from the start of the phase; none is before another.
public struct ArrivalTrace: Sendable, Equatable {
  public let nanoseconds: [UInt64]

  init(text: String) throws(ScalarProblem) {
    var times: [UInt64] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
    where !line.isEmpty {
      guard let time = try? DurationScalar.parse(String(line)) else {
        throw ScalarProblem("line \(index + 1): expected a time such as 12.5ms, found \(quoted(String(line)))")
      }
      guard time >= times.last ?? 0 else {
        throw ScalarProblem("line \(index + 1): \(quoted(String(line))) is before the time on the line before it")
      }
      times.append(time)
    }
    guard !times.isEmpty else { throw ScalarProblem("expected a time such as 12.5ms on each line, found none") }
    nanoseconds = times
  }
}
