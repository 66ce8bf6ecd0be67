import RoomModel

/// Reads a state that a `StateWriter` wrote. Its texts lie in the state's bytes.
struct StateReader {
  private let bytes: UnsafeRawBufferPointer
  private var place = 0
  /// The moment from which times are counted.
  var base: LogTime = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }

  mutating func number() throws(StateError) -> Int64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while place < bytes.count, shift < 64 {
      let byte = bytes[place]
      place += 1
      number |= UInt64(byte & 0x7F) << shift
      shift += 7
      if byte < 0x80 { return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1) }
    }
    throw .damaged
  }

  mutating func time() throws(StateError) -> LogTime {
    let time = base &+ (try number())
    guard LogTime.possible.contains(time) else { throw .damaged }
    return time
  }

  /// A time, or `none`, which is one of the ends of `LogTime`.
  mutating func time(or none: LogTime) throws(StateError) -> LogTime {
    let start = place
    if base &+ (try number()) == none { return none }
    place = start
    return try time()
  }

  /// The number of things that follow: no more than there are bytes left.
  mutating func count() throws(StateError) -> Int {
    let count = try number()
    guard count >= 0, count <= bytes.count - place else { throw .damaged }
    return Int(count)
  }

  /// A number that names something or counts, from 0 to below `limit`.
  mutating func choice(of limit: Int64) throws(StateError) -> Int64 {
    let choice = try number()
    guard choice >= 0, choice < limit else { throw .damaged }
    return choice
  }

  /// A count so far from the end of 64 bits that adding some more does no harm.
  mutating func amount() throws(StateError) -> Int64 { try choice(of: 1 << 62) }

  /// A count of what stays at the greatest of 64 bits.
  mutating func anyAmount() throws(StateError) -> Int64 {
    let amount = try number()
    guard amount >= 0 else { throw .damaged }
    return amount
  }

  mutating func text() throws(StateError) -> Text {
    let count = try count()
    guard count > 0 else { return .empty }
    defer { place += count }
    return Text(start: bytes.baseAddress! + place, count: count)
  }
}
