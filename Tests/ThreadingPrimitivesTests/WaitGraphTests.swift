import Testing

@testable import ThreadingPrimitives

/// Every graph of up to four threads and four lanes, and every one more wait.
@Suite struct WaitGraphTests {
  /// Who holds each lane, what each thread waits for, and which waits may fail.
  private struct Situation: Sendable {
    var holders: [Int?]
    var waits: [Int?]
    var mayFail: [Bool]
  }

  private typealias Graph = WaitGraph<Int, Int>

  @Test(arguments: [(2, 2), (3, 2), (3, 3), (4, 3)])
  func `a wait is refused exactly where it would close a circle`(threads: Int, lanes: Int) {
    var situations = 0
    var circles = 0
    Self.forEach(threads: threads, lanes: lanes) { situation in
      // Thread 0 runs, and asks for each lane that it does not hold.
      for lane in 0..<lanes where situation.holders[lane] != 0 {
        situations += 1
        var after = situation
        after.waits[0] = lane
        let expected = Self.circle(through: 0, after)
        for failing in 0..<(1 << threads) {
          after.mayFail = (0..<threads).map { failing >> $0 & 1 == 1 }
          #expect(Self.agrees(after, lane, expected), "\(after), thread 0 asks for \(lane)")
          if expected.isEmpty { break }
          circles += 1
        }
      }
    }
    #expect(situations > 0 && circles > 0)
  }

  private static func agrees(_ after: Situation, _ lane: Int, _ expected: [Int]) -> Bool {
    var graph = Graph()
    let holder: (Int) -> Int? = { after.holders[$0] }
    for (thread, wait) in after.waits.enumerated().dropFirst() {
      // In whatever order they came: none of them closes a circle, so none is refused.
      if let wait, graph.begin(thread, wait, holder: { _ in nil }, mayFail: { _ in false }) != nil { return false }
    }
    let mayFail = { (wait: Int) in
      // A wait is told by its lane; of several threads that wait for one lane only one can be in a circle.
      after.waits.indices.contains { after.waits[$0] == wait && expected.contains($0) && after.mayFail[$0] }
    }
    let circle = graph.begin(0, lane, holder: holder, mayFail: mayFail)
    guard let circle else { return expected.isEmpty }
    let members = circle.members.map(\.thread)
    guard members == expected, circle.members.map(\.wait) == expected.map({ after.waits[$0] }) else { return false }
    guard circle.victim == expected.firstIndex(where: { after.mayFail[$0] }) else { return false }
    // Whoever gave up has no edge any more: the same wait closes no circle now.
    guard let victim = circle.victim else { return true }
    graph.end(0)
    let again = graph.begin(0, lane, holder: holder, mayFail: mayFail)
    return (again == nil) == (victim != 0)
  }

  /// The threads of a circle that thread `start` is in, itself first: found by squaring the relation "waits for".
  private static func circle(through start: Int, _ situation: Situation) -> [Int] {
    let count = situation.waits.count
    var reaches = (0..<count).map { thread in
      (0..<count).map { other in situation.waits[thread].flatMap { situation.holders[$0] } == other }
    }
    let direct = reaches
    for _ in 0..<count {
      for a in 0..<count {
        for b in 0..<count where reaches[a][b] {
          for c in 0..<count where reaches[b][c] { reaches[a][c] = true }
        }
      }
    }
    guard reaches[start][start] else { return [] }
    var members = [start]
    while let last = members.last, let next = (0..<count).first(where: { direct[last][$0] && reaches[$0][start] }),
      next != start
    {
      members.append(next)
    }
    return members
  }

  /// Every assignment of holders and waits that can come about without a circle, with thread 0 running.
  private static func forEach(threads: Int, lanes: Int, _ body: (Situation) -> Void) {
    let holderChoices = power(threads + 1, lanes)
    let waitChoices = power(lanes + 1, threads - 1)
    for holderChoice in 0..<holderChoices {
      let holders = digits(holderChoice, base: threads + 1, count: lanes)
      for waitChoice in 0..<waitChoices {
        let waits = [nil] + digits(waitChoice, base: lanes + 1, count: threads - 1)
        let situation = Situation(holders: holders, waits: waits, mayFail: Array(repeating: false, count: threads))
        // Nobody waits for what it holds itself, and there is no circle yet.
        let isSound = (1..<threads).allSatisfy { thread in
          waits[thread].map { holders[$0] != thread } ?? true && circle(through: thread, situation).isEmpty
        }
        if isSound { body(situation) }
      }
    }
  }

  private static func power(_ base: Int, _ exponent: Int) -> Int {
    (0..<exponent).reduce(1) { power, _ in power * base }
  }

  /// The last digit stands for none.
  private static func digits(_ number: Int, base: Int, count: Int) -> [Int?] {
    var rest = number
    return (0..<count).map { _ in
      defer { rest /= base }
      return rest % base == base - 1 ? nil : rest % base
    }
  }

  @Test func `a look that goes one step too short is noticed`() {
    var misses = 0
    Self.forEach(threads: 3, lanes: 3) { situation in
      for lane in 0..<3 where situation.holders[lane] != 0 {
        var after = situation
        after.waits[0] = lane
        let expected = Self.circle(through: 0, after)
        // As if only two threads that wait for each other had been found.
        if !expected.isEmpty, !Self.agrees(after, lane, expected.count > 2 ? [] : expected) { misses += 1 }
      }
    }
    #expect(misses > 0)
  }

  /// A thread that has been given what it waits for, and has not said so yet, is no part of a circle.
  @Test func `a thread that holds what it waits for is running`() {
    var graph = Graph()
    let holders = [7: 1, 8: 1, 9: 2]
    #expect(graph.begin(1, 7, holder: { _ in nil }, mayFail: { _ in true }) == nil)
    #expect(graph.begin(2, 8, holder: { holders[$0] }, mayFail: { _ in true }) == nil)
    graph.end(1)
    #expect(graph.begin(1, 9, holder: { holders[$0] }, mayFail: { _ in true })?.victim == 0)
    graph.end(2)
    #expect(graph.isEmpty)
  }
}
