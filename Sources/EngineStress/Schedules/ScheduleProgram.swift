internal import HarnessPrimitives
internal import YapEngine

/// A small program of several threads, and the options of its database, determined by random numbers.
struct ScheduleProgram: Sendable {
  /// One operation of a thread. Each thread has a connection for writing and one for reading; one connection is shared.
  enum Operation: Sendable, Equatable {
    case commit
    /// Writes, and throws inside the transaction.
    case rollback, rollbackOnReader
    /// Writes on the connection for reading, which ends its long-lived read.
    case commitOnReader
    /// Reads on the connection for reading while a transaction of the one for writing is open.
    case commitAroundRead
    /// Reads on the shared connection while a transaction is open. Threads may then wait for each other in a circle,
    /// which the engine resolves by an error.
    case commitAroundSharedRead
    case read
    case sharedCommit, sharedRead
    /// Begins a long-lived read, or moves its bookmark.
    case moveBookmark
    case endBookmark
    case checkpoint(YapDatabaseCheckpoint.Mode)
    /// Opens a connection, uses it for some operations, and releases it.
    case openConnection
    case flushMemory
    /// Closes the database while the other threads use it.
    case close
  }

  var threads: [[Operation]]
  /// Whether transactions join the open joint commit whenever another thread waits to write.
  var joinsAlways = false
  /// Whether the checkpointer runs by itself, in the time of the schedule, and not only on request.
  var checkpointsAutomatically = false
  /// Whether the checkpointer tries without a pause.
  var checkpointsAlways = false
  var policy = YapDatabasePolicy.containment
  /// The number of objects, and of metadata, that each connection may cache.
  var cacheLimit = 250
  /// The time jumps at one of this many steps; nil if it jumps only while no thread can run.
  var timeJumpRarity: Int?

  /// The number of choices between several threads that a program is expected to take.
  var expectedChoices: Int { threads.joined().count * Self.choicesPerOperation }

  /// Measured over 500 programs.
  private static let choicesPerOperation = 8

  /// Whether each snapshot is compared with the whole ledger, which takes time in proportion to the commits. Otherwise
  /// only acknowledged commits are looked for, and the whole ledger is compared once at the end.
  var checksWholeSnapshots = true

  /// The program of a schedule.
  init(_ random: inout RandomStream) {
    let mix = random.below(Self.mixes.count)
    let operations = Self.mixes[mix]
    let count = 2 + random.below(3)
    let closer = random.below(6) == 0 ? random.below(count) : nil
    threads = (0..<count).map { index in
      let own = (0..<(2 + random.below(5))).map { _ in operations[random.below(operations.count)] }
      return index == closer ? own + [.close] : own
    }
    joinsAlways = mix == Self.jointMix || random.below(4) == 0
    checkpointsAutomatically = random.below(4) == 0
    policy = [.containment, .share, .copy][random.below(3)]
    cacheLimit = [250, 2][random.below(2)]
    timeJumpRarity = [nil, 8, 40][random.below(3)]
  }

  private init(threads: [[Operation]]) { self.threads = threads }

  /// The program of an execution with pauses: two writers, a reader, and a bookmark that moves and ends, while the
  /// checkpointer tries without a pause.
  static func jitter() -> ScheduleProgram {
    // The number of commits of each writer.
    let commits = 150
    let writing = [Operation](repeating: .commit, count: commits)
    let moving = [Operation.moveBookmark, .moveBookmark, .moveBookmark, .endBookmark, .flushMemory]
    let bookmark = (0..<commits / 5).flatMap { _ in moving }
    let reading = [Operation](repeating: .read, count: commits)
    var program = ScheduleProgram(threads: [writing, writing, reading, bookmark])
    program.checkpointsAlways = true
    program.checkpointsAutomatically = true
    program.checksWholeSnapshots = false
    return program
  }

  /// The index of the mix that is made for joint commits.
  private static let jointMix = 3

  /// The operations from which programs are made; an operation that is listed twice is twice as frequent. Programs that
  /// consist of few kinds of operations bring threads into conflict more often.
  private static let mixes: [[Operation]] = [
    [
      .commit, .commit, .commit, .commitOnReader, .commitAroundRead, .sharedCommit, .rollback, .rollbackOnReader, .read,
      .read, .read, .sharedRead, .moveBookmark, .moveBookmark, .endBookmark, .checkpoint(.passive),
      .checkpoint(.passive), .checkpoint(.full), .checkpoint(.restart), .checkpoint(.truncate), .openConnection,
      .flushMemory, .commitAroundSharedRead,
    ],
    // Checkpoints beside commits.
    [.commit, .commit, .read, .checkpoint(.passive), .checkpoint(.passive), .checkpoint(.restart)],
    // Bookmarks, which sweeps and resets visit.
    [.commit, .commit, .moveBookmark, .moveBookmark, .read, .endBookmark, .checkpoint(.restart), .commitOnReader],
    // Joint commits, and transactions that wait for each other.
    [.commit, .commit, .rollback, .rollbackOnReader, .commitAroundSharedRead, .sharedCommit, .sharedRead, .read],
  ]

  /// Returns the options of the program's database.
  func options(with hooks: TestHooks) -> YapDatabaseOptions {
    var options = LedgeredDatabase.options(synchronous: .off)
    options.checkpointing = checkpointsAutomatically ? .automatic : .every(nanoseconds: .max)
    options.defaultObjectPolicy = policy
    options.defaultMetadataPolicy = policy
    options.testHooks = hooks
    options.testHooks.joinsAlways = joinsAlways
    options.testHooks.checkpointsAlways = checkpointsAlways
    return options
  }
}
