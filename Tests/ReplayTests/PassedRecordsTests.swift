import Replay
import RoomModel
import RoomScreen
import Testing

/// Records that have no part in an answer are passed over, or only counted.
struct PassedRecordsTests {
  @Test(arguments: UInt64(1)...4) func noAnswerChangesWhereRecordsArePassedOver(seed: UInt64) throws {
    let log = try WorkedLog(seed: seed, count: 1200)
    let questions: [Explainer.Question] = [
      // More events than are followed, a name, and nobody.
      .user("3"), .user("n3"), .user("5"), .event(ID(log.ids[600])), .command(log.names[log.names.count / 2]),
      .moment(log.times[900]),
    ]
    for question in questions {
      let (passed, played) = (try Asked(question, of: log.logs), try Asked(question, of: log.logs, isPassing: false))
      #expect("\(passed)" == "\(played)", "\(question)")
    }
  }

  @Test func eventsAfterTheHundredthAreOnlyCounted() throws {
    var log = RoomLog()
    for number in 0..<150 as Range<LogTime> {
      log.tap(at: number * 1000, "7")
      log.gift(at: number * 1000, "8")
    }
    // One that can't be understood counts as well.
    log.event(at: 200_000, "e1", #""gift":{"sender":{"userId":"7"},"giftId":5}"#)
    let text = try #require(try log.explain(.user("7"), until: 300_000))
    #expect(text.hasPrefix("what user 7 did in room r1: 151 records\n"))
    #expect(text.contains("\n… and 51 more, not followed; --from begins later\n"))
    #expect(text.contains("im.gifts/0/198 of ") && !text.contains("im.gifts/0/200 of "))
  }
}
