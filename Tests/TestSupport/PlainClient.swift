import Foundation
import Testing

/// A socket, so that nothing of an HTTP library hides what is sent.
package final class PlainClient {
  package let descriptor: Int32

  package init(port: UInt16, receiveBufferBytes: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var size = receiveBufferBytes { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafeBytes(of: &address) { bytes in
      connect(
        descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(MemoryLayout<sockaddr_in>.size)
      )
    }
    try #require(status == 0)
  }

  deinit { close(descriptor) }

  package func send(_ text: String) {
    _ = text.withCString { Foundation.send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
  }

  package func send(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  /// All that comes until the server closes.
  package func readToEnd() -> String { String(decoding: read { _ in false }, as: UTF8.self) }

  /// The next bytes, one at least; empty if the server closes, or says nothing for two minutes.
  package func readSome() -> [UInt8] {
    var isFirst = true
    return read { _ in
      defer { isFirst = false }
      return !isFirst
    }
  }

  /// All that comes until it has this in it, or until the server closes.
  package func read(until mark: String) -> String {
    var mark = mark
    return mark.withUTF8 { mark in
      String(decoding: read { $0.count >= mark.count && $0.suffix(8192 + mark.count).containing(mark) }, as: UTF8.self)
    }
  }

  /// Waits up to two minutes for each piece.
  private func read(_ isEnough: ([UInt8]) -> Bool) -> [UInt8] {
    var answer: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while !isEnough(answer), poll(&poller, 1, 120_000) > 0 {
      let count = Foundation.read(descriptor, &part, part.count)
      if count <= 0 { break }
      answer += part[..<count]
    }
    return answer
  }
}

extension Collection<UInt8> {
  fileprivate func containing(_ mark: some Collection<UInt8>) -> Bool { firstRange(of: mark) != nil }
}
