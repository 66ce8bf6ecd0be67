package import RoomModel

/// The settings that decide how events become commands, with the defaults of STAGES.md. Spans are milliseconds of log
/// time.
package struct EngineSettings: Equatable, Sendable {
  package var gift = GiftSettings()
  package var wish = WishSettings()
  package var like = LikeSettings()
  package var rain = RainSettings()
  package var spot = SpotSettings()
  package var crowd = CrowdSettings()
  package var pin = PinSettings()
  package var goal = GoalSettings()
  package var dedupe = DedupeSettings()

  package init() {}
}

/// STAGES.md, section 3.
package struct GiftSettings: Equatable, Sendable {
  package enum Placement: String, CaseIterable, Sendable { case bottomFirst, byUser }
  package enum Order: String, CaseIterable, Sendable { case tier, fifo, value }

  package var lanes: Int64 = 2
  package var placement = Placement.bottomFirst
  package var order = Order.tier
  package var tiers = GiftTiers(Text("500:2000,5000:4000"))!
  package var enterMs: Milliseconds = 250
  package var tickMs: Milliseconds = 300
  package var holdMs: Milliseconds = 1000
  package var exitMs: Milliseconds = 250
  package var comboWindowMs: Milliseconds = 3000
  package var catchUpTicks: Int64 = 10
  package var leastMs: Milliseconds = 2000
  package var turnMs: Milliseconds = 20000
  package var refreshMs: Milliseconds = 30000
  package var queueLimit: Int64 = 60
  package var maxWaitMs: Milliseconds = 60000
  package var streakMs: Milliseconds = 600_000

  package init() {}
}

/// STAGES.md, section 4.
package struct WishSettings: Equatable, Sendable {
  package var tracks: Int64 = 3
  package var stageWidth: Int64 = 375
  package var durationMs: Milliseconds = 6000
  package var gap: Int64 = 24
  package var intervalMs: Milliseconds = 1000
  package var padding: Int64 = 72
  package var em: Int64 = 14
  package var queueLimit: Int64 = 30
  package var maxWaitMs: Milliseconds = 30000
  package var maxLength: Int64 = 60
  package var maxName: Int64 = 20
  package var likesMs: Milliseconds = 500
  package var mergeMs: Milliseconds = 3000

  package init() {}
}

/// STAGES.md, section 5.
package struct LikeSettings: Equatable, Sendable {
  package var doubleTapMs: Milliseconds = 300
  package var streakMs: Milliseconds = 1000
  package var paceMs: Milliseconds = 200
  package var maxPoints: Int64 = 16
  package var most: Int64 = 100
  package var runMs: Milliseconds = 60000

  package init() {}
}

/// STAGES.md, section 6.
package struct RainSettings: Equatable, Sendable {
  package var limit: Int64 = 8
  package var fallMinMs: Milliseconds = 3500
  package var fallSpreadMs: Milliseconds = 2000
  package var tallyMs: Milliseconds = 500
  package var graceMs: Milliseconds = 500
  package var rememberMs: Milliseconds = 86_400_000

  package init() {}
}

/// STAGES.md, section 7.
package struct SpotSettings: Equatable, Sendable {
  package var tier: Int64 = 2
  package var durationMs: Milliseconds = 4000
  package var gapMs: Milliseconds = 300
  package var queueLimit: Int64 = 20
  package var maxWaitMs: Milliseconds = 60000

  package init() {}
}

/// STAGES.md, section 8.
package struct CrowdSettings: Equatable, Sendable {
  package var kinds: Int64 = 16
  package var showMs: Milliseconds = 3000
  package var paceMs: Milliseconds = 1000
  package var waitMs: Milliseconds = 12000

  package init() {}
}

/// STAGES.md, section 12.
package struct PinSettings: Equatable, Sendable {
  package var limit: Int64 = 20
  package var durationMs: Milliseconds = 60000
  package var refreshMs: Milliseconds = 30000

  package init() {}
}

/// STAGES.md, section 13.
package struct GoalSettings: Equatable, Sendable {
  package var limit: Int64 = 4
  package var paceMs: Milliseconds = 500
  package var refreshMs: Milliseconds = 30000
  package var graceMs: Milliseconds = 2000

  package init() {}
}

/// STAGES.md, section 2.
package struct DedupeSettings: Equatable, Sendable {
  package var windowMs: Milliseconds = 60000

  package init() {}
}
