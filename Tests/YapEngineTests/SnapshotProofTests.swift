import Testing

@testable import YapEngine

/// Every interleaving of a writer, another program and two readers.
@Suite struct SnapshotProofTests {
  /// The outcome of each commit that the writer attempts.
  enum Fate { case written, withdrawn, bothWritten }

  static let programs: [[Fate]] = [
    [.written, .withdrawn, .written], [.withdrawn, .bothWritten], [.bothWritten, .written],
  ]

  @Test(arguments: programs) func `a proven number is always the one in the snapshot`(_ fates: [Fate]) {
    var walk = ProofWalk(fates, order: [.begin, .snapshot, .compare])
    #expect(Discrepancy.first { try walk.walkEverything() } == nil)
    #expect(walk.visited.count > 1_000 && walk.provenCount > 100 && walk.readCount > 100)
  }

  @Test(arguments: [
    [ReaderStep.snapshot, .begin, .compare], [.begin, .compare, .snapshot], [.begin, .snapshot],
  ])
  func `the interleavings find an order of steps that proves nothing`(_ order: [ReaderStep]) {
    var walk = ProofWalk(Self.programs[0], order: order)
    #expect(Discrepancy.first { try walk.walkEverything() } != nil)
  }

  @Test func `without other writes every snapshot after the first commit is proven`() throws {
    let program = ProofWalk.steps(of: [.written, .withdrawn, .written])
    var world = ProofWorld(program, order: [.begin, .snapshot, .compare])
    for actor in [1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 2, 2, 2, 0, 0, 0, 2, 2, 2] { try world.step(actor) }
    #expect(world.provenCount == 3 && world.readCount == 1)
  }
}

/// A step of a reader. A read without `compare` takes the proof to hold.
enum ReaderStep { case begin, snapshot, compare }

/// Visits every state that the actors can reach. It reaches a state by repeating the steps that lead to it.
private struct ProofWalk {
  private let program: [ProofWorld.WriterStep]
  private let order: [ReaderStep]
  private(set) var visited: Set<[UInt64]> = []
  private(set) var provenCount = 0
  private(set) var readCount = 0

  init(_ fates: [SnapshotProofTests.Fate], order: [ReaderStep]) {
    program = Self.steps(of: fates)
    self.order = order
  }

  static func steps(of fates: [SnapshotProofTests.Fate]) -> [ProofWorld.WriterStep] {
    fates.flatMap { fate -> [ProofWorld.WriterStep] in
      switch fate {
      case .written: [.announce(1), .write, .confirm]
      case .withdrawn: [.announce(1), .withdraw]
      case .bothWritten: [.announce(2), .write, .confirm]
      }
    }
  }

  mutating func walkEverything() throws {
    var open: [[Int]] = [[]]
    while let path = open.popLast() {
      var world = ProofWorld(program, order: order)
      for actor in path { try world.step(actor) }
      provenCount += world.provenCount
      readCount += world.readCount
      guard visited.insert(world.key).inserted else { continue }
      for actor in 0...3 where world.canStep(actor) { open.append(path + [actor]) }
    }
  }
}

/// The registry, the file and the actors. Actor 0 writes, actors 1 and 2 read, and actor 3 is another program.
private struct ProofWorld {
  /// A step of the writer. `announce` has the number of commits that are announced, and later written, together.
  enum WriterStep { case announce(Int), write, confirm, withdraw }

  private struct Reader {
    var stepCount = 0
    var proof: SnapshotProof?
    /// The number in the snapshot; nil before SQLite has taken the snapshot.
    var snapshot: UInt64?
    var isProven = true
    var reached: Commit
  }

  /// The numbers that another program stores. 0 stands for a write that changes no number.
  private static let foreignNumbers: [UInt64] = [0, 1_000]

