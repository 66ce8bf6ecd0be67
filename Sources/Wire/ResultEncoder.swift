package import JSON
package import RoomModel

/// Results of one partition of the input, as bytes (STAGES.md, section 6).
extension CommandEncoder {
  /// Appends the result.
  package func encode(_ result: borrowing GrabResult, into buffer: inout ByteBuffer) {
    switch format {
    case .json: buffer.appendJSON(result, log: log.text)
    case .protobuf: buffer.appendProtobuf(result, log: log.text)
    }
  }
}

extension ByteBuffer {
  /// `log` is what ids begin with, escaped.
  fileprivate mutating func appendJSON(_ result: borrowing GrabResult, log: Text) {
    append(#"{"id":""#)
    append(log)
    append(result.recordOffset)
    append(#"","roomId":""#)
    appendEscaped(result.roomId)
    append(#"","eventId":""#)
    appendEscaped(result.eventId)
    append(#"","rainId":""#)
    appendEscaped(result.rainId)
    append(#"","packet":"#)
    append(result.packet)
    append(#","userId":""#)
    appendEscaped(result.userId)
    append(#"","outcome":""#)
    append(result.outcome.word)
    append(#"","coins":"#)
    append(result.coins)
    append(UInt8(ascii: "}"))
  }

  /// `log` is what ids begin with.
  fileprivate mutating func appendProtobuf(_ result: borrowing GrabResult, log: Text) {
    let id = beginMessage(Fields.Result.id)
    append(log)
    append(result.recordOffset)
    endMessage(id)
    append(Fields.Result.roomId, result.roomId)
    append(Fields.Result.eventId, result.eventId)
    append(Fields.Result.rainId, result.rainId)
    append(Fields.Result.packet, result.packet)
    append(Fields.Result.userId, result.userId)
    append(Fields.Result.outcome, result.outcome.number)
    append(Fields.Result.coins, result.coins)
  }
}
