internal import BenchModel

/// Encoding of the times and commits that the engine reports.
extension MessageWriter {
  mutating func put(_ number: UInt64?) {
    put(number != nil)
    if let number { put(number) }
  }

  mutating func put(_ times: CommitTimes?) {
    put(times != nil)
    guard let times else { return }
    for part in CommitTimes.parts { put(times[keyPath: part]) }
  }

  mutating func put(_ news: CommitNews) {
    put(news.commit)
    put(news.writtenAt)
  }
}

extension MessageReader {
  mutating func takeOptionalNumber() throws(DamagedMessage) -> UInt64? { try takeBool() ? take() : nil }

  mutating func takeCommitTimes() throws(DamagedMessage) -> CommitTimes? {
    guard try takeBool() else { return nil }
    var times = CommitTimes()
    for part in CommitTimes.parts { times[keyPath: part] = try take() }
    return times
  }

  mutating func takeCommitNews() throws(DamagedMessage) -> CommitNews {
    let commit: UInt64 = try take()
    return CommitNews(commit, writtenAt: try takeOptionalNumber())
  }
}
