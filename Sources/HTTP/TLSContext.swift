internal import CLibevent
internal import Glibc
internal import Platform

/// OpenSSL's context of a certificate chain and its key: TLS 1.2 and 1.3.
///
/// Shared by all loops: OpenSSL counts its references under locks of its own.
final class TLSContext: @unchecked Sendable {
  let handle: OpaquePointer

  /// - Parameter ticketKeys: nil: keys of this context's own, which no other gateway has.
  init(certificate: String, key: String, ticketKeys: TicketKeys?) throws(TLSError) {
    handle = SSL_CTX_new(TLS_server_method())!
    defer { ERR_clear_error() }
    // The calls that OpenSSL has as macros.
    func set(_ command: Int32, _ value: Int) { SSL_CTX_ctrl(handle, command, value, nil) }
    set(SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION))
    // TLS 1.2 only with suites that keep a secret also from whoever gets the key later, and no CBC. All of TLS 1.3 do.
    SSL_CTX_set_cipher_list(handle, "ECDHE+AESGCM:ECDHE+CHACHA20")
    // 34 KB less a connection that is silent.
    set(SSL_CTRL_MODE, Int(SSL_MODE_RELEASE_BUFFERS))
    // Short records save 12 KB where a client is slow to take one. Few answers are longer.
    set(SSL_CTRL_SET_MAX_SEND_FRAGMENT, 4096)
    // A client that comes back has a ticket. A store of sessions would grow with every client.
    set(SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF))
    SSL_CTX_set_num_tickets(handle, 1)
    ticketKeys?.install(in: handle)
    SSL_CTX_set_options(handle, Self.noRenegotiation)
    // Nobody sits at a terminal.
    SSL_CTX_set_default_passwd_cb(handle) { _, _, _, _ in -1 }
    for file in [certificate, key] { try Self.checkReadable(file) }
    guard SSL_CTX_use_certificate_chain_file(handle, certificate) == 1 else {
      throw TLSError("\(certificate) has no certificate in PEM that can be read")
    }
    guard SSL_CTX_use_PrivateKey_file(handle, key, SSL_FILETYPE_PEM) == 1, SSL_CTX_check_private_key(handle) == 1
    else { throw TLSError("\(key) has no key in PEM, without a password, that is the one of \(certificate)") }
  }

  deinit { SSL_CTX_free(handle) }

  /// Tells that a file can't be read: otherwise its reader would look for what is wrong in it.
  static func checkReadable(_ path: String) throws(TLSError) {
    do { _ = try ShortFile.read(path, mostBytes: 0) } catch { throw TLSError("\(path) can't be read: \(error)") }
  }

  /// A client could have the server do the costly half of a handshake again and again. (A macro with a cast.)
  private static var noRenegotiation: UInt64 { 1 << 30 }
}

/// The reason why there is no TLS, and what to look at.
package struct TLSError: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
