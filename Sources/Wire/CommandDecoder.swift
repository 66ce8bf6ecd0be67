import JSON
package import RoomModel
import RoomScreen

/// A command as it was published, with the log that its ids name.
package struct DecodedCommand {
  package let topic: Text
  package let partition: Int32
  package let command: RoomCommand

  package init(topic: Text, partition: Int32, command: RoomCommand) {
    self.topic = topic
    self.partition = partition
    self.command = command
  }
}

/// Commands read back, for whoever shows them: the reverse of `CommandEncoder`.
///
/// Reads commands that we wrote ourselves, so it holds nothing against ranges again: a member that is absent is 0 or empty.
package struct CommandDecoder: ~Copyable {
  private var document = JSONDocument()
  private var storage = BodyStorage()

  package init() {}

  /// The command that a record holds; its texts and lists are good until the next call and as long as `value` is. Nil if it is
  /// of a kind that isn't known here: a newer worker's.
  package mutating func decode(
    value: UnsafeRawBufferPointer?, contentType: UnsafeRawBufferPointer?
  ) throws(NotUnderstood) -> DecodedCommand? {
    guard let value else { throw NotUnderstood(.noValue, "the record has no value") }
    return switch try Format(ofRecordWith: contentType) {
    case .json: try document.value(of: value).command(keeping: &storage)
    case .protobuf: try ProtobufCommand(value).command(keeping: &storage)
    }
  }
}

/// Storage for what the last command that was read refers to and its record doesn't hold as it is: its body and its list.
struct BodyStorage: ~Copyable {
  /// Elements of one kind, one behind the other.
  private var list = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 16)
  private var count = 0
  private var body = LendingPlace()

  deinit { list.deallocate() }

  mutating func removeAll() { count = 0 }

  mutating func lend<Body: BitwiseCopyable>(_ value: Body) -> Lent<Body> { body.lend(value) }

  /// Appends an element, of the same kind as all since the last `removeAll()`.
  @inline(__always) mutating func append<Element: BitwiseCopyable>(_ element: Element) {
    let end = (count + 1) * MemoryLayout<Element>.stride
    if end > list.count { grow() }
    list.storeBytes(of: element, toByteOffset: end - MemoryLayout<Element>.stride, as: Element.self)
    count += 1
  }

  /// Good until the next change.
  @inline(__always) func kept<Element: BitwiseCopyable>() -> UnsafeBufferPointer<Element> {
    let start = list.baseAddress!.bindMemory(to: Element.self, capacity: count)
    return UnsafeBufferPointer(start: start, count: count)
  }

  private mutating func grow() {
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * list.count, alignment: 16)
    larger.copyMemory(from: UnsafeRawBufferPointer(list))
    list.deallocate()
    list = larger
  }
}

extension CommandID {
  /// The id of a command, a combo or a result, as a record has it.
  init(published text: Text) throws(NotUnderstood) {
    guard let id = CommandID(text.bytes) else {
      throw NotUnderstood(.wrongType, "\(text.quoted) is no id; an id is topic/partition/offset/n")
    }
    self = id
  }

  /// - Parameter text: the id of which these are the parts.
  func topic(in text: Text) -> Text { Text(start: text.start, count: topicCount) }
}
