import Foundation

/// The claims of a JSON Web Token, unverified: the gateway checks them, here they are only read.
struct TokenClaims: Decodable {
  /// Seconds since 1970.
  private let exp: Double?

  /// A token is renewed so long before it ends, or a fifth of the time it has left if that is less.
  private static let early: Duration = .seconds(30)

  /// Nil if it can't be read.
  init?(_ token: String?) {
    guard let parts = token?.split(separator: ".", omittingEmptySubsequences: false), parts.count == 3 else {
      return nil
    }
    var body = parts[1].replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    body += String(repeating: "=", count: (4 - body.count % 4) % 4)
    guard let bytes = Data(base64Encoded: body), let claims = try? JSONDecoder().decode(Self.self, from: bytes) else {
      return nil
    }
    self = claims
  }

  /// The time until another token should be asked for; nil if this one has no end, or is over by then.
  func renewal(_ now: Date) -> Duration? {
    guard let exp, exp.isFinite else { return nil }
    let left = Duration.seconds(min(exp - now.timeIntervalSince1970, 1e9))
    return left > .zero ? left - min(Self.early, left / 5) : nil
  }

  /// Returns whether it ends later than the other.
  func endsLater(than other: TokenClaims?) -> Bool { (exp ?? .infinity) > (other?.exp ?? .infinity) }
}
