internal import CLibevent
internal import Glibc

/// The keys of session tickets that gateways share, so that who comes back to any of them, or after a restart, needs no
/// whole handshake. The first encrypts; all decrypt.
///
/// A file is as nginx wants it for `ssl_session_ticket_key`, so a proxy and gateways may have the same.
final class TicketKeys: Sendable {
  fileprivate struct Key {
    /// Stands in front of each ticket of it.
    let name: [UInt8]
    let cipher: [UInt8]
    let mac: [UInt8]
  }

  private static let nameLength = 16
  private let keys: [Key]

  /// - Parameter files: at least one; their paths and what is in them.
  init(_ files: [(path: String, bytes: [UInt8])]) throws(TLSError) {
    var keys: [Key] = []
    for (path, bytes) in files {
      let name = Array(bytes.prefix(Self.nameLength))
      // AES-128 has its key before that of the MAC, AES-256 behind it.
      switch bytes.count {
      case 48: keys.append(Key(name: name, cipher: Array(bytes[16..<32]), mac: Array(bytes[32...])))
      case 80: keys.append(Key(name: name, cipher: Array(bytes[48...]), mac: Array(bytes[16..<48])))
      default:
        throw TLSError(
          "\(path) has \(bytes.count) bytes; a key of tickets has 80 (or 48), made with: openssl rand -out FILE 80")
      }
    }
    self.keys = keys
  }

  /// `context` keeps these keys for as long as OpenSSL keeps it: connections outlive whoever made it.
  func install(in context: OpaquePointer) {
    SSL_CTX_set_ex_data(context, Self.place, Unmanaged.passRetained(self).toOpaque())
    SSL_CTX_set_tlsext_ticket_key_evp_cb(context) { session, name, iv, cipher, mac, isNew in
      guard let session, let name, let iv, let cipher, let mac,
        let keys = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(session), TicketKeys.place)
      else { return TicketKeys.failed }
      let ticket = Ticket(name: name, iv: iv, cipher: cipher, mac: mac)
      let all = Unmanaged<TicketKeys>.fromOpaque(keys).takeUnretainedValue()
      return isNew == 1 ? all.encrypt(ticket) : all.decrypt(ticket, isTLS13: SSL_version(session) == TLS1_3_VERSION)
    }
  }

  /// The index of a context's keys in its extra data.
  private static let place = CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL_CTX, 0, nil, nil, nil) { _, keys, _, _, _, _ in
    if let keys { Unmanaged<TicketKeys>.fromOpaque(keys).release() }
  }

  // MARK: One ticket

  /// The cipher and digest that OpenSSL gives to be made ready.
  private struct Ticket {
    let name: UnsafeMutablePointer<UInt8>
    let iv: UnsafeMutablePointer<UInt8>
    let cipher: OpaquePointer
    let mac: OpaquePointer
  }

  private static let failed: Int32 = -1
  /// The handshake is a whole one.
  private static let unknown: Int32 = 0
  private static let good: Int32 = 1
  /// The ticket is good, and the client gets a new one.
  private static let goodAndRenew: Int32 = 2

  private func encrypt(_ ticket: Ticket) -> Int32 {
    let key = keys[0]
    guard RAND_bytes(ticket.iv, EVP_MAX_IV_LENGTH) == 1 else { return Self.failed }
    ticket.name.update(from: key.name, count: Self.nameLength)
    guard EVP_EncryptInit_ex(ticket.cipher, key.algorithm, nil, key.cipher, ticket.iv) == 1, key.setMAC(ticket.mac)
    else { return Self.failed }
    return Self.good
  }

  private func decrypt(_ ticket: Ticket, isTLS13: Bool) -> Int32 {
    let name = UnsafeBufferPointer(start: ticket.name, count: Self.nameLength)
    guard let place = keys.firstIndex(where: { $0.name.elementsEqual(name) }) else { return Self.unknown }
    let key = keys[place]
    guard EVP_DecryptInit_ex(ticket.cipher, key.algorithm, nil, key.cipher, ticket.iv) == 1, key.setMAC(ticket.mac)
    else { return Self.failed }
    // A ticket of TLS 1.3 is good for one connection, or whoever listens could tell that both are of one client.
    return place > 0 || isTLS13 ? Self.goodAndRenew : Self.good
  }
}

extension TicketKeys.Key {
  fileprivate var algorithm: OpaquePointer { cipher.count == 16 ? EVP_aes_128_cbc() : EVP_aes_256_cbc() }

  /// A parameter points to its name, so the names have to stay where they are.
  fileprivate func setMAC(_ context: OpaquePointer) -> Bool {
    let (keyName, digestName, digest) = (StaticString("key"), StaticString("digest"), StaticString("SHA256"))
    func text(_ word: StaticString) -> UnsafeMutablePointer<CChar> {
      UnsafeMutableRawPointer(mutating: word.utf8Start).assumingMemoryBound(to: CChar.self)
    }
    return mac.withUnsafeBytes { key in
      var parameters = [
        OSSL_PARAM_construct_octet_string(
          text(keyName), UnsafeMutableRawPointer(mutating: key.baseAddress), key.count),
        OSSL_PARAM_construct_utf8_string(text(digestName), text(digest), 0),
        OSSL_PARAM_construct_end(),
      ]
      return EVP_MAC_CTX_set_params(context, &parameters) == 1
    }
  }
}
