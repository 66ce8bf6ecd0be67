import RoomModel
import Wire

/// How the last record's line was written: a line that is written alike, with other values, is read without a parser. Its
/// event is left as bytes, which an ``EventDecoder`` reads in the same way.
struct LogLinePattern: ~Copyable {
  /// Where a line has what a record is; 0: nowhere.
  private struct Slots {
    var topic, partition, offset, timestampMs, key: Int
    /// The last before the value.
    var beforeValue: Int
    /// How many bytes lie between the two.
    var gap: Int
  }

  private var pattern = JSONPattern()
  private var slots: Slots?
  /// How many lines written otherwise pass before one is learnt.
  private var left = 0

  /// Nil: it must be parsed.
  mutating func line(_ bytes: UnsafeRawBufferPointer) -> LogLine? {
    guard let slots, pattern.matches(bytes) else { return nil }
    let values = pattern.values
    let topic = values[slots.topic].text, time = values[slots.timestampMs].integer
    guard let partition = Int32(exactly: values[slots.partition].integer), LogTime.possible.contains(time),
      !topic.isEmpty
    else { return nil }
    let before = values[slots.beforeValue].text
    let start = before.start + before.count + slots.gap - bytes.baseAddress!
    return LogLine(
      topic: topic, partition: partition,
      content: .record(
        LogRecord(
          offset: values[slots.offset].integer, timestampMs: time,
          key: slots.key == 0 ? nil : values[slots.key].text.bytes,
          value: .bytes(UnsafeRawBufferPointer(rebasing: bytes[start..<bytes.count - 1])))))
  }

  /// Takes note of a record's line that was read, if it is written as this program writes them.
  @inline(never) mutating func learn(
    _ bytes: UnsafeRawBufferPointer, _ root: JSONValue, _ members: borrowing LogLineMembers
  ) {
    guard left == 0 else {
      left -= 1
      return
    }
    left = 15
    slots = nil
    guard members.headers == nil, let value = members.lastValue(of: root), bytes.hasSuffix("}}"),
      let scalars = pattern.learn(bytes, root)
    else { return }
    let before = scalars.count(before: value)
    guard before > 0 else { return }
    let gap = scalars[before - 1].isString ? #"","value":"# : #","value":"# as StaticString
    let end = scalars[before - 1].bytes.upperBound
    guard bytes[end...].starts(with: Text(gap).bytes) else { return }
    slots = Slots(
      topic: scalars.slot(of: members.topic), partition: scalars.slot(of: members.partition),
      offset: scalars.slot(of: members.offset), timestampMs: scalars.slot(of: members.timestampMs),
      key: scalars.slot(of: members.key), beforeValue: before, gap: gap.utf8CodeUnitCount)
  }
}

extension LogLineMembers {
  /// The value, where it is an object, nothing else tells one, and it comes last.
  fileprivate func lastValue(of root: JSONValue) -> JSONValue? {
    guard keyBase64 == nil, valueText == nil, valueBase64 == nil, let value, value.kind == .object,
      let members = root.members, members.reduce(nil, { $1.value })?.isSame(as: value) ?? false
    else { return nil }
    return value
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func hasSuffix(_ suffix: StaticString) -> Bool {
    self.suffix(suffix.utf8CodeUnitCount).elementsEqual(Text(suffix).bytes)
  }
}
