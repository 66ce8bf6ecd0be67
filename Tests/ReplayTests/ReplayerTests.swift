import Foundation
import Replay
import RoomEngine
import RoomModel
import RoomScreen
import Settings
import Testing
import Wire

struct ReplayerTests {
  @Test func commandsComeAsLines() throws {
    let played = try play([record(17, at: 1000)], until: 1550)
    #expect(
      played.commands == [
        #"{"roomId":"r1","id":"im.gifts/0/17/0","atMs":1000,"giftShow":{"comboId":"im.gifts/0/17","lane":1,"#
          + #""sender":{"userId":"7","name":"","avatarUrl":""},"receiverId":"","receiverName":"","giftId":"rose","giftName":"","#
          + #""value":0,"from":0,"total":1,"enterMs":250,"tier":0,"extra":""}}"#,
        #"{"roomId":"r1","id":"im.gifts/0/17/1","atMs":1550,"#
          + #""giftBump":{"comboId":"im.gifts/0/17","lane":1,"count":1,"tickMs":300}}"#,
      ])
  }

  @Test func nothingFiresAfterTheLastLineUnlessAsked() throws {
    #expect(try play([record(17, at: 1000)]).commands.count == 1)
    #expect(try play([record(17, at: 1000)], until: 1549).commands.count == 1)
  }

  @Test func whatOlderRulesWorkedThroughIsDoubtedOnce() throws {
    func doubts(_ lines: String...) throws -> [Int] {
      let folder = FileManager.default.temporaryDirectory.appending(path: "flyscreen-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      try lines.joined(separator: "\n").write(to: folder, atomically: true, encoding: .utf8)
      let source = OlderRules(in: try LogFileSource(path: folder.path))
      var doubts: [Int] = []
      var count = 0
      while let line = try source.next() {
        if case .doubt(let why) = line.content {
          #expect(why.contains("under rules 2,") && line.warning == why)
          doubts.append(count)
        }
        count += 1
      }
      #expect(count == lines.count + doubts.count)
      return doubts
    }
    let old = #"{"topic":"im.gifts","partition":0,"settings":{},"rules":2}"#
    let new = #"{"topic":"im.gifts","partition":0,"settings":{},"rules":\#(LogRules.current)}"#
    #expect(try doubts(record(17, at: 1000)) == [])
    #expect(try doubts(new, record(17, at: 1000)) == [])
    #expect(try doubts(old, record(17, at: 1000), record(18, at: 1000), new, record(19, at: 1000)) == [1])
    #expect(
      try doubts(old, record(1, at: 5, partition: 1), #"{"topic":"im.gifts","partition":0,"firedToMs":5}"#) == [2])
    // Nothing happened under them.
    #expect(try doubts(old, new, record(17, at: 1000)) == [])
  }

  @Test func partitionsHaveTheirOwnClocksAndRooms() throws {
    let mixed = [
      record(0, at: 1000), record(5, at: 90_000, partition: 1), record(7, at: 90_000, topic: "im.wishes"),
      record(1, at: 1100), record(6, at: 90_100, partition: 1), record(8, at: 90_100, topic: "im.wishes"),
    ]
    let alone = [0, 1, 2].map { start in stride(from: start, to: 6, by: 3).map { mixed[$0] } }
    let together = try play(mixed, until: 100_000).commands
    #expect(try Set(together) == Set(alone.flatMap { try play($0, until: 100_000).commands }))
    #expect(together.filter { $0.contains("giftShow") }.count == 3)
  }

  @Test func timersOfAllPartitionsFireAtTheEnd() throws {
    let played = try play([record(0, at: 1000), record(0, at: 1000, partition: 1)], until: 1550)
    #expect(played.summary.commands[.giftBump] == 2)
  }

  @Test func aFiringLeavesTheClockAtTheLastDeadline() throws {
    let firing = #"{"topic":"im.gifts","partition":0,"firedToMs":1700}"#
    // Were the clock at 1700, the second gift would come then.
    let played = try play([record(0, at: 1000), firing, record(1, at: 1600, room: "r2")])
    #expect(played.commands.count == 3)
    #expect(played.commands[2].contains(#""id":"im.gifts/0/1/0","atMs":1600"#))
  }

  /// Its timer is not there to tell.
  @Test func anotherRoomsTimerMayHaveMovedTheClock() throws {
    let log = [record(0, at: 1000, room: "r2"), firing(#""firedToMs":1550"#), record(1, at: 1200)]
    let whole = try play(log, room: "r1").commands
    #expect(whole.count == 1 && whole[0].contains(#""atMs":1550"#))
    let other = #"{"topic":"im.gifts","partition":0,"offset":0,"timestampMs":1000}"#
    #expect(try play([other, firing(#""firedToMs":1550,"clockMs":1550"#), log[2]], room: "r1").commands == whole)
    #expect(try play([other, log[1], log[2]], room: "r1").commands != whole)
  }

  private func firing(_ members: String) -> String { #"{"topic":"im.gifts","partition":0,\#(members)}"# }

  @Test func settingsHoldFromTheirLineOnAndWhole() throws {
    func change(_ settings: String, partition: Int = 0) -> String {
      #"{"topic":"im.gifts","partition":\#(partition),"settings":\#(settings)}"#
    }
    func enterMs(_ lines: [String]) throws -> String {
      let command = try #require(try play(lines + [record(9, at: 1000)]).commands.last)
      let digits = try #require(command.firstMatch(of: #/"enterMs":([0-9]+),/#))
      return String(digits.1)
    }
    #expect(try enterMs([]) == "250")
    #expect(try enterMs([change(#"{"gift":{"enterMs":7,"lanes":3}}"#)]) == "7")
    #expect(try enterMs([change(#"{"gift":{"enterMs":7}}"#), change(#"{"gift":{"lanes":3}}"#)]) == "250")
    #expect(try enterMs([change(#"{"gift":{"enterMs":7}}"#, partition: 1)]) == "250")
    var first = LogSettings()
    first.engine.gift.enterMs = 8
    #expect(try play([record(9, at: 1000)], settings: first).commands[0].contains(#""enterMs":8,"#))
    #expect(
      try play([change("{}"), record(9, at: 1000)], settings: first).commands[0].contains(#""enterMs":250,"#))
  }

  @Test func theKeyRuleIsASettingToo() throws {
    let other = record(0, at: 1000).replacing(#""key":"r1""#, with: #""key":"r2""#)
    let any = #"{"topic":"im.gifts","partition":0,"settings":{"topics":{"key":"any"}}}"#
    #expect(try play([other]).summary.notUnderstood[.key] == 1)
    #expect(try play([any, other]).summary.notUnderstood.total == 0)
  }

  @Test func ofOneRoomOnlyItsCommandsComeButAllRecordsCount() throws {
    let lines = [record(0, at: 1000), record(1, at: 1100, room: "r2"), record(2, at: 1600)]
    let all = try play(lines, until: 5000).commands
    let one = try play(lines, until: 5000, room: "r1").commands
    #expect(one == all.filter { $0.hasPrefix(#"{"roomId":"r1","#) })
    #expect(one.count < all.count)
  }

  @Test func whatWasSeenIsCounted() throws {
    let twice = #"{"eventId":"e1","roomId":"r1","gift":{"sender":{"userId":"7"},"giftId":"rose"}}"#
    let summary = try play([
      record(0, at: 1000, value: twice), record(1, at: 1001, value: twice), record(2, at: 900, room: "r2"),
      record(3, at: 2234, value: "{}"), record(4, at: 1000, value: "5"), record(0, at: 1000, partition: 1),
    ]).summary
    #expect(summary.records == 6)
    #expect(summary.partitions == 2)
    #expect(summary.duplicates == 1)
    // r1 is there in both partitions.
    #expect(summary.rooms == ["r1", "r2"])
    #expect(summary.time == 900...2234)
    #expect(summary.notUnderstood[.noRoom] == 1)
    #expect(summary.notUnderstood.total == 2)
    #expect(summary.commands[.giftShow] == 3)
    #expect(
      summary.description == """
        records         6 in 2 partitions
        log time        900…2234 (1.334 s)
        rooms           2
        duplicates      1
        not understood  2
          wrong_type    1
          no_room       1
        commands        5
          giftShow      3
          giftBump      2

        """)
  }

  @Test func ofHeadersTheLastContentTypeCounts() throws {
    func isUnderstood(_ headers: String) throws -> Bool {
      try play([record(0, at: 1, more: #","headers":\#(headers)"#)]).summary.notUnderstood.total == 0
    }
    #expect(try isUnderstood("[]"))
    #expect(try isUnderstood(#"[["x","y"],["content-type","application/json"]]"#))
    #expect(try isUnderstood(#"[["content-type","text/plain"],["content-type","Application/JSON; charset=utf-8"]]"#))
    #expect(try !isUnderstood(#"[["content-type","application/json"],["content-type","text/plain"]]"#))
    #expect(try !isUnderstood(#"[["content-type","application/x-protobuf"]]"#))
    // One without a value is none, as for the worker.
    #expect(try isUnderstood(#"[["content-type",null]]"#))
  }

  @Test func aBlankLineIsNone() throws {
    #expect(try play(["", " \t\r", record(0, at: 1)]).summary.records == 1)
  }

  @Test func offsetsOfAPartitionOnlyGoUp() {
    #expect(complaint(record(3, at: 1), record(2, at: 1, partition: 1), record(9, at: 1)) == nil)
    let said = "line 2: offset 3 comes after 3 of the same partition; offsets only go up"
    #expect(complaint(record(3, at: 1), record(3, at: 2)) == said)
  }

  @Test func aStateOfAFormThatIsNotKnownStopsIt() {
    let state = #"{"topic":"im.gifts","partition":0,"offset":17,"state":{"version":9}}"#
    #expect(
      complaint(state)
        == "line 1: it holds the state of rooms in a form that this program doesn't know, so it can't go on from there:"
        + " replay it with the program that recorded it")
  }

  @Test(arguments: [
    (#"{"lanes":3}"#, "settings: there is no setting lanes; the nearest is gift.lanes"),
    (#"{"gift":{"lanes":65}}"#, "settings: gift.lanes 65 is out of range; give one in 1…64"),
    (#"{"gift":{"lanes":[]}}"#, "settings: gift.lanes must be an integer or a word"),
    ("[]", #"settings must be an object like {"gift":{"lanes":3}}"#),
  ])
  func settingsThatCannotBeAreRefused(settings: String, reason: String) {
    #expect(complaint(#"{"topic":"t","partition":0,"settings":\#(settings)}"#) == "line 1: \(reason)")
  }
}

extension String {
  fileprivate func suffix(while isIn: (Character) -> Bool) -> Substring {
    self[(lastIndex { !isIn($0) }.map { index(after: $0) } ?? startIndex)...]
  }
}
