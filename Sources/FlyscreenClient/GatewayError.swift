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
    switch status {
    case 401: self = .unauthorized(body)
    case 403: self = .forbidden(body)
    case 404: self = .notFound(body)
    case 408, 421, 425, 429: return nil
    case 400..<500: self = .refused(status: status, body)
    default: return nil
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
