/// Elements by slot, the first of which is 0.
///
/// Used instead of an array, because before each change an array would check that it is not shared.
struct SlotTable<Element: BitwiseCopyable>: ~Copyable {
  private var slots: UnsafeMutableBufferPointer<Element>
  private(set) var count = 0

  init() { slots = UnsafeMutableBufferPointer(start: nil, count: 0) }

  deinit { slots.deallocate() }

  /// - Precondition: The slot is in use.
  subscript(slot: Int32) -> Element {
    @inline(__always) _read { yield address(of: slot).pointee }
    @inline(__always) _modify { yield &address(of: slot).pointee }
  }

  @inline(__always)
  private func address(of slot: Int32) -> UnsafeMutablePointer<Element> {
    precondition(slot >= 0 && slot < count, "the table has no slot \(slot)")
    return slots.baseAddress.unsafelyUnwrapped + Int(slot)
  }

  mutating func append(_ element: Element) {
    if count == slots.count { grow() }
    slots.initializeElement(at: count, to: element)
    count += 1
  }

  private mutating func grow() {
    let larger = UnsafeMutableBufferPointer<Element>.allocate(capacity: max(16, 2 * slots.count))
    _ = larger.moveInitialize(fromContentsOf: slots)
    slots.deallocate()
    slots = larger
  }
}
