/// A mistake that a test can plant in one component, to prove that a check finds it: a step that the component omits or
/// does wrongly.
protocol ComponentOmission: RawRepresentable<UInt8>, CaseIterable, Hashable, Sendable {}

/// The omissions planted in one component, which gets them when it is made.
///
/// Always empty, and without storage, unless the package trait `TestPoints` is on.
struct Omissions<Kind: ComponentOmission>: Sendable {
  #if TestPoints
    private var bits: UInt32 = 0
  #endif

  mutating func insert(_ omission: Kind) {
    #if TestPoints
      bits |= 1 << omission.rawValue
    #endif
  }

  @inline(__always)
  func has(_ omission: @autoclosure () -> Kind) -> Bool {
    #if TestPoints
      bits & 1 << omission().rawValue != 0
    #else
      false
    #endif
  }
}

/// The omissions planted in the components of one database.
struct EngineOmissions: Sendable {
  var caches = Omissions<RowCaches.Omission>()
  var values = Omissions<ValueCache.Omission>()
  var connection = Omissions<YapDatabaseConnection.Omission>()
  var writer = Omissions<Writer.Omission>()
  var database = Omissions<YapDatabase.Omission>()
  var transaction = Omissions<YapDatabaseReadTransaction.Omission>()
  var views = Omissions<ViewUpkeep.Omission>()
  var viewPages = Omissions<ViewPages.Omission>()
  var mappings = Omissions<MappingsDifference.Omission>()
  var guardReader = Omissions<GuardReader.Omission>()
  var schema = Omissions<Schema.Omission>()
  var delivery = Omissions<NotificationDelivery.Omission>()
  var damage = Omissions<Damage.Omission>()
}

/// The omissions by name, for programs that plant one.
package enum PlantedOmission {
  /// The names of all omissions, such as "connection.pinsLazily".
  package static let names = all.map(\.name)

  private typealias Planting = (name: String, plant: @Sendable (inout EngineOmissions) -> Void)

  private static let all: [Planting] =
    list("caches", \.caches) + list("values", \.values) + list("connection", \.connection) + list("writer", \.writer)
    + list("database", \.database) + list("transaction", \.transaction) + list("views", \.views)
    + list("viewPages", \.viewPages) + list("mappings", \.mappings) + list("guardReader", \.guardReader)
    + list("schema", \.schema) + list("delivery", \.delivery) + list("damage", \.damage)

  private static func list<Kind>(
    _ component: String,
    _ omissions: any WritableKeyPath<EngineOmissions, Omissions<Kind>> & Sendable
  ) -> [Planting] {
    Kind.allCases.map { kind in ("\(component).\(kind)", { $0[keyPath: omissions].insert(kind) }) }
  }

  /// - Returns: false if there is no omission of this name.
  fileprivate static func plant(_ name: String, in omissions: inout EngineOmissions) -> Bool {
    guard let found = all.first(where: { $0.name == name }) else { return false }
    found.plant(&omissions)
    return true
  }
}

extension TestHooks {
  /// Plants the omission of a name of `PlantedOmission.names`. Has no effect without the package trait `TestPoints`.
  /// - Returns: false if there is no omission of this name.
  package mutating func plant(_ name: String) -> Bool { PlantedOmission.plant(name, in: &omissions) }
}

extension RowCaches {
  enum Omission: UInt8, ComponentOmission {
    /// A connection's caches keep the values of its rolled-back transaction.
    case keepsRolledBackValues
    /// A connection's caches keep the rowids of its rolled-back transaction.
    case keepsRolledBackRowids
    /// Cached metadata stay when another connection has changed them.
    case keepsOldMetadata
  }
}

extension ValueCache {
  enum Omission: UInt8, ComponentOmission {
    /// Changed values are added to caches that did not hold them.
    case sharesWhatWasNotCached
    /// A commit that also removed a row is followed under containment.
    case losesThePolicyBesideRemovals
    /// A touch drops cached values.
    case dropsWhatWasTouched
    /// Cached values of rows that other connections have removed stay.
    case keepsRemovedRows
    /// Under copy, all readers get the same instance.
    case copyHandsOutTheOriginal
    /// Under containment, commits carry values, and readers share them.
    case containmentLeaks
    /// A read of a cached value does not count as a use of it.
    case takesNoReadForAUse
  }
}

extension YapDatabaseConnection {
  enum Omission: UInt8, ComponentOmission {
    /// The read transaction takes its snapshot lazily and trusts the registry's number.
    case pinsLazily
    /// The proof of a snapshot's number ends before SQLite takes the snapshot.
    case provesBeforeTheSnapshot
    /// A long-lived read releases SQLite's snapshot between two reads and takes a new one.
    case losesTheBookmark
    /// A snapshot kept from the last read is used although there are newer commits.
    case readsOnFromAKeptSnapshot
    /// The checkpointer does not release the snapshots that idle connections keep.
    case keepsSnapshotsForEver
    /// Caches keep values that other connections have changed.
    case forgetsToDropChangedValues
    /// Beginning a long-lived read does not return the commits that a sweep has made the connection follow.
    case forgetsWhatTheSweepPassed
    /// A wait for a lane does not check for a deadlock.
    case waitsWithoutLooking
    /// Closing does not wait for the pending calls of connections.
    case closesWithoutWaiting
    /// The transaction of a cancelled task runs nevertheless.
    case runsCancelledCalls
    /// Names that are equal in Swift but differ in bytes refer to the same collection.
    case takesEqualNamesForTheSame
    /// A rolled-back transaction's changes of views are kept.
    case keepsRolledBackViews
    /// A stored view is used regardless of its version tag.
    case ignoresVersionTags
    /// The caches of a database's first connection do not follow other connections' commits.
    case forgetsTheFirstConnection
    /// A move of a bookmark over several commits does not return the last of them.
    case losesTheLastModification
    /// A move of a bookmark over several commits returns the first of them twice.
    case repeatsAModification
  }
}

