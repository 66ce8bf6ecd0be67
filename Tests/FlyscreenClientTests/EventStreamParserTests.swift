import FlyscreenClient
import Testing

/// The letter of the HTML standard, "Server-sent events": parsing, and interpreting, an event stream.
struct EventStreamParserTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let stream: [UInt8]
    let events: [ServerSentEvent]

    init(_ description: String, _ stream: String, _ events: [ServerSentEvent]) {
      testDescription = description
      self.stream = Array(stream.utf8)
      self.events = events
    }
  }

  static let examples = [
    Example("lines of data are joined", "data: YHOO\ndata: +2\ndata: 10\n\n", [.init(data: "YHOO\n+2\n10")]),
    Example(
      "comments say nothing; an id without a value is the empty id; only the first space is left out",
      ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
      [.init(data: "first event", id: "1"), .init(data: "second event"), .init(data: " third event")]),
    Example(
      "data without a value is an empty line; what has no blank line after it is no event",
      "data\n\ndata\ndata\n\ndata:",
      [.init(data: ""), .init(data: "\n")]),
    Example(
      "a space after the colon is left out", "data:test\n\ndata: test\n\n", [.init(data: "test"), .init(data: "test")]),
    Example("a byte order mark comes first or is none", "\u{FEFF}data: a\n\n\u{FEFF}data: b\n\n", [.init(data: "a")]),
    Example("a second mark is text", "\u{FEFF}\u{FEFF}data: a\n\ndata: b\n\n", [.init(data: "b")]),
    Example(
      "lines end with LF, CR or CRLF", "data: a\r\rdata: b\r\n\r\ndata: c\n\ndata: d\r\ndata: e\r\r",
      [.init(data: "a"), .init(data: "b"), .init(data: "c"), .init(data: "d\ne")]),
    Example(
      "an event has a type; the next has its own", "event: snapshot\ndata: a\n\ndata: b\n\nevent: x\n\ndata: c\n\n",
      [.init(type: "snapshot", data: "a"), .init(data: "b"), .init(data: "c")]),
    Example(
      "an id stays until there is another, and one with a NUL is none", "id: 7\ndata: a\n\nid: x\0y\ndata: b\n\n",
      [.init(data: "a", id: "7"), .init(data: "b", id: "7")]),
    Example("an id of an event without data counts", "id: 9\n\ndata: a\n\n", [.init(data: "a", id: "9")]),
    Example(
      "fields that aren't known, or not spelled so, are ignored", "Data: x\nfoo: y\n data: z\ndata : w\ndata: a\n\n",
      [.init(data: "a")]),
    Example("a colon in a value is of the value", "data: a:b: c\n\n", [.init(data: "a:b: c")]),
    Example("all of Unicode", "event: 玫瑰\ndata: 阿花🌹é\n\n", [.init(type: "玫瑰", data: "阿花🌹é")]),
    Example("retry is no event", "retry: 1500\n\nretry: soon\ndata: a\n\n", [.init(data: "a")]),
  ]

  @Test(arguments: examples) func aStreamIsReadByTheLetter(example: Example) throws {
    var parser = EventStreamParser()
    #expect(try parser.parse(example.stream) == example.events)
  }

  @Test(arguments: examples) func howItIsCutMakesNoDifference(example: Example) throws {
    for first in 0...example.stream.count {
      for second in [first, first + 1, (first + example.stream.count) / 2] where second <= example.stream.count {
        var parser = EventStreamParser()
        var events = try parser.parse(example.stream[..<first])
        if second >= first {
          events += try parser.parse(example.stream[first..<second])
          events += try parser.parse(example.stream[second...])
        }
        #expect(events == example.events, "cut at \(first) and \(second)")
      }
    }
    var parser = EventStreamParser()
    var events: [ServerSentEvent] = []
    for byte in example.stream { events += try parser.parse(CollectionOfOne(byte)) }
    #expect(events == example.events, "byte by byte")
  }

  @Test func whatIsNoUnicodeIsReplaced() throws {
    var parser = EventStreamParser()
    #expect(try parser.parse(Array("data: a".utf8) + [0xE8, 0x8A] + Array("\n\n".utf8)) == [.init(data: "a\u{FFFD}")])
  }

  @Test func anIdCountsOnceItsEventIsWhole() throws {
    var parser = EventStreamParser(lastEventId: "5")
    #expect(try parser.parse(Array("data: a\n\nid: 6\ndata: b\n".utf8)) == [.init(data: "a", id: "5")])
    #expect(parser.lastEventId == "5")
    #expect(try parser.parse(Array("\n".utf8)) == [.init(data: "b", id: "6")])
    #expect(parser.lastEventId == "6")
  }

  @Test func retryIsANumberAndNothingElse() throws {
    var parser = EventStreamParser()
    _ = try parser.parse(Array("retry: 1500\nretry: 15s\nretry: -1\nretry:\nretry: 1.5\n".utf8))
    #expect(parser.retryMs == 1500)
    _ = try parser.parse(Array("retry: 99999999999999999999999\n".utf8))
    #expect(parser.retryMs == .max)
  }

  @Test func anEventWithoutEndIsRefused() throws {
    var parser = EventStreamParser()
    let chunk = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
    #expect(throws: EventStreamParser.ParsingError.tooLarge) {
      for _ in 0...EventStreamParser.limit / chunk.count { _ = try parser.parse(chunk) }
    }
  }
}
