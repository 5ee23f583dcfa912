internal import EngineStress
internal import Foundation
internal import YapEngine

/// Bugs of acknowledgements, files and checkers, which crashes, power losses, damage, the ledger and histories must
/// show.
extension SelfTestBug {
  // MARK: Crashes

  static let crash: [SelfTestBug] = [
    crashed(
      "crash.earlyAcknowledgements",
      "A commit is acknowledged before SQLite commits it.",
      shows: "was acknowledged"
    ) {
      $0.mistakes.acknowledgesEarly = true
    },
    crashed(
      "crash.deletedWAL",
      "The WAL is deleted before the database is opened again.",
      shows: "was acknowledged",
      "the newest ledger entry is that of commit",
      // A checkpoint that the kill interrupted leaves a file that needs its WAL.
      "is malformed"
    ) {
      $0.tampering = { path, life in
        if life >= 2 { try? FileManager.default.removeItem(atPath: path + "-wal") }
      }
    },
    crashed(
      "crash.olderWAL",
      "An older WAL is in place when the database is opened again.",
      shows: "was acknowledged",
      "the newest ledger entry is that of commit",
      "belongs to another database"
    ) {
      $0.tampering = { path, life in
        let (wal, old) = (URL(fileURLWithPath: path + "-wal"), URL(fileURLWithPath: path + "-old"))
        if life == 3 { try? FileManager.default.copyItem(at: wal, to: old) }
        if life >= 9, let bytes = try? Data(contentsOf: old) { try bytes.write(to: wal) }
      }
    },
    crashed(
      "writer.repeatsNumbers",
      "Every eighth commit is stored under the number of the commit before.",
      shows: "was acknowledged",
      "the newest ledger entry is that of commit",
      "which an earlier commit has",
      "which this process did not write"
    ) {
      $0.mistakes.omissions = ["writer.repeatsNumbers"]
    },
  ]

  private static func crashed(
    _ name: String,
    _ effect: String,
    shows texts: String...,
    plant: @escaping @Sendable (inout CrashCampaign) -> Void
  ) -> SelfTestBug {
    SelfTestBug(name, effect, by: "crash", within: 10, finding: .failure(texts)) { isPlanted, program in
      var campaign = CrashCampaign(
        program: program.path,
        programArguments: program.arguments,
        synchronous: .full,
        kills: nil
      )
      if isPlanted { plant(&campaign) }
      return campaign
    }
  }

  // MARK: Power losses

  /// The part of a failure that states a lost commit.
  private static let lost = "was acknowledged, but the newest in the file"

  static let powerLoss: [SelfTestBug] = [
    powerLost("power-loss.skippedSyncs", "Every third sync of the WAL is skipped.") {
      $0.ignoresSync = { kind, number in kind == .wal && number % 3 == 0 }
    },
    powerLost("power-loss.skippedCheckpointSyncs", "Checkpoints do not sync the database file.") {
      $0.ignoresSync = { kind, _ in kind == .database }
    },
    powerLost("power-loss.skippedFolderSyncs", "The folder is not synced after a WAL was created in it.") {
      $0.ignoresFolderSyncs = true
    },
    powerLost("power-loss.normalForFull", "The level normal is taken for full.") { $0.level = .normal },
    powerLost(
      "power-loss.offForNormal",
      "The level off is taken for normal.",
      level: .normal,
      finding: .failure(["is malformed", lost])
    ) {
      $0.level = .off
    },
    powerLost(
      "power-loss.keptWrites",
      "The checker keeps writes in its images that were not synced.",
      level: .normal,
      images: 40,
      finding: .shortcoming(of: "images that lost acknowledged commits")
    ) {
      $0.keepsUnsyncedOperations = true
    },
  ]

  private static func powerLost(
    _ name: String,
    _ effect: String,
    level: YapDatabaseOptions.Synchronous = .full,
    images: Int = 200,
    finding: Finding = .failure([lost]),
    plant: @escaping @Sendable (inout PowerLossMistakes) -> Void
  ) -> SelfTestBug {
    SelfTestBug(name, effect, by: "power-loss", within: 1, finding: finding) { isPlanted, _ in
      var settings = PowerLossCampaign.Settings(synchronous: level, imagesPerCase: images)
      if isPlanted { plant(&settings.mistakes) }
      return PowerLossCampaign(settings)
    }
  }

