import Foundation
import Testing
import WALInspection

/// A WAL or an index with wrong contents. The first bytes of the file are changed during one inspection and then
/// restored. The engine must be idle meanwhile.
struct ForgedFile: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// The figures that then differ from those of the engine.
  let differences: Set<String>
  private let file: String
  private let change: @Sendable (_ bytes: inout [UInt8], _ original: WALReport) -> Void

  private init(
    _ description: String,
    in file: String,
    differences: Set<String>,
    _ change: @escaping @Sendable (_ bytes: inout [UInt8], _ original: WALReport) -> Void
  ) {
    testDescription = description
    self.differences = differences
    self.file = file
    self.change = change
  }

  /// - Parameter original: The report before the change.
  /// - Returns: The report that `inspect` gives of the changed file.
  func apply(to path: String, _ original: WALReport, _ inspect: () throws -> WALReport) throws -> WALReport {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path + self.file))
    defer { try? file.close() }
    let bytes = try #require(try file.read(upToCount: Self.indexBytes))
    var changed = Array(bytes)
    change(&changed, original)
    try file.seek(toOffset: 0)
    try file.write(contentsOf: Data(changed))
    let seen = Result { try inspect() }
    try file.seek(toOffset: 0)
    try file.write(contentsOf: bytes)
    return try seen.get()
  }

  // MARK: All changes

  /// The two headers, and the data of checkpoints and readers after them: https://sqlite.org/walformat.html
  private static let indexBytes = 120
  private static let headerBytes = 48
  private static let lastFrame = 16
  private static let salts = 32..<40
  private static let copied = 96
  private static let marks = 100

  /// The figures without an index: it has the copied frames and the readers.
  private static let refused: Set = ["copied", "left", "backlog", "marks"]
  /// The figures if the index and the WAL do not belong together.
  private static let unrelated: Set = ["copied", "left", "backlog", "frames", "alone", "held"]

  static let all = [
    ForgedFile("a header unlike its copy", in: "-shm", differences: refused) { bytes, _ in bytes[lastFrame] ^= 1 },
    ForgedFile("a header without its checksum", in: "-shm", differences: refused) { bytes, _ in
      for header in [0, headerBytes] { bytes[header + lastFrame] ^= 1 }
    },
    ForgedFile("the index of another WAL", in: "-shm", differences: unrelated) { bytes, _ in
      bytes[salts.lowerBound] ^= 1
      sign(&bytes)
    },
    ForgedFile("one frame less", in: "-shm", differences: ["left", "backlog", "frames", "held"]) { bytes, original in
      put(UInt32(original.committedFrames - 1), at: lastFrame, in: &bytes)
      sign(&bytes)
    },
    ForgedFile("one copied frame less", in: "-shm", differences: ["copied", "left", "backlog"]) { bytes, original in
      put(UInt32((original.copiedFrames ?? 0) - 1), at: copied, in: &bytes)
    },
    ForgedFile("a moved mark", in: "-shm", differences: ["alone", "held"]) { bytes, original in
      let oldest = original.readers.filter { $0.mark > 0 }.min { $0.frame < $1.frame }
      if let oldest { put(UInt32(oldest.frame + 1), at: marks + 4 * oldest.mark, in: &bytes) }
    },
    ForgedFile("another WAL's salt", in: "-wal", differences: unrelated) { bytes, _ in
      bytes[16] ^= 1
    },
    ForgedFile("a damaged frame", in: "-wal", differences: unrelated) { bytes, _ in
      bytes[32 + 24] ^= 1
    },
  ]

  /// Gives the first header its checksum, and copies it to the second:
  /// https://sqlite.org/fileformat2.html#checksum_algorithm
  private static func sign(_ bytes: inout [UInt8]) {
    var (first, second): (UInt32, UInt32) = (0, 0)
    for offset in stride(from: 0, to: headerBytes - 8, by: 8) {
      first &+= word(bytes, at: offset) &+ second
      second &+= word(bytes, at: offset + 4) &+ first
    }
    put(first, at: headerBytes - 8, in: &bytes)
    put(second, at: headerBytes - 4, in: &bytes)
    bytes.replaceSubrange(headerBytes..<2 * headerBytes, with: bytes[..<headerBytes])
  }

  private static func word(_ bytes: [UInt8], at offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }
  }

  private static func put(_ word: UInt32, at offset: Int, in bytes: inout [UInt8]) {
    for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: word >> UInt32(8 * index)) }
  }
}
