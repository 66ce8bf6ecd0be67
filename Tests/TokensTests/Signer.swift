import COpenSSL

/// Somebody who gives tokens, with a key of the kind that is asked for, made by OpenSSL.
struct Signer: @unchecked Sendable {
  private let key: OpaquePointer
  /// The fields of a header; tests may set others.
  let algorithm: String

  static let rsa = Signer("RSA", "rsa_keygen_bits", "2048", algorithm: "RS256")
  static let otherRSA = Signer("RSA", "rsa_keygen_bits", "2048", algorithm: "RS256")
  static let smallRSA = Signer("RSA", "rsa_keygen_bits", "1024", algorithm: "RS256")
  static let p256 = Signer("EC", "ec_paramgen_curve", "P-256", algorithm: "ES256")
  static let p384 = Signer("EC", "ec_paramgen_curve", "P-384", algorithm: "ES384")
  static let ed25519 = Signer("ED25519", nil, nil, algorithm: "EdDSA")

  private init(_ kind: String, _ option: String?, _ value: String?, algorithm: String) {
    let context = EVP_PKEY_CTX_new_from_name(nil, kind, nil)
    defer { EVP_PKEY_CTX_free(context) }
    EVP_PKEY_keygen_init(context)
    if let option, let value { EVP_PKEY_CTX_ctrl_str(context, option, value) }
    var key: OpaquePointer?
    EVP_PKEY_keygen(context, &key)
    self.key = key!
    self.algorithm = algorithm
  }

  /// Signs by HMAC, whatever the bytes are: a public key's text, say.
  init(secret: some Collection<UInt8>) {
    key = EVP_PKEY_new_raw_private_key(EVP_PKEY_HMAC, nil, Array(secret), secret.count)
    algorithm = "HS256"
  }

  var publicPEM: String {
    pem { PEM_write_bio_PUBKEY($0, key) }
  }

  var privatePEM: String {
    pem { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) }
  }

  private func pem(_ write: (OpaquePointer?) -> Int32) -> String {
    let bio = BIO_new(BIO_s_mem())
    defer { BIO_free(bio) }
    _ = write(bio)
    var text = [UInt8](repeating: 0, count: 8192)
    return String(decoding: text[..<Int(BIO_read(bio, &text, Int32(text.count)))], as: UTF8.self)
  }

  /// A token of these two texts, whatever they are.
  func token(header: String, claims: String) -> String {
    let signed = base64URL(header.utf8) + "." + base64URL(claims.utf8)
    return signed + "." + base64URL(signature(of: Array(signed.utf8)))
  }

  func token(kid: String? = nil, claims: String) -> String {
    let kid = kid.map { #","kid":"\#($0)""# } ?? ""
    return token(header: #"{"alg":"\#(algorithm)","typ":"JWT"\#(kid)}"#, claims: claims)
  }

  private func signature(of bytes: [UInt8]) -> [UInt8] {
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    EVP_DigestSignInit(context, nil, algorithm == "EdDSA" ? nil : EVP_sha256(), nil, key)
    var count = 1024
    var signature = [UInt8](repeating: 0, count: count)
    EVP_DigestSign(context, &signature, &count, bytes, bytes.count)
    return algorithm.hasPrefix("ES") ? Self.raw(signature) : Array(signature[..<count])
  }

  /// DER's two integers of an ECDSA signature, one after the other in 32 bytes each.
  private static func raw(_ der: [UInt8]) -> [UInt8] {
    var at = 2
    var result: [UInt8] = []
    for _ in 0..<2 {
      let count = Int(der[at + 1])
      let integer = der[(at + 2)..<(at + 2 + count)].suffix(32)
      result += [UInt8](repeating: 0, count: 32 - integer.count) + integer
      at += 2 + count
    }
    return result
  }
}

func base64URL(_ bytes: some Sequence<UInt8>) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
  var text = ""
  var bits: UInt32 = 0
  var count = 0
  for byte in bytes {
    bits = bits << 8 | UInt32(byte)
    count += 8
    while count >= 6 {
      count -= 6
      text.append(alphabet[Int(bits >> UInt32(count) & 63)])
    }
  }
  if count > 0 { text.append(alphabet[Int(bits << UInt32(6 - count) & 63)]) }
  return text
}
