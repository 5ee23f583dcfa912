internal import Foundation
internal import Synchronization

/// Ends the process with the name of a case that exceeds the time limit. Cases take milliseconds, so the limit is
/// generous.
final class HangWatch {
  private final class Case: Sendable {
    let current = Mutex<(name: String, began: ContinuousClock.Instant)?>(nil)

    func check(_ limitSeconds: Int) {
      guard let (name, began) = current.withLock({ $0 }), .now - began > .seconds(limitSeconds) else { return }
      fatalError("no end after \(limitSeconds) s: \(name)")
    }
  }

  private let watched = Case()
  private let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "hang watch"))

  init(limitSeconds: Int) {
    timer.schedule(deadline: .now() + .seconds(1), repeating: .seconds(1))
    timer.setEventHandler { [watched] in watched.check(limitSeconds) }
    timer.resume()
  }

  func begin(_ name: String) { watched.current.withLock { $0 = (name, .now) } }

  func end() { timer.cancel() }
}
