import RoomEngine
import TestSupport
import Testing

/// The boundaries of STAGES.md: one millisecond before, at, and one after.
struct BoundaryTests {
  struct Boundary: CustomTestStringConvertible, Sendable {
    let rule: String
    let atMs: Int64
    /// Lines of a ``RoomScript`` without the drawn part; `T` is the time that is tried.
    let inputs: [String]
    /// A part of a line that is drawn, beginning with its time.
    let line: String
    /// The numbers of such lines that are drawn: before, at, after.
    let counts: [Int]
    /// See ``EngineSettings/plain``.
    var isPlain = true

    var testDescription: String { rule }
  }

  static let all: [Boundary] = [
    Boundary(
      rule: "2: an eventId tells duplicates for less than dedupe.windowMs", atMs: 60_000,
      inputs: ["0 | gift ann rose 1 id e", "T | gift ann rose 1 id e"], line: " show ", counts: [1, 2, 2]),
    Boundary(
      rule: "3: a streak is forgotten streakMs after its last event", atMs: 600_000,
      inputs: ["0 | gift ann rose 5 streak s", "T | gift ann rose 5 streak s"], line: " show ", counts: [1, 2, 2]),
    Boundary(
      rule: "3: a gift during the hold ends it, one at its end finds it hidden", atMs: 1850,
      inputs: ["0 | gift ann rose 1", "T | gift ann rose 1"], line: " hide ", counts: [1, 2, 2]),
    Boundary(
      rule: "3: a tick comes before a gift of its time", atMs: 550,
      inputs: ["0 | gift ann rose 1", "T | gift ann rose 20"], line: "550 bump lane 1 count 3", counts: [1, 0, 0]),
    Boundary(
      rule: "3: a lane becomes free exitMs after its view hides", atMs: 2100,
      inputs: ["0 | set gift.lanes 1", "0 | gift ann rose 1", "T | gift bob lily 1"], line: "2100 show bob",
      counts: [1, 1, 0]),
    Boundary(
      rule: "3: a rest runs out comboWindowMs after the lane is free", atMs: 5100,
      inputs: ["0 | gift ann rose 1", "T | gift ann rose 1"], line: " from 1 total 2", counts: [1, 0, 0]),
    Boundary(
      rule: "3: a lane becomes free before a wait runs out", atMs: 2100,
      inputs: ["0 | set gift.lanes 1", "0 | set gift.maxWaitMs T", "0 | gift ann rose 1", "0 | gift bob lily 1"],
      line: " show bob", counts: [0, 1, 1]),
    Boundary(
      rule: "3: a wait runs out before a gift of its time", atMs: 1000,
      inputs: [
        "0 | set gift.lanes 1", "0 | set gift.maxWaitMs 1000", "0 | gift ann rose 1 hold 60000", "0 | gift bob lily 1",
        "T | gift bob lily 1",
      ],
      line: " skipped gift expired 1 units 2", counts: [1, 0, 0]),
    Boundary(
      rule: "3: a tick turnMs after the show gives others their turn", atMs: 2050,
      inputs: [
        "0 | set gift.lanes 1", "0 | set gift.turnMs T", "0 | gift ann rose 1 hold 60000", "0 | gift bob lily 1",
      ],
      line: "2050 hide", counts: [1, 1, 0]),
    Boundary(
      rule: "3: a tick leastMs after the show gives way to a higher tier", atMs: 2050,
      inputs: [
        "0 | set gift.lanes 1", "0 | set gift.leastMs T", "0 | gift ann rose 1 hold 60000",
        "0 | gift bob lily 1 value 1000",
      ],
      line: "2050 hide", counts: [1, 1, 0]),
    Boundary(
      rule: "3: a tick refreshMs after the last giftShow sends it again", atMs: 2050,
      inputs: ["0 | set gift.refreshMs T", "0 | gift ann rose 1 hold 60000"], line: "2050 show", counts: [1, 1, 0]),
    Boundary(
      rule: "4: a track takes a banner once the tail is in", atMs: 1631,
      inputs: [
        "0 | set wish.tracks 1", "0 | set wish.intervalMs 0", "0 | wish ann a", "T | wish bob b",
      ],
      line: "1631 fly b", counts: [1, 1, 0]),
    Boundary(
      rule: "4: a track takes a faster banner once its head can't come nearer than the gap", atMs: 3185,
      inputs: [
        "0 | set wish.tracks 1", "0 | set wish.intervalMs 0", "0 | wish ann a",
        "T | wish bob b \(String(repeating: "b", count: 40))",
      ],
      line: "3185 fly b", counts: [1, 1, 0]),
    Boundary(
      rule: "1: after a change a track takes no banner until those on it have landed", atMs: 6000,
      inputs: [
        "0 | set wish.tracks 1", "0 | wish ann a", "1000 | own wish.gap 20 wish.stageWidth 300", "T | wish bob b",
      ],
      line: "6000 fly b", counts: [1, 1, 0]),
    Boundary(
      rule: "1: at a change a banner's start counts until its crossing is over", atMs: 6000,
      inputs: ["0 | wish ann a", "T | own wish.intervalMs 20000", "7000 | wish bob b"], line: "7000 fly b",
      counts: [0, 1, 1]),
    Boundary(
      rule: "1: at a change a banner's start counts until its interval is over", atMs: 8000,
      inputs: [
        "0 | set wish.intervalMs 8000", "0 | wish ann a", "T | own wish.intervalMs 20000", "9000 | wish bob b",
      ],
      line: "9000 fly b", counts: [0, 1, 1]),
    Boundary(
      rule: "4: banners start intervalMs apart", atMs: 1000, inputs: ["0 | wish ann a", "T | wish bob b"],
      line: "1000 fly b", counts: [1, 1, 0]),
    Boundary(
      rule: "4: the next banner starts before a wait runs out", atMs: 30_000,
      inputs: ["0 | set wish.intervalMs T", "0 | wish ann a", "0 | wish bob b"], line: " fly b", counts: [1, 1, 0]),
    Boundary(
      rule: "4: an equal wish is a like for less than mergeMs", atMs: 3000,
      inputs: ["0 | wish ann a", "T | wish bob b"], line: " fly b", counts: [0, 1, 1], isPlain: false),
    Boundary(
      rule: "4: a wish can be liked until it lands", atMs: 6000, inputs: ["0 | wish ann a", "T | like bob a"],
      line: " likes a", counts: [1, 0, 0]),
    Boundary(
      rule: "4: likes are paced at likesMs from the wishFly on", atMs: 500,
      inputs: ["0 | wish ann a", "T | like bob a"], line: "500 likes a 1", counts: [1, 1, 0]),
    Boundary(
      rule: "4: likes whose pace ends with the landing are sent once", atMs: 500,
      inputs: [
        "0 | set wish.likesMs T wish.durationMs 2000", "0 | wish ann a", "100 | like bob a", "600 | like cat a",
        "1100 | like dan a", "1600 | like eve a",
      ],
      line: " likes ", counts: [5, 5, 5]),
    Boundary(
      rule: "5: the second tap comes less than doubleTapMs later", atMs: 300,
      inputs: ["0 | tap ann 1 1", "T | tap ann 2 2"], line: " burst ", counts: [1, 0, 0]),
    Boundary(
      rule: "5: the tap after a like comes less than streakMs later", atMs: 1100,
      inputs: ["0 | tap ann 1 1", "100 | tap ann 2 2", "T | tap ann 3 3"], line: " burst ", counts: [2, 1, 1]),
    Boundary(
      rule: "5: bursts are paced at paceMs", atMs: 300,
      inputs: ["0 | tap ann 1 1", "100 | tap ann 2 2", "T | tap ann 3 3"], line: "300 burst", counts: [1, 1, 0]),
    Boundary(
      rule: "6: a countdown tells each second", atMs: 1000, inputs: ["0 | rain storm 2000 countdown 2", "T | end"],
      line: " countdown ", counts: [1, 2, 2]),
    Boundary(
      rule: "6: the first packet drops 1000/perSecond after the countdown", atMs: 2250,
      inputs: ["0 | rain storm 2000 countdown 2", "T | end"], line: " drop ", counts: [0, 1, 1]),
    Boundary(
      rule: "6: a packet drops until the rain's durationMs is over", atMs: 250, inputs: ["0 | rain storm T"],
      line: " drop ", counts: [0, 1, 1]),
    Boundary(
      rule: "6: a packet can be opened from its drop on", atMs: 250,
      inputs: ["0 | rain storm 2000", "T | grab ann storm 0"], line: " won ", counts: [0, 1, 1]),
    Boundary(
      rule: "6: a packet can be opened until graceMs after its landing", atMs: 1750,
      inputs: [
        "0 | own rain.fallMinMs 1000 rain.fallSpreadMs 10", "0 | rain storm 5000", "T | grab ann storm 0",
      ],
      line: " won ", counts: [1, 0, 0]),
    Boundary(
      rule: "6: rainTally is paced at tallyMs", atMs: 750,
      inputs: ["0 | rain storm 2000", "250 | grab ann storm 0", "T | grab bob storm 0"],
      line: "750 tally storm opened 2", counts: [1, 1, 0]),
    Boundary(
      rule: "6: a tally that would come at the rain's end is sent just before it", atMs: 1500,
      inputs: [
        "0 | own rain.fallMinMs 1000 rain.fallSpreadMs 10", "0 | set rain.tallyMs T", "0 | rain storm 250",
        "250 | grab ann storm 0", "300 | grab bob storm 0",
      ],
      line: "1750 tally storm opened 2", counts: [0, 1, 1]),
    Boundary(
      rule: "6: a rain counts for the limit until graceMs after its last landing", atMs: 1750,
      inputs: [
        "0 | own rain.fallMinMs 1000 rain.fallSpreadMs 10", "0 | set rain.limit 1", "0 | rain storm 250",
        "T | rain gale 250",
      ],
      line: " countdown gale", counts: [0, 1, 1]),
    Boundary(
      rule: "6: a rain's id is remembered for less than rememberMs", atMs: 20_000,
      inputs: ["0 | set rain.rememberMs 20000", "0 | rain storm 250", "T | rain storm 250"], line: " countdown ",
      counts: [1, 2, 2]),
    Boundary(
      rule: "7: the spot becomes free gapMs after the end", atMs: 4300, inputs: ["0 | spot ann s", "T | spot bob q"],
      line: "4300 spot q", counts: [1, 1, 0]),
    Boundary(
      rule: "7: what is shown ends durationMs later", atMs: 4000, inputs: ["0 | spot ann s", "T | retract spot s"],
      line: " spot gone", counts: [1, 0, 0]),
    Boundary(
      rule: "7: a spotId is taken until its item ends", atMs: 4000, inputs: ["0 | spot ann s", "T | spot bob s"],
      line: " spot s", counts: [1, 2, 2]),
    Boundary(
      rule: "9: the spot becomes free gapMs after what is shown was taken back", atMs: 1300,
      inputs: ["0 | spot ann s", "1000 | retract spot s", "T | spot bob q"], line: "1300 spot q", counts: [1, 1, 0]),
    Boundary(
      rule: "7: the spot becomes free before a wait runs out", atMs: 4300,
      inputs: ["0 | own spot.maxWaitMs T", "0 | spot ann s", "0 | spot bob q"], line: " spot q", counts: [0, 1, 1]),
    Boundary(
      rule: "8: crowdShow is paced at paceMs", atMs: 1000,
      inputs: crowded + ["0 | gift bob lily 1", "T | gift cid lily 1"], line: "1000 crowd lily items 2",
      counts: [1, 1, 0], isPlain: false),
    Boundary(
      rule: "8: what would be told later than paceMs before the turn is over waits for its end", atMs: 2000,
      inputs: crowded + ["0 | gift bob lily 1", "T | gift cid lily 1"], line: "3000 crowd lily items 2",
      counts: [0, 0, 1], isPlain: false),
    Boundary(
      rule: "8: a crowd has its turn until showMs are over", atMs: 3000,
      inputs: crowded + ["0 | gift bob lily 1", "T | gift cid lily 1"], line: " crowd hide", counts: [1, 2, 2],
      isPlain: false),
    Boundary(
      rule: "8: what joined waitMs before comes before what is dearer", atMs: 1000,
      inputs: crowded + [
        "0 | own crowd.waitMs 2000", "0 | gift bob lily 1", "T | gift cid fern 1", "2000 | gift dan moss 1 value 1000",
      ],
      line: "3000 crowd fern", counts: [1, 1, 0], isPlain: false),
    Boundary(
      rule: "9: skips are paced at 1000 ms", atMs: 1000,
      inputs: crowded + ["0 | gift bob lily 1", "T | gift cid lily 1"], line: "1000 skipped", counts: [1, 1, 0]),
    Boundary(
      rule: "9: a lane becomes free exitMs after its combo was taken back", atMs: 1250,
      inputs: [
        "0 | set gift.lanes 1", "0 | gift ann rose 1", "1000 | retract user ann", "T | gift bob lily 1",
      ],
      line: "1250 show bob", counts: [1, 1, 0]),
    Boundary(
      rule: "9: an item that was taken back is skipped for dedupe.windowMs", atMs: 60_000,
      inputs: ["0 | retract spot s", "T | spot ann s"], line: " spot s", counts: [0, 1, 1]),
    Boundary(
      rule: "9: a user is muted for muteMs", atMs: 5000,
      inputs: ["0 | retract user ann mute 5000", "T | gift ann rose 1"], line: " show ", counts: [0, 1, 1]),
    Boundary(
      rule: "9: a wish that was taken back is skipped for dedupe.windowMs", atMs: 60_000,
      inputs: ["0 | retract wish a", "T | wish ann a"], line: " fly a", counts: [0, 1, 1]),
    Boundary(
      rule: "9: a room's own settings run out after forMs", atMs: 5000,
      inputs: ["0 | own gift.lanes 1 for 5000", "T | gift ann rose 1"], line: " lane 0 from", counts: [1, 0, 0]),
  ]

  /// One lane, which is taken for good, and no queue.
  private static let crowded = [
    "0 | set gift.lanes 1", "0 | set gift.queueLimit 0", "0 | gift ann rose 1 hold 60000",
  ]

  @Test(arguments: all)
  func oneMillisecondDecides(boundary: Boundary) {
    for (i, shift) in [-1, 0, 1].enumerated() {
      let inputs = boundary.inputs.map { input in
        input.split(separator: " ").map { $0 == "T" ? "\(boundary.atMs + Int64(shift))" : $0 }.joined(separator: " ")
          + " |"
      }
      let drawn = RoomScript(inputs.joined(separator: "\n"), isPlain: boundary.isPlain).drawn
      #expect(
        drawn.count { $0.contains(boundary.line) } == boundary.counts[i],
        "\(shift) ms:\n\(drawn.joined(separator: "\n"))")
    }
  }
}
