/// An answer that is whole.
package struct Response: Sendable {
  package struct Header: Equatable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package var status: Status
  package var headers: [Header]
  package var body: [UInt8]
  /// The connection is closed after it.
  package var closes = false

  package init(_ status: Status, _ headers: [Header] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  package init(_ status: Status, contentType: String, _ body: [UInt8]) {
    self.init(status, [Header("Content-Type", contentType)], body: body)
  }

  package static func json(_ status: Status, _ body: [UInt8]) -> Response {
    Response(status, contentType: "application/json", body)
  }

  /// Every refusal has this shape: `{"error":"not_found","message":"there is no such page"}`, with more members
  /// where a program can use them.
  ///
  /// - Parameters:
  ///   - error: for programs; one word.
  ///   - message: for people; says what to do about it.
  ///   - more: further members, whose values are JSON already.
  package static func refusal(
    _ status: Status, _ error: String, _ message: String, _ more: [(name: String, json: String)] = [],
    headers: [Header] = []
  ) -> Response {
    var text = #"{"error":"# + quoted(error) + #","message":"# + quoted(message)
    for (name, json) in more { text += "," + quoted(name) + ":" + json }
    var response = json(status, Array((text + "}\n").utf8))
    response.headers += headers
    return response
  }

  /// A text as JSON has it.
  package static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\u{0}"..<"\u{20}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

/// The statuses that are used here, with their words.
package struct Status: Equatable, Sendable {
  package let code: Int32
  let reason: StaticString

  package static func == (a: Status, b: Status) -> Bool { a.code == b.code }

  package static let ok = Status(code: 200, reason: "OK")
  package static let accepted = Status(code: 202, reason: "Accepted")
  package static let noContent = Status(code: 204, reason: "No Content")
  package static let notModified = Status(code: 304, reason: "Not Modified")
  package static let temporaryRedirect = Status(code: 307, reason: "Temporary Redirect")
  package static let badRequest = Status(code: 400, reason: "Bad Request")
  package static let unauthorized = Status(code: 401, reason: "Unauthorized")
  package static let forbidden = Status(code: 403, reason: "Forbidden")
  package static let notFound = Status(code: 404, reason: "Not Found")
  package static let methodNotAllowed = Status(code: 405, reason: "Method Not Allowed")
  package static let gone = Status(code: 410, reason: "Gone")
  package static let lengthRequired = Status(code: 411, reason: "Length Required")
  package static let contentTooLarge = Status(code: 413, reason: "Content Too Large")
  package static let unsupportedMediaType = Status(code: 415, reason: "Unsupported Media Type")
  package static let expectationFailed = Status(code: 417, reason: "Expectation Failed")
  package static let misdirected = Status(code: 421, reason: "Misdirected Request")
  package static let tooManyRequests = Status(code: 429, reason: "Too Many Requests")
  package static let notImplemented = Status(code: 501, reason: "Not Implemented")
  package static let serviceUnavailable = Status(code: 503, reason: "Service Unavailable")
}
