import Testing

@testable import ThreadingPrimitives

/// Every graph of up to four threads and four lanes, with every additional wait.
@Suite struct WaitGraphTests {
  /// The holder of each lane, the lane for which each thread waits, and the threads whose waits may fail.
  private struct Situation: Sendable {
    var holders: [Int?]
    var waits: [Int?]
    var mayFail: [Bool]
  }

  private typealias Graph = WaitGraph<Int, Int>

  @Test(arguments: [(2, 2), (3, 2), (3, 3), (4, 3)])
  func `a wait is refused exactly if it would close a circle`(threads: Int, lanes: Int) {
    var situations = 0
    var circles = 0
    Self.forEach(threads: threads, lanes: lanes) { situation in
      // Thread 0 runs, and requests each lane that it does not hold.
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
      // None of the existing waits closes a circle, so none is refused, whatever their order.
      if let wait, graph.begin(thread, wait, holder: { _ in nil }, mayFail: { _ in false }) != nil { return false }
    }
    let mayFail = { (wait: Int) in
      // A wait is identified by its lane. Only one of the threads that wait for a lane can be in a circle.
      after.waits.indices.contains { after.waits[$0] == wait && expected.contains($0) && after.mayFail[$0] }
    }
    let circle = graph.begin(0, lane, holder: holder, mayFail: mayFail)
    guard let circle else { return expected.isEmpty }
    let members = circle.members.map(\.thread)
    guard members == expected, circle.members.map(\.wait) == expected.map({ after.waits[$0] }) else { return false }
    guard circle.victim == expected.firstIndex(where: { after.mayFail[$0] }) else { return false }
    // The victim's edge is removed, so the same wait closes no circle now.
    guard let victim = circle.victim else { return true }
    graph.end(0)
    let again = graph.begin(0, lane, holder: holder, mayFail: mayFail)
    return (again == nil) == (victim != 0)
  }

  /// The threads of the circle that contains thread `start`, which comes first. They are found by squaring the relation
  /// "waits for".
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

  /// Calls `body` with every assignment of holders and waits that is possible without a circle while thread 0 runs.
  private static func forEach(threads: Int, lanes: Int, _ body: (Situation) -> Void) {
    let holderChoices = power(threads + 1, lanes)
    let waitChoices = power(lanes + 1, threads - 1)
    for holderChoice in 0..<holderChoices {
      let holders = digits(holderChoice, base: threads + 1, count: lanes)
      for waitChoice in 0..<waitChoices {
        let waits = [nil] + digits(waitChoice, base: lanes + 1, count: threads - 1)
        let situation = Situation(holders: holders, waits: waits, mayFail: Array(repeating: false, count: threads))
        // No thread waits for a lane that it holds, and there is no circle yet.
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

  /// The digits of `number`, in which the digit `base - 1` becomes nil.
  private static func digits(_ number: Int, base: Int, count: Int) -> [Int?] {
    var rest = number
    return (0..<count).map { _ in
      defer { rest /= base }
      return rest % base == base - 1 ? nil : rest % base
    }
  }

  @Test func `a search that stops one step too early is detected`() {
    var misses = 0
    Self.forEach(threads: 3, lanes: 3) { situation in
      for lane in 0..<3 where situation.holders[lane] != 0 {
        var after = situation
        after.waits[0] = lane
        let expected = Self.circle(through: 0, after)
        // Emulates a search that finds only circles of two threads.
        if !expected.isEmpty, !Self.agrees(after, lane, expected.count > 2 ? [] : expected) { misses += 1 }
      }
    }
    #expect(misses > 0)
  }

  /// A thread that has been granted its lane, and has not yet removed its wait, is not part of a circle.
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
