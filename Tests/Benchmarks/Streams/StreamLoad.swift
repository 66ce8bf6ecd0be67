import CEpoll
import COpenSSL
import Glibc

/// Holds many streams and says what comes on them and when: `streams --address HOST:PORT --path /rooms/*/commands`, `*`
/// being the room. `Tests/Benchmarks/gateway` tells it on stdin what to do, a word a line, and reads a line of JSON for
/// each:
///
/// `measure` counts from now on; `report` says what was counted; `storm` closes all streams and has them come back,
/// evenly over a second; with `resume` they show the session tickets that they got.
final class StreamLoad {
  private let clients: [StreamClient]
  private let name: sockaddr_in
  private let tls: OpaquePointer?
  private let path: [Substring]
  private let times: CommitTimes
  private let rooms: Int
  private let poller = epoll_create1(0)
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

  private var servedCount = 0
  private var resumedCount = 0
  private var count = StreamCount()

  static func run(_ options: Options) throws {
    let load = try StreamLoad(options)
    let seconds = load.open(within: try options.integer("seconds") ?? 1)
    Report.text(#"{"served":\#(load.servedCount),"seconds":\#(seconds)}"#)
    load.obey()
  }

  private init(_ options: Options) throws {
    guard let address = options["address"], let path = options["path"], let times = options["times"] else {
      throw Refusal("streams needs --address HOST:PORT, --path /rooms/*/commands and --times FILE")
    }
    name = try Socket.name(of: address)
    self.path = path.split(separator: "*", omittingEmptySubsequences: false)
    self.times = try CommitTimes(path: times)
    let rooms = try options.integer("rooms") ?? 100
    self.rooms = rooms
    clients = (0..<(try options.integer("streams") ?? 1000)).map { StreamClient(room: $0 % rooms) }
    tls = options["tls"] == nil ? nil : SSL_CTX_new(TLS_client_method())
    // One that the server has cut comes back.
    signal(SIGPIPE, SIG_IGN)
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    guard clients.count + 100 < Int(limit.rlim_cur) else {
      throw Refusal("\(clients.count) streams need more open files than the \(limit.rlim_cur) that ulimit -n allows")
    }
  }

  // MARK: For clients

  func request(for room: Int, after id: [UInt8]) -> [UInt8] {
    let path = path.joined(separator: FedCommand.name(of: room))
    let resume = id.isEmpty ? "" : "Last-Event-ID: \(String(decoding: id, as: UTF8.self))\r\n"
    return Array(
      "GET \(path) HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\(resume)\r\n".utf8)
  }

  func served(_ client: StreamClient) {
    servedCount += 1
    if client.isResumed { resumedCount += 1 }
  }

  func refused(_ line: String) {
    Report.text("streams: a stream was answered with \(line)")
    exit(1)
  }

  func gotSnapshot() { count.snapshots += 1 }

  func got(room: Int, place: Int, after last: Int) {
    count.add(
      committed: times[FedCommand.index(room: room, place: place, rooms: rooms)], now: CommitTimes.now(), place, last)
  }

  // MARK: Coming and going

  /// Evenly over that time; then until all are served. How long that took, in seconds.
  private func open(within seconds: Int, showTickets: Bool = false) -> Double {
    let start = CommitTimes.now()
    servedCount = 0
    resumedCount = 0
    var opened = 0
    while servedCount < clients.count {
      let elapsed = CommitTimes.now() - start
      guard elapsed < 120_000_000_000 else {
        Report.text("streams: \(servedCount) of \(clients.count) streams are served after two minutes")
        exit(1)
      }
      let due = min(clients.count, clients.count * Int(elapsed) / (seconds * 1_000_000_000) + 1)
      while opened < due {
        open(opened, showsTicket: showTickets)
        opened += 1
      }
      poll(waitMs: 1)
    }
    return Double(CommitTimes.now() - start) / 1e9
  }

  private func open(_ place: Int, showsTicket: Bool = false) {
    clients[place].open(to: name, tls, showsTicket: showsTicket)
    // A socket that can be written is connected. epoll tells of that once, and of each later change once.
    var event = epoll_event()
    event.events = EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
    event.data.u64 = UInt64(place)
    guard clients[place].descriptor >= 0, epoll_ctl(poller, EPOLL_CTL_ADD, clients[place].descriptor, &event) == 0
    else {
      Report.text("streams: no descriptor for stream \(place)")
      exit(1)
    }
  }

  private func poll(waitMs: Int32) {
    var events = [epoll_event](repeating: epoll_event(), count: 512)
    let count = epoll_wait(poller, &events, Int32(events.count), waitMs)
    for event in events.prefix(max(0, Int(count))) {
      let place = Int(event.data.u64)
      let client = clients[place]
      if client.descriptor < 0 { continue }
      if client.ready(self, buffer, isAtEnd: event.events & EPOLLRDHUP.rawValue != 0) == .ended {
        if client.isServed { servedCount -= 1 }
        client.close()
        self.count.ended += 1
        open(place)
      }
    }
  }

  // MARK: Orders

  private func obey() {
    var words = ""
    _ = fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK)
    while true {
      poll(waitMs: 5)
      var bytes = [UInt8](repeating: 0, count: 100)
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      if count == 0 { return }
      if count > 0 { words += String(decoding: bytes[..<count], as: UTF8.self) }
      while let end = words.firstIndex(of: "\n") {
        obey(words[..<end])
        words.removeSubrange(...end)
      }
    }
  }

  private func obey(_ word: Substring) {
    switch word {
    case "measure":
      count = StreamCount()
      Report.text("{}")
    case "report": Report.text(count.json(streams: servedCount))
    case "storm", "resume":
      for client in clients { client.close() }
      let seconds = open(within: 1, showTickets: word == "resume")
      Report.text(#"{"served":\#(servedCount),"resumed":\#(resumedCount),"seconds":\#(seconds)}"#)
    default:
      Report.text("streams: there is no \(word); there is measure, report, storm, resume")
      exit(64)
    }
  }
}
