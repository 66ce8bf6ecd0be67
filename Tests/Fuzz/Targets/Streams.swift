import FlyscreenClient
import Foundation
import Gateway
import HTTP
import RoomScreen
import Wire

/// Bytes between clients and gateways.
extension FuzzTarget {
  static let streams = [
    FuzzTarget("event-streams", seeds: { eventStreams }, run: follow),
    FuzzTarget("last-event-ids") {
      let position = StreamPosition(
        list: 0x1f3, positions: [PartitionPosition(offset: 17, check: 9), PartitionPosition(offset: -1, check: 0)])
      return [position.text, Array("0".utf8)]
    } run: { bytes in
      guard let position = StreamPosition(String(decoding: bytes, as: UTF8.self)) else { return }
      var history = CommandHistory(begin: 10, lookbackMs: 60_000, byteLimit: 1 << 20)
      for offset in 10..<20 as Range<Int64> {
        history.append(
          HistoryEntry(position: PartitionPosition(offset: offset, check: 9), room: "r1", json: [1], readMs: offset))
      }
      for one in position.positions {
        if case .number(let number) = history.place(after: one) { _ = history.entries(from: number)?.count }
      }
      guard StreamPosition(String(decoding: position.text, as: UTF8.self)) == position else {
        fatalError("a position that was written can't be read")
      }
    },
    FuzzTarget("request-heads") {
      [
        "GET /rooms/r1/commands?a=b HTTP/1.1\r\nHost: h\r\nLast-Event-ID: 0\r\n\r\n",
        "POST http://h:80/rooms/r1/events HTTP/1.1\r\nHost: h\r\nContent-Length: 17\r\nExpect: 100-continue\r\n\r\n{}",
        "POST / HTTP/1.1\r\nHost: [::1]:8\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
      ].map { Array($0.utf8) }
    } run: { bytes in
      var (whole, cut) = (RequestHead(headLimit: 200, bodyLimit: 99), RequestHead(headLimit: 200, bodyLimit: 99))
      let all = Array(bytes)
      let (step, count) = whole.take(all[...])
      var (pieces, taken) = (RequestHead.Step.incomplete, 0)
      while pieces == .incomplete, taken < all.count {
        let (next, some) = cut.take(all[taken...taken])
        (pieces, taken) = (next, taken + some)
      }
      guard pieces == step || taken > 200 else { fatalError("a head depends on how it is cut") }
      if case .complete = step, count != taken || whole.bytes != cut.bytes || whole.bytes.suffix(4) != [13, 10, 13, 10]
      {
        fatalError("a head ends where it doesn't")
      }
    },
    FuzzTarget("request-targets") {
      ["/rooms/r1/commands?lastEventId=0&user=7", "/commands?rooms=a,b%2Fc,%E9%98%BF&access_token=a.b.c"]
        .map { Array($0.utf8) }
    } run: { bytes in
      let parts = String(decoding: bytes, as: UTF8.self).split(separator: "?", maxSplits: 1).map(String.init)
      guard let target = RequestTarget(path: parts.first ?? "", query: parts.dropFirst().first) else { return }
      _ = target["user"]
      _ = target.list("rooms")
    },
  ]

  private static var eventStreams: [[UInt8]] {
    let commands = Samples.commands(.json)
    var screen = Screen("r1")
    var decoder = CommandDecoder()
    for command in commands {
      command.withUnsafeBytes {
        if let published = try? decoder.decode(value: $0, contentType: nil) { screen.apply(Command(published)) }
      }
    }
    var encoder = SnapshotEncoder()
    let snapshot = Samples.bytes { encoder.encode(screen.snapshot, into: &$0) }
    func event(_ type: String, _ data: [UInt8]) -> [UInt8] {
      Array("event: \(type)\nid: 1f3-a.9\ndata: ".utf8) + data + Array("\n\n".utf8)
    }
    let events =
      [event("snapshot", snapshot)] + commands.map { event("command", $0) }
      + Samples.results(.json).prefix(1).map { event("result", $0) }
    return [Array("retry: 1000\n\n".utf8) + events.joined(), Array("\u{feff}: comment\r\ndata\rid\n\n".utf8)] + events
  }

  private static func follow(_ bytes: UnsafeRawBufferPointer) {
    let time = Timekeeper(
      now: { .seconds(5) }, date: { Date(timeIntervalSince1970: 5) }, sleep: { _ in throw CancellationError() },
      chance: { 0.5 })
    var parser = EventStreamParser()
    // It makes no difference how they are cut.
    let cut = bytes.count / 3
    guard let first = try? parser.parse(bytes[..<cut]), let rest = try? parser.parse(bytes[cut...]) else { return }
    let screens = Feed(screensAt: .milliseconds(300), time: time)
    let updates = Feed(updates: 2, time: time)
    for update in (first + rest).compactMap({ RoomUpdate($0, of: ["r1"]) }) {
      screens.add(update)
      updates.add(update)
      while let screen = try? screens.takeScreen() { Stage.draw(screen) }
    }
    while (try? updates.takeUpdate()) != nil {}
    var backoff = Backoff(first: .milliseconds(250), limit: .seconds(30))
    _ = backoff.next(least: .milliseconds(parser.retryMs ?? 0), share: 0.5)
  }
}