extension Writer {
  enum Omission: UInt8, ComponentOmission {
    /// A transaction's caches do not follow earlier transactions of the same joint commit.
    case staysBehindJointCommits
    /// A transaction sees views without the changes of earlier transactions of the same joint commit.
    case joinsWithOldViews
    /// A call returns while its transaction still waits to be committed.
    case returnsBeforeTheJointCommit
    /// The caches keep the values of a joint commit that failed.
    case keepsLostJointCommits
    /// The changes of a transaction that was rolled back during an open joint commit are kept.
    case keepsRolledBackSavepoints
    /// The name of a collection is taken for stored although its transaction was rolled back.
    case keepsRolledBackNames
    /// A failed COMMIT is reported as success.
    case ignoresFailedCommits
    /// Every eighth commit is stored under the number of the commit before.
    case repeatsNumbers
    /// Every eighth commit is stored under the number of the commit after.
    case skipsNumbers
    /// Commits are published before SQLite has committed.
    case publishesEarly
    /// A rolled-back transaction is notified like a commit.
    case notifiesRollbacks
    /// The change set lacks the last of several changed keys of a collection.
    case omitsAChangedKey
  }
}

extension YapDatabase {
  enum Omission: UInt8, ComponentOmission {
    /// The change set is announced only after SQLite has committed.
    case announcesTooLate
    /// A new connection misses a commit that is made while the connection is created.
    case newConnectionMissesACommit
    /// Closing discards calls that were queued before it.
    case discardsQueuedCallsAtClose
    /// A reset of the WAL moves bookmarks that are behind, without reporting it.
    case resetsOldBookmarks
    /// The WAL is never reset.
    case neverResetsTheWAL
    /// Closing keeps a descriptor of the database file open.
    case keepsADescriptor
    /// Closing leaves a thread behind.
    case leavesAThread
    /// The write lane wakes every fourth waiter only when another event does.
    case losesWakeUps
  }
}

extension YapDatabaseReadTransaction {
  enum Omission: UInt8, ComponentOmission {
    /// Values are cached and carried as the caller passed them, not as their codec normalizes them.
    case skipsNormalization
    /// A touch is not reported.
    case forgetsTouches
    /// The change set does not record that a collection was cleared.
    case forgetsTheClearing
    /// An enumeration that continues with a scan of the table visits rows again.
    case scansFromTheBeginning
    /// A replacement from the handler of undecodable values is cached as if it were stored.
    case cachesReplacements
    /// Every reader sees views as of the newest commit.
    case showsTheNewestView
    /// The number of a collection's rows is one too small.
    case countsARowLess
    /// Enumerations skip the fifth row of a collection.
    case skipsARow
    /// An enumeration takes an error of SQLite for the end of the rows.
    case takesErrorsForTheEnd
  }
}

extension ViewUpkeep {
  enum Omission: UInt8, ComponentOmission {
    /// Some removed rows stay in views.
    case keepsRemovedRowsInViews
    /// Changed metadata is not reported to views.
    case ignoresMetadataInViews
    /// A view inserts a row before rows that its sorting treats as equal, not after them.
    case sortsBeforeEquals
    /// A view compares a stored row with the old value of another.
    case keepsOldLandmarks
  }
}

extension ViewPages {
  enum Omission: UInt8, ComponentOmission {
    /// Some pages of a view are stored without their last row.
    case losesStoredRowsOfAView
  }
}

extension MappingsDifference {
  enum Omission: UInt8, ComponentOmission {
    /// Rows that have left the shown range, but not their group, are not reported.
    case forgetsRowsThatARangePasses
    /// Rows that have moved within their group are reported as updated.
    case takesMovesForUpdates
    /// Cells that depend on a changed cell are not reported.
    case forgetsDependentCells
  }
}

extension GuardReader {
  enum Omission: UInt8, ComponentOmission {
    /// Checkpoints run alongside commits without a guard.
    case checkpointsBesideCommits
  }
}

extension Schema {
  enum Omission: UInt8, ComponentOmission {
    /// A WAL of another database is accepted as the file's own.
    case adoptsForeignWALs
  }
}

extension NotificationDelivery {
  enum Omission: UInt8, ComponentOmission {
    /// Every eighth commit is notified twice.
    case postsTwice
    /// Two commits that wait together are notified in the reverse order.
    case postsOutOfOrder
    /// Every eighth commit is not notified.
    case skipsCommits
  }
}

extension Damage {
  enum Omission: UInt8, ComponentOmission {
    /// A failed sync is not recorded as damage.
    case forgetsFailedSyncs
    /// SQLite's errors are thrown as they are, not as those of the engine.
    case passesErrorsOn
  }
}
