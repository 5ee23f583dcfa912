internal import BenchModel

/// The worst regression of a night: since the last night, or since the pinned build if there is no comparison with the
/// last night's.
struct NightRegression: Equatable {
  struct Commits: Equatable {
    let good: String
    let bad: String
  }

  let figure: FigureName
  /// The commits of the two builds; nil if they are not known, or are the same.
  let commits: Commits?

  /// Returns nil for a night without a regression.
  /// - Parameter pinnedIsKept: whether the night's pinned build is the one that an earlier night has kept.
  init?(of folder: NightFolder, pinnedIsKept: Bool) {
    let last = folder.outcome(of: .last)
    guard let outcome = last ?? folder.outcome(of: .pinned),
      let worst = outcome.figures.first(where: { $0.verdict == .regressed && $0.role == .primary })
    else { return nil }
    figure = worst.name
    let keptBuild: NightFolder.KeptBuild = last == nil ? .pinned : .last
    let isKept = last != nil || pinnedIsKept
    guard let good = isKept ? folder.commit(of: keptBuild) : outcome.base.commit, let bad = outcome.head.commit,
      good != bad, !outcome.head.hasUncommittedChanges
    else {
      commits = nil
      return
    }
    commits = Commits(good: good, bad: bad)
  }
}
