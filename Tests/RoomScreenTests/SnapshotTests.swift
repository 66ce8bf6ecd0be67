import RoomScreen
import Testing

/// Snapshots, sentence by sentence of INTERFACES.md.
struct SnapshotTests {
  private var script = Script()

  private func shown(_ snapshot: Snapshot) -> [String] {
    snapshot.commands.map { command in
      switch command.body {
      case .giftShow(let show): "\(command.atMs) show \(show.comboId) from \(show.from) total \(show.total)"
      case .wishFly(let fly): "\(command.atMs) fly \(fly.wishId) likes \(fly.likes)"
      case .rainCountdown(let countdown): "\(command.atMs) countdown \(countdown.rainId) \(countdown.left)"
      case .rainDrop(let drop): "\(command.atMs) drop \(drop.rainId) \(drop.packet)"
      case .rainTally(let tally): "\(command.atMs) tally \(tally.rainId) \(tally.opened)"
      default: "no part of a snapshot: \(command.body)"
      }
    }
  }

  @Test mutating func itHasTheLastShowOfEachLaneWhoseHideHasNotCome() {
    script.at(0, .show("a", lane: 0, total: 2))
    script.at(0, .show("b", lane: 1, total: 1))
    script.at(550, .bump("a", lane: 0, count: 1))
    script.at(600, .hide("b", lane: 1, count: 1, exitMs: 5000))
    #expect(shown(script.screen.snapshot) == ["0 show a from 1 total 2"])
    let again = script.at(30_000, .show("a", lane: 0, from: 1, total: 8, enterMs: 0))
    #expect(script.screen.snapshot.commands == [again], "a refresh is the last show, and as it was sent")
    script.at(30_550, .bump("a", lane: 0, count: 9))
    #expect(shown(script.screen.snapshot) == ["30000 show a from 9 total 9"])
  }

  @Test mutating func itHasWishesThatHaveNotLandedWithTheirLikes() {
    script.at(0, .fly("v"))
    let fly = script.at(1000, .fly("w"))
    script.at(6000, .likes("w", 9))
    let snapshot = script.screen.snapshot
    #expect(shown(snapshot) == ["1000 fly w likes 9"])
    #expect(snapshot.commands.map(\.id) == [fly.id] && snapshot.nowMs == 6000 && snapshot.roomId == "r")
  }

  @Test mutating func itHasTheRainsThatHaveNotEnded() {
    for left in 0..<3 { script.at(Int64(left) * 1000, .countdown("x", left: 3 - Int64(left), startMs: 3000)) }
    script.at(3250, .drop("x", 0, fallMs: 1000))
    script.at(3500, .tally("x", opened: 1))
    script.at(3600, .drop("x", 1))
    script.at(4000, .tally("x", opened: 2))
    script.at(4100, .countdown("y", left: 5, startMs: 9100))
    script.at(4300, .burst(3))
    #expect(
      shown(script.screen.snapshot)
        == ["2000 countdown x 1", "3600 drop x 1", "4000 tally x 2", "4100 countdown y 5"])
    script.at(9000, .end("x"))
    #expect(shown(script.screen.snapshot) == ["4100 countdown y 5"])
  }

  @Test mutating func itIsInTheOrderOfTimesWhateverTheOrderOfTheLogs() {
    script.at(2000, .show("a", lane: 0))
    script.at(1500, .fly("w"))
    script.at(1800, .show("b", lane: 1))
    script.at(1200, .fly("v"))
    #expect(script.screen.snapshot.commands.map(\.atMs) == [1200, 1500, 1800, 2000])
  }

  @Test mutating func aScreenThatIsResetForgetsWhatWasBefore() {
    script.at(5000, .fly("w"))
    script.at(5000, .show("a", lane: 0))
    let snapshot = Snapshot(
      roomId: "r", nowMs: 100, commands: [Command(roomId: "r", id: "t/0/0/1", atMs: 50, body: .show("b", lane: 2))])
    script.screen.reset(to: snapshot)
    #expect(script.screen.gifts.map(\.id) == ["b"] && script.screen.banners.isEmpty && script.screen.nowMs == 100)
    #expect(script.screen.snapshot == snapshot)
  }

  @Test mutating func whatASnapshotHoldsIsNotDrawnAgain() {
    let fly = script.at(0, .fly("w"))
    var joined = Screen("r")
    joined.reset(to: script.screen.snapshot)
    joined.apply(fly)
    #expect(joined.banners.count == 1)
  }
}
