extension PackedFigure<EngineSample> {
  static let all: [Self] =
    ofTheMoment + writes("wal", \.wal) + writes("database", \.database) + writes("journal", \.journal)

  private static let ofTheMoment: [Self] = [
    Self(name: "elapsedNanoseconds", get: { Int(clamping: $0.elapsedNanoseconds) }) {
      $0.elapsedNanoseconds = UInt64(clamping: $1)
    },
    Self(name: "commit", get: \.commit) { $0.commit = $1 },
    wal("bytes", get: \.bytes) { $0.bytes = $1 },
    wal("frames", get: \.frames) { $0.frames = $1 },
    wal("backlogFrames", get: \.backlogFrames) { $0.backlogFrames = $1 },
    wal("heldFrames", get: \.heldFrames) { $0.heldFrames = $1 },
    Self(name: "residentBytes", get: \.residentBytes) { $0.residentBytes = $1 },
    Self(name: "allocatedBytes", get: \.allocatedBytes) { $0.allocatedBytes = $1 },
    Self(name: "userCPUNanoseconds", get: { Int(clamping: $0.userCPUNanoseconds) }) {
      $0.userCPUNanoseconds = UInt64(clamping: $1)
    },
    Self(name: "systemCPUNanoseconds", get: { Int(clamping: $0.systemCPUNanoseconds) }) {
      $0.systemCPUNanoseconds = UInt64(clamping: $1)
    },
    Self(name: "contextSwitches", get: \.contextSwitches) { $0.contextSwitches = $1 },
    Self(name: "stolenNanoseconds", get: { $0.stolenNanoseconds.map { Int(clamping: $0) } }) {
      $0.stolenNanoseconds = UInt64(clamping: $1)
    },
    Self(name: "ioPressureNanoseconds", get: { $0.ioPressureNanoseconds.map { Int(clamping: $0) } }) {
      $0.ioPressureNanoseconds = UInt64(clamping: $1)
    },
  ]

  private static func writes(
    _ kind: String,
    _ counts: any WritableKeyPath<FileWrites, FileWrites.Counts> & Sendable
  ) -> [Self] {
    func figure(_ name: String, _ count: any WritableKeyPath<FileWrites.Counts, Int> & Sendable) -> Self {
      Self(name: "writes.\(kind).\(name)", get: { $0.writes?[keyPath: counts][keyPath: count] }) { sample, number in
        var writes = sample.writes ?? FileWrites()
        writes[keyPath: counts][keyPath: count] = number
        sample.writes = writes
      }
    }
    return [
      figure("bytes", \.bytes), figure("syncs", \.syncs), figure("syncNanoseconds", \.syncNanoseconds),
    ]
  }

  private static func wal(
    _ name: String,
    get: @escaping @Sendable (EngineSample.WAL) -> Int,
    set: @escaping @Sendable (inout EngineSample.WAL, Int) -> Void
  ) -> Self {
    Self(name: "wal." + name, get: { $0.wal.map(get) }) { sample, number in
      var wal = sample.wal ?? .init(bytes: 0, frames: 0, backlogFrames: 0, heldFrames: 0, pinnedBy: nil)
      set(&wal, number)
      sample.wal = wal
    }
  }
}

extension PackedFigure<EngineSample.Connection> {
  /// The first one is never missing where there is a connection.
  static let all: [Self] =
    [
      Self(name: "ageCommits", get: \.ageCommits) { $0.ageCommits = $1 },
      Self(name: "ageNanoseconds", get: { Int(clamping: $0.ageNanoseconds) }) {
        $0.ageNanoseconds = UInt64(clamping: $1)
      },
      Self(name: "pinnedNanoseconds", get: { $0.pinnedNanoseconds.map { Int(clamping: $0) } }) {
        $0.pinnedNanoseconds = UInt64(clamping: $1)
      },
      Self(name: "framesHeldAlone", get: \.framesHeldAlone) { $0.framesHeldAlone = $1 },
      Self(name: "pendingCommits", get: \.pendingCommits) { $0.pendingCommits = $1 },
      Self(name: "pendingBytes", get: \.pendingBytes) { $0.pendingBytes = $1 },
    ] + caches("object", { $0.object }) { $1.set(&$0.object, $2) }
    + caches("metadata", { $0.metadata }) { $1.set(&$0.metadata, $2) }

  private typealias Caches = EngineSample.Caches
  private typealias CacheFigure = PackedFigure<EngineSample.CacheCounts>

  private static func caches(
    _ kind: String,
    _ take: @escaping @Sendable (Caches) -> EngineSample.CacheCounts,
    put: @escaping @Sendable (inout Caches, CacheFigure, Int) -> Void
  ) -> [Self] {
    EngineSample.CacheCounts.figures.map { figure in
      Self(name: "\(kind).\(figure.name)", get: { $0.caches.flatMap { figure.get(take($0)) } }) { connection, number in
        if connection.caches == nil { connection.caches = .init(object: .init(), metadata: .init()) }
        connection.caches?.change { put(&$0, figure, number) }
      }
    }
  }
}

extension EngineSample.Caches {
  /// In place: there are millions of them.
  fileprivate mutating func change(_ body: (inout Self) -> Void) { body(&self) }
}

extension EngineSample.CacheCounts {
  fileprivate static var figures: [PackedFigure<Self>] {
    [
      PackedFigure(name: "hits", get: \.hits) { $0.hits = $1 },
      PackedFigure(name: "misses", get: \.misses) { $0.misses = $1 },
      PackedFigure(name: "updatedByPolicy", get: \.updatedByPolicy) { $0.updatedByPolicy = $1 },
      PackedFigure(name: "dropped", get: \.dropped) { $0.dropped = $1 },
      PackedFigure(name: "readAgain", get: \.readAgain) { $0.readAgain = $1 },
      PackedFigure(name: "decoded", get: \.decoded) { $0.decoded = $1 },
      PackedFigure(name: "copied", get: \.copied) { $0.copied = $1 },
    ]
  }
}
