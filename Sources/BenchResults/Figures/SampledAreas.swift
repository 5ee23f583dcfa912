/// Bytes × seconds of the WAL in the samples of one phase: of the whole file, and of its parts. If each sample is
/// consistent, the parts add up to the whole without the file's header.
///
/// Values between two samples are interpolated linearly.
package struct SampledAreas {
  package private(set) var walByteSeconds = 0.0
  package private(set) var aloneByteSeconds: [String: Double] = [:]
  package private(set) var togetherByteSeconds = 0.0
  package private(set) var notCopiedByteSeconds = 0.0
  package private(set) var freeByteSeconds = 0.0
  package private(set) var hasWAL = false
  private let frameBytes: Int

  /// - Parameter frameBytes: the size of a frame of the WAL, header and page.
  package init(_ samples: [EngineSample], frameBytes: Int) {
    self.frameBytes = frameBytes
    for (earlier, later) in zip(samples, samples.dropFirst()) {
      guard let first = earlier.wal, let second = later.wal else { continue }
      hasWAL = true
      let seconds = Double(later.elapsedNanoseconds - earlier.elapsedNanoseconds) / 1e9
      add(first, of: earlier.connections, seconds: seconds / 2)
      add(second, of: later.connections, seconds: seconds / 2)
    }
  }

  private mutating func add(_ wal: EngineSample.WAL, of connections: [EngineSample.Connection], seconds: Double) {
    func area(_ frames: Int) -> Double { Double(max(frames, 0)) * Double(frameBytes) * seconds }
    var alone = 0
    for connection in connections where connection.framesHeldAlone > 0 {
      alone += connection.framesHeldAlone
      aloneByteSeconds[connection.name, default: 0] += area(connection.framesHeldAlone)
    }
    walByteSeconds += Double(wal.bytes) * seconds
    togetherByteSeconds += area(wal.heldFrames - alone)
    notCopiedByteSeconds += area(wal.backlogFrames - wal.heldFrames)
    // Frames that were copied, and space that the file has kept from a longer WAL. The file's header has 32 bytes.
    let fileFrames = max(wal.bytes - 32, 0) / frameBytes
    freeByteSeconds += area(wal.frames - wal.backlogFrames) + area(fileFrames - wal.frames)
  }
}
