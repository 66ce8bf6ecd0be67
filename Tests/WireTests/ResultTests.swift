import JSON
import RoomModel
import Testing
import Wire

struct ResultTests {
  @Test(arguments: Format.allCases, GrabResult.Outcome.allCases)
  func whatWasEncodedIsReadBack(format: Format, outcome: GrabResult.Outcome) throws {
    let result = GrabResult(
      roomId: Text("r\u{1}1"), recordOffset: 17, eventId: Text("e\"1"), rainId: Text("阵雨"), packet: 9,
      userId: Text("7"),
      outcome: outcome, coins: outcome == .won ? 1_000_000_000_000_000 : 0)
    let encoder = CommandEncoder(topic: "im.gifts", partition: 5, format: format)
    var first = ByteBuffer()
    encoder.encode(result, into: &first)
    var decoder = ResultDecoder()
    let published = try #require(try decoder.decode(value: first.bytes, contentType: format.contentType.bytes))
    #expect(published.topic == Text("im.gifts") && published.partition == 5 && published.result.recordOffset == 17)
    #expect(published.result.outcome == outcome && published.result.userId == Text("7"))
    var second = ByteBuffer()
    encoder.encode(published.result, into: &second)
    #expect(first.text == second.text, "\(first.text) was read as \(second.text)")
  }

  @Test func anOutcomeThatIsNotKnownIsNone() throws {
    #expect(try read(#"{"id":"t/0/1","outcome":"newer"}"#) == nil)
    #expect(try read(#"{"id":"t/0/1","outcome":"again"}"#) == 1)
  }

  @Test(arguments: ["", "7", #"{"outcome":"won"}"#, #"{"id":"t/x/1","outcome":"won"}"#])
  func whatIsNoResultIsRefused(text: String) {
    #expect(throws: NotUnderstood.self) { try read(text) }
  }

  private func read(_ text: String) throws -> Int64? {
    var decoder = ResultDecoder()
    return try Array(text.utf8).withUnsafeBytes {
      try decoder.decode(value: $0, contentType: nil)?.result.recordOffset
    }
  }
}
