public import Dispatch

/// The options with which a database is opened. They are copied at open, so later changes of the value have no effect.
public struct YapDatabaseOptions: Sendable {
  /// The durability of a commit: https://sqlite.org/pragma.html#pragma_synchronous
  public enum Synchronous: String, CaseIterable, Sendable {
    /// Nothing is synced. A power loss may damage the file.
    case off
    /// The WAL is synced before each checkpoint. A power loss may lose the last commits, but never damages the file.
    case normal
    /// The WAL is synced at each commit. A power loss loses no acknowledged commit.
    case full
  }

  /// The times at which frames of the WAL are copied to the database file.
  public enum Checkpointing: Sendable, Equatable {
    /// Frames are copied when 1,024 of them can be copied, or 256 at `Synchronous.normal`, and when any can be copied
    /// after 100 ms without a commit.
    case automatic
    /// Copying is tried at intervals of this many nanoseconds, if at least one frame can be copied.
    case every(nanoseconds: UInt64)
  }

  /// The treatment of pages that rows no longer need: https://sqlite.org/pragma.html#pragma_auto_vacuum
  public enum AutoVacuum: Int, Sendable {
    /// Pages are reused; only `vacuum` shrinks the file.
    case none = 0
    /// Each commit that frees pages fills them with pages from the end of the file, and truncates the file.
    case full = 1
    /// Pages are reused, or released by `incrementalVacuum`.
    case incremental = 2
  }

