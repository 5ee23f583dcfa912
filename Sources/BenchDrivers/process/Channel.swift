internal import Glibc

/// A bidirectional stream of messages between two processes. One thread at a time may send, and one may receive.
// The buffer is used only while receiving. `RemoteConnection` enforces the rule with its lane, `RunningEngine` with a
// lock, and in the engine's process one thread uses a channel, except that notifications are sent by other threads.
final class Channel: @unchecked Sendable {
  private let socket: Int32
  private var buffer: [UInt8] = Array(repeating: 0, count: 1 << 16)
  private var first = 0
  private var end = 0

  /// - Parameter socket: A stream socket. It is closed when the last reference to the channel is released.
  init(socket: Int32) {
    self.socket = socket
  }

  deinit { Glibc.close(socket) }

  /// - Throws: `ChannelClosed` if the other side has closed the channel, or its process has ended.
  func send(_ message: MessageWriter) throws(ChannelClosed) {
    var sent = 0
    while sent < message.framed.count {
      let count = message.framed.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw ChannelClosed() }
      sent += count
    }
  }

  /// Waits for the next message.
  /// - Throws: `ChannelClosed` if the other side has closed the channel, or its process has ended.
  func receive() throws(ChannelClosed) -> MessageReader {
    let length = try take(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    return MessageReader(try take(length))
  }

  private func take(_ count: Int) throws(ChannelClosed) -> [UInt8] {
    var taken: [UInt8] = []
    // A damaged message may state any length.
    taken.reserveCapacity(min(count, 1 << 20))
    while taken.count < count {
      if first == end { try fill() }
      let next = min(end, first + count - taken.count)
      taken.append(contentsOf: buffer[first..<next])
      first = next
    }
    return taken
  }

  private func fill() throws(ChannelClosed) {
    while true {
      let count = buffer.withUnsafeMutableBytes { Glibc.recv(socket, $0.baseAddress, $0.count, 0) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw ChannelClosed() }
      (first, end) = (0, count)
      return
    }
  }
}

/// The error of a channel that cannot be used any more: the other side has closed it, or its process has ended.
struct ChannelClosed: Error {}

// MARK: - Requests

extension Channel {
  /// Sends a request of these fields, and waits for its answer.
  /// - Returns: The fields of the answer.
  /// - Throws: `RemoteError` if the engine has thrown; `EngineProcessGone`; `DamagedMessage`.
  @discardableResult
  func ask<each Field: MessageField>(_ fields: repeat each Field) throws -> MessageReader {
    try ask(MessageWriter(repeat each fields))
  }

  func ask(_ request: MessageWriter) throws -> MessageReader {
    try post(request)
    let (reply, fields) = try nextReply()
    guard reply == .answer else { throw DamagedMessage() }
    return fields
  }

  func post(_ request: MessageWriter) throws(EngineProcessGone) {
    do { try send(request) } catch { throw EngineProcessGone() }
  }

  /// Waits for a reply to a request.
  /// - Throws: `RemoteError` if the engine has thrown; `EngineProcessGone`; `DamagedMessage`.
  func nextReply() throws -> (reply: Reply, fields: MessageReader) {
    var message: MessageReader
    do { message = try receive() } catch { throw EngineProcessGone() }
    let reply: Reply = try message.take()
    if reply == .failure { throw RemoteError(description: try message.take(), isDamage: try message.take()) }
    return (reply, message)
  }
}
