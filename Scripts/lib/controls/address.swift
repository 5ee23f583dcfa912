// A read of released memory. The address sanitizer must report it.
let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 16)
bytes.initialize(repeating: 7, count: 16)
bytes.deallocate()
print("finished without a report: \(bytes[CommandLine.argc > 9 ? 0 : 3])")
