internal import RoomEngine
internal import RoomModel

/// The marks of the events of a part of the input, in a record of the changelog that has no key: a restore that finds
/// them need not read that part again.
///
/// The content of a ``RoomRecord``, whose offset is that before which the part ends: the first offset of the part, the
/// number of marks, and of each 12 bytes and when it is over, as the difference to the one before (0 at first).
struct MarkBlock {
  /// Where in the changelog it lies.
  let at: Int64
  let offsets: Range<Int64>
  private let content: [UInt8]
  private let start: Int
  private let count: Int

  /// Nil: nobody wrote it so.
  init?(_ record: RoomRecord, at: Int64) {
    var reader = NumberReader(record.content)
    guard let first = reader.number(), first < record.offset, let count = reader.number() else { return nil }
    self.at = at
    offsets = first..<record.offset
    content = record.content
    start = reader.place
    self.count = Int(count)
    var read = 0
    guard forEach({ _, _ in read += 1 }), read == count else { return nil }
  }

  static func write(_ offsets: Range<Int64>, _ marks: UnsafeBufferPointer<RegisteredMark>, into value: inout [UInt8]) {
    RoomRecord.write(.marks, offset: offsets.upperBound, of: noKey, into: &value) { content in
      content.reserveCapacity(content.count + 20 + marks.count * 14)
      content.append(number: offsets.lowerBound)
      content.append(number: Int64(marks.count))
      var last: LogTime = 0
      for registered in marks {
        withUnsafeBytes(of: registered.mark.high.littleEndian) { content.append(contentsOf: $0) }
        withUnsafeBytes(of: registered.mark.low.littleEndian) { content.append(contentsOf: $0) }
        let difference = registered.until - last
        content.append(number: difference << 1 ^ difference >> 63)
        last = registered.until
      }
    }
  }

  static var noKey: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

  /// False: it ends in the middle of one, or goes on behind the last.
  @discardableResult
  func forEach(_ body: (EventMark, _ until: LogTime) -> Void) -> Bool {
    content.withUnsafeBytes { bytes in
      var place = start
      var until: LogTime = 0
      for _ in 0..<count {
        guard bytes.count - place > 12 else { return false }
        let high = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        let low = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place + 8, as: UInt32.self))
        place += 12
        var (number, shift) = (UInt64(0), UInt64(0))
        while true {
          guard place < bytes.count, shift < 64 else { return false }
          let byte = bytes[place]
          place += 1
          number |= UInt64(byte & 0x7F) << shift
          shift += 7
          if byte < 0x80 { break }
        }
        until &+= Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
        guard until.magnitude < 1 << 62 else { return false }
        body(EventMark(high: high, low: low), until)
      }
      return place == bytes.count
    }
  }
}
