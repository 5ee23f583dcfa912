import BenchResults
import BenchScenario
import LatencyMetrics
import Testing

@testable import BenchRunner

@Suite("The slots of an actor's times") struct TimingSlotsTests {
  private let operations = [
    OperationWeight(.get, weight: 1), OperationWeight(OperationKind(.multiGet, 20), weight: 1),
    OperationWeight(.exists, weight: 1),
  ]

  private func slots(single: Bool, open: Bool, longLived: Bool = false) -> TimingSlots {
    TimingSlots(
      Fixture.actor(
        doing: operations,
        perTransaction: single ? 1...1 : 1...8,
        snapshot: longLived ? .longLived(.onNotification) : .latest,
        load: open ? Fixture.open : .closed(thinkNanoseconds: 0)
      )
    )
  }

  @Test(arguments: [true, false], [true, false])
  func `every time has a slot of its own`(single: Bool, open: Bool) {
    let slots = slots(single: single, open: open)
    let kinds = open ? 3 : 1
    var used: [Int] = []
    for operation in single ? [0, 1, 2] : [0] {
      let first = slots.transaction(ofOperation: operation)
      used += (0..<kinds).map { first + $0 }
    }
    if !single { used += (0..<3).map { slots.service(ofOperation: $0) } }
    used += [slots.advance, slots.lateness, slots.unbegun, slots.laneWait]
    for delayed in [slots.delayedByProcessorWaits, slots.delayedByWaits] {
      for slots in [delayed.service, delayed.response] { used += [slots.measured, slots.undisturbed] }
    }
    #expect(used.sorted() == Array(0..<slots.count))
    #expect(slots.kinds == (open ? [.wait, .service, .response] : [.service]))
  }

  /// Histograms with one value more than the number of their slot.
  private func numbered(_ slots: TimingSlots) -> [LatencyHistogram] {
    (0..<slots.count).map { slot in Fixture.histogram(Array(repeating: 1, count: slot + 1)) }
  }

  @Test func `a transaction of one operation has that operation's times`() {
    let slots = slots(single: true, open: true)
    let histograms = numbered(slots)
    // Slots 0 to 2 belong to the first operation, 3 to 5 to the second, and 6 to 8 to the third.
    let counts = TimeKind.allCases.map { slots.transactions($0, in: histograms, digits: 3).count }
    // Arrivals that did not begin have a wait and a response, but no service.
    let unbegun = slots.unbegun + 1
    #expect(counts == [1 + 4 + 7 + unbegun, 2 + 5 + 8, 3 + 6 + 9 + unbegun])
    #expect(slots.operation("get", .wait, in: histograms)?.count == 1)
    #expect(slots.operation("multiGet(20)", .service, in: histograms)?.count == 5)
    #expect(slots.operation("exists", .response, in: histograms)?.count == 9)
  }

  @Test func `a transaction of several operations has its own times, and each operation its service`() {
    let slots = slots(single: false, open: true)
    let histograms = numbered(slots)
    let unbegun = slots.unbegun + 1
    let counts = TimeKind.allCases.map { slots.transactions($0, in: histograms, digits: 3).count }
    #expect(counts == [1 + unbegun, 2, 3 + unbegun])
    #expect(slots.operation("get", .service, in: histograms)?.count == 4)
    #expect(slots.operation("exists", .service, in: histograms)?.count == 6)
    #expect(slots.operation("get", .wait, in: histograms) == nil)
    #expect(slots.operation("get", .response, in: histograms) == nil)
  }

  @Test func `a closed load has only service times`() {
    for single in [true, false] {
      let slots = slots(single: single, open: false)
      let histograms = numbered(slots)
      #expect(slots.transactions(.wait, in: histograms, digits: 3).isEmpty)
      #expect(slots.transactions(.response, in: histograms, digits: 3).isEmpty)
      #expect(slots.transactions(.service, in: histograms, digits: 3).count == (single ? 1 + 2 + 3 : 1))
      #expect(slots.operation("get", .service, in: histograms)?.count == (single ? 1 : 2))
      #expect(slots.operation("get", .wait, in: histograms) == nil)
    }
  }

  @Test func `only a long-lived snapshot has moves`() {
    let moving = slots(single: true, open: true, longLived: true)
    #expect(moving.operationNames == ["get", "multiGet(20)", "exists", "advance"])
    #expect(moving.operation("advance", .service, in: numbered(moving))?.count == moving.advance + 1)
    #expect(moving.operation("advance", .wait, in: numbered(moving)) == nil)
    let plain = slots(single: true, open: true)
    #expect(plain.operationNames == ["get", "multiGet(20)", "exists"])
    #expect(plain.operation("advance", .service, in: numbered(plain)) == nil)
  }

