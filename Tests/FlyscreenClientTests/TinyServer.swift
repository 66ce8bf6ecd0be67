import Foundation
import Glibc

/// A server that does what a test says, over real connections.
final class TinyServer: Sendable {
  let port: Int
  private let listener: Int32

  init() {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        precondition(bind(listener, address, size) == 0 && listen(listener, 16) == 0)
        getsockname(listener, address, &size)
      }
      return Int(UInt16(bigEndian: pointer.pointee.sin_port))
    }
    self.listener = listener
    self.port = port
  }

  deinit { _ = Glibc.close(listener) }

  var address: URL { URL(string: "http://127.0.0.1:\(port)")! }

  /// The next connection, with the head of its request.
  func accept() async -> Peer {
    await onThread { [listener] in
      let socket = Glibc.accept(listener, nil, nil)
      var request = [UInt8]()
      var byte: UInt8 = 0
      while !request.suffix(4).elementsEqual("\r\n\r\n".utf8), recv(socket, &byte, 1, 0) == 1 { request.append(byte) }
      return Peer(socket: socket, request: String(decoding: request, as: UTF8.self))
    }
  }

  struct Peer: Sendable {
    let socket: Int32
    let request: String

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) { _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    func answer(_ status: String, type: String) {
      send("HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nConnection: close\r\n\r\n")
    }

    func close() { _ = Glibc.close(socket) }

    /// Returns when the client has closed its end.
    func waitUntilGone() async {
      await onThread { [socket] in
        var byte: UInt8 = 0
        while recv(socket, &byte, 1, 0) > 0 {}
      }
    }
  }
}

/// These calls block, which no thread of Swift's own may.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    Thread { continuation.resume(returning: work()) }.start()
  }
}