  /// The action for a file that is found, at open, to be damaged or not a database. Another program's database, a WAL
  /// of another database, a lock, a full disk or a missing permission does not count as damage: opening then throws,
  /// and the files are neither renamed nor deleted.
  public var corruptAction = YapDatabaseCorruptAction.rename
  /// Whether the database is only read. Opening then neither creates nor changes a file, so it works on a read-only
  /// file system, and for a file that another process has open for writing.
  ///
  /// Read-write transactions and all other calls that would change the file throw `readOnly`; `backup(to:)` works.
  /// Extensions cannot be registered. Other processes may commit: each read and each move of a bookmark sees their
  /// newest commit. The changes of such commits are not known: the caches are dropped, and `YapDatabaseModification`
  /// says so (`isExternal`). No notifications are posted. If the file was not open for writing when it was opened here,
  /// and a process opens it for writing later, the next read throws `snapshotLost`: open the database again. While
  /// another process is opening or closing the file, opening and reading wait for it, at most for
  /// `busyTimeoutNanoseconds`.
  public var isReadOnly = false
  /// Whether a file that was made from a dump of an engine's database is accepted, for example one that
  /// `sqlite3 damaged.sqlite .dump | sqlite3 salvaged.sqlite` has written. Such a file has the tables and rows, but not
  /// the marks of the engine's files. It is checked completely, which takes time in proportion to its size, and gets
  /// the marks and a new id. The stored contents of extensions are removed, so that views are populated again. If a
  /// check fails, opening throws, and the file is not changed. The option has no effect on other files.
  public var acceptsDump = false
  public var synchronous: Synchronous = .full
  /// The largest number of transactions that are committed together with one sync; 1 turns joint commits off.
  ///
  /// Joint commits happen only at `Synchronous.full`, only while other calls wait to write, and only if blocks take
  /// less time than two syncs. A call then waits for the blocks of other transactions, at most for about the duration
  /// of two syncs. Each transaction has its own number and notification and can be rolled back individually. If the
  /// disk fails, the transactions fail together.
  public var jointCommitLimit = 64
  /// The auto-vacuum mode. It applies to a new file immediately, and to an existing one from its next `vacuum`.
  public var autoVacuum = AutoVacuum.none
  /// The page size in bytes, a power of two from 512 to 65536; nil for SQLite's default. Applies only to a new file.
  public var pageSize: Int?
  /// Whether files are accessed through the engine's own SQLite VFS, which copies pages from a memory mapping of the
  /// database file and the WAL instead of reading them, and writes the frames of a commit together.
  ///
  /// At most the first 2 GiB of a file are mapped. Without mapping, as on a file system that cannot map files, pages
  /// are read. A failing disk, or a program that truncates a file in spite of SQLite's locks, causes the same errors as
  /// without the mapping: the engine handles the signal SIGBUS, and passes it on if it has another cause. A handler for
  /// SIGBUS that the application installs after opening a database must pass it on in the same way.
  ///
  /// The VFS forwards to the process's default VFS. If that is not SQLite's own for Unix, this option has no effect.
  public var usesEngineVFS = true
  /// The largest number of bytes of the database file of which SQLite itself borrows pages from a memory mapping; 0 for
  /// none. The file is then not mapped by the engine's VFS. A truncated file ends the process, and the mapping is
  /// dropped after each commit of another connection.
  public var mmapSize = 0
  /// The largest size in bytes of a WAL file that is overwritten when the WAL restarts, which costs less than appending
  /// to a new file. A longer file is truncated. nil never truncates, 0 always.
  public var journalSizeLimit: Int? = 16 << 20
  /// The size of the WAL, in bytes, above which writers wait until the WAL can restart: for readers, and for the
  /// copying and syncing of the last frames.
  ///
  /// The wait for readers grows with the WAL. Up to 2 times this size, one wait takes at most 40 ms, less on a slow
  /// disk, and all waits at most 1/20 of the time. From 2 times on, the limits are 60 ms and 1/10; from 4 times on, 125
  /// ms and 1/5; from 8 times on, 250 ms and 1/4.
  ///
  /// In steady state the WAL stays below 2, 4, 8 or 16 times this size if every read ends, and every bookmark moves,
  /// within 40, 50, 100 or 200 ms of a commit. A writer that never pauses adds the frames that it writes in eight such
  /// periods, and while its frames are copied. A reader that stays longer keeps the WAL from restarting, so the WAL
  /// grows. Such a reader costs writers at most one such wait, and `YapDatabase.statistics` names it. Once the reader
  /// moves and the backlog is copied, the WAL can restart.
  ///
  /// At `Synchronous.normal`, each transaction also waits before it begins for up to three times the duration of the
  /// last block, while frames are copied and synced above this size. Otherwise a writer could outrun the disk.
  ///
  /// `Int.max` turns resets off. With `Checkpointing.every`, at least that interval passes between two resets.
  public var aggressiveCheckpointAt = 4 << 20
  public var checkpointing = Checkpointing.automatic
  /// The longest wait, in nanoseconds, for a lock on the file that is held outside the engine. Opening waits as long
  /// for another process that has the file open, such as the predecessor of a service that is restarted; with 0, it
  /// throws `alreadyOpen` immediately.
  public var busyTimeoutNanoseconds: UInt64 = 5_000_000_000
  /// Receives the reason before opening waits for the file to be closed elsewhere. It is called at most once per
  /// opening, on the thread that opens. If nil, a line is written to standard error.
  public var openWaitHandler: (@Sendable (YapDatabaseError) -> Void)?
  /// The cache policies of connections and collections that have no policy of their own.
  public var defaultObjectPolicy = YapDatabasePolicy.containment
  public var defaultMetadataPolicy = YapDatabasePolicy.containment
  /// Cache policies by collection. A connection's own policy takes precedence.
  public var objectPolicies: [String: YapDatabasePolicy] = [:]
  public var metadataPolicies: [String: YapDatabasePolicy] = [:]
  /// The largest number of bytes of changed values that wait, under share and copy, for connections that are behind,
  /// such as those in a long-lived read; nil for no limit. Above it the oldest values are dropped. A connection that
  /// follows the values' commits later drops the changed rows from its caches, as under containment. Each value counts
  /// with its encoded size and 64 bytes.
  public var waitingValuesLimit: Int? = 16 << 20
  /// The largest number of commits that wait individually behind a long-lived read, at least 1; nil for no limit.
  ///
  /// Without a limit, memory grows with the number of commits: by 96 bytes for each commit of one row that a recent
  /// commit has changed in the same way. Above the limit the oldest commits are folded into one change set, whose
  /// memory depends on the number of different keys. `beginLongLivedReadTransaction` then returns one modification for
  /// all folded commits, with `isFolded` set. Queries such as `hasChange` return the same results as without folding.
  /// Of the values attached to them (`setCustomObject`), only the last is kept.
  ///
  /// Commits are folded within about 100 ms, so that three quarters of the limit still wait individually. Every 16 keys
  /// of the folded change set allow one more commit to wait.
  public var bookmarkCommitLimit: Int?
  /// Sanitizers of objects and metadata by collection. They run before and after values are stored. The sanitizer of a
  /// collection replaces the default.
  public var objectSanitizers: [String: YapDatabaseSanitizer] = [:]
  public var metadataSanitizers: [String: YapDatabaseSanitizer] = [:]
  public var defaultObjectSanitizer = YapDatabaseSanitizer()
  public var defaultMetadataSanitizer = YapDatabaseSanitizer()
  /// Whether a transaction encodes its stored objects and metadata a second time before the commit, and fails with
  /// `mutatedAfterSet` if the bytes differ. Values stored with their bytes, and values whose type holds no instance of
  /// a class, such as `String` or `[Int]`, are not checked; structs of your own and `[Any]` are. Intended for a
  /// program's tests, because it costs a second encoding. The codecs must encode equal values to equal bytes.
  public var detectsMutationAfterSet = false
  /// The codecs of objects and metadata by collection, for collections that differ from the default.
  public var objectCodecs: [String: YapDatabaseCodec] = [:]
  public var metadataCodecs: [String: YapDatabaseCodec] = [:]
  /// The codecs of all other collections.
  public var defaultObjectCodec = YapDatabaseCodec.basic
  public var defaultMetadataCodec = YapDatabaseCodec.basic
  /// Decides about a stored object or metadata that its codec cannot decode, such as a value of an earlier version of a
  /// type: the call throws the error (the default), skips the row, or continues with another value.
  ///
  /// The handler is called by enumerations of every kind, by the reads of a view, and when a view is populated or
  /// updated. A view omits skipped rows. Reads of a single row by its key do not call the handler but throw, because a
  /// replacement could be changed and stored over the stored value. A replacement is neither cached nor stored.
  public var undecodableValueHandler: YapDatabaseUndecodableValue.Handler = { _ in .stop }
  /// The largest number of SQLite handles of ended connections that are kept for new ones; 0 keeps none.
  public var handlePoolLimit = 5
  /// The nanoseconds for which an unused handle is kept.
  public var handlePoolNanoseconds: UInt64 = 90_000_000_000
  /// The largest number of threads that the database starts for asynchronous and awaited calls, at least 1. Further
  /// calls wait, first come, first served.
  ///
  /// A thread runs one call at a time, and is kept for 10 s without a call. Calls that wait for their connection's turn
  /// need no thread. Writes that wait for other writers need one, so writes occupy at most half of the threads, and
  /// reads find the others. If a call on one of the threads waits for another connection whose call has none, the
  /// latter gets a thread beyond the limit, so calls that use each other's connections do not hang. The engine cannot
  /// detect other waits: as many calls as there are threads hang if their blocks wait, for example by a semaphore, for
  /// the block of a later call.
  public var asyncThreadLimit = 64
  /// The queue on which notifications are posted, and on which completions without a queue of their own run. nil uses a
  /// serial queue of the database, on which commits in quick succession are posted a millisecond or two late, at lower
  /// cost. Any other queue gets each commit immediately. The main queue runs only if the program runs the main dispatch
  /// loop.
  public var notificationQueue: DispatchQueue?
  /// Receives the failures of asynchronous calls that have no completion to receive them. If nil, lines are written to
  /// standard error: for the first failure of each kind, and then for at most one of the kind per second. The handler
  /// is called on the notification queue. `YapDatabase.asyncFailureHandler` changes it later.
  public var asyncFailureHandler: (@Sendable (YapDatabaseAsyncFailure) -> Void)?

