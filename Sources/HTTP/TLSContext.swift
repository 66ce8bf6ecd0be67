internal import CLibevent

/// What a listener needs to speak TLS: an `SSL_CTX` with its certificate and key.
///
/// Shared by all loops: OpenSSL counts its references under locks of its own.
package final class TLSContext: @unchecked Sendable {
  let handle: OpaquePointer

  /// Takes the context over.
  init(owning handle: OpaquePointer) { self.handle = handle }

  deinit { SSL_CTX_free(handle) }
}
