import HTTP

final class EventIntake: Sendable {}

extension Routes {
  func takeEvent(_ request: Request, room: String) {
    refuse(request, .notFound, .notFound, "events are not taken here; gateway.events turns that on")
  }
}
