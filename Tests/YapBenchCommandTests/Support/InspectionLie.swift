import Foundation
import Testing
import WALInspection

/// What a WAL or its index may say that is not so. The first bytes of the file are changed in their place, and put back
/// when somebody has looked; meanwhile the engine must do nothing.
struct InspectionLie: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// What then differs from what the engine tells.
  let differences: Set<String>
  private let file: String
  private let change: @Sendable (_ bytes: inout [UInt8], _ honest: WALReport) -> Void

  private init(
    _ what: String,
    in file: String,
    _ differences: Set<String>,
    _ change: @escaping @Sendable (_ bytes: inout [UInt8], _ honest: WALReport) -> Void
  ) {
    testDescription = what
    self.differences = differences
    self.file = file
    self.change = change
  }

  /// - Returns: what `look` sees of it.
  func told(of path: String, _ honest: WALReport, _ look: () throws -> WALReport) throws -> WALReport {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path + self.file))
    defer { try? file.close() }
    let bytes = try #require(try file.read(upToCount: Self.indexBytes))
    var changed = Array(bytes)
    change(&changed, honest)
    try file.seek(toOffset: 0)
    try file.write(contentsOf: Data(changed))
    let seen = Result { try look() }
    try file.seek(toOffset: 0)
    try file.write(contentsOf: bytes)
    return try seen.get()
  }

  // MARK: All of them

  /// Two headers, and what checkpoints and readers note behind them: https://sqlite.org/walformat.html
  private static let indexBytes = 120
  private static let headerBytes = 48
  private static let lastFrame = 16
  private static let salts = 32..<40
  private static let copied = 96
  private static let marks = 100

  /// Nothing is told of what was copied, nor of who reads.
  private static let refused: Set = ["copied", "left", "backlog", "marks"]
  /// The two belong to different WALs.
  private static let unrelated: Set = ["copied", "left", "backlog", "frames", "alone", "held"]

  static let all = [
    InspectionLie("a header unlike its copy", in: "-shm", refused) { bytes, _ in bytes[lastFrame] ^= 1 },
    InspectionLie("a header without its checksum", in: "-shm", refused) { bytes, _ in
      for header in [0, headerBytes] { bytes[header + lastFrame] ^= 1 }
    },
    InspectionLie("the index of another WAL", in: "-shm", unrelated) { bytes, _ in
      bytes[salts.lowerBound] ^= 1
      sign(&bytes)
    },
    InspectionLie("a frame less", in: "-shm", ["left", "backlog", "frames", "held"]) { bytes, honest in
      put(UInt32(honest.committedFrames - 1), at: lastFrame, in: &bytes)
      sign(&bytes)
    },
    InspectionLie("a copied frame less", in: "-shm", ["copied", "left", "backlog"]) { bytes, honest in
      put(UInt32((honest.copiedFrames ?? 0) - 1), at: copied, in: &bytes)
    },
    InspectionLie("a mark elsewhere", in: "-shm", ["alone", "held"]) { bytes, honest in
      let oldest = honest.readers.filter { $0.mark > 0 }.min { $0.frame < $1.frame }
      if let oldest { put(UInt32(oldest.frame + 1), at: marks + 4 * oldest.mark, in: &bytes) }
    },
    InspectionLie("another WAL's salt", in: "-wal", unrelated) { bytes, _ in
      bytes[16] ^= 1
    },
    InspectionLie("a damaged frame", in: "-wal", unrelated) { bytes, _ in
      bytes[32 + 24] ^= 1
    },
  ]

  /// Both headers become the first, with its checksum: https://sqlite.org/fileformat2.html#checksum_algorithm
  private static func sign(_ bytes: inout [UInt8]) {
    var (first, second): (UInt32, UInt32) = (0, 0)
    for place in stride(from: 0, to: headerBytes - 8, by: 8) {
      first &+= word(bytes, place) &+ second
      second &+= word(bytes, place + 4) &+ first
    }
    put(first, at: headerBytes - 8, in: &bytes)
    put(second, at: headerBytes - 4, in: &bytes)
    bytes.replaceSubrange(headerBytes..<2 * headerBytes, with: bytes[..<headerBytes])
  }

  private static func word(_ bytes: [UInt8], _ place: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) }
  }

  private static func put(_ word: UInt32, at place: Int, in bytes: inout [UInt8]) {
    for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: word >> UInt32(8 * index)) }
  }
}
