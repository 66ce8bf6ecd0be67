import CJwt
import Glibc

/// A key that tokens are signed with. Its kind decides its algorithm, of which each kind has one.
package struct Key: Equatable, Sendable {
  package enum Algorithm: String, Sendable {
    case hmac = "HS256"
    case rsa = "RS256"
    case p256 = "ES256"
  }

  package let algorithm: Algorithm
  /// The secret, or the public key as PEM: libjwt takes both.
  let bytes: [UInt8]

  /// The least length of a secret, in bytes (RFC 7518, section 3.2).
  static var minSecretCount: Int { 32 }

  /// A line end at its end is the editor's, not the secret's.
  package init(secret: [UInt8]) throws(KeyTrouble) {
    var secret = secret[...]
    if secret.last == UInt8(ascii: "\n") { secret.removeLast() }
    if secret.last == UInt8(ascii: "\r") { secret.removeLast() }
    guard secret.count >= Self.minSecretCount else {
      throw KeyTrouble(
        "has \(secret.count) bytes, and less than \(Self.minSecretCount) can be guessed;"
          + " make one by: openssl rand -hex 32")
    }
    algorithm = .hmac
    bytes = Array(secret)
  }

  init(_ key: PublicKey) {
    algorithm = key.algorithm
    bytes = key.pem
  }

  /// Whether the signature is by this key. The token's algorithm must be the key's.
  func isSigner(of token: CompactToken) -> Bool {
    precondition(token.algorithm == algorithm.rawValue, "a key takes tokens of its own algorithm alone")
    var jwt: OpaquePointer?
    let status = bytes.withUnsafeBufferPointer {
      jwt_decode(&jwt, token.text, $0.baseAddress, Int32($0.count))
    }
    defer { jwt_free(jwt) }
    return status == 0 && jwt != nil && jwt_get_alg(jwt) == jwt_str_alg(algorithm.rawValue)
  }
}

/// A fault of a key's file, in words that follow the file's name.
package struct KeyTrouble: Error, Equatable {
  package let description: String

  init(_ description: String) { self.description = description }
}
