internal import HarnessPrimitives

/// The parts of a read-write transaction's time inside the engine, or of several transactions, in nanoseconds. The sum
/// of `laneWait`, `writeLaneWait`, `begin`, `block`, `commit` and `rest` is the duration of the call.
public struct CommitTimes: Codable, Sendable, Equatable {
  /// The wait for the connection's lane.
  public var laneWait: UInt64 = 0
  /// The wait for the write lane.
  public var writeLaneWait: UInt64 = 0
  /// The part of `writeLaneWait` in which a checkpoint held the lane or slowed writers down.
  public var checkpointWait: UInt64 = 0
  /// From acquiring the write lane to the block: BEGIN, the snapshot, and following the commits of other connections.
  public var begin: UInt64 = 0
  public var block: UInt64 = 0
  /// The part of `block` in SQLite's statements.
  public var statements: UInt64 = 0
  /// `jointWait`, and COMMIT with the WAL's sync.
  public var commit: UInt64 = 0
  /// The part of `commit` that waits for the other participants of a joint commit.
  public var jointWait: UInt64 = 0
  /// The engine's bookkeeping after the block, before and after COMMIT.
  public var rest: UInt64 = 0

  public var total: UInt64 { [laneWait, writeLaneWait, begin, block, commit, rest].saturatingSum() }

  // Not by `parts`: key paths would take 5,000 instructions, a tenth of a small commit.
  public static func += (left: inout Self, right: Self) {
    left.laneWait += right.laneWait
    left.writeLaneWait += right.writeLaneWait
    left.checkpointWait += right.checkpointWait
    left.begin += right.begin
    left.block += right.block
    left.statements += right.statements
    left.commit += right.commit
    left.jointWait += right.jointWait
    left.rest += right.rest
  }

  public static let zero = CommitTimes()

  /// The parts, in the order of their declaration.
  public static let parts: [any WritableKeyPath<Self, UInt64> & Sendable] = CommitPart.all.map(\.path)
}

/// A part of a commit's time, as reports and comparisons name it.
public struct CommitPart: Sendable {
  public let name: String
  /// Whether the part is contained in the one before it. Parts that are not nested add up to the duration of the call.
  public let isNested: Bool
  /// Whether it is 0 in most runs.
  public let isRare: Bool
  let path: any WritableKeyPath<CommitTimes, UInt64> & Sendable

  private init(
    _ name: String,
    _ path: any WritableKeyPath<CommitTimes, UInt64> & Sendable,
    isNested: Bool = false,
    isRare: Bool = false
  ) {
    (self.name, self.path, self.isNested, self.isRare) = (name, path, isNested, isRare)
  }

  public func time(_ times: CommitTimes) -> UInt64 { times[keyPath: path] }

  /// The parts in the order of reports: each is followed by the parts that it contains.
  public static let all = [
    CommitPart("lane wait", \.laneWait, isRare: true),
    CommitPart("write lane wait", \.writeLaneWait),
    CommitPart("waiting for checkpoints", \.checkpointWait, isNested: true, isRare: true),
    CommitPart("begin", \.begin),
    CommitPart("block", \.block),
    CommitPart("storage calls", \.statements, isNested: true),
    CommitPart("commit", \.commit),
    CommitPart("waiting for the joint commit", \.jointWait, isNested: true, isRare: true),
    CommitPart("engine bookkeeping", \.rest),
  ]
}

/// The sums of the parts of an actor's commits in one phase. Sums give means, which add up to the mean of the whole;
/// percentiles do not.
public struct CommitTimesSum: Codable, Sendable, Equatable {
  /// The number of commits that were timed.
  public private(set) var count = 0
  /// The time of the transactions from start to end, as the actor measures it, in nanoseconds.
  public private(set) var service: UInt64 = 0
  public private(set) var times = CommitTimes()

  public init() {}

  /// - Parameter service: nanoseconds from the transaction's start to its end, as its actor measures it.
  public mutating func add(_ one: CommitTimes, service: UInt64, count: Int = 1) {
    self.count += count
    self.service += service
    times += one
  }

  public static func += (left: inout Self, right: Self) {
    left.add(right.times, service: right.service, count: right.count)
  }

  /// The time outside of the engine's call: the harness itself, a connection that is opened for one transaction, and
  /// messages to an engine in a process of its own.
  public var around: UInt64 { service - min(times.total, service) }
}
