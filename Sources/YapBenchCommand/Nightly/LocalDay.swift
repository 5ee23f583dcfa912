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
    text = String(format: "%04d-%02d-%02d", parts.tm_year + 1_900, parts.tm_mon + 1, parts.tm_mday)
  }
}
