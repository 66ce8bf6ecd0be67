import HTTP
import Kafka
import Platform
import Probes
import RoomModel
import RoomScreen
import Settings
import Wire

/// `POST /rooms/{roomId}/events`.
extension Routes {
  func postEvent(_ request: Request, room: ID) {
    guard let permit = permit(request, [room]) else { return }
    guard let intake = resources.intake else {
      return refuse(request, .notFound, "events are not taken here; gateway.events turns that on")
    }
    guard request.isJSON else {
      return refuse(request, .unsupportedMediaType, "send the event with Content-Type: application/json")
    }
    let client = client(request, permit.poster)
    let limits = resources.settings.limits
    if let client, let seconds = resources.clientLimits.takeEvent(client) {
      return refuse(request, limit: "\(limits.events) events", seconds)
    }
    let event: EventIntake.Event
    do throws(EventRefusal) {
      event = try posted.read(request.body(), room: room, by: permit.poster, of: kinds(permit))
    } catch {
      switch error {
      case .notUnderstood(let why):
        return refuse(request, .badRequest, why.description, [("reason", Response.quoted(why.reason.rawValue))])
      case .kindNotAllowed(let kind):
        return refuse(request, .kindNotAllowed, "this client may not send \(kind.rawValue)")
      case .forbidden(let why): return refuse(request, .forbidden, why)
      }
    }
    if let client, let seconds = resources.clientLimits.takeEvent(client, event.kind, in: room) {
      return refuse(
        request, limit: "\(limits.perRoom[event.kind] ?? 0) \(event.kind.rawValue) events in a room", seconds)
    }
    if let client, let run = event.run, let seconds = resources.clientLimits.takeLikes(client, run, in: room) {
      return refuse(request, limit: "\(limits.perRoom[.tap] ?? 0) likes in a room", seconds)
    }
    let isTaken = posted.submit(event, to: intake) { outcome in respond(request, outcome) }
    if !isTaken { respond(request, .failed("too many events wait; send it again later")) }
  }

  private func refuse(_ request: Request, limit: String, _ seconds: Int64) {
    refuse(request, .tooManyEvents, "more than \(limit) a second; wait, then send it again", retryAfter: seconds)
  }

  /// The kinds that this caller may send.
  func kinds(_ permit: Permit) -> [EventKind] {
    if resources.intake == nil || permit.poster == .nameless { return [] }
    let kinds = permit.kinds ?? resources.settings.eventKinds
    return EventKind.allCases.filter(kinds.contains)
  }

  private func respond(_ request: Request, _ outcome: EventIntake.Outcome) {
    switch outcome {
    case .delivered(let place, let offset):
      resources.metrics.eventsAccepted.add()
      let topic = Response.quoted(place.topic)
      respond(
        request,
        .json(.accepted, Array(#"{"topic":\#(topic),"partition":\#(place.partition),"offset":\#(offset)}"#.utf8)))
    case .failed(let reason):
      refuse(request, .notDelivered, reason, retryAfter: 1)
    }
  }
}

extension Request {
  fileprivate var isJSON: Bool {
    guard let type = header("Content-Type") else { return false }
    return Array(type.utf8).withUnsafeBytes { Format(contentType: $0) } == .json
  }
}
