internal import Foundation
internal import Glibc
internal import ThreadingPrimitives

/// A connected socket that carries lines. It does not own its descriptor.
// Used by one thread at a time.
final class LineSocket {
  enum Received {
    case line(Data)
    /// The other process has closed its end, or has ended.
    case closed
    case timedOut
    case interrupted
  }

  private static let newline = UInt8(ascii: "\n")
  private static let tickMilliseconds: Int32 = 100

  private let descriptor: Int32
  private var pending = Data()

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// - Parameter line: Bytes without a line feed.
  /// - Throws: `POSIXError`, such as EPIPE if the other process has ended.
  func send(_ line: Data) throws {
    var rest = (line + [Self.newline])[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if sent < 0, errno == EINTR { continue }
      guard sent > 0 else { throw Self.error }
      rest = rest.dropFirst(sent)
    }
  }

  /// Waits for the next line.
  /// - Parameters:
  ///   - limitSeconds: The longest wait, counted in ticks of 100 ms, so that a time during which this process could not
  ///     run does not count; nil for no limit.
  ///   - interruption: Ends the wait at the next tick; nil for none.
  func receive(limitSeconds: Int? = nil, until interruption: StopFlag? = nil) throws -> Received {
    var ticks = limitSeconds.map { $0 * 1_000 / Int(Self.tickMilliseconds) }
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      if let end = pending.firstIndex(of: Self.newline) {
        defer { pending = Data(pending[(end + 1)...]) }
        return .line(Data(pending[..<end]))
      }
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&wait, 1, Self.tickMilliseconds)
      if ready < 0 {
        guard errno == EINTR else { throw Self.error }
        continue
      }
      if ready == 0 {
        if interruption?.isRaised == true { return .interrupted }
        guard let left = ticks else { continue }
        ticks = left - 1
        if left <= 1 { return .timedOut }
        continue
      }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      if count == 0 || count < 0 && errno == ECONNRESET { return .closed }
      guard count > 0 else { throw Self.error }
      pending.append(contentsOf: buffer[..<count])
    }
  }

  private static var error: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