  @Test func `actors that write have write lane waits too, and no wait belongs to an operation`() {
    let reading = slots(single: true, open: true)
    let writing = TimingSlots(Fixture.actor(doing: [OperationWeight(.set, weight: 1)]))
    #expect(writing.firstDisturbed == writing.writeLaneWait + 1)
    #expect(reading.waits(.laneWait, in: numbered(reading))?.count == reading.laneWait + 1)
    #expect(reading.waits(.writeLaneWait, in: numbered(reading)) == nil)
    #expect(writing.waits(.writeLaneWait, in: numbered(writing))?.count == writing.writeLaneWait + 1)
    #expect(writing.waits(.wait, in: numbered(writing)) == nil)
    let shown = writing.results(numbered(writing), digits: 3)
    #expect(shown.map { $0.times[.service]?.count } == [1, 1])
  }

  @Test(arguments: [true, false])
  func `reads of one row have slots of their own for each outcome, if the driver reports outcomes`(single: Bool) {
    let actor = Fixture.actor(
      doing: operations + [OperationWeight(.getRow, weight: 1)],
      perTransaction: single ? 1...1 : 1...8
    )
    let plain = TimingSlots(actor)
    let slots = TimingSlots(actor, hasOutcomes: true)
    #expect((0..<4).map(slots.hasOutcomes) == [true, false, false, true])
    #expect((0..<4).allSatisfy { !plain.hasOutcomes(ofOperation: $0) })
    let used = (0..<4).flatMap { index in CacheOutcome.allCases.compactMap { slots.outcome($0, ofOperation: index) } }
    #expect(used == Array(plain.firstDisturbed..<slots.firstDisturbed))
    #expect(used.count == 2 * CacheOutcome.allCases.count)
    let shown = slots.results(numbered(slots), digits: 3)
    #expect(shown.map { $0.outcomes != nil } == [false, true, false, false, true])
    let row = shown.first { $0.name == "getRow" }?.outcomes ?? [:]
    #expect(CacheOutcome.allCases.map { row[$0]?.count ?? 0 } == (4...6).map { plain.firstDisturbed + $0 })
  }

  @Test func `only an actor that reacts to changes has times until the row is read`() {
    var actor = Fixture.actor(doing: operations, snapshot: .longLived(.onNotification))
    let plain = TimingSlots(actor)
    actor.reactingRows = 20
    let slots = TimingSlots(actor)
    #expect(slots.count == plain.count + 1 && slots.notificationToRead == plain.firstDisturbed)
    #expect(slots.waits(.notificationToRead, in: numbered(slots))?.count == slots.firstDisturbed)
    #expect(plain.waits(.notificationToRead, in: numbered(plain)) == nil)
    #expect(TimingSlots(actor, hasOutcomes: true).outcome(.hit, ofOperation: 0) == slots.firstDisturbed)
  }

  @Test func `transactions that waited have times with and without the wait`() {
    let slots = slots(single: true, open: true)
    for (delayed, last) in [(slots.delayedByProcessorWaits, slots.count - 4), (slots.delayedByWaits, slots.count)] {
      var histograms = numbered(slots)
      let disturbed = slots.disturbed(delayed, in: histograms)
      #expect(disturbed?[.response]?.undisturbed.count == last && disturbed?.count == 2)
      histograms[delayed.response.measured] = Fixture.histogram([])
      #expect(slots.disturbed(delayed, in: histograms)?.keys.map { $0 } == [.service])
    }
    let closed = self.slots(single: true, open: false)
    #expect(closed.disturbed(closed.delayedByWaits, in: numbered(closed))?.keys.map { $0 } == [.service])
  }

  @Test func `an outcome that did not occur is left out`() {
    let slots = TimingSlots(Fixture.actor(doing: operations), hasOutcomes: true)
    var histograms = (0..<slots.count).map { _ in Fixture.histogram([]) }
    #expect(slots.results(histograms, digits: 3).allSatisfy { $0.outcomes == nil })
    if let slot = slots.outcome(.reread, ofOperation: 0) { histograms[slot] = Fixture.histogram([7]) }
    #expect(slots.results(histograms, digits: 3)[1].outcomes?.keys.map { $0 } == [.reread])
    #expect(slots.reads("get", .hit, in: histograms)?.isEmpty == true)
    #expect(slots.reads("exists", .hit, in: histograms) == nil)
  }

  @Test func `an operation that the actor does not have is not timed`() {
    let slots = slots(single: true, open: true)
    #expect(slots.operation("set", .service, in: numbered(slots)) == nil)
  }
}

extension TimingSlots {
  fileprivate var firstDisturbed: Int { delayedByProcessorWaits.service.measured }
}
