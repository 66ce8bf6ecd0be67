import JSON
package import RoomModel
import RoomScreen

/// A result as it was published, with the log that its id names.
package struct DecodedResult {
  package let topic: Text
  package let partition: Int32
  package let result: GrabResult
}

/// Results read back, for whoever shows or compares them: the reverse of encoding them. As with commands, what is
/// absent is 0 or empty.
package struct ResultDecoder: ~Copyable {
  private var document = JSONDocument()

  package init() {}

  /// The result that a record holds; its texts are good until the next call and as long as `value` is. Nil if its
  /// outcome isn't known here: a newer worker's.
  package mutating func decode(
    value: UnsafeRawBufferPointer?, contentType: UnsafeRawBufferPointer?
  ) throws(NotUnderstood) -> DecodedResult? {
    guard let value else { throw NotUnderstood(.noValue, "the record has no value") }
    return switch try Format(ofRecordWith: contentType) {
    case .json: try document.value(of: value).result()
    case .protobuf: try ResultValues(value).result()
    }
  }
}

extension JSONValue {
  fileprivate func result() throws(NotUnderstood) -> DecodedResult? {
    guard members != nil else { throw NotUnderstood(.wrongType, "\(described) is no result; a result is an object") }
    let id = text("id")
    let name = try CommandID(published: id)
    let word = text("outcome")
    guard let outcome = GrabResult.Outcome.allCases.first(where: { $0.word == word }) else { return nil }
    return DecodedResult(
      topic: name.topic(in: id), partition: name.partition,
      result: GrabResult(
        roomId: text("roomId"), recordOffset: name.offset, eventId: text("eventId"), rainId: text("rainId"),
        packet: integer("packet"), userId: text("userId"), outcome: outcome, coins: integer("coins")))
  }

  private func text(_ name: StaticString) -> Text { self[name]?.text ?? .empty }

  private func integer(_ name: StaticString) -> Int64 { self[name]?.integer ?? 0 }
}

/// The fields of the Protobuf form.
private struct ResultValues {
  private var id = Text.empty
  private var outcome: Int64 = 0
  private var fields = GrabResult(
    roomId: .empty, recordOffset: 0, eventId: .empty, rainId: .empty, packet: 0, userId: .empty, outcome: .missed,
    coins: 0)

  init(_ bytes: UnsafeRawBufferPointer) throws(NotUnderstood) {
    do throws(ProtobufError) {
      var message = ProtobufReader(bytes)
      while let tag = try message.tag() {
        switch (Fields.Result(rawValue: tag.number), tag.type) {
        case (.id, .bytes): id = try message.text(FieldPath("", "id"))
        case (.roomId, .bytes): fields.roomId = try message.text(FieldPath("", "roomId"))
        case (.eventId, .bytes): fields.eventId = try message.text(FieldPath("", "eventId"))
        case (.rainId, .bytes): fields.rainId = try message.text(FieldPath("", "rainId"))
        case (.packet, .varint): fields.packet = try message.integer()
        case (.userId, .bytes): fields.userId = try message.text(FieldPath("", "userId"))
        case (.outcome, .varint): outcome = try message.integer()
        case (.coins, .varint): fields.coins = try message.integer()
        default: try message.skip(tag)
        }
      }
    } catch {
      throw error.notUnderstood
    }
  }

  func result() throws(NotUnderstood) -> DecodedResult? {
    let name = try CommandID(published: id)
    guard let outcome = GrabResult.Outcome.allCases.first(where: { $0.number == outcome }) else { return nil }
    var result = fields
    result.recordOffset = name.offset
    result.outcome = outcome
    return DecodedResult(topic: name.topic(in: id), partition: name.partition, result: result)
  }
}
