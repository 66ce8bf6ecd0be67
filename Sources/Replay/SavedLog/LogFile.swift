import Glibc
import Platform

/// A saved log on disk, read line by line: it takes some times as much memory as its longest line.
package struct LogFile: ~Copyable {
  /// The number of the line that was read last, from 1.
  package private(set) var lineNumber = 0
  /// Whether a newline follows it.
  package private(set) var isLineEnded = true

  /// The share that was read, from 0 to 1; 1 for a pipe, whose size is not known.
  package var progress: Double { size > 0 ? min(1, Double(taken) / Double(size)) : 1 }

  private let path: String
  private let compression: Compression
  private var decompressor: Decompressor
  /// Bytes of a compressed file that are not yet decompressed.
  private var compressed: Slice<UnsafeMutableRawBufferPointer>
  private var size = 0
  private var taken = 0
  private let descriptor: Int32
  private var buffer: UnsafeMutableRawBufferPointer
  /// Bytes that were read and not yet given lie from here…
  private var next = 0
  /// …to here.
  private var end = 0

  private static var chunk: Int { 1 << 20 }

  /// A line has no more bytes: that is the state of all rooms of a partition, or a record many times as large as
  /// brokers take.
  package static var longestLine: Int { 256 << 20 }

  package init(path: String) throws(BrokenLog) {
    self.path = path
    compression = Compression(path: path)
    decompressor = Decompressor(compression)
    let chunk = compression == .none ? 0 : Self.chunk
    compressed = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)[..<0]
    buffer = .allocate(byteCount: Self.chunk, alignment: 16)
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw unreadable }
    var about = stat()
    if fstat(descriptor, &about) == 0 { size = Int(about.st_size) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    buffer.deallocate()
    compressed.base.deallocate()
  }

  /// The next line without its end, nil when all were read; good until the next call. A last line that nothing ends is
  /// one too.
  package mutating func nextLine() throws(BrokenLog) -> UnsafeRawBufferPointer? {
    var searched = 0
    while true {
      let left = end - next
      if searched < left, let newline = memchr(buffer.baseAddress! + next + searched, 10, left - searched) {
        let count = UnsafeRawPointer(newline) - UnsafeRawPointer(buffer.baseAddress! + next)
        return take(count, isEnded: true)
      }
      searched = left
      if try !readMore() { return left == 0 ? nil : take(left, isEnded: false) }
    }
  }

  private mutating func take(_ count: Int, isEnded: Bool) -> UnsafeRawBufferPointer {
    lineNumber += 1
    isLineEnded = isEnded
    defer { next += isEnded ? count + 1 : count }
    return UnsafeRawBufferPointer(start: buffer.baseAddress! + next, count: count)
  }

  /// False at the end of the file.
  private mutating func readMore() throws(BrokenLog) -> Bool {
    if next > 0 {
      buffer.baseAddress!.copyMemory(from: buffer.baseAddress! + next, byteCount: end - next)
      end -= next
      next = 0
    }
    if end == buffer.count {
      guard end < Self.longestLine else {
        throw BrokenLog(
          "\(path) line \(lineNumber + 1) has more than \(Self.longestLine >> 20) MiB, as no line of a log has: is it one?"
        )
      }
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * buffer.count, alignment: 16)
      larger.copyMemory(from: UnsafeRawBufferPointer(buffer))
      buffer.deallocate()
      buffer = larger
    }
    let space = UnsafeMutableRawBufferPointer(rebasing: buffer[end...])
    let count = compression == .none ? try read(into: space) : try decompress(into: space)
    end += count
    return count > 0
  }

  /// 0 at the end.
  private mutating func decompress(into space: UnsafeMutableRawBufferPointer) throws(BrokenLog) -> Int {
    while true {
      if compressed.isEmpty {
        let count = try read(into: compressed.base)
        compressed = compressed.base[..<count]
        if count == 0 {
          // The last bytes may still wait where there was no room for them.
          if decompressor.isWhole { return 0 }
          let late = try decompressMore(into: space)
          if late > 0 { return late }
          throw BrokenLog(
            "\(path) line \(lineNumber + 1): the file ends in the middle of what is compressed: was it cut short?")
        }
      }
      let count = try decompressMore(into: space)
      if count > 0 { return count }
    }
  }

  private mutating func decompressMore(into space: UnsafeMutableRawBufferPointer) throws(BrokenLog) -> Int {
    do { return try decompressor.decompress(&compressed, into: space) } catch {
      throw BrokenLog("\(path) line \(lineNumber + 1): \(error)")
    }
  }

  private mutating func read(into space: UnsafeMutableRawBufferPointer) throws(BrokenLog) -> Int {
    var count: Int
    repeat {
      count = Glibc.read(descriptor, space.baseAddress, space.count)
    } while count < 0 && errno == EINTR
    if count < 0 { throw unreadable }
    taken += count
    return count
  }

  private var unreadable: BrokenLog {
    let reason = SystemError.last
    return BrokenLog("\(path) can't be read: \(reason)")
  }
}
