/// The parts of a room's state that are in the changelog, by what is in them.
struct RoomParts {
  /// Parts of a room are numbered as they are written, for as long as it is there.
  var next: Int64 = 0
  var numbers: [UInt64: Int64] = [:]

  /// A part's content, as a hash of 64 bits.
  ///
  /// - Parameter seed: the process's own, so that nobody can make two of the same.
  static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    var state = seed ^ UInt64(bytes.count)
    func mix(_ word: UInt64) {
      let (high, low) = (state ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
      state = (high ^ low) &+ seed
    }
    var place = 0
    while bytes.count - place >= 8 {
      mix(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place += 8
    }
    var tail: UInt64 = 0
    while place < bytes.count {
      tail = tail << 8 | UInt64(bytes[place])
      place += 1
    }
    mix(tail)
    mix(seed)
    return state
  }
}

/// A part as it was found in the changelog.
struct FoundPart {
  var content: [UInt8]
  /// The offset of its bytes in the content.
  var start: Int
  var at: Int64
}

extension Slice<UnsafeRawBufferPointer> {
  var rebased: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self) }
}

/// A room's head: its state, of bytes and of parts by their numbers.
struct RoomHead {
  enum Piece {
    case bytes(Range<Int>)
    case part(Int64)
  }

  /// The number of the next part.
  var next: Int64
  /// The parts in order; ranges are of the content.
  var pieces: [Piece] = []

  /// Nil: the content is none of a head's.
  init?(_ content: [UInt8]) {
    var reader = NumberReader(content)
    guard let next = reader.number() else { return nil }
    self.next = next
    var last: Int64 = -1
    while !reader.isAtEnd {
      guard let word = reader.number() else { return nil }
      if word & 1 == 0 {
        guard let range = reader.skip(Int(word >> 1)) else { return nil }
        pieces.append(.bytes(range))
      } else {
        let difference = word >> 1
        last &+= 1 &+ (difference >> 1 ^ -(difference & 1))
        pieces.append(.part(last))
      }
    }
  }

  /// Nil: it is no head.
  init?(_ record: RoomRecord) {
    guard record.kind == .head else { return nil }
    self.init(record.content)
  }

  /// The numbers of its parts.
  var parts: [Int64] { pieces.compactMap { if case .part(let number) = $0 { number } else { nil } } }

  /// The whole state; nil: a part is missing.
  func state(content: [UInt8], parts: [Int64: FoundPart]) -> [UInt8]? {
    var state: [UInt8] = []
    for piece in pieces {
      switch piece {
      case .bytes(let range): state += content[range]
      case .part(let number):
        guard let part = parts[number] else { return nil }
        state += part.content[part.start...]
      }
    }
    return state
  }

  /// Writes a head's content, piece by piece.
  struct Writer {
    private var last: Int64 = -1

    init(next: Int64, into content: inout [UInt8]) { content.append(number: next) }

    mutating func append(_ bytes: UnsafeRawBufferPointer, into content: inout [UInt8]) {
      content.append(number: Int64(bytes.count) << 1)
      content.append(contentsOf: bytes)
    }

    /// The one after the last takes a byte.
    mutating func append(part number: Int64, into content: inout [UInt8]) {
      let difference = number - last - 1
      content.append(number: (difference << 1 ^ difference >> 63) << 1 | 1)
      last = number
    }
  }
}

/// Reads what `append(number:)` wrote.
struct NumberReader {
  private let bytes: [UInt8]
  private(set) var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }

  /// Nil: there is none.
  mutating func number() -> Int64? {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 63, by: 7) {
      guard place < bytes.count else { return nil }
      let byte = bytes[place]
      place += 1
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return Int64(bitPattern: number) }
    }
    return nil
  }

  /// The range of the next `count` bytes; nil: fewer are left.
  mutating func skip(_ count: Int) -> Range<Int>? {
    guard count <= bytes.count - place else { return nil }
    defer { place += count }
    return place..<place + count
  }
}

extension [UInt8] {
  /// Seven bits a byte; not below 0.
  mutating func append(number: Int64) {
    var rest = UInt64(bitPattern: number)
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }
}
