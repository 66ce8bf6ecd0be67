/// What is asked for, and the answer.
struct ProbeRoutes: Sendable {
  struct Answer: Equatable {
    var status: Int32
    var reason: StaticString
    var contentType: StaticString = "text/plain; charset=utf-8"
    var body: String

    static func == (a: Answer, b: Answer) -> Bool { a.status == b.status && a.body == b.body }
  }

  let health: ProbeServer.Check
  let readiness: ProbeServer.Check
  let metrics: Metrics

  func answer(path: String) -> Answer {
    switch path {
    case "/healthz": answer(health())
    case "/readyz": answer(readiness())
    case "/metrics":
      Answer(
        status: 200, reason: "OK", contentType: "text/plain; version=0.0.4; charset=utf-8", body: metrics.text())
    default:
      Answer(status: 404, reason: "Not Found", body: "there are /healthz, /readyz and /metrics\n")
    }
  }

  static let notAllowed = Answer(status: 405, reason: "Method Not Allowed", body: "only GET and HEAD\n")

  private func answer(_ trouble: String?) -> Answer {
    if let trouble { return Answer(status: 503, reason: "Service Unavailable", body: trouble + "\n") }
    return Answer(status: 200, reason: "OK", body: "ok\n")
  }
}
