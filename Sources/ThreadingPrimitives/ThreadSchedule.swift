internal import CPlatform

/// Decides which one of its threads runs while all others are blocked, so that an interleaving can be repeated.
///
/// Everything in this package that blocks a thread does so by `Parker`, `MonotonicClock.sleep` or `WorkerThread.join`.
/// On a thread of a schedule they block in the schedule instead, and the clock shows the schedule's time. Threads that
/// a thread of a schedule starts belong to the schedule.
///
/// Only for tests: without the package trait `TestPoints`, no thread belongs to a schedule.
package protocol ThreadSchedule: AnyObject, Sendable {
  /// The time that `MonotonicClock` shows to the threads of the schedule.
  var now: UInt64 { get }

  /// Adds a thread, which is about to be started.
  /// - Returns: The thread's number.
  func add(_ name: String) -> Int
  /// Removes a thread that could not be started.
  func remove(_ thread: Int)
  /// Blocks until the thread may run for the first time. Called by the thread.
  func begin(_ thread: Int)
  /// Lets another thread run instead of this one, whose body has returned. Called by the thread.
  func end(_ thread: Int)
  /// Lets another thread run, or this one continue. Called by the thread.
  /// - Parameter place: The place at which the thread is.
  func reach(_ thread: Int, _ place: String)
  /// Blocks until the parker is woken or the deadline has passed. Called by the thread.
  /// - Returns: false if the deadline passed first.
  func park(_ thread: Int, on parker: Parker, deadline: UInt64?) -> Bool
  /// Blocks until the thread `other` has ended. Called by the thread.
  func join(_ thread: Int, to other: Int)
}

/// A thread that belongs to a schedule.
package final class ScheduledThread: Sendable {
  package let number: Int
  package let schedule: any ThreadSchedule

  init(number: Int, schedule: any ThreadSchedule) {
    self.number = number
    self.schedule = schedule
  }

  /// The calling thread; nil if it belongs to no schedule.
  @inline(__always)
  package static var current: ScheduledThread? {
    #if TestPoints
      cplatform_schedule_slot().pointee.map { Unmanaged<ScheduledThread>.fromOpaque($0).takeUnretainedValue() }
    #else
      nil
    #endif
  }

  /// Makes the calling thread this one, and blocks until the schedule lets it run.
  func begin() {
    // `ThreadStart` and `WorkerThread` may be released before the thread ends.
    cplatform_schedule_slot().pointee = Unmanaged.passRetained(self).toOpaque()
    schedule.begin(number)
  }

  func end() {
    cplatform_schedule_slot().pointee = nil
    schedule.end(number)
    Unmanaged.passUnretained(self).release()
  }
}
