import FlyscreenClient
import Foundation
import Testing

// Cases of Tests/ClientCases about what is on a screen, and what is under a finger there.

struct FeedCaseTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    struct Step: Decodable, Sendable {
      struct Shown: Decodable, Sendable {
        let gifts: [String: Int64]
        let banners: [ID]
      }

      let subscribed, joined: Bool?
      let push: Command?
      let snapshot: Snapshot?
      let shows: Shown?
    }

    let about: String
    let steps: [Step]
    var testDescription: String { about }
  }

  @Test(arguments: cases("feeds.json", of: Case.self)) func aChannelIsJoined(one: Case) {
    var feed = ScreenFeed("r1")
    expectSteps(
      of: one, subscribed: { feed.subscribed() }, push: { feed.feed($0) }, snapshot: { feed.feed($0) },
      screen: { feed.screen })
  }

  @MainActor @Test(arguments: cases("feeds.json", of: Case.self)) func roomsAreFed(one: Case) {
    let rooms = LiveRooms(GatewayClient(URL(string: "https://nobody.example")!), isFed: true)
    rooms.follow(["r1"])
    expectSteps(
      of: one, subscribed: { rooms.subscribed(to: "r1") }, push: { rooms.feed($0) }, snapshot: { rooms.feed($0) },
      screen: { rooms.screen(of: "r1") ?? Screen("r1") })
    #expect(rooms.connections.isEmpty, "it opens no stream")
    #expect(!rooms.feed(Snapshot(roomId: "r2", nowMs: 1, commands: [])), "it follows no such room")
  }

  private func expectSteps(
    of one: Case, subscribed: () -> Void, push: (Command) -> Bool, snapshot: (Snapshot) -> Bool, screen: () -> Screen
  ) {
    for (number, step) in one.steps.enumerated() {
      if step.subscribed == true { subscribed() }
      if let command = step.push { #expect(push(command) == step.joined, "step \(number)") }
      if let told = step.snapshot { #expect(snapshot(told) == step.joined, "step \(number)") }
      guard let shows = step.shows else { continue }
      let gifts = Dictionary(uniqueKeysWithValues: screen().gifts.map { ($0.id.string, $0.count) })
      #expect(gifts == shows.gifts, "step \(number)")
      #expect(screen().banners.map(\.wishId) == shows.banners, "step \(number)")
    }
  }
}

struct NameCaseTests {
  struct Case: Decodable, Sendable { let name, shown: String }

  @Test(arguments: cases("names.json", of: Case.self)) func aNameIsSeen(one: Case) {
    #expect(Command.Sender(userId: "7", name: one.name).shownName == one.shown)
  }
}

struct TapCaseTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let about: String
    let waitsMs: [Int64]
    let likes: [Bool]
    var testDescription: String { about }
  }

  @Test(arguments: cases("taps.json", of: Case.self)) func aTapIsALike(one: Case) {
    var (recogniser, now) = (TapRecogniser(), Duration.zero)
    let likes = one.waitsMs.map { wait in
      now += .milliseconds(wait)
      return recogniser.tap(at: now)
    }
    #expect(likes == one.likes)
  }
}

struct HitCaseTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    struct Layout: Decodable, Sendable {
      struct Wishes: Decodable, Sendable { let top, step, height: Double }
      struct Packets: Decodable, Sendable { let width, height: Double }

      let width, height, stageWidth: Double
      let wishes: Wishes
      let packets: Packets

      var layout: StageLayout {
        var layout = StageLayout(width: width, height: height)
        layout.stageWidth = stageWidth
        (layout.firstTrack, layout.trackStep, layout.bannerHeight) = (wishes.top, wishes.step, wishes.height)
        (layout.packetWidth, layout.packetHeight) = (packets.width, packets.height)
        return layout
      }
    }

    struct Look: Decodable, Sendable {
      let atMs: Int64
      let x, y: Double
      let under: [ID]
    }

    let about: String
    let layout: Layout
    let commands: [Command]
    let looks: [Look]
    var testDescription: String { about }
  }

  @Test(arguments: cases("hits.json", of: Case.self)) func aFingerTouchesWhatFlies(one: Case) {
    var screen = Screen("r")
    for command in one.commands { screen.apply(command) }
    for look in one.looks {
      screen.advance(to: look.atMs)
      let items = screen.items(atX: look.x, y: look.y, atMs: look.atMs, in: one.layout.layout)
      #expect(items.map(\.commandId) == look.under, "at \(look.x), \(look.y) at \(look.atMs)")
      #expect(screen.item(atX: look.x, y: look.y, atMs: look.atMs, in: one.layout.layout) == items.first)
    }
  }
}

extension FlyingItem {
  fileprivate var commandId: ID {
    switch self {
    case .banner(let banner): banner.id
    case .packet(let drop, of: _): drop.id
    }
  }
}
