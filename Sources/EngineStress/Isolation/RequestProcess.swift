internal import Foundation
internal import Glibc
package import HarnessPrimitives
package import ThreadingPrimitives

/// A child process that answers requests, one at a time. It is killed when the instance is released.
// Used by one thread at a time.
package final class RequestProcess: @unchecked Sendable {
  package enum Answer<Reply> {
    case reply(Reply)
    /// The process did not answer within the limit.
    case hung
    /// The process was killed because the caller was interrupted.
    case interrupted
    /// The process has ended; with its signal or exit code, and the message of its trap.
    case ended(String)
  }

  private static let tickMilliseconds: Int32 = 100
  /// `O_TMPFILE`, which is a macro that Swift cannot see.
  private static let temporaryFile: Int32 = 0o20000000 | O_DIRECTORY

  private let limitSeconds: Int
  private let child: ChildProcess
  private let channel: LineChannel
  /// Receives the process's standard error.
  private let errors: Int32

  /// Starts a program that serves with `RequestServer`.
  /// - Parameters:
  ///   - limitSeconds: The longest time of an answer, counted in ticks of 100 ms, so that a time during which this
  ///     process could not run does not count.
  ///   - errorPath: The new file for the process's standard error; nil for a file without a name.
  /// - Throws: `ProgramNotStarted`.
  package init(
    _ program: String,
    _ arguments: [String],
    limitSeconds: Int,
    errorPath: String? = nil
  ) throws(ProgramNotStarted) {
    self.limitSeconds = limitSeconds
    let sockets = try ChildProcess.sockets(for: program)
    defer { close(sockets.other) }
    channel = LineChannel(sockets.own)
    errors =
      errorPath.map { open($0, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o644) }
      ?? open(NSTemporaryDirectory(), O_RDWR | O_CLOEXEC | Self.temporaryFile, 0o600)
    do {
      child = try ChildProcess(
        program,
        arguments,
        input: .descriptor(sockets.other),
        errors: errors < 0 ? .inherited : .descriptor(errors),
        // A backtrace would take longer than the limit of a case.
        variables: ["SWIFT_BACKTRACE": "enable=no"]
      )
    } catch {
      if errors >= 0 { close(errors) }
      throw error
    }
  }

  deinit {
    if errors >= 0 { close(errors) }
  }

  /// Sends a request, and waits for the reply. After all other results, the process has ended.
  /// - Parameter interruption: Ends the wait at the next tick.
  /// - Throws: An error of encoding the request or decoding the reply.
  package func ask<Reply: Decodable>(
    _ request: some Encodable,
    until interruption: StopFlag
  ) throws -> Answer<Reply> {
    guard channel.send(try JSONEncoder().encode(request)) else { return .ended(ending()) }
    for _ in 0..<limitSeconds * 1_000 / Int(Self.tickMilliseconds) {
      switch channel.receive(milliseconds: Self.tickMilliseconds) {
      case .line(let line): return .reply(try JSONDecoder().decode(Reply.self, from: line))
      case .closed: return .ended(ending())
      case .nothing:
        guard interruption.isRaised else { continue }
        child.kill()
        return .interrupted
      }
    }
    child.kill()
    return .hung
  }

  private func ending() -> String {
    // It may have closed the channel without ending.
    let end = child.wait(milliseconds: limitSeconds * 1_000) ?? child.kill()
    return trapMessage.isEmpty ? "\(end)" : "\(end): \(trapMessage)"
  }

  private var trapMessage: String {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = errors < 0 ? 0 : pread(errors, &bytes, bytes.count, 0)
    let lines = String(decoding: bytes[..<max(count, 0)], as: UTF8.self).split(separator: "\n")
    return String(lines.first { $0.contains("Fatal error") } ?? lines.last ?? "")
  }
}

/// Answers the requests of the process that has started this one with `RequestProcess`.
package enum RequestServer {
  /// Serves until the other process closes the channel.
  /// - Throws: The errors of `answer`, and errors of decoding a request or encoding a reply.
  package static func serve<Request: Decodable>(_ answer: (Request) throws -> some Encodable) throws {
    let channel = LineChannel(STDIN_FILENO)
    while case .line(let line) = channel.receive() {
      let reply = try answer(try JSONDecoder().decode(Request.self, from: line))
      guard channel.send(try JSONEncoder().encode(reply)) else { return }
    }
  }
}
