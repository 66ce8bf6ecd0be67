import Foundation
import RoomScreen
import Testing

struct CommandCodingTests {
  private static let bodies: [Command.Body] = [
    .show("t/0/7", lane: 1), .bump("t/0/7", lane: 1, count: 2), .hide("t/0/7", lane: 1, count: 2), .fly("w"),
    .likes("w", 3), .burst(4), .countdown("x", left: 1, startMs: 5), .drop("x", 1), .tally("x", opened: 3), .end("x"),
    .skipped(Command.Skipped(stage: .wish, reason: .expired, items: 1, units: 1)),
  ]

  @Test(arguments: bodies) func aCommandIsReadBack(body: Command.Body) throws {
    let command = Command(roomId: "r", id: "t/0/7/1", atMs: 1_700_000_000_000, body: body)
    #expect(try JSONDecoder().decode(Command.self, from: JSONEncoder().encode(command)) == command)
  }

  @Test func theBodyIsTheMemberNamedForItsKind() throws {
    let line =
      #"{"roomId":"r1","id":"im.gifts/0/17/0","atMs":1700000000550,"#
      + #""giftBump":{"comboId":"im.gifts/0/16","lane":1,"count":1,"tickMs":300}}"#
    let command = try JSONDecoder().decode(Command.self, from: Data(line.utf8))
    #expect(command.roomId == "r1" && command.id == "im.gifts/0/17/0" && command.atMs == 1_700_000_000_550)
    #expect(
      command.body == .giftBump(Command.GiftBump(comboId: "im.gifts/0/16", lane: 1, count: 1, tickMs: 300)))
  }

  @Test func whatANewerServerSaysIsNoError() throws {
    func body(_ member: String) throws -> Command.Body {
      try JSONDecoder().decode(
        Command.self, from: Data(#"{"roomId":"r","id":"t/0/1/0","atMs":1,\#(member)}"#.utf8)
      ).body
    }
    #expect(try body(#""petShow":{"pet":"cat"}"#) == .unknown(kind: "petShow"))
    #expect(try body(#""rainEnd":{"rainId":"x","mood":"sunny"},"hint":7"#) == .end("x"))
    let skipped = try body(#""skipped":{"stage":"pet","reason":"tired","items":1,"units":2}"#)
    guard case .skipped(let skipped) = skipped else { return #expect(Bool(false)) }
    #expect(skipped.stage.rawValue == "pet" && skipped.reason.rawValue == "tired")
  }

  @Test func whatIsNoCommandIsRefused() {
    for text in ["7", "{}", #"{"roomId":"r","id":"t/0/1/0","atMs":"soon"}"#] {
      #expect(throws: DecodingError.self) { try JSONDecoder().decode(Command.self, from: Data(text.utf8)) }
    }
  }
}
