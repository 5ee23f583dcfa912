internal import Foundation
internal import Glibc
internal import HarnessPrimitives

/// A day in the time zone of this machine, or of the variable `TZ`.
struct LocalDay: Equatable {
  /// ISO 8601, such as 2026-01-31.
  let text: String

  init(of time: Date) {
    var seconds = time_t(Int(saturating: time.timeIntervalSince1970.rounded(.down)))
    var parts = tm()
    // Not `TimeZone`, which does not know all forms of `TZ`.
    tzset()
    localtime_r(&seconds, &parts)
    text = [(parts.tm_year + 1_900, 4), (parts.tm_mon + 1, 2), (parts.tm_mday, 2)].map { number, digits in
      let text = String(number)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }.joined(separator: "-")
  }
}
