/// `topic/partition/offset/place`, taken apart and put together: the name of a command. Those of combos and results end
/// with the offset.
///
/// It says where its parts are; the bytes are whose they were.
package struct CommandID {
  /// The number of its bytes that are `topic`.
  package let topicCount: Int
  /// The number of its bytes that are `topic/partition`.
  package let logCount: Int
  package let partition: Int32
  package let offset: Int64
  /// Nil if it ends with the offset.
  package let place: Int64?

  /// Nil if it is no such id.
  package init?(_ id: UnsafeRawBufferPointer) {
    guard let last = id.lastPart(before: id.count), let middle = id.lastPart(before: last.slash) else { return nil }
    let first: Part
    if let part = id.lastPart(before: middle.slash) {
      first = part
      (logCount, offset, place) = (middle.slash, middle.number, last.number)
    } else {
      first = middle
      (logCount, offset, place) = (last.slash, last.number, nil)
    }
    guard let partition = Int32(exactly: first.number), !id[..<first.slash].contains(UInt8(ascii: "/")) else {
      return nil
    }
    self.partition = partition
    topicCount = first.slash
  }

  package init?(_ id: ID) {
    guard let parts = id.withBytes({ CommandID($0) }) else { return nil }
    self = parts
  }

  /// The input partition that a command came from, `topic/partition`, as its id tells; empty if that is no such id.
  package static func log(of id: ID) -> Substring.UTF8View {
    id.string.utf8.prefix(CommandID(id)?.logCount ?? 0)[...]
  }

  /// The id of these parts. Made at once, since a gateway makes a hundred thousand of them a second.
  package static func text(
    topic: UnsafeRawBufferPointer, partition: Int32, offset: Int64, place: Int64? = nil
  ) -> ID {
    // Three numbers of at most 20 digits, with what stands before each.
    let text = String(unsafeUninitializedCapacity: topic.count + 63) { id in
      UnsafeMutableRawBufferPointer(id).copyMemory(from: topic)
      var end = topic.count
      id.append(Int64(partition), at: &end)
      id.append(offset, at: &end)
      if let place { id.append(place, at: &end) }
      return end
    }
    return ID(text)
  }
}

/// The number after a slash.
private struct Part {
  let slash: Int
  let number: Int64
}

extension UnsafeRawBufferPointer {
  fileprivate func lastPart(before end: Int) -> Part? {
    guard let slash = self[..<end].lastIndex(of: UInt8(ascii: "/")) else { return nil }
    var place = slash + 1
    let isNegative = place < end && self[place] == UInt8(ascii: "-")
    if isNegative { place += 1 }
    guard place < end else { return nil }
    var number: Int64 = 0
    while place < end {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= self[place] else { return nil }
      // Downwards, because there is one more below 0 than above.
      let (tens, isOver) = number.multipliedReportingOverflow(by: 10)
      let (next, isBeyond) = tens.subtractingReportingOverflow(Int64(self[place] & 15))
      if isOver || isBeyond { return nil }
      number = next
      place += 1
    }
    if isNegative { return Part(slash: slash, number: number) }
    return number == .min ? nil : Part(slash: slash, number: -number)
  }
}

extension UnsafeMutableBufferPointer<UInt8> {
  /// Writes `/` and the number in decimal.
  fileprivate func append(_ number: Int64, at end: inout Int) {
    self[end] = UInt8(ascii: "/")
    end += 1
    if number < 0 {
      self[end] = UInt8(ascii: "-")
      end += 1
    }
    let start = end
    var rest = number.magnitude
    repeat {
      self[end] = UInt8(ascii: "0") + UInt8(rest % 10)
      end += 1
      rest /= 10
    } while rest > 0
    self[start..<end].reverse()
  }
}
