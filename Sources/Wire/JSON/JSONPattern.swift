package import JSON
import RoomModel

/// The pattern of a document: the bytes that stay as they are, and between them the strings and integers that change
/// from one document to the next.
///
/// A producer writes its events all alike, mostly. One that is written as a document that simdjson has read needs no
/// parser: where all that stays is there byte for byte, no string has an escape and an integer is all digits, the values
/// are those that simdjson would find. An event that is written otherwise in any way does not match, and is parsed.
package struct JSONPattern: ~Copyable {
  private struct Slot {
    /// The number of bytes that stay before it.
    var before: Int
    var isString: Bool
  }

  /// The most slots, each of which has a bit in `matches`: more than messages of most platforms have. A record with more
  /// is parsed each time.
  private static var slotLimit: Int { UInt64.bitWidth }
  private static var byteLimit: Int { 4096 }

  /// The bytes that stay, those before the first slot first, those after the last at the end. They are compared by
  /// words, so there is one more.
  private let kept = UnsafeMutableRawPointer.allocate(byteCount: Self.byteLimit + 8, alignment: 8)
  private let slots = UnsafeMutablePointer<Slot>.allocate(capacity: Self.slotLimit)
  private let found = UnsafeMutablePointer<PatternValues.Value>.allocate(capacity: Self.slotLimit + 1)
  /// 0: nothing is learnt.
  private var keptCount = 0
  private var slotCount = 0

  package init() {
    kept.initializeMemory(as: UInt8.self, repeating: 0, count: Self.byteLimit + 8)
    found.initialize(repeating: .init(), count: Self.slotLimit + 1)
  }

  deinit {
    kept.deallocate()
    slots.deallocate()
    found.deallocate()
  }

  /// The values of the document that matched, in the order of the slots, which begin with 1.
  package var values: PatternValues { PatternValues(found) }

  /// Whether `document` is written so. Its values are there then, and their texts are good as long as it is.
  package func matches(_ document: UnsafeRawBufferPointer) -> Bool {
    guard keptCount > 0, let start = document.baseAddress else { return false }
    let end = start + document.count
    var next = start
    var stays = UnsafeRawPointer(kept)
    var found = found
    // A bit for each text that is not all ASCII: what takes a call is done when all else has matched.
    var beyondASCII: UInt64 = 0
    var bit: UInt64 = 1
    for slot in UnsafeBufferPointer(start: slots, count: slotCount) {
      // Slot 0 has none.
      found += 1
      guard next.begins(with: stays, count: slot.before, before: end) else { return false }
      next += slot.before
      stays += slot.before
      let value = next
      if slot.isString {
        let text = value.plainText(before: end)
        next = text.end
        if !text.isASCII { beyondASCII |= bit }
      } else {
        guard let digits = value.digits(before: end) else { return false }
        found.pointee.integer = digits.value
        next = digits.end
      }
      found.pointee.text = Text(start: value, count: next - value)
      bit &<<= 1
    }
    let rest = UnsafeRawPointer(kept) + keptCount - stays
    guard end - next == rest, next.begins(with: stays, count: rest, before: end) else { return false }
    return areUTF8(beyondASCII, before: end)
  }

  /// - Parameter texts: a bit for each slot, that of slot 1 is the lowest.
  private func areUTF8(_ texts: UInt64, before end: UnsafeRawPointer) -> Bool {
    var left = texts
    while left != 0 {
      let text = values[left.trailingZeroBitCount + 1].text
      if !text.isUTF8(before: end) { return false }
      left &= left &- 1
    }
    return true
  }

  /// Matches nothing from here on.
  mutating func forget() { keptCount = 0 }

  /// Takes how `document` is written, of which `root` was read, in place of what it had.
  ///
  /// - Parameter constants: Places on the tape of values that are no slots, but have to stay as they are.
  /// - Returns: The values of the slots, in their order; nil: there are too many to remember.
  package mutating func learn(
    _ document: UnsafeRawBufferPointer, _ root: JSONValue, constants: Set<Int> = []
  ) -> [JSONScalar]? {
    forget()
    guard var scalars = JSONScalar.all(of: root, in: document) else { return nil }
    if !constants.isEmpty { scalars.removeAll { constants.contains($0.place) } }
    guard scalars.count <= Self.slotLimit else { return nil }
    var bytes: [UInt8] = []
    var next = 0
    for (i, scalar) in scalars.enumerated() {
      bytes += document[next..<scalar.bytes.lowerBound]
      (slots + i).initialize(to: Slot(before: scalar.bytes.lowerBound - next, isString: scalar.isString))
      found[i + 1].isString = scalar.isString
      next = scalar.bytes.upperBound
    }
    bytes += document[next...]
    guard bytes.count <= Self.byteLimit else { return nil }
    kept.copyMemory(from: bytes, byteCount: bytes.count)
    slotCount = scalars.count
    keptCount = bytes.count
    return scalars
  }
}

// MARK: - Bytes of a document, up to its end

extension UnsafeRawPointer {
  /// `stays` may be read up to a word further than it counts.
  @inline(__always) fileprivate func begins(
    with stays: UnsafeRawPointer, count: Int, before end: UnsafeRawPointer
  ) -> Bool {
    guard end - self >= count else { return false }
    if count < 8 {
      guard end - self >= 8 else { return Text(start: self, count: count) == Text(start: stays, count: count) }
      // Only the bytes that count; of none the shift would be one of no bits.
      return count == 0 || differs(from: stays, at: 0) &<< UInt64(64 &- 8 &* count) == 0
    }
    var difference = differs(from: stays, at: count &- 8)
    // Most are names, as long as this.
    if count <= 16 { return difference | differs(from: stays, at: 0) == 0 }
    var i = 0
    while i < count &- 8 {
      difference |= differs(from: stays, at: i)
      i &+= 8
    }
    return difference == 0
  }

  @inline(__always) private func differs(from other: UnsafeRawPointer, at offset: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      ^ UInt64(littleEndian: other.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// An integer of 0 or more; nil if it is written otherwise, or with more digits than surely are one of 64 bits.
  @inline(__always) fileprivate func digits(before end: UnsafeRawPointer) -> (value: Int64, end: UnsafeRawPointer)? {
    var value: Int64 = 0
    var next = self
    while next < end {
      let digit = next.load(as: UInt8.self) &- UInt8(ascii: "0")
      if digit > 9 { break }
      value = value &* 10 &+ Int64(digit)
      next += 1
    }
    let count = next - self
    guard count > 0, count <= 18, count == 1 || load(as: UInt8.self) != UInt8(ascii: "0") else { return nil }
    return (value, next)
  }
}
