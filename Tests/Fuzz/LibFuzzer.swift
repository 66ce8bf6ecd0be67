#if LIBFUZZER
  import Glibc

  /// The fuzzer that comes with the compiler: it sees which inputs take new ways through the program, and goes on from
  /// these.
  enum LibFuzzer {
    nonisolated(unsafe) private static var target: FuzzTarget?

    static func run(_ target: FuzzTarget, _ arguments: [String]) -> Never {
      Self.target = target
      var words = (["Fuzz"] + arguments).map { strdup($0) } + [nil]
      var count = Int32(words.count - 1)
      let status = words.withUnsafeMutableBufferPointer { words in
        var start = words.baseAddress!
        return drive(&count, &start) { bytes, size in
          LibFuzzer.target!.run(UnsafeRawBufferPointer(start: bytes, count: size))
          return 0
        }
      }
      exit(status)
    }

    @_silgen_name("LLVMFuzzerRunDriver")
    private static func drive(
      _ count: UnsafeMutablePointer<Int32>,
      _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
      _ run: @convention(c) (UnsafeRawPointer?, Int) -> Int32
    ) -> Int32
  }
#endif
