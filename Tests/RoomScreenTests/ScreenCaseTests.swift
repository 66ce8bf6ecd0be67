import RoomScreen
import Testing

struct ScreenCaseTests {
  @Test(arguments: ScreenCase.names) func aScreenShowsWhatEveryFoldMustShow(name: String) throws {
    let screenCase = try ScreenCase(file: name)
    var screen = Screen(screenCase.roomId)
    var looks = 0
    for (number, step) in screenCase.steps.enumerated() {
      let place = "\(name), step \(number): \(screenCase.about)"
      if let command = step.apply { screen.apply(command) }
      if let nowMs = step.advance { screen.advance(to: nowMs) }
      if let snapshot = step.reset { screen.reset(to: snapshot) }
      guard let expected = step.expect else { continue }
      looks += 1
      if let nowMs = expected.nowMs { #expect(screen.nowMs == nowMs, "\(place)") }
      if let gifts = expected.gifts { #expect(screen.shownGifts == gifts, "\(place)") }
      if let banners = expected.banners { #expect(screen.shownBanners == banners, "\(place)") }
      if let rains = expected.rains { #expect(screen.shownRains == rains, "\(place)") }
      if let bursts = expected.bursts { #expect(screen.bursts.map(\.count) == bursts, "\(place)") }
      if let skips = expected.skips { #expect(screen.shownSkips == skips, "\(place)") }
      if let spot = expected.spot { #expect(screen.shownSpot == spot, "\(place)") }
      if let crowd = expected.crowd { #expect(screen.shownCrowd == crowd, "\(place)") }
      if let pins = expected.pins { #expect(screen.shownPins == pins, "\(place)") }
      if let goals = expected.goals { #expect(screen.shownGoals == goals, "\(place)") }
      if let ended = expected.ended { #expect(screen.isEnded == ended, "\(place)") }
      if let stalled = expected.stalled { #expect(screen.isStalled == stalled, "\(place)") }
      if let snapshot = expected.snapshot { #expect(screen.snapshot == snapshot, "\(place)") }
    }
    #expect(looks > 0, "\(name) expects nothing")
  }

  @Test func thereAreCases() { #expect(ScreenCase.names.count > 10) }
}
