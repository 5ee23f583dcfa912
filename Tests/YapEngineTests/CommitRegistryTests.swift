import Testing

@testable import YapEngine

/// Every interleaving of the steps of one writer and two readers.
@Suite struct CommitRegistryTests {
  /// The outcome of each commit that the writer attempts.
  enum Fate { case written, withdrawn, bothWritten, bothWithdrawn }

  @Test(arguments: [
    [Fate.written, .written, .written], [.written, .withdrawn, .written], [.withdrawn, .withdrawn, .written, .written],
    [.written, .written, .withdrawn], [.bothWritten, .bothWithdrawn, .written], [.written, .bothWritten],
  ])
  func `a reader always finds the commit of its snapshot`(_ fates: [Fate]) {
    var walk = RegistryWalk(program: fates.flatMap(Self.steps))
    #expect(Discrepancy.first { try walk.walkEverything() } == nil)
    #expect(walk.visited.count > 500)
  }

  @Test func `a long list of commits is released without recursion`() {
    let opening = commit(0, after: nil)
    var newest = opening
    for number in 1...300_000 {
      let next = commit(UInt64(number), after: newest)
      newest.link(to: next)
      newest = next
    }
    #expect(newest.snapshot == 300_000)
    #expect(opening.next?.snapshot == 1)
  }

  private static func steps(_ fate: Fate) -> [RegistryWalk.WriterStep] {
    switch fate {
    case .written: [.announce(1), .write, .confirm]
    case .withdrawn: [.announce(1), .withdraw]
    case .bothWritten: [.announce(2), .write, .confirm]
    case .bothWithdrawn: [.announce(2), .withdraw]
    }
  }
}

private func commit(_ number: UInt64, after previous: Commit?) -> Commit {
  Commit(snapshot: number, origin: nil, committedAt: 0, previous: previous)
}

/// Visits every state that the actors can reach. It reaches a state by repeating the steps that lead to it, because
/// commits are objects and cannot be copied with the state.
private struct RegistryWalk {
  /// A step of the writer. `announce` has the number of commits that are announced, and later written, together.
  enum WriterStep { case announce(Int), write, confirm, withdraw }

  /// The parts of a state that distinguish it from other states.
  struct Key: Hashable {
    let written: UInt64
    let writer: Int
    let newest: UInt64
    let readers: [[UInt64]]
  }

  /// The number of steps of each reader.
  private static let readerSteps = 8

  let program: [WriterStep]
  var visited: Set<Key> = []

  init(program: [WriterStep]) { self.program = program }

  mutating func walkEverything() throws {
    var open: [[Int]] = [[]]
    while let path = open.popLast() {
      var world = RegistryWorld(program: program)
      for actor in path { try world.step(actor) }
      guard visited.insert(world.key).inserted else { continue }
      for actor in 0...2 where world.canStep(actor, limit: Self.readerSteps) { open.append(path + [actor]) }
    }
  }
}

/// The registry, the file and the actors. Actor 0 writes, actor 1 reads and unpins, and actor 2 moves a bookmark.
private struct RegistryWorld {
  private struct Reader {
    var steps = 0
    /// The snapshot that SQLite has pinned and that the registry does not know yet.
    var snapshot: UInt64?
    var reached: Commit
    var pinned: UInt64?
  }

  private var registry: CommitRegistry
  private let program: [RegistryWalk.WriterStep]
  private var writerStep = 0
  private var underway: [Commit] = []
  /// The number of the newest commit in the file.
  private var written: UInt64 = 0
  private var confirmed: UInt64 = 0
  private var readers: [Reader]

  init(program: [RegistryWalk.WriterStep]) {
    self.program = program
    let opening = commit(0, after: nil)
    registry = CommitRegistry(opening: opening)
    readers = [Reader(reached: opening), Reader(reached: opening)]
  }

  var key: RegistryWalk.Key {
    RegistryWalk.Key(
      written: written,
      writer: writerStep,
      newest: registry.newest.snapshot,
      readers: readers.map {
        [UInt64($0.steps), $0.snapshot.map { $0 + 1 } ?? 0, $0.reached.snapshot, $0.pinned.map { $0 + 1 } ?? 0]
      }
    )
  }

  func canStep(_ actor: Int, limit: Int) -> Bool {
    actor == 0 ? writerStep < program.count : readers[actor - 1].steps < limit
  }

  mutating func step(_ actor: Int) throws {
    if actor == 0 { stepWriter() } else { try stepReader(actor - 1) }
    guard registry.newest.snapshot <= written, registry.newest.snapshot >= confirmed else {
      throw Discrepancy("newest is \(registry.newest.snapshot), written \(written), confirmed \(confirmed)")
    }
    let pins = registry.pins.mapValues { $0.commit.snapshot }
    var expected: [ConnectionID: UInt64] = [:]
    for (index, reader) in readers.enumerated() { expected[id(index)] = reader.pinned }
    try Discrepancy.check(pins, expected, "pins")
  }

  private mutating func stepWriter() {
    defer { writerStep += 1 }
    switch program[writerStep] {
    case .announce(let count):
      underway = []
      for _ in 0..<count {
        let last = underway.last ?? registry.newest
        let next = commit(last.snapshot + 1, after: last)
        if let last = underway.last { last.link(to: next) }
        underway.append(next)
      }
      registry.announce(underway[0], through: underway[count - 1], revision: nil)
    case .write: written += UInt64(underway.count)
    case .confirm:
      registry.confirm(through: underway[underway.count - 1])
      confirmed = written
    case .withdraw: registry.withdraw(underway[0])
    }
  }

  private mutating func stepReader(_ index: Int) throws {
    defer { readers[index].steps += 1 }
    if let snapshot = readers[index].snapshot {
      let reached = readers[index].reached
      let found = registry.pin(snapshot, by: id(index), from: reached, at: 0, isLongLived: index == 1)
      guard let found, found.snapshot == snapshot else {
        throw Discrepancy(
          "reader \(index) pinned \(snapshot) and was given \(found.map { "\($0.snapshot)" } ?? "nothing")"
        )
      }
      try checkList(from: reached, to: found)
      readers[index].reached = found
      readers[index].snapshot = nil
      readers[index].pinned = snapshot
    } else if index == 0, let pinned = readers[index].pinned {
      readers[index].pinned = nil
      let others = readers.compactMap(\.pinned)
      try Discrepancy.check(registry.unpin(id(index)), others.allSatisfy { $0 > pinned }, "whether the oldest moved")
    } else {
      readers[index].snapshot = written
    }
  }

  private func checkList(from reached: Commit, to end: Commit) throws(Discrepancy) {
    var current = reached
    while current !== end {
      guard let next = current.next else { throw Discrepancy("the list ends at \(current.snapshot)") }
      try Discrepancy.check(next.snapshot, current.snapshot + 1, "number of the next commit")
      current = next
    }
  }

  private func id(_ reader: Int) -> ConnectionID { ConnectionID(number: UInt64(reader)) }
}
