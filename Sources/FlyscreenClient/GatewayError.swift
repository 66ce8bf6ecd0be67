/// The reason that a stream ended for good: trying again would not have mended it.
public enum GatewayError: Error, Sendable, Hashable {
  /// 401: there was no token, or none that the gateway takes.
  case unauthorized(String)
  /// 403: the token doesn't name the room.
  case forbidden(String)
  /// 404: there is nothing at this address.
  case notFound(String)
  /// Another status: 400, say, for more rooms than the gateway takes in one stream.
  case refused(status: Int, String)

  /// Nil if it is worth another try.
  init?(status: Int, body: String) {
    guard Self.isFinal(status) else { return nil }
    switch status {
    case 401: self = .unauthorized(body)
    case 403: self = .forbidden(body)
    case 404: self = .notFound(body)
    default: self = .refused(status: status, body)
    }
  }

  /// Whether the same request would be refused again.
  static func isFinal(_ status: Int) -> Bool {
    switch status {
    case 408, 421, 425, 429: false
    case 400..<500, 501: true
    default: false
    }
  }
}

extension GatewayError: CustomStringConvertible {
  public var description: String {
    let (what, body) =
      switch self {
      case .unauthorized(let body): ("the gateway wants a token that it takes (401)", body)
      case .forbidden(let body): ("the token is for other rooms (403)", body)
      case .notFound(let body): ("there is no such room or address (404)", body)
      case .refused(let status, let body): ("the gateway refuses (\(status))", body)
      }
    return body.isEmpty ? what : "\(what): \(body)"
  }
}
