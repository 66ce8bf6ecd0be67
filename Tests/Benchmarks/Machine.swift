import Glibc

/// The machine that figures come from, so that they can be compared with others.
enum Machine {
  static var description: String {
    "\(cpu), \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores, \(kernel), Swift \(swift), \(build) build"
  }

  private static var cpu: String {
    let line = lines(of: "/proc/cpuinfo").first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last.map { String($0.drop { $0 == " " }) } ?? "unknown CPU"
  }

  private static var kernel: String {
    "Linux " + (lines(of: "/proc/sys/kernel/osrelease").first ?? "unknown")
  }

  /// The compiler has no constant for its own version.
  private static var swift: String {
    #if compiler(>=6.4)
      "6.4 or newer"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }

  private static var build: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }

  private static func lines(of path: String) -> [String] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var lines: [String] = []
    var line: UnsafeMutablePointer<CChar>?
    var size = 0
    defer { free(line) }
    while getline(&line, &size, file) > 0 {
      lines.append(String(String(cString: line!).dropLast()))
    }
    return lines
  }
}

/// CPU time of this thread: what others do on the machine doesn't count.
func cpuNanoseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// The CPU time that `body` takes, in nanoseconds. It is a function of its own, since `check` counts the instructions of
/// just this one.
@inline(never) func measured(_ body: () -> Void) -> Int64 {
  let start = cpuNanoseconds()
  body()
  return cpuNanoseconds() - start
}

/// The least CPU time of several passes, in nanoseconds: noise only ever adds.
func least(passes: Int, _ pass: () -> Void) -> Int64 {
  (0..<passes).map { _ in measured(pass) }.min()!
}

/// The memory that this process has in use and that it had at most, in bytes.
func residentBytes() -> Int64 {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var text = [CChar](repeating: 0, count: 128)
  guard fgets(&text, Int32(text.count), file) != nil else { return 0 }
  let words = text.prefix { $0 != 0 }.split(separator: CChar(UInt8(ascii: " ")))
  let pages = words.dropFirst().first.flatMap { Int64(String(decoding: $0.map { UInt8($0) }, as: UTF8.self)) } ?? 0
  return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
}
