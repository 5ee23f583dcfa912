public import Dispatch

/// How a database is opened. Copied at open: later changes to the value change nothing.
public struct YapDatabaseOptions: Sendable {
  /// What a commit waits for: https://sqlite.org/pragma.html#pragma_synchronous
  public enum Synchronous: String, Sendable {
    /// Nothing is synced. A power loss may damage the file.
    case off
    /// The WAL is synced before each checkpoint. A power loss may take the last commits, never damages the file.
    case normal
    /// The WAL is synced at each commit. A power loss takes nothing that was committed.
    case full
  }

  /// When frames of the WAL are copied to the database file.
  public enum Checkpointing: Sendable, Equatable {
    /// When enough frames can be copied, and when the database comes to rest.
    case automatic
    /// Tried again and again after this many nanoseconds, whenever a single frame can be copied.
    case every(nanoseconds: UInt64)
  }

  /// What becomes of pages that rows no longer need: https://sqlite.org/pragma.html#pragma_auto_vacuum
  public enum AutoVacuum: Int, Sendable {
    /// They are used again; the file never shrinks, but for `vacuum`.
    case none = 0
    /// Each commit moves pages to the front and cuts the file.
    case full = 1
    /// They are used again, or given back by `incrementalVacuum`.
    case incremental = 2
  }

