internal import Synchronization

/// The functions whose instructions are counted, with all that they call.
enum CountedCode {
  /// The symbols by which Callgrind finds them: the timed part of a contestant's turn, and the loop of a closed load.
  /// They match no function that these call, because Callgrind ends counting at a further one. `*` is any text.
  static let symbols = [
    "$s16EngineBenchmarks11CountedTaskC7performyyF", "$s11BenchRunner6WorkerV9runClosed*LLyyKF",
  ]

  /// Whether `run` runs a `CountedTask`.
  fileprivate static let isCounting = Atomic(false)

  /// Runs the timed part of a turn.
  static func run<Answer, Failure: Error>(_ body: () throws(Failure) -> Answer) throws(Failure) -> Answer {
    guard isCounting.load(ordering: .relaxed) else { return try body() }
    var result: Result<Answer, Failure>?
    withoutActuallyEscaping(body) { body in
      withoutActuallyEscaping({ result = Result(catching: body) }) { CountedTask(body: $0).perform() }
    }
    guard let result else { preconditionFailure("a task performs its body") }
    return try result.get()
  }
}

/// A class, because the compiler would make versions of a function for the closures that it gets.
final class CountedTask {
  private let body: () -> Void

  init(body: @escaping () -> Void) {
    self.body = body
  }

  @inline(never)
  func perform() { body() }
}

extension Contestant {
  /// Warms up, and then does work whose instructions are counted.
  func countTurn(of operations: Int) throws {
    // Operations of a closed load are always counted, but its fixed number is 1.
    if case .fixed(let number) = batch { try work(number) } else { try work(operations) }
    CountedCode.isCounting.store(true, ordering: .relaxed)
    defer { CountedCode.isCounting.store(false, ordering: .relaxed) }
    try work(operations)
  }

  private func work(_ operations: Int) throws {
    // Under Callgrind a run of a scenario is too slow for its own rules.
    do { _ = try measure(operations) } catch let error as BenchmarkError where error.code == .disturbed {}
  }
}
