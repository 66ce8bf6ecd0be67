import TestSupport

/// Inputs that are somewhat like those that it was given; the same in every run.
struct Mutator {
  private let inputs: [[UInt8]]
  private var random = SplitMix64(seed: 1)

  /// Numbers over which programs stumble.
  private static let numbers: [Int64] = [
    .min, .min + 1, -(1 << 62), -(1 << 61), -(1 << 53), -1, 0, 1, 127, 128, 255, 65_535, 65_536, 70_000, 1 << 31,
    1 << 32,
    1_700_000_000_000, 1 << 53, 1 << 60, 1 << 61, 1 << 62, .max - 1, .max,
  ]

  init(inputs: [[UInt8]]) { self.inputs = inputs.isEmpty ? [[]] : inputs }

  mutating func next() -> [UInt8] {
    var bytes = random.one(of: inputs)
    for _ in 0..<random.number(1...4) { mutate(&bytes) }
    return bytes
  }

  private mutating func mutate(_ bytes: inout [UInt8]) {
    let place = Int(random.number(0...Int64(bytes.count)))
    guard place < bytes.count else { return bytes.append(UInt8(truncatingIfNeeded: random.next())) }
    switch random.number(0...9) {
    case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
    case 1: bytes[place] ^= 1 << UInt8(random.number(0...7))
    case 2: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
    case 3: bytes.remove(at: place)
    case 4: bytes.removeSubrange(place..<min(bytes.count, place + Int(random.number(1...40))))
    case 5: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + Int(random.number(1...400)))], at: place)
    case 6:
      let other = random.one(of: inputs)
      bytes.replaceSubrange(place..., with: other[min(place, other.count)...])
    case 7: bytes.replaceSubrange(place..<place + 1, with: varint(random.one(of: Self.numbers)))
    default: replaceDigits(in: &bytes, from: place)
    }
  }

  /// The next decimal number, if there is one.
  private mutating func replaceDigits(in bytes: inout [UInt8], from place: Int) {
    guard let start = bytes[place...].firstIndex(where: \.isDigit) else { return }
    let end = bytes[start...].firstIndex { !$0.isDigit } ?? bytes.endIndex
    bytes.replaceSubrange(start..<end, with: Array("\(random.one(of: Self.numbers))".utf8))
  }

  /// A number as Protobuf has it, and, with the sign in the lowest bit, as a room's state has it.
  private mutating func varint(_ number: Int64) -> [UInt8] {
    var rest = UInt64(bitPattern: random.once(in: 2) ? number : number << 1 ^ number >> 63)
    var bytes: [UInt8] = []
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
