import Foundation
import Probes
import Synchronization
import Testing

struct LogTests {
  private final class Lines: Sendable {
    let all = Mutex<[String]>([])

    /// The lines without their times.
    var texts: [String] { all.withLock { $0.map { String($0.drop { $0 != " " }.dropFirst()) } } }

    func log(_ level: Log.Level = .debug, _ format: Log.Format = .logfmt) -> Log {
      Log(level: level, format: format) { line in self.all.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
      }
    }
  }

  @Test func aLineHasItsFieldsInTheirOrder() {
    let lines = Lines()
    lines.log().info("took over", .topic("im.gifts"), .partition(3), .rooms(17))
    #expect(lines.texts == ["level=info message=\"took over\" topic=im.gifts partition=3 rooms=17\n"])
  }

  @Test func whatWouldBreakALineIsEscaped() {
    let lines = Lines()
    lines.log().error("a\nb", .room("x=\"1\"\\\u{1}"), .reason(""))
    #expect(lines.texts == [#"level=error message="a\nb" room="x=\"1\"\\\u0001" reason="""# + "\n"])
  }

  @Test func linesOfJSONAreJSON() throws {
    let lines = Lines()
    lines.log(.debug, .json).warning("a \"b\"\n", .room("阿花\u{7f}"), .offset(-1))
    let line = lines.all.withLock { $0[0] }
    let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(object["level"] as? String == "warning")
    #expect(object["message"] as? String == "a \"b\"\n")
    #expect(object["room"] as? String == "阿花\u{7f}")
    #expect(object["offset"] as? Int == -1)
    #expect(line.hasSuffix("}\n"))
    #expect(line.filter { $0 == "\n" }.count == 1)
  }

  @Test func aLineTellsTheTimeInUTC() throws {
    let lines = Lines()
    let before = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
    lines.log().info("now")
    let text = lines.all.withLock { $0[0].dropFirst("time=".count).prefix { $0 != " " } }
    let time = try Date(String(text), strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true))
    #expect(time >= before)
    #expect(time <= Date())
  }

  @Test func whatIsBelowTheLevelIsNotSaid() {
    let lines = Lines()
    let log = lines.log(.warning)
    log.debug("a")
    log.info("b")
    log.warning("c")
    log.error("d")
    #expect(lines.texts == ["level=warning message=c\n", "level=error message=d\n"])
  }

  @Test func whatLastsIsSaidOnceUntilItIsOver() {
    let lines = Lines()
    let log = lines.log()
    for _ in 0..<3 { log.once("broker h:1", .warning, "away") }
    log.once("broker h:2", .warning, "also away")
    #expect(log.over("broker h:1"))
    #expect(!log.over("broker h:1"))
    log.once("broker h:1", .warning, "away again")
    #expect(
      lines.texts.map { $0.split(separator: "message=")[1] } == ["away\n", "\"also away\"\n", "\"away again\"\n"])
  }

  @Test func linesOfManyThreadsDoNotMix() async {
    let lines = Lines()
    let log = lines.log()
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 { group.addTask { for _ in 0..<100 { log.info("m", .member(task)) } } }
    }
    let all = lines.all.withLock { $0 }
    #expect(all.count == 800)
    #expect(all.allSatisfy { $0.contains("level=info message=m member=") && $0.hasSuffix("\n") })
  }

  @Test func `of a library's lines some a minute are written, and then how many were not`() {
    let lines = Lines()
    let log = lines.log()
    for _ in 0..<1000 { log.library("libevent", .warning, "again", nowMs: 5) }
    log.library("librdkafka", .warning, "another", nowMs: 5)
    #expect(lines.texts.count == 21)
    log.library("libevent", .warning, "later", nowMs: 60_005)
    #expect(
      lines.texts.dropFirst(20) == [
        "level=warning message=\"librdkafka: another\"\n",
        "level=warning message=\"lines of libevent were left out\" lines=980\n",
        "level=warning message=\"libevent: later\"\n",
      ])
  }

  @Test func `a level that isn't written counts no lines of a library`() {
    let lines = Lines()
    let log = lines.log(.error)
    for _ in 0..<100 { log.library("libevent", .warning, "again", nowMs: 5) }
    log.library("libevent", .error, "one", nowMs: 5)
    #expect(lines.texts == ["level=error message=\"libevent: one\"\n"])
  }
}
