import HTTP
import Kafka
import Platform
import Probes
import Settings
import Wire

/// `POST /rooms/{roomId}/events`.
extension Routes {
  func postEvent(_ request: Request, room: String) {
    guard let intake = resources.intake else {
      return refuse(request, .notFound, .notFound, "events are not taken here; gateway.events turns that on")
    }
    guard let permit = permit(request, [room]) else { return }
    guard request.isJSON else {
      return refuse(request, .unsupportedMediaType, .badRequest, "send the event with Content-Type: application/json")
    }
    let client = permit.user.map { "user " + $0 } ?? resources.clientAddress.of(request)
    if let waitMs = resources.eventsOfClients.take(client, nowMs: MonotonicClock.nowMs()) {
      return refuse(
        request, .tooManyRequests, .tooManyEvents,
        "more than \(resources.settings.limits.events) events a second; wait, then send it again",
        headers: [.init("Retry-After", String((waitMs + 999) / 1000))])
    }
    let event: EventIntake.Event
    do throws(NotUnderstood) {
      event = try posted.read(request.body(), room: room)
    } catch {
      return refuse(
        request, .badRequest, .badRequest, error.description,
        [("reason", Response.quoted(error.reason.rawValue))])
    }
    let isTaken = posted.submit(event, to: intake) { outcome in respond(request, outcome) }
    if !isTaken { respond(request, .failed("too many events wait; send it again later")) }
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
      refuse(request, .serviceUnavailable, .notDelivered, reason, headers: [.init("Retry-After", "1")])
    }
  }
}

extension Request {
  fileprivate var isJSON: Bool {
    guard let type = header("Content-Type") else { return false }
    return Array(type.utf8).withUnsafeBytes { Format(contentType: $0) } == .json
  }
}