  /// Pauses at named points, and injected failures, for builds with the trait `TestPoints`.
  package var testHooks = TestHooks()

  public init() {}
}

extension YapDatabaseOptions {
  /// - Throws: `invalidArgument` for a number out of its range.
  func check() throws(YapDatabaseError) {
    if let pageSize, !(512...65_536).contains(pageSize) || pageSize & (pageSize - 1) != 0 {
      let expected = "a power of two from 512 to 65536, or nil for SQLite's default"
      throw Self.refusal("pageSize", pageSize, expected: expected)
    }
    try Self.check("aggressiveCheckpointAt", aggressiveCheckpointAt, atLeast: 0, unit: "bytes; Int.max turns it off")
    try Self.check("mmapSize", mmapSize, atLeast: 0, unit: "bytes; 0 turns it off")
    try Self.check("journalSizeLimit", journalSizeLimit, atLeast: 0, unit: "bytes; nil never truncates the file")
    try Self.check("jointCommitLimit", jointCommitLimit, atLeast: 1, unit: "transactions; 1 turns joint commits off")
    try Self.check("waitingValuesLimit", waitingValuesLimit, atLeast: 0, unit: "bytes; nil means no limit")
    try Self.check("bookmarkCommitLimit", bookmarkCommitLimit, atLeast: 1, unit: "commits; nil means no limit")
    try Self.check("asyncThreadLimit", asyncThreadLimit, atLeast: 1, unit: "threads")
    try Self.check("handlePoolLimit", handlePoolLimit, atLeast: 0, unit: "handles; 0 keeps none")
  }

  private static func check(_ name: String, _ value: Int?, atLeast least: Int, unit: String) throws(YapDatabaseError) {
    if let value, value < least { throw refusal(name, value, expected: "\(least) or more \(unit)") }
  }

  private static func refusal(_ name: String, _ value: Int, expected: String) -> YapDatabaseError {
    YapDatabaseError(.invalidArgument, "the option \(name) is \(value); expected \(expected)")
  }
}

extension YapDatabaseOptions {
  /// Reports that opening waits for `reason` to end.
  func reportOpenWait(_ reason: YapDatabaseError) {
    if let openWaitHandler { return openWaitHandler(reason) }
    AsyncFailures.lineWriter(self)("YapEngine: \(reason.message)")
  }
}

/// A setting of the database that individual collections can override.
struct ByCollection<Setting: Sendable>: Sendable {
  private let own: [ByteString: Setting]
  private let otherwise: Setting

  init(_ own: [String: Setting], otherwise: Setting) {
    self.own = Dictionary(own.map { (ByteString($0.key), $0.value) }) { first, _ in first }
    self.otherwise = otherwise
  }

  subscript(collection: ByteString) -> Setting {
    own.isEmpty ? otherwise : own[collection] ?? otherwise
  }

  @inline(__always)
  subscript(text collection: String) -> Setting {
    own.isEmpty ? otherwise : own[ByteString(collection)] ?? otherwise
  }

  func allSatisfy(_ predicate: (Setting) -> Bool) -> Bool { predicate(otherwise) && own.values.allSatisfy(predicate) }
}
