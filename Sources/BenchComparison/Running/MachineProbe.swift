internal import Foundation
internal import ThreadingPrimitives

/// A fixed piece of work that is independent of the compared builds: reading the comparator's own executable from the
/// page cache, and hashing it. It is timed before each run, to show whether the machine was equally fast for both
/// sides.
enum MachineProbe {
  private static let pieceBytes = 64 << 10
  private static let pieces = 160

  /// Returns the time of the work, about ten milliseconds, in nanoseconds; nil if the executable cannot be read.
  static func nanoseconds() -> Double? {
    guard let file = FileHandle(forReadingAtPath: "/proc/self/exe") else { return nil }
    defer { try? file.close() }
    let start = MonotonicClock.now
    // FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for piece in 0..<pieces {
      guard (try? file.seek(toOffset: UInt64(piece * pieceBytes))) != nil,
        let bytes = try? file.read(upToCount: pieceBytes), !bytes.isEmpty
      else { return nil }
      bytes.withUnsafeBytes { bytes in
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      }
    }
    let end = MonotonicClock.now
    // Without a use of the hash the compiler would remove the work.
    return hash == 0 ? nil : Double(end - start)
  }
}
