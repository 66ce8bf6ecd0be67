import Glibc

/// The bytes that a target is run on just now.
enum Input {
  nonisolated(unsafe) private static var bytes = UnsafeRawBufferPointer(start: nil, count: 0)

  /// Runs a target on bytes in memory of just their size, so that a read beyond them is found where memory is watched.
  static func run(_ target: FuzzTarget, _ input: [UInt8]) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: input.count, alignment: 1)
    defer { copy.deallocate() }
    copy.copyBytes(from: input)
    bytes = UnsafeRawBufferPointer(copy)
    target.run(bytes)
  }

  /// Makes a process that crashes from now on print the bytes that it ran on, in hexadecimal.
  static func reportCrashes() {
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE] {
      signal(number) { number in
        Input.report()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  /// Reports by calls that a signal handler may make.
  private static func report() {
    write("\nthese bytes ended it: ")
    for byte in bytes {
      write(digit: byte >> 4)
      write(digit: byte & 15)
    }
    write("\n")
  }

  private static func write(_ text: StaticString) { _ = Glibc.write(2, text.utf8Start, text.utf8CodeUnitCount) }

  private static func write(digit: UInt8) {
    var character = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
    _ = Glibc.write(2, &character, 1)
  }
}
