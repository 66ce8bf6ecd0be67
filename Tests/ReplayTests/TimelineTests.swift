import Foundation
import Replay
import RoomEngine
import RoomModel
import RoomScreen
import Settings
import Testing

struct TimelineTests {
  @Test func aWishThatIsTakenBackIsGone() throws {
    var log = RoomLog()
    log.wish(at: 1000, "7", "w1")
    log.wish(at: 3000, "8", "w2")
    log.event(at: 3500, "", #""retract":{"wishId":"w1"}"#)
    var timeline = Timeline(room: "r1", settings: log.settings, hashSeed: 1)
    try log.eachLine { try timeline.play($0) }
    timeline.fire(to: 100_000)
    let lines = try TimelineRows.of(String(decoding: timeline.end(), as: UTF8.self))
    let banners = lines.filter { $0.hasPrefix(#"{"k":"w""#) }
    #expect(banners.count == 2)
    #expect(banners.contains { $0.contains(#""wish":"w1""#) && $0.contains(#""e":3500,"gone":"retracted""#) })
    #expect(banners.contains { $0.contains(#""wish":"w2""#) && !$0.contains("gone") })
  }

  private func page(
    until: LogTime? = 100_000, from first: Int64? = nil, limit: Int = .max, _ build: (inout RoomLog) -> Void
  ) throws -> String {
    var log = RoomLog()
    build(&log)
    if let first { log = try log.goingOn(from: first) }
    var timeline = Timeline(room: "r1", settings: log.settings, hashSeed: 1, limit: limit)
    var bytes: [UInt8] = []
    try log.eachLine {
      try timeline.play($0)
      bytes += timeline.takePage()
    }
    if let until { timeline.fire(to: until) }
    bytes += timeline.end()
    return String(decoding: bytes, as: UTF8.self)
  }

  private func data(
    until: LogTime? = 100_000, from first: Int64? = nil, limit: Int = .max, _ build: (inout RoomLog) -> Void
  ) throws -> [String] {
    try TimelineRows.of(page(until: until, from: first, limit: limit, build))
  }

  @Test func aPageThatWouldBecomeTooLargeEndsWhereItIsFull() throws {
    let build: (inout RoomLog) -> Void = { log in
      for i in 0..<2000 { log.gift(at: 1000 + Int64(i) * 5000, "\(i)", count: 2) }
    }
    let whole = try data(until: nil, build)
    let cut = try data(until: nil, limit: 90_000, build)
    #expect((200..<whole.count / 2).contains(cut.count), "\(cut.count) of \(whole.count)")
    // But for what is open at its end.
    #expect(Set(cut).subtracting(whole).count < 6, "\(Set(cut).subtracting(whole))")
  }

  @Test func anEveningInAFewLines() throws {
    #expect(
      try data {
        $0.settings.engine.gift.lanes = 1
        $0.settings.engine.gift.queueLimit = 1
        $0.gift(at: 1000, "7", count: 2, id: "e1")
        $0.gift(at: 1010, "8", value: 1)
        $0.gift(at: 1020, "9", count: 5, value: 9)
        $0.gift(at: 1030, "7", count: 2, id: "e1")
        $0.wish(at: 1100, "8", "w1", text: "<b>")
        $0.like(at: 1700, "9", "w1")
        $0.event(at: 1800, "bad", #""gift":5"#)
        $0.line(#""settings":{"gift":{"holdMs":500}}"#)
      }.filter { !$0.hasPrefix(#"{"k":"e","#) }.sorted()
        == ([
          #"{"k":"room","name":"r1"}"#,
          #"{"k":"p","p":0,"name":"im.gifts/0"}"#,
          #"{"k":"x","p":0,"t":1020,"st":"gift","re":"overflow","q":1010,"u":"8","n":"","g":"rose","gn":"","units":1}"#,
          #"{"k":"s","p":0,"t":1020,"st":"gift","re":"overflow","items":1,"units":1,"id":"im.gifts/0/2/0"}"#,
          #"{"k":"q","p":0,"t":1000,"g":1,"w":0,"n":3,"dup":1}"#,
          #"{"k":"q","p":0,"t":1100,"g":1,"w":0,"n":1}"#,
          #"{"k":"d","p":0,"t":1800,"id":"im.gifts/0/6","ev":"bad","why":"gift: 5 is not an object"}"#,
          #"{"k":"c","p":0,"t":1800,"words":"{\"gift\":{\"holdMs\":500}}"}"#,
          #"{"k":"q","p":0,"t":1700,"g":1,"w":0,"n":1}"#,
          #"{"k":"v","p":0,"lane":0,"c":0,"u":"7","n":"","g":"rose","gn":"","val":10,"id":"im.gifts/0/0/0","s":1000,"#
            + #""h":2650,"e":2900,"f":0,"tot":2,"pts":[[1550,1],[1850,2]]}"#,
          #"{"k":"q","p":0,"t":3000,"g":0,"w":0}"#,
          #"{"k":"v","p":0,"lane":1,"c":2,"u":"9","n":"","g":"rose","gn":"","val":9,"id":"im.gifts/0/6/2","q":1020,"s":2900,"#
            + #""h":5450,"e":5700,"f":0,"tot":5,"pts":[[3450,1],[3750,2],[4050,3],[4350,4],[4650,5]]}"#,
          #"{"k":"w","p":0,"track":0,"wish":"w1","u":"8","n":"","text":"<b>","id":"im.gifts/0/4/0","#
            + #""s":1100,"e":7100,"pts":[[1700,1]]}"#,
          #"{"k":"end","from":1000,"to":8700,"more":0}"#,
        ] as [String]).sorted())
  }

  /// `h` and `y` of each view: when it was hidden, and why if not for its hold.
  @Test func aViewSaysWhyItHadToGo() throws {
    func ends(_ settings: String, until: LogTime = 100_000, _ build: (inout RoomLog) -> Void) throws -> [String] {
      try data(until: until) {
        $0.line(#""settings":{"gift":{\#(settings)"lanes":1}},"rules":2"#)
        build(&$0)
      }.filter { $0.hasPrefix(#"{"k":"v""#) }.map { line in
        ["u", "ti", "h", "y"].compactMap { name in
          line.firstRange(of: "\"\(name)\":").map { line[$0.upperBound...].prefix { $0 != "," }.filter { $0 != "\"" } }
        }.joined(separator: " ")
      }
    }
    let many: (inout RoomLog) -> Void = {
      $0.gift(at: 1000, "cheap", count: 100)
      $0.gift(at: 1100, "dear", value: 6000)
    }
    let told = try ends("", many)
    #expect(told == ["cheap 1 3050 dearer", "dear 2 8150", "cheap 1 13950"], "\(told)")
    let turns = try ends(#""leastMs":0,"turnMs":5000,"#, many)
    #expect(turns[0] == "cheap 1 6050 turn", "\(turns)")
    let taken = try ends("") {
      $0.gift(at: 1000, "cheap", count: 10)
      $0.event(at: 1300, "x", #""retract":{"userId":"cheap"}"#)
    }
    #expect(taken == ["cheap 1300 retracted"])
  }

  /// A click on a view tells when it was queued, shown and hidden, as `explain` does of its gift.
  @Test func aViewIsToldAsExplainTellsIt() throws {
    var log = RoomLog()
    log.settings.engine.gift.lanes = 1
    for i in 0..<12 { log.gift(at: 1000 + Int64(i) * 130, "\(i)", count: Int64(1 + i % 4), id: "e\(i)") }
    let views = try log.timeline().split(separator: "\n").filter { $0.hasPrefix(#"{"k":"v""#) }
    #expect(views.count == 12)
    for view in views {
      func number(_ name: String) -> LogTime? {
        view.firstRange(of: "\"\(name)\":").flatMap { LogTime(view[$0.upperBound...].prefix { $0.isNumber }) }
      }
      let (shown, hidden) = (try #require(number("s")), try #require(number("h")))
      let combo = try #require(number("c"))
      let told = try #require(try log.explain(.event(ID("e\(combo)"))))
      let lines = told.split(separator: "\n").map { $0.drop { $0 == " " } }
      #expect(lines.contains { $0.hasPrefix(shown.clock) && $0.contains("giftShow on lane 0") }, "\(view): \(told)")
      #expect(lines.contains { $0.hasPrefix(hidden.clock) && $0.contains("giftHide") }, "\(view): \(told)")
      let waited = number("q").map { shown - $0 } ?? 0
      #expect(lines.contains { $0.hasPrefix("waited ") } == (waited > 0), "\(view): \(told)")
      if waited > 0 {
        let seconds = "\(waited / 1000).\(String(waited % 1000 + 1000).dropFirst())"
        #expect(lines.contains { $0.hasPrefix("waited \(seconds) s for lane 0") }, "\(view): \(told)")
      }
    }
  }

  @Test func eachReasonHasAColour() throws {
    let page = try page { _ in }
    for reason in Skipped.Reason.allCases { #expect(page.contains(" \(reason): '#")) }
  }

  @Test func eachEventIsThereToBeFound() throws {
    let lines = try data {
      $0.gift(at: 1000, "7", id: "e1")
      $0.gift(at: 1030, "7", id: "e1")
      $0.wish(at: 1100, "8", "w1")
      $0.tap(at: 1200, "9")
    }
    #expect(
      lines.filter { $0.hasPrefix(#"{"k":"e","#) } == [
        #"{"k":"e","p":0,"t":1000,"o":0,"id":"e1","u":"7","n":"","what":"gift","g":"rose","gn":""}"#,
        #"{"k":"e","p":0,"t":1030,"o":1,"id":"e1","u":"7","n":"","what":"gift","g":"rose","gn":"","dup":1}"#,
        #"{"k":"e","p":0,"t":1100,"o":2,"u":"8","n":"","what":"wish"}"#,
        #"{"k":"e","p":0,"t":1200,"o":3,"u":"9","n":"","what":"tap"}"#,
      ], "\(lines)")
  }

  @Test func likesAndARain() throws {
    let lines = try data {
      $0.tap(at: 1000, "7")
      $0.tap(at: 1100, "7")
      $0.rain(at: 1200, "a", durationMs: 500)
      $0.grab(at: 2500, "7", "a", 0)
    }
    #expect(lines.contains(#"{"k":"l","p":0,"t":1100,"n":1,"id":"im.gifts/0/1/0"}"#))
    #expect(
      lines.contains(
        #"{"k":"r","p":0,"rain":"a","id":"im.gifts/0/2/0","s":1200,"b":2200,"e":7820,"won":1,"coins":1,"#
          + #""drops":[[2450,4850],[2700,4620]],"pts":[[2500,1]]}"#))
    let open = try data(until: 3000) { $0.rain(at: 1200, "a", durationMs: 500) }
    #expect(open.contains { $0.hasPrefix(#"{"k":"r""#) && !$0.contains(#""e":"#) })
  }

  @Test func aRainThatRanWhereTheLogBegins() throws {
    let lines = try data(from: 2) {
      $0.rain(at: 1200, "a", durationMs: 500)
      $0.grab(at: 2500, "7", "a", 0)
      $0.grab(at: 2600, "8", "a", 0)
    }
    #expect(
      lines.contains {
        $0.hasPrefix(#"{"k":"r","p":0,"rain":"a","s":2500,"b":2200,"e":7820,"won":2,"coins":2,"#)
          && $0.contains(#""pts":[[2500,1],[3000,2]]"#)
      })
  }

  @Test func whatIsStillThereAtTheEndIsDrawnToo() throws {
    let lines = try data(until: 1600) {
      $0.gift(at: 1000, "7", count: 2)
      $0.wish(at: 1100, "8", "w1")
    }
    #expect(lines.contains { $0.hasPrefix(#"{"k":"v""#) && $0.contains(#""s":1000,"f":0,"tot":2,"pts":[[1550,1]]"#) })
    #expect(lines.contains { $0.hasPrefix(#"{"k":"w""#) })
  }

  @Test func whatIsThereWhereALogBeginsInTheMiddleIsDrawn() throws {
    let lines = try data(from: 2) {
      $0.gift(at: 1000, "7", count: 3)
      $0.wish(at: 1600, "8", "w1")
      $0.gift(at: 1700, "7")
    }
    #expect(
      lines.contains(
        #"{"k":"v","p":0,"lane":1,"c":0,"u":"7","n":"","g":"rose","gn":"","val":10,"s":1600,"h":3750,"e":4000,"f":1,"#
          + #""tot":4,"pts":[[1850,2],[2150,3],[2450,4]]}"#), "\(lines)")
    #expect(lines.contains { $0.hasPrefix(#"{"k":"w","p":0,"track":0,"wish":"w1""#) && $0.contains(#""s":1600"#) })
  }

  @Test func settingsBeforeTheRoomBeginsAreNotDrawn() throws {
    let lines = try data(until: nil) {
      $0.line(#""settings":{"gift":{"holdMs":500}},"rules":2"#)
      $0.gift(at: 1000, "7")
      $0.line(#""settings":{},"rules":2"#)
    }
    #expect(lines.filter { $0.hasPrefix(#"{"k":"c""#) } == [#"{"k":"c","p":0,"t":1000,"words":"{}"}"#])
    #expect(lines.last == #"{"k":"end","from":1000,"to":1000,"more":0}"#)
  }

  @Test func aRoomOfNothingIsAPageToo() throws {
    #expect(try data { _ in } == [#"{"k":"room","name":"r1"}"#, #"{"k":"end","from":0,"to":0,"more":0}"#])
  }

  /// One file, and nothing that viewers wrote can be more than text.
  @Test func thePageNeedsNothingAndTrustsNobody() throws {
    let text = try page {
      $0.wish(at: 1000, "</script><script>alert(1)</script>", "w1", text: "<!-- <script> \u{2028} ]]>")
    }
    #expect(text.components(separatedBy: "</script").count == 3)
    #expect(text.components(separatedBy: "<script").count == 3)
    #expect(!text.contains("<!-- "))
    for word in ["http:", "https:", "src=", "import(", "innerHTML", "eval(", "fetch("] { #expect(!text.contains(word)) }
    #expect(text.contains("default-src 'none'"))
  }
}
