import HTTP
import JSON
import RoomModel
import RoomScreen
import Settings
import Wire

/// The reason why a posted event goes nowhere.
enum EventRefusal: Error, Equatable {
  case notUnderstood(NotUnderstood)
  case kindNotAllowed(EventKind)
  /// It is in another's name, or in nobody's; in a line.
  case forbidden(String)
}

/// Posted events, held against who posts them and against the rules of STAGES.md, section 2, before they go anywhere.
struct PostedEventDecoder: ~Copyable {
  private var decoder = EventDecoder()
  private var document = JSONDocument()
  private let names: EventNames

  /// An event's kind and user.
  private struct Understood {
    let kind: EventKind
    let user: ID?
    let run: LikeRun?
  }

  init(_ names: EventNames) { self.names = names }

  /// - Parameters:
  ///   - body: the event in JSON; its `roomId` may be absent, null or empty, and of a viewer's event the user.
  ///   - room: that of the address.
  ///   - kinds: that may be posted.
  mutating func event(
    _ body: [UInt8], room: ID, by poster: Poster, of kinds: [EventKind]
  ) throws(EventRefusal) -> EventIntake.Event {
    var json = body
    if let kind = try kind(of: body, by: poster, signed: &json) { try allow(kind, poster, kinds) }
    let event: EventIntake.Event
    let understood: Understood
    do throws(NotUnderstood) {
      (event, understood) = try read(json, room)
    } catch {
      throw .notUnderstood(error)
    }
    try allow(understood.kind, poster, kinds)
    if case .viewer(let viewer) = poster, let user = understood.user, user != viewer.id {
      throw .forbidden("the event is of user \(Response.quoted(user.string)), and the token's sub is another")
    }
    return event
  }

  private func allow(_ kind: EventKind, _ poster: Poster, _ kinds: [EventKind]) throws(EventRefusal) {
    if poster == .nameless {
      throw .forbidden("the token has no sub; post with one that names its user, or with a platform's own (as: *)")
    }
    if !kinds.contains(kind) { throw .kindNotAllowed(kind) }
  }

  /// Nil: it has no kind, or several; the decoder says what is wrong.
  ///
  /// - Parameter json: becomes the event in the viewer's name.
  private mutating func kind(
    of body: [UInt8], by poster: Poster, signed json: inout [UInt8]
  ) throws(EventRefusal) -> EventKind? {
    body.withUnsafeBytes { bytes in
      guard let value = try? document.parse(bytes), let kind = EventSigning.kind(of: value) else { return nil }
      if case .viewer(let viewer) = poster, kind.hasUser {
        json = EventSigning.event(value, kind, signedBy: viewer, names)
      }
      return kind
    }
  }

  private mutating func read(
    _ json: [UInt8], _ room: ID
  ) throws(NotUnderstood) -> (EventIntake.Event, Understood) {
    do throws(NotUnderstood) {
      let understood = try understand(json, room)
      return (EventIntake.Event(kind: understood.kind, room: room, run: understood.run, json: json), understood)
    } catch {
      if error.reason == .key {
        throw NotUnderstood(
          .key, "roomId: this address is that of room \(Response.quoted(room.string)); leave roomId out")
      }
      guard error.reason == .noRoom, let whole = naming(room, in: json) else { throw error }
      let understood = try understand(whole, room)
      return (EventIntake.Event(kind: understood.kind, room: room, run: understood.run, json: whole), understood)
    }
  }

  /// Throws what is wrong with it; so it does if the event is another room's.
  private mutating func understand(_ json: [UInt8], _ room: ID) throws(NotUnderstood) -> Understood {
    try room.withBytes { key throws(NotUnderstood) in
      let understood = json.withUnsafeBytes { value in
        Result { () throws(NotUnderstood) in
          let event = try decoder.decode(key: key, value: value, contentType: nil, keyRule: .roomId)
          if case .wish(let wish) = event.body, !wish.text.isVisible {
            throw NotUnderstood(.missing, "wish.text: nothing of it can be seen; write something")
          }
          if case .pin(let pin) = event.body, !pin.text.isVisible {
            throw NotUnderstood(.missing, "pin.text: nothing of it can be seen; write something")
          }
          var run: LikeRun?
          if case .taps(let taps) = event.body { run = LikeRun(id: ID(taps.runId), count: taps.count) }
          return Understood(kind: event.body.kind, user: event.body.user.map { ID($0) }, run: run)
        }
      }
      return try understood.get()
    }
  }

  /// The event with the room that it didn't name: its `roomId` was absent, null or empty. It then has one alone, so that
  /// all readers of the topic take it alike. Nil: it is no object.
  private mutating func naming(_ room: ID, in body: [UInt8]) -> [UInt8]? {
    body.withUnsafeBytes { bytes in
      guard let value = try? document.parse(bytes), value.members != nil else { return nil }
      var json = ByteBuffer()
      json.appendObject { json in
        json.appendMember("roomId") { $0.appendString(room.string) }
        json.append(membersOf: value, without: ["roomId"])
      }
      return Array(json.bytes)
    }
  }
}