  // MARK: Damage

  static let damage: [SelfTestBug] = [
    // The budgets end before case 31, the first that imposes a limit on its process.
    SelfTestBug(
      "damage.acceptsWrongRows",
      "The comparison of rows with the ledger reports no error.",
      by: "damage",
      within: 15,
      finding: .failure(["false ok"])
    ) { isPlanted, _ in
      DamageCampaign(plantedBug: isPlanted ? .acceptsWrongRows : nil)
    },
    SelfTestBug(
      "transaction.takesErrorsForTheEnd",
      "An enumeration takes damage that SQLite reports for the end of the rows.",
      by: "damage",
      within: 31,
      finding: .failure(["rows without an error"])
    ) { isPlanted, _ in
      DamageCampaign(omissions: isPlanted ? ["transaction.takesErrorsForTheEnd"] : [])
    },
  ]

  // MARK: Histories

  static let listAppend: [SelfTestBug] = HistoryTampering.allCases.map { tampering in
    SelfTestBug(
      "list-append.\(tampering)",
      tampering.effect,
      by: "list-append",
      within: 1,
      finding: .failure([ListAnomaly(tampering.kind, needsOrder: tampering.needsOrder, "").description])
    ) { isPlanted, _ in
      var campaign = ListAppendCampaign()
      campaign.transactions = 500
      if isPlanted { campaign.tampering = { tampering.apply(to: &$0) } }
      return campaign
    }
  }

  // MARK: Stopped databases

  static let verify: [SelfTestBug] = [
    tampered(.changedByte, "A byte of a value is changed.", shows: "is not the one that commit"),
    tampered(.swappedValues, "The values of two rows are swapped.", shows: "is not the one that commit"),
    tampered(.changedMetadata, "The metadata of a row are changed.", shows: "the metadata of row"),
    tampered(.addedRow, "A row is added.", shows: "but no commit has written it"),
    tampered(.deletedRow, "A row is deleted.", shows: "is missing, but commit"),
    tampered(.deletedLedgerEntry, "An entry of the ledger is deleted.", shows: "is missing from the ledger"),
    tampered(
      .deletedNewestCommit,
      "The ledger entry of the newest commit is deleted.",
      shows: "the newest ledger entry is that of commit"
    ),
    tampered(
      .deletedNewestCommitAndNumber,
      "The stored number is lowered to the commit before.",
      shows: lost
    ),
    tampered(.deletedWAL, "The WAL is deleted.", shows: lost),
    tampered(.flippedBit, "A bit of the WAL is flipped.", shows: lost),
    tampered(.cutWAL, "The end of the WAL is cut off.", shows: lost),
    tampered(.olderWAL, "An older WAL is copied back.", shows: lost),
  ]

  private static func tampered(_ tampering: StoreTampering, _ effect: String, shows text: String) -> SelfTestBug {
    SelfTestBug(
      "verify.\(tampering)",
      effect,
      by: "verify",
      within: 1,
      finding: .failure([text])
    ) { isPlanted, _ in
      TamperedStoreCampaign(isPlanted ? tampering : nil)
    }
  }
}

extension HistoryTampering {
  fileprivate var effect: String {
    switch self {
    case .lostUpdate: "Two transactions append to the same version of a list."
    case .lostAppend: "An acknowledged append is missing."
    case .abortedRead: "A read returns an append that was rolled back."
    case .intermediateRead: "A read returns a list in the middle of a transaction."
    case .duplicate: "A list has a value twice."
    case .writeCycle: "Two transactions append to two lists in different orders."
    case .singleAntiDependency: "A transaction sees one of another's two appends, but not the other."
    case .writeSkew: "Two transactions each miss the other's append."
    case .staleRead: "A fresh read does not see an append that was acknowledged before."
    }
  }
}
