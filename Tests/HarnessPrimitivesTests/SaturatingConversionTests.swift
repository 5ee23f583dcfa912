import HarnessPrimitives
import Testing

@Suite("Conversions from floating point to whole numbers")
struct SaturatingConversionTests {
  @Test(
    arguments: [
      (0, 0), (-0.0, 0), (1.9, 1), (-1.9, -1), (.leastNonzeroMagnitude, 0), (0x1p62, 1 << 62), (0x1p63, .max),
      (-0x1p63, .min), (1e300, .max), (-1e300, .min), (.infinity, .max), (-.infinity, .min), (.nan, 0),
      (.signalingNaN, 0), (0x1p63.nextDown, 9_223_372_036_854_774_784),
      (-0x1p63.nextDown, -9_223_372_036_854_774_784),
    ] as [(Double, Int)]
  )
  func `Every value is rounded towards zero and clamped to the range of Int`(value: Double, whole: Int) {
    #expect(Int(saturating: value) == whole)
  }

  @Test(
    arguments: [
      (0, 0), (-0.0, 0), (1.9, 1), (-1.9, 0), (.leastNonzeroMagnitude, 0), (0x1p63, 1 << 63), (0x1p64, .max),
      (1e300, .max), (-1e300, 0), (.infinity, .max), (-.infinity, 0), (.nan, 0),
      (0x1p64.nextDown, 18_446_744_073_709_549_568),
    ] as [(Double, UInt64)]
  )
  func `Every value is rounded towards zero and clamped to the range of UInt64`(value: Double, whole: UInt64) {
    #expect(UInt64(saturating: value) == whole)
  }
}
