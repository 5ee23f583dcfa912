public import FoundationEssentials
internal import Glibc

/// A connected socket that carries lines of text between two processes.
///
/// Lines that a process has sent survive its death. A channel is used by one thread at a time.
public final class LineChannel {
  public enum Received: Equatable {
    /// Without its line feed.
    case line(Data)
    /// The other process has closed its end, or has ended, and all its lines were received.
    case closed
    /// The time has passed.
    case nothing
  }

  private static let newline = UInt8(ascii: "\n")

  private let descriptor: Int32
  /// The bytes received so far of lines that were not returned yet.
  private var pending = Data()
  /// The index in `pending` before which there is no line feed.
  private var searched = 0

  /// - Parameter descriptor: A stream socket, which is closed with the channel.
  public init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// - Parameter line: Bytes without a line feed.
  /// - Returns: false if the other process has closed its end, or has ended.
  public func send(_ line: Data) -> Bool {
    var rest = (line + [Self.newline])[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if sent < 0, errno == EINTR { continue }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }

  /// Waits for the next line.
  /// - Parameter milliseconds: The longest wait without input; nil for no limit.
  public func receive(milliseconds: Int32? = nil) -> Received {
    while true {
      if let line = takeLine() { return .line(line) }
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&wait, 1, milliseconds ?? -1)
      if ready == 0 { return .nothing }
      if ready < 0 {
        guard errno == EINTR else { return .closed }
        continue
      }
      var buffer = [UInt8](repeating: 0, count: 1 << 14)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      // After a reset, as after the end, nothing follows.
      guard count > 0 else { return .closed }
      pending.append(contentsOf: buffer[..<count])
    }
  }

  private func takeLine() -> Data? {
    guard let end = pending[searched...].firstIndex(of: Self.newline) else {
      searched = pending.endIndex
      return nil
    }
    defer {
      pending = pending.dropFirst(end + 1 - pending.startIndex)
      // A slice keeps the bytes before it.
      if pending.isEmpty { pending = Data() }
      searched = pending.startIndex
    }
    return Data(pending[..<end])
  }
}

extension ChildProcess {
  /// Creates two connected stream sockets, for a program that is about to be started.
  /// - Returns: The descriptor of this process, and the program's descriptor, which the caller closes once the program
  ///   was started: while it is open, the other one does not report the end of the program.
  /// - Throws: `ProgramNotStarted`.
  public static func sockets(for program: String) throws(ProgramNotStarted) -> (own: Int32, other: Int32) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw ProgramNotStarted(program: program, .system(errno)) }
    return (ends[0], ends[1])
  }
}
