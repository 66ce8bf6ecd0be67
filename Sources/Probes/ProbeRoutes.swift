package import HTTP

/// What probes ask for, and the answer; the same on every server.
package struct ProbeRoutes: Sendable {
  private let health: ProbeServer.Check
  private let readiness: ProbeServer.Check
  private let metrics: Metrics

  package init(
    health: @escaping ProbeServer.Check = { nil }, readiness: @escaping ProbeServer.Check, metrics: Metrics
  ) {
    self.health = health
    self.readiness = readiness
    self.metrics = metrics
  }

  package func answer(_ request: Request) -> Response {
    guard request.method == .get || request.method == .head else {
      var refusal = Self.text(.methodNotAllowed, "only GET and HEAD\n")
      refusal.headers.append(.init("Allow", "GET, HEAD"))
      return refusal
    }
    return answer(path: request.target.segments)
      ?? Self.text(.notFound, "there are /healthz, /readyz and /metrics\n")
  }

  /// Nil if it is none of theirs.
  package func answer(path: [String]) -> Response? {
    switch path {
    case ["healthz"]: Self.answer(health())
    case ["readyz"]: Self.answer(readiness())
    case ["metrics"]:
      Response(.ok, contentType: "text/plain; version=0.0.4; charset=utf-8", Array(metrics.text().utf8))
    default: nil
    }
  }

  private static func answer(_ trouble: String?) -> Response {
    if let trouble { return text(.serviceUnavailable, trouble + "\n") }
    return text(.ok, "ok\n")
  }

  private static func text(_ status: Status, _ text: String) -> Response {
    Response(status, contentType: "text/plain; charset=utf-8", Array(text.utf8))
  }
}
