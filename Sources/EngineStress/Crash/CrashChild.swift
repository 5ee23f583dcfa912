internal import CommitLedger
internal import Glibc
internal import HarnessPrimitives
internal import ThreadingPrimitives
internal import YapEngine

/// The child process of a crash test: it opens the database, compares it with its ledger, and then writes until it is
/// killed or has closed the database.
///
/// It reports each event on standard output.
package enum CrashChild {
  /// - Parameter order: The text of a `CrashOrder`.
  /// - Returns: The exit code: 1 if wrong data or an error was reported, otherwise 0.
  package static func serve(_ order: String) -> Int32 {
    do {
      let order = try CrashOrder(text: order)
      try CrashLife(order: order).live()
      return 0
    } catch {
      CrashReporter.send(.wrong("\(error)"))
      return 1
    }
  }
}

/// Writes events to standard output.
enum CrashReporter {
  static func send(_ event: CrashEvent) {
    // Every event can be encoded. If the write fails, the parent has ended, and the kernel kills this process.
    guard let line = try? event.line else { return }
    line.utf8CString.withUnsafeBytes { bytes in
      _ = write(STDOUT_FILENO, bytes.baseAddress, bytes.count - 1)
    }
  }
}

/// One life of the child process.
struct CrashLife {
  let order: CrashOrder

  func live() throws {
    var random = RandomStream(seed: order.seed, "life \(order.life)")
    let options = CrashOptions(order: order)
    let opened = options.options(&random)
    if let folder = order.onlyWritableFolder { _ = try ReadOnlyTemporaryFolders(keeping: folder) }
    CrashReporter.send(.opening)
    let database = try YapDatabase(path: order.form.path(to: order.path), options: opened)
    // Handles that are opened later must not depend on the working folder.
    guard chdir("/") == 0 else { throw WrongResult("the working folder cannot be changed: \(errno)") }
    CrashReporter.send(.opened(database.snapshot))
    let newestEntry = try verify(database)
    if order.hasView { try registerView(database) }
    try closeGap(after: newestEntry, in: database, &random)
    options.mayFail.raise()
    let load = CrashLoad(order, database)
    let threads = try load.start()
    load.waitForCommits()
    CrashReporter.send(.closing)
    try database.close(timeout: .seconds(60))
    CrashReporter.send(.closed)
    for thread in threads { thread.join() }
  }

  /// Compares the database with its ledger.
  /// - Returns: The number of the newest ledger entry.
  private func verify(_ database: YapDatabase) throws -> UInt64 {
    let report = try database.newConnection(name: "verify").read {
      try LedgerCheck().check($0, acknowledged: order.acknowledged, unrecorded: order.unrecorded)
    }
    guard report.errorCount == 0 else {
      let errors = report.errors.joined(separator: "; ")
      throw WrongResult("wrong data (errors: \(report.errorCount)): \(errors)")
    }
    // A registration has no entry, so it could hide the loss of an acknowledged commit.
    guard report.newestEntry >= order.acknowledged else {
      throw WrongResult(
        "commit \(order.acknowledged) was acknowledged, but the newest ledger entry is that of commit "
          + "\(report.newestEntry)"
      )
    }
    CrashReporter.send(.verified(newestEntry: report.newestEntry, entries: report.entries, rows: report.rows))
    return report.newestEntry
  }

  private func registerView(_ database: YapDatabase) throws {
    try database.register(CrashView.view, withName: CrashView.name)
    CrashReporter.send(.registered(database.snapshot))
    try database.newConnection(name: "view").read { try CrashView.check($0) }
  }

  /// Commits once if the newest commits have no ledger entry, such as registrations of views. Then every commit of the
  /// load follows one with an entry, whichever writer makes it.
  private func closeGap(after newestEntry: UInt64, in database: YapDatabase, _ random: inout RandomStream) throws {
    let unrecorded = database.snapshot - newestEntry
    guard unrecorded > 0 else { return }
    let number = (order.life + 1) * CrashLoad.mostWriters - 1
    let writer = LedgeredWriter(try database.newConnection(name: "gap"), number: number)
    CrashReporter.send(.acknowledged(try writer.commit(&random, unrecorded: unrecorded)))
  }
}
