internal import CLibevent
internal import Platform
internal import Synchronization

/// A certificate and its key, in PEM files, and keys of session tickets. The files are read anew when they change:
/// connections that come later get what is new. While they don't fit together, or can't be read, all stays as it was.
package final class TLSCertificate: Sendable {
  private struct State {
    var context: TLSContext
    var files: [[UInt8]?]
  }

  private let certificate: String
  private let key: String
  private let ticketKeys: [String]
  private let state: Mutex<State>

  /// - Parameter ticketKeys: files of 80 or 48 bytes. The first encrypts tickets, all decrypt them. None: a ticket is
  ///   good at this process alone, until the certificate changes.
  package init(certificate: String, key: String, ticketKeys: [String] = []) throws(TLSError) {
    self.certificate = certificate
    self.key = key
    self.ticketKeys = ticketKeys
    // The files are read before they are loaded: a change in between is seen the next time.
    let files = ([certificate, key] + ticketKeys).map(Self.bytes)
    let context = try TLSContext(
      certificate: certificate, key: key, ticketKeys: Self.ticketKeys(ticketKeys, files.dropFirst(2)))
    state = Mutex(State(context: context, files: files))
  }

  /// Reads the files if they have changed, and says so in a line: what is wrong with them, or nil for nothing. Nil if
  /// they have not. Called each second or so, by one thread.
  package func reload() -> Result<Void, TLSError>? {
    let files = ([certificate, key] + ticketKeys).map(Self.bytes)
    if state.withLock({ $0.files == files }) { return nil }
    do throws(TLSError) {
      let context = try TLSContext(
        certificate: certificate, key: key, ticketKeys: Self.ticketKeys(ticketKeys, files.dropFirst(2)))
      state.withLock { $0 = State(context: context, files: files) }
      return .success(())
    } catch {
      state.withLock { $0.files = files }
      return .failure(error)
    }
  }

  /// A session for a new connection, which keeps the certificate it began with.
  func session() -> OpaquePointer {
    state.withLock { SSL_new($0.context.handle) }
  }

  private static func ticketKeys(
    _ paths: [String], _ contents: ArraySlice<[UInt8]?>
  ) throws(TLSError) -> TicketKeys? {
    if paths.isEmpty { return nil }
    var files: [(path: String, bytes: [UInt8])] = []
    for (path, bytes) in zip(paths, contents) {
      guard let bytes else {
        try TLSContext.checkReadable(path)
        throw TLSError("\(path) can't be read; a key of tickets is a file of 80 bytes")
      }
      files.append((path, bytes))
    }
    return try TicketKeys(files)
  }

  private static func bytes(of path: String) -> [UInt8]? {
    try? ShortFile.read(path, mostBytes: 1 << 20, waits: false)
  }
}