  /// The action for a file that is damaged, or no database, when it is opened. Another program's database, a WAL of
  /// another database, a lock, a full disk or a missing permission is no damage: then opening fails, and nothing is
  /// changed.
  public var corruptAction = YapDatabaseCorruptAction.rename
  public var synchronous: Synchronous = .full
  /// Transactions that wait for each other at most, so that one sync commits them all; 1 for none.
  ///
  /// Only with `Synchronous.full`, only while others wait to write, and only where blocks take less time than a sync: a
  /// call then waits, for the blocks of others, about as long as two syncs take. Each transaction has its number, is
  /// told of by itself, and can be rolled back by itself; where the disk fails they fail together.
  public var jointCommitLimit = 64
  /// For a new file at once, for another with its next `vacuum`.
  public var autoVacuum = AutoVacuum.none
  /// Bytes of a page, a power of two from 512 to 65536; nil leaves SQLite's default. Only for a new file.
  public var pageSize: Int?
  /// Bytes of the database file that are mapped into memory, for each connection; 0 for none.
  public var mmapSize = 0
  /// A WAL file of at most so many bytes is written over when the WAL begins anew, which costs less than to append to a
  /// new one; a longer one is cut. nil for never to cut it, 0 for always.
  public var journalSizeLimit: Int? = 16 << 20
  /// The size of the WAL, in bytes, above which writers wait until the WAL can restart: for readers, and for the
  /// copying and the syncs of what was written last.
  ///
  /// The wait for readers grows with the WAL. Up to twice this size it is at most 40 ms at once, less on a slow disk,
  /// and a twentieth of the time; from 2 times on 60 ms and a tenth; from 4 times on 125 ms and a fifth; from 8 times
  /// on 250 ms and a quarter.
  ///
  /// In steady state the WAL stays under 2, 4, 8 or 16 times this size if every read ends, and every bookmark moves,
  /// within 40, 50, 100 or 200 ms of a commit. A writer that never pauses adds what it writes in eight such periods,
  /// and while its frames are copied. A reader that stays for longer keeps the WAL from restarting and lets it grow,
  /// and costs writers 40 ms once. `YapDatabase.statistics` names it; once it moves, and the backlog is copied, the WAL
  /// is back under the bound.
  ///
  /// `Int.max` turns resets off. With `Checkpointing.every` at least that interval passes between two resets.
  public var aggressiveCheckpointAt = 4 << 20
  public var checkpointing = Checkpointing.automatic
  /// Nanoseconds to wait for a lock that somebody outside this process holds.
  public var busyTimeoutNanoseconds: UInt64 = 5_000_000_000
  /// Cache policies of connections that set none of their own, in collections that have none of their own.
  public var defaultObjectPolicy = YapDatabasePolicy.containment
  public var defaultMetadataPolicy = YapDatabasePolicy.containment
  /// Cache policies by collection. A connection's own policy is stronger.
  public var objectPolicies: [String: YapDatabasePolicy] = [:]
  public var metadataPolicies: [String: YapDatabasePolicy] = [:]
  /// Bytes of changed values that may wait, under share and copy, for connections that are behind, such as one in a
  /// long-lived read; nil for any amount. Beyond it the oldest are dropped: who comes to follow those commits drops
  /// what they changed from its caches, as under containment. Counted are the encoded sizes and 64 bytes a value.
  public var waitingValuesLimit: Int? = 16 << 20
  /// The number of commits that may wait one by one behind a long-lived read; nil, as by default, for any number. At
  /// least 1.
  ///
  /// Without it memory grows with the number of commits: by 112 bytes for each that changes a row that a recent commit
  /// has changed, too. Above the limit the oldest are folded into one change set, which takes memory for each different
  /// key. `beginLongLivedReadTransaction` then returns one modification for all of them, with `isFolded` set. Questions
  /// such as `hasChange` have the same answers as without folding. Of attached values (`setCustomObject`) the last one
  /// is kept.
  ///
  /// Commits are folded within about 100 ms, until three quarters of the limit are left; each 16 keys of the folded
  /// change set let one commit more wait.
  public var bookmarkCommitLimit: Int?
  /// Look at objects and metadata before and after they are stored, by collection. One for a collection takes the place
  /// of the default.
  public var objectSanitizers: [String: YapDatabaseSanitizer] = [:]
  public var metadataSanitizers: [String: YapDatabaseSanitizer] = [:]
  public var defaultObjectSanitizer = YapDatabaseSanitizer()
  public var defaultMetadataSanitizer = YapDatabaseSanitizer()
  /// Encodes objects and metadata once more before the commit and refuses it, with `mutatedAfterSet`, if one has other
  /// bytes than it was stored with. Values whose type cannot hold an instance of a class, such as `String` or `[Int]`,
  /// are left out; structs and `[Any]` are not. For tests of a program: it costs a second encoding. The codecs must
  /// give the same bytes for the same value.
  public var detectsMutationAfterSet = false
  /// Turn objects and metadata into bytes and back, by collection, for collections that differ from the default.
  public var objectCodecs: [String: YapDatabaseCodec] = [:]
  public var metadataCodecs: [String: YapDatabaseCodec] = [:]
  /// The codecs of all other collections.
  public var defaultObjectCodec = YapDatabaseCodec.basic
  public var defaultMetadataCodec = YapDatabaseCodec.basic
  /// Chooses what happens to a stored object or metadata that its codec cannot decode, such as one of an earlier
  /// version of a type: the call throws the error (the default), leaves the row out, or continues with another value.
  ///
  /// Asked by enumerations of every kind, by the reads of a view, and when a view is populated or kept up to date. A
  /// view leaves out rows that are skipped. Reads of a row by its key do not ask it, and throw: what they return may be
  /// changed and stored again, which would overwrite the stored value. A replacement is neither cached nor stored.
  public var undecodableValueHandler: YapDatabaseUndecodableValue.Handler = { _ in .stop }
  /// SQLite handles of connections that are gone, kept for new ones; 0 to keep none.
  public var handlePoolLimit = 5
  /// Nanoseconds for which they are kept.
  public var handlePoolNanoseconds: UInt64 = 90_000_000_000
  /// Where notifications are posted and completions run; nil for a serial queue of the database's own, to which commits
  /// in quick succession are told a millisecond or two later, and cost less. Another queue is told of each at once.
  /// The main queue runs only in a program that runs the main dispatch loop.
  public var notificationQueue: DispatchQueue?
  /// Receives the failures of asynchronous calls that have no completion to receive them; nil to write a line to
  /// standard error for the first failure of a kind and then at most one a second. Called on the notification queue.
  /// `YapDatabase.asyncFailureHandler` changes it later.
  public var asyncFailureHandler: (@Sendable (YapDatabaseAsyncFailure) -> Void)?

  /// Pauses at named points, and planted bugs. Without effect unless the package is built with `TestPoints`.
  package var testHooks = TestHooks()

  public init() {}
}
