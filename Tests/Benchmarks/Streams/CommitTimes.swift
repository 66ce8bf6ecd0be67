import Glibc

/// The time at which each command of a feed was committed, in a file that the feed and its readers share: nanoseconds
/// of the monotonic clock, 0 for what is not committed yet.
struct CommitTimes: @unchecked Sendable {
  private let times: UnsafeMutableBufferPointer<Int64>

  /// Makes the file where there is none.
  init(path: String, capacity: Int = 1 << 22) throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Refusal("--times \(path) can't be opened") }
    defer { close(descriptor) }
    let size = capacity * MemoryLayout<Int64>.stride
    guard ftruncate(descriptor, size) == 0,
      let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), start != MAP_FAILED
    else { throw Refusal("--times \(path) can't be mapped") }
    times = UnsafeMutableBufferPointer(start: start.assumingMemoryBound(to: Int64.self), count: capacity)
  }

  var capacity: Int { times.count }

  subscript(command: Int) -> Int64 {
    get { times[command] }
    nonmutating set { times[command] = newValue }
  }

  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
