import COpenSSL

/// A public key that OpenSSL has read.
struct PublicKey {
  let algorithm: Key.Algorithm
  /// Written anew, so that whoever reads it next finds this key and no other.
  let pem: [UInt8]

  static var minRSABits: Int32 { 2048 }

  init(pem text: [UInt8]) throws(KeyTrouble) {
    try Self.checkBlocks(String(decoding: text, as: UTF8.self))
    guard let key = Self.read(text) else {
      throw KeyTrouble("is no public key in PEM (-----BEGIN PUBLIC KEY-----) that can be read")
    }
    defer { EVP_PKEY_free(key) }
    algorithm = try Self.algorithm(of: key)
    pem = Self.write(key)
  }

  private static func checkBlocks(_ text: String) throws(KeyTrouble) {
    if text.contains("PRIVATE KEY-----") {
      throw KeyTrouble("is a private key, which is nobody's but the issuer's; its public one: openssl pkey -pubout")
    }
    if text.contains("-----BEGIN CERTIFICATE-----") {
      throw KeyTrouble("is a certificate; its key: openssl x509 -pubkey -noout")
    }
    if text.ranges(of: "-----BEGIN ").count > 1 {
      throw KeyTrouble("has several keys; give each a file of its own")
    }
  }

  private static func algorithm(of key: OpaquePointer) throws(KeyTrouble) -> Key.Algorithm {
    switch EVP_PKEY_get_base_id(key) {
    case EVP_PKEY_RSA:
      let bits = EVP_PKEY_get_bits(key)
      guard bits >= minRSABits else {
        throw KeyTrouble("is an RSA key of \(bits) bits; less than \(minRSABits) can be broken")
      }
      return .rsa
    case EVP_PKEY_EC:
      var name = [CChar](repeating: 0, count: 80)
      var count = 0
      guard EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1,
        name.prefix(count).elementsEqual("prime256v1".utf8.map(CChar.init))
      else { throw KeyTrouble("is an EC key of another curve than P-256, and ES256 is the only algorithm for those") }
      return .p256
    default:
      throw KeyTrouble("is neither an RSA key nor an EC key of P-256; RS256 and ES256 are what is taken")
    }
  }

  /// Never asks a terminal for a password.
  private static func read(_ text: [UInt8]) -> OpaquePointer? {
    defer { ERR_clear_error() }
    return text.withUnsafeBytes { bytes in
      guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
      defer { BIO_free(bio) }
      return PEM_read_bio_PUBKEY(bio, nil, { _, _, _, _ in -1 }, nil)
    }
  }

  private static func write(_ key: OpaquePointer) -> [UInt8] {
    let bio = BIO_new(BIO_s_mem())
    defer { BIO_free(bio) }
    var start: UnsafeMutableRawPointer?
    guard PEM_write_bio_PUBKEY(bio, key) == 1 else { fatalError("OpenSSL can't write a key that it has read") }
    let count = BIO_ctrl(bio, BIO_CTRL_INFO, 0, &start)
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}
