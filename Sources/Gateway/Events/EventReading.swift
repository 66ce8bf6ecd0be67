import HTTP
import RoomModel
import Settings
import Wire

/// Posted events, held against the rules of STAGES.md, section 2, before they go anywhere.
struct EventReading: ~Copyable {
  private var decoder = EventDecoder()

  /// - Parameters:
  ///   - body: the event in JSON; its `roomId` may be missing.
  ///   - room: that of the address.
  mutating func event(_ body: [UInt8], room: String) throws(NotUnderstood) -> EventIntake.Event {
    do throws(NotUnderstood) {
      return EventIntake.Event(kind: try kind(body, room), room: room, json: body)
    } catch {
      if error.reason == .key {
        throw NotUnderstood(.key, "roomId: this address is that of room \(Response.quoted(room)); leave roomId out")
      }
      guard error.reason == .noRoom, let whole = Self.naming(room, in: body) else { throw error }
      return EventIntake.Event(kind: try kind(whole, room), room: room, json: whole)
    }
  }

  /// Throws what is wrong with it; so it does if the event is another room's.
  private mutating func kind(_ json: [UInt8], _ room: String) throws(NotUnderstood) -> EventKind {
    var refusal: NotUnderstood?
    var kind: EventKind?
    Array(room.utf8).withUnsafeBytes { key in
      json.withUnsafeBytes { value in
        do throws(NotUnderstood) {
          let event = try decoder.decode(key: key, value: value, contentType: nil, keyRule: .roomId)
          kind = EventKind(event.body)
        } catch {
          refusal = error
        }
      }
    }
    if let refusal { throw refusal }
    return kind!
  }

  /// The object with a `roomId` put first: a member that comes later, even twice, would count before it.
  private static func naming(_ room: String, in body: [UInt8]) -> [UInt8]? {
    guard let brace = body.firstIndex(of: UInt8(ascii: "{")) else { return nil }
    let rest = body[(brace + 1)...]
    let isEmpty = rest.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "}")
    return body[...brace] + Array("\"roomId\":\(Response.quoted(room))\(isEmpty ? "" : ",")".utf8) + rest
  }
}
