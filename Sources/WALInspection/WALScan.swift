/// Reads a WAL as recovery does: frame by frame, each with its checksum, up to the first invalid frame. Each call
/// continues after the frames of the previous one, until the WAL restarts.
///
/// The format: https://sqlite.org/fileformat2.html#the_write_ahead_log
struct WALScan {
  private static let headerBytes = 32
  private static let frameHeaderBytes = 24
  private static let readBytes = 1 << 20

  /// The number of frames with correct checksums, whether committed or not.
  private(set) var frames = 0
  /// The number of frames up to the end of the last commit.
  private(set) var committedFrames = 0
  /// Distinct pages in the committed frames: the number of pages that a checkpoint of all these frames would write.
  private(set) var committedPages = 0
  private(set) var commits = 0
  /// The number of pages of the database after the last commit.
  private(set) var databasePages = 0
  private(set) var pageSize = 0
  /// The restart counter of the WAL's header; nil if there is no valid header.
  private(set) var generation: UInt32?
  private(set) var salts: [UInt32] = []

  /// The first bytes of the file, whether they are a valid header or not.
  private var firstBytes: [UInt8] = []
  private var sums = Checksum()
  private var pages: Set<UInt32> = []
  private var countsPages = true

  /// The size of a frame in bytes.
  var frameBytes: Int { pageSize + Self.frameHeaderBytes }

  /// Counts all valid frames, including those that are not committed and may still be replaced.
  func validFrames(in file: ReadOnlyFile) throws(InspectionError) -> Int {
    var rest = self
    // Not counting pages avoids a copy of the set of pages, which may be large.
    rest.countsPages = false
    try rest.advance(in: file)
    return rest.frames
  }

  /// Reads the header of the file, and starts over if it differs from the header in the previous call.
  mutating func readHeader(of file: ReadOnlyFile) throws(InspectionError) {
    let header = try file.read(at: 0, count: Self.headerBytes)
    if header != firstBytes { restart(with: header) }
  }

  /// Whether the file still begins with the header that was read last, so no committed frame has been overwritten.
  func isCurrent(in file: ReadOnlyFile) throws(InspectionError) -> Bool {
    try file.read(at: 0, count: Self.headerBytes) == firstBytes
  }

  /// The bytes that recovery reads: the header, all valid frames, and the first invalid one if the file contains it.
  func recoveryBytes(validFrames: Int, ofFile walBytes: Int) -> Int {
    let frames = generation == nil ? 0 : validFrames + 1
    return min(walBytes, Self.headerBytes + frames * frameBytes)
  }

  /// Reads the frames written since the previous call.
  ///
  /// - Parameter limit: The number of frames, counted from the start of the WAL, at which to stop.
  mutating func advance(in file: ReadOnlyFile, upTo limit: Int = .max) throws(InspectionError) {
    try readHeader(of: file)
    guard generation != nil else { return }
    let framesAtOnce = max(Self.readBytes / frameBytes, 1)
    while frames < limit {
      let count = min(framesAtOnce, limit - frames)
      let bytes = try file.read(at: Self.headerBytes + frames * frameBytes, count: count * frameBytes)
      for start in stride(from: 0, to: bytes.count - frameBytes + 1, by: frameBytes) {
        guard append(bytes, at: start) else { return }
      }
      if bytes.count < count * frameBytes { return }
    }
  }

  private mutating func restart(with header: [UInt8]) {
    self = WALScan()
    firstBytes = header
    guard header.count == Self.headerBytes else { return }
    let magic = header.bigEndian(at: 0)
    guard magic & ~1 == 0x377f_0682, header.bigEndian(at: 4) == 3_007_000 else { return }
    let size = Int(header.bigEndian(at: 8))
    guard (512...65_536).contains(size), size.nonzeroBitCount == 1 else { return }
    var sums = Checksum(isBigEndian: magic & 1 == 1)
    sums.add(header, from: 0, count: 24)
    guard sums.first == header.bigEndian(at: 24), sums.second == header.bigEndian(at: 28) else { return }
    self.sums = sums
    pageSize = size
    generation = header.bigEndian(at: 12)
    salts = [header.bigEndian(at: 16), header.bigEndian(at: 20)]
  }

  /// Counts the frame that begins at `start`, if it is valid.
  ///
  /// - Returns: Whether the frame is valid.
  private mutating func append(_ bytes: [UInt8], at start: Int) -> Bool {
    let page = bytes.bigEndian(at: start)
    guard page > 0, bytes.bigEndian(at: start + 8) == salts[0], bytes.bigEndian(at: start + 12) == salts[1] else {
      return false
    }
    var next = sums
    next.add(bytes, from: start, count: 8)
    next.add(bytes, from: start + Self.frameHeaderBytes, count: pageSize)
    guard next.first == bytes.bigEndian(at: start + 16), next.second == bytes.bigEndian(at: start + 20) else {
      return false
    }
    sums = next
    frames += 1
    if countsPages { pages.insert(page) }
    let pagesAfterCommit = bytes.bigEndian(at: start + 4)
    if pagesAfterCommit > 0 {
      committedFrames = frames
      committedPages = pages.count
      commits += 1
      databasePages = Int(pagesAfterCommit)
    }
    return true
  }
}
