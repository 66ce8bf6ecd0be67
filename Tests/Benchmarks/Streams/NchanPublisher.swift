import Glibc

/// Publishes to nchan's HTTP endpoint, `/pub/ROOM`, over a few connections that stay open. Requests are not held up by
/// the answers to earlier ones.
final class NchanPublisher {
  private var descriptors: [Int32] = []
  /// The end of what each connection has read, which may be the beginning of an answer.
  private var ends: [String] = []
  private var pending = 0
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  init(_ address: String) throws {
    for _ in 0..<4 { descriptors.append(try Socket.connected(to: address)) }
    ends = descriptors.map { _ in "" }
  }

  func publish(_ commands: some Sequence<(Int, String)>) throws {
    var requests = [String](repeating: "", count: descriptors.count)
    for (room, text) in commands {
      requests[room % descriptors.count] +=
        "POST /pub/\(FedCommand.name(of: room)) HTTP/1.1\r\nHost: nchan\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(text.utf8.count)\r\n\r\n\(text)"
      pending += 1
    }
    for (descriptor, request) in zip(descriptors, requests) where !request.isEmpty {
      var rest = Array(request.utf8)[...]
      while !rest.isEmpty {
        let sent = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        if sent <= 0 { throw Refusal("nchan has closed the connection that it is fed by") }
        rest = rest.dropFirst(sent)
      }
    }
  }

  /// Reads the answers that are there already.
  func readAnswers() {
    for place in descriptors.indices { _ = read(from: place, wait: false) }
  }

  /// Waits for all of them.
  func finish() throws {
    while pending > 0 {
      guard descriptors.indices.contains(where: { read(from: $0, wait: true) }) else {
        throw Refusal("nchan has not answered \(pending) of the commands published to it")
      }
    }
  }

  private func read(from place: Int, wait: Bool) -> Bool {
    if wait {
      var event = pollfd(fd: descriptors[place], events: Int16(POLLIN), revents: 0)
      if poll(&event, 1, 1000) != 1 { return false }
    }
    let count = recv(descriptors[place], &buffer, buffer.count, Int32(MSG_DONTWAIT))
    guard count > 0 else { return false }
    let answer = "HTTP/1.1 20"
    let text = ends[place] + String(decoding: buffer[..<count], as: UTF8.self)
    pending -= text.ranges(of: answer).count
    // Too short to hold a whole one.
    ends[place] = String(text.suffix(answer.count - 1))
    return true
  }
}

enum Socket {
  /// A connection to `HOST:PORT`, in numbers.
  static func connected(to address: String) throws -> Int32 {
    var name = try Self.name(of: address)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let status = withUnsafeBytes(of: &name) {
      connect(descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
    }
    guard status == 0 else { throw Refusal("nobody listens on \(address)") }
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
    return descriptor
  }

  static func name(of address: String) throws -> sockaddr_in {
    let parts = address.split(separator: ":")
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    guard parts.count == 2, let port = UInt16(parts[1]), inet_pton(AF_INET, String(parts[0]), &name.sin_addr) == 1
    else { throw Refusal("\(address) is no address and port, as 127.0.0.1:8080") }
    name.sin_port = port.bigEndian
    return name
  }
}