  private var registry: CommitRegistry
  private let program: [WriterStep]
  private let order: [ReaderStep]
  private var writerStep = 0
  private var foreignStep = 0
  private var underway: [Commit] = []
  private var holdsWriteLock = false
  /// The contents of the file: the number of the newest commit, and SQLite's count of writes.
  private var number: UInt64 = 0
  private var revision: UInt32 = 7
  private var readers: [Reader]
  private(set) var provenCount = 0
  private(set) var readCount = 0

  init(_ program: [WriterStep], order: [ReaderStep]) {
    self.program = program
    self.order = order
    let opening = Self.commit(0, after: nil)
    registry = CommitRegistry(opening: opening)
    readers = [Reader(reached: opening), Reader(reached: opening)]
  }

  private static func commit(_ number: UInt64, after previous: Commit?) -> Commit {
    Commit(snapshot: number, origin: nil, committedAt: 0, previous: previous)
  }

  /// The parts of a state that distinguish it from other states.
  var key: [UInt64] {
    [number, UInt64(revision), UInt64(writerStep), UInt64(foreignStep), registry.newest.snapshot]
      + readers.flatMap { reader in
        [
          UInt64(reader.stepCount), reader.proof.map { $0.commit.snapshot + 1 } ?? 0,
          reader.proof?.holds(at: revision) == true ? 1 : 0, reader.snapshot.map { $0 + 1 } ?? 0,
          reader.isProven ? 1 : 0, reader.reached.snapshot,
        ]
      }
  }

  /// The first reader reads twice, the second once.
  func canStep(_ actor: Int) -> Bool {
    switch actor {
    case 0: writerStep < program.count
    case 3: foreignStep < Self.foreignNumbers.count && !holdsWriteLock
    default: readers[actor - 1].stepCount < order.count * (actor == 1 ? 2 : 1)
    }
  }

  mutating func step(_ actor: Int) throws {
    switch actor {
    case 0: stepWriter()
    case 3:
      revision += 1
      if Self.foreignNumbers[foreignStep] > 0 { number = Self.foreignNumbers[foreignStep] }
      foreignStep += 1
    default: try stepReader(actor - 1)
    }
  }

  private mutating func stepWriter() {
    defer { writerStep += 1 }
    switch program[writerStep] {
    case .announce(let count):
      holdsWriteLock = true
      underway = []
      for _ in 0..<count {
        let last = underway.last ?? registry.newest
        let next = Self.commit(last.snapshot + 1, after: last)
        if let last = underway.last { last.link(to: next) }
        underway.append(next)
      }
      registry.announce(underway[0], through: underway[count - 1], revision: revision + 1)
    case .write:
      holdsWriteLock = false
      number = underway[underway.count - 1].snapshot
      revision += 1
    case .confirm: registry.confirm(through: underway[underway.count - 1])
    case .withdraw:
      holdsWriteLock = false
      registry.withdraw(underway[0])
    }
  }

  private mutating func stepReader(_ index: Int) throws {
    let step = order[readers[index].stepCount % order.count]
    readers[index].stepCount += 1
    switch step {
    case .begin: readers[index].proof = registry.proof
    case .snapshot: readers[index].snapshot = number
    case .compare: readers[index].isProven = readers[index].proof?.holds(at: revision) == true
    }
    if readers[index].stepCount % order.count == 0 { try register(index) }
  }

  /// Ends a read with the number that it has proven or read.
  private mutating func register(_ index: Int) throws {
    guard let proof = readers[index].proof, let stored = readers[index].snapshot else { return }
    let isProven = readers[index].isProven
    let number = isProven ? proof.commit.snapshot : stored
    try Discrepancy.check(number, stored, "number of the snapshot")
    let reader = ConnectionID(number: UInt64(index))
    let reached = readers[index].reached
    let found = registry.pin(number, by: reader, from: reached, at: 0, isLongLived: false)
    // The engine has no commit for the number of another program.
    try Discrepancy.check(found?.snapshot, stored < 1_000 ? stored : nil, "commit of the snapshot")
    if isProven { provenCount += 1 } else { readCount += 1 }
    readers[index] = Reader(stepCount: readers[index].stepCount, reached: found ?? reached)
  }
}
