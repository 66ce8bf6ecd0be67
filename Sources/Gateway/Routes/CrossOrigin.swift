import HTTP
import RoomScreen

/// Which pages of others may ask (CORS).
struct CrossOrigin: Sendable {
  private let origins: [String]
  private let isOpen: Bool

  init(_ origins: [String]) {
    self.origins = origins
    isOpen = origins.contains("*")
  }

  /// For the answer to this request. Tokens travel in a header or the query, never in cookies, so nothing is told
  /// to whoever does not already know.
  func headers(for request: Request) -> [Response.Header] {
    if isOpen { return [.init("Access-Control-Allow-Origin", "*")] }
    if origins.isEmpty { return [] }
    let vary = Response.Header("Vary", "Origin")
    guard let origin = request.header("Origin"), origins.contains(origin) else { return [vary] }
    return [.init("Access-Control-Allow-Origin", origin), vary]
  }

  /// To what a browser asks before it asks.
  func preflight(_ request: Request) -> Response {
    Response(
      .noContent,
      headers(for: request) + [
        .init("Access-Control-Allow-Methods", "GET, HEAD, POST"),
        .init("Access-Control-Allow-Headers", "Authorization, Content-Type, Last-Event-ID"),
        .init("Access-Control-Max-Age", "600"), .init("Allow", "GET, HEAD, POST, OPTIONS"),
      ])
  }
}
