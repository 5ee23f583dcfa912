/// Reads a WAL as recovery does: frame by frame, each with its checksum, up to the first that does not belong to it.
/// Each call continues after the frames of the last one, until the WAL starts again.
///
/// The format: https://sqlite.org/fileformat2.html#the_write_ahead_log
struct WALScan {
  private static let headerBytes = 32
  private static let frameHeaderBytes = 24
  private static let readBytes = 1 << 20

  /// Frames whose checksums fit, whether committed or not.
  private(set) var frames = 0
  /// Up to the end of the last commit.
  private(set) var committedFrames = 0
  /// Different pages in the committed frames: what one whole checkpoint would write.
  private(set) var committedPages = 0
  private(set) var commits = 0
  /// Pages of the database after the last commit.
  private(set) var databasePages = 0
  private(set) var pageSize = 0
  /// Counts how often the WAL has begun anew; nil where there is no header that is whole.
  private(set) var generation: UInt32?
  private(set) var salts: [UInt32] = []

  /// The first bytes of the file, valid or not.
  private var begunWith: [UInt8] = []
  private var sums = Checksum()
  private var pages: Set<UInt32> = []
  private var countsPages = true

  /// Bytes of a frame.
  var frameBytes: Int { pageSize + Self.frameHeaderBytes }

  /// Counts all valid frames, also those that are not committed and may still be replaced.
  func validFrames(in file: ReadOnlyFile) throws(InspectionError) -> Int {
    var rest = self
    // So that the set of pages, which may be large, is not copied.
    rest.countsPages = false
    try rest.advance(in: file)
    return rest.frames
  }

  /// Reads the header of the file, and starts again where it is another one than at the last call.
  mutating func readHeader(of file: ReadOnlyFile) throws(InspectionError) {
    let header = try file.read(at: 0, count: Self.headerBytes)
    if header != begunWith { begin(header) }
  }

  /// Whether the file still begins with the header that was read last: no frame has been overwritten since.
  func isCurrent(in file: ReadOnlyFile) throws(InspectionError) -> Bool {
    try file.read(at: 0, count: Self.headerBytes) == begunWith
  }

  /// Bytes that recovery reads: the header and all valid frames, and the first invalid one where the file has it.
  func recoveryBytes(validFrames: Int, ofFile walBytes: Int) -> Int {
    let frames = generation == nil ? 0 : validFrames + 1
    return min(walBytes, Self.headerBytes + frames * frameBytes)
  }

  /// Reads what has been written since the last call.
  ///
  /// - Parameter limit: the number of frames at which to stop, where there are more.
  mutating func advance(in file: ReadOnlyFile, upTo limit: Int = .max) throws(InspectionError) {
    try readHeader(of: file)
    guard generation != nil else { return }
    let framesAtOnce = max(Self.readBytes / frameBytes, 1)
    while frames < limit {
      let count = min(framesAtOnce, limit - frames)
      let bytes = try file.read(at: Self.headerBytes + frames * frameBytes, count: count * frameBytes)
      for start in stride(from: 0, to: bytes.count - frameBytes + 1, by: frameBytes) {
        guard take(bytes, start) else { return }
      }
      if bytes.count < count * frameBytes { return }
    }
  }

  private mutating func begin(_ header: [UInt8]) {
    self = WALScan()
    begunWith = header
    guard header.count == Self.headerBytes else { return }
    let magic = header.big(0)
    guard magic & ~1 == 0x377f_0682, header.big(4) == 3_007_000 else { return }
    let size = Int(header.big(8))
    guard (512...65_536).contains(size), size.nonzeroBitCount == 1 else { return }
    var sums = Checksum(isBigEndian: magic & 1 == 1)
    sums.add(header, 0, 24)
    guard sums.first == header.big(24), sums.second == header.big(28) else { return }
    self.sums = sums
    pageSize = size
    generation = header.big(12)
    salts = [header.big(16), header.big(20)]
  }

  /// - Returns: whether the frame belongs to the WAL.
  private mutating func take(_ bytes: [UInt8], _ start: Int) -> Bool {
    let page = bytes.big(start)
    guard page > 0, bytes.big(start + 8) == salts[0], bytes.big(start + 12) == salts[1] else { return false }
    var next = sums
    next.add(bytes, start, 8)
    next.add(bytes, start + Self.frameHeaderBytes, pageSize)
    guard next.first == bytes.big(start + 16), next.second == bytes.big(start + 20) else { return false }
    sums = next
    frames += 1
    if countsPages { pages.insert(page) }
    let pagesAfterCommit = bytes.big(start + 4)
    if pagesAfterCommit > 0 {
      committedFrames = frames
      committedPages = pages.count
      commits += 1
      databasePages = Int(pagesAfterCommit)
    }
    return true
  }
}
