import Foundation
import Glibc
import HarnessPrimitives
import Testing
import ThreadingPrimitives

@Suite("Line channels") struct LineChannelTests {
  private let channel: LineChannel
  private let other: Int32

  init() throws {
    let sockets = try ChildProcess.sockets(for: "none")
    channel = LineChannel(sockets.own)
    other = sockets.other
  }

  private func write(_ text: String) { _ = text.withCString { Glibc.write(other, $0, strlen($0)) } }

  private func line(_ text: String) -> LineChannel.Received { .line(Data(text.utf8)) }

  @Test func `lines arrive in order, however they were written, and the rest when it is complete`() {
    write("a\n\nbb\ncc")
    #expect(channel.receive() == line("a"))
    #expect(channel.receive() == line(""))
    #expect(channel.receive() == line("bb"))
    #expect(channel.receive(milliseconds: 0) == .nothing)
    write("c")
    #expect(channel.receive(milliseconds: 0) == .nothing)
    write("\nd\n")
    #expect(channel.receive() == line("ccc"))
    close(other)
    #expect(channel.receive() == line("d"))
    #expect(channel.receive() == .closed)
    #expect(channel.receive() == .closed)
  }

  @Test func `an incomplete line of a process that has ended is dropped`() {
    write("a\nhalf")
    close(other)
    #expect(channel.receive() == line("a"))
    #expect(channel.receive() == .closed)
  }

  @Test func `a line that is larger than the socket's buffer passes`() throws {
    let text = String(repeating: "x", count: 5_000_000)
    let reader = LineChannel(other)
    let received = Guarded<Int>(0)
    // A channel is used by one thread at a time: this one uses `reader` alone.
    nonisolated(unsafe) let used = reader
    let thread = try WorkerThread(name: "reader") {
      if case .line(let line) = used.receive() { received.withLock { $0 = line.count } }
    }
    #expect(channel.send(Data(text.utf8)))
    thread.join()
    #expect(received.withLock { $0 } == 5_000_000)
  }

  @Test func `sending to a process that has ended fails, and raises no signal`() {
    close(other)
    // A process that another test starts may have the descriptor, too, until its program is executed.
    #expect(channel.receive() == .closed)
    #expect(!channel.send(Data("a".utf8)))
  }
}
