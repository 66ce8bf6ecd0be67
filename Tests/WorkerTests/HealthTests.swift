import TestSupport
import Testing
import Worker

/// The reasons that a worker tells for not being ready, and when a member counts as stuck or dead.
struct HealthTests {
  private static let reasons: [Unreadiness.Reason] = [.refused, .topicGone, .outdated, .replaced, .failing, .restoring]

  /// A worker whose two members have been at work.
  private static func working() -> Health {
    var health = Health()
    health.begin(members: 2)
    health.answered(nowMs: 0)
    for member in 0..<2 { health.set(.working, of: member) }
    return health
  }

  private static func told(_ health: Health, atMs: Int64) -> [Unreadiness.Reason] {
    health.unreadiness(nowMs: atMs).map(\.reason)
  }

  @Test func aWorkerWithoutTroubleIsReady() {
    #expect(Self.working().unreadiness(nowMs: 1000).isEmpty)
  }

  /// Two reasons at once are both told, and each goes by itself.
  @Test(arguments: reasons, reasons)
  func oneThatIsMendedGoesWhileTheOtherStays(mended: Unreadiness.Reason, other: Unreadiness.Reason) {
    for isOfOneMember in [true, false] {
      var health = Self.working()
      health.raise(.broker("mended"), Unreadiness(mended, "mended"), of: 0, nowMs: 1000)
      for atMs in stride(from: Int64(1000), through: 20_000, by: 1000) {
        health.raise(.broker("other"), Unreadiness(other, "other"), of: isOfOneMember ? 0 : 1, nowMs: atMs)
        let texts = health.unreadiness(nowMs: atMs).map(\.text)
        #expect(texts.contains("other"))
        #expect(texts.contains("mended") == (atMs <= 3000))
      }
      #expect(health.unreadiness(nowMs: 25_000).isEmpty, "nobody has met it again")
    }
  }

  /// Random notes of some subjects, each with its pause: after the last try and 2 s none is told any more; until then each is.
  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func eachIsToldFromItsFirstTryToAfterItsLast(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var health = Self.working()
    var toldUntilMs: [String: Int64] = [:]
    for atMs in stride(from: Int64(0), to: 60_000, by: 250) {
      let subject = "\(Int.random(in: 0..<6, using: &random))"
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let pauseMs = Int64.random(in: 0...3000, using: &random)
        let reason = Self.reasons.randomElement(using: &random)!
        health.raise(.broker(subject), Unreadiness(reason, subject), of: 0, pauseMs: pauseMs, nowMs: atMs)
        toldUntilMs[subject] = atMs + pauseMs + 2000
      case 1 where Bool.random(using: &random):
        health.end(.broker(subject), of: 0)
        toldUntilMs[subject] = nil
      default: break
      }
      let expected = toldUntilMs.filter { atMs <= $0.value }.keys.sorted()
      #expect(health.unreadiness(nowMs: atMs).map(\.text).sorted() == expected)
    }
  }

  @Test func aSuccessEndsWhatItShowsToBeOver() {
    var health = Self.working()
    for (subject, proof) in [("a", Health.Proof.joined), ("b", .ready), ("c", .commit)] {
      health.raise(.broker(subject), Unreadiness(.refused, subject), of: 0, until: proof, pauseMs: 30_000, nowMs: 0)
    }
    health.raise(.broker("a"), Unreadiness(.refused, "of the other member"), of: 1, pauseMs: 30_000, nowMs: 0)
    #expect(health.worked(.joined, of: 0) == [.broker("a")])
    #expect(health.worked(.ready, of: 0) == [.broker("b")])
    health.raise(.broker("b"), Unreadiness(.refused, "b"), of: 0, pauseMs: 30_000, nowMs: 0)
    health.raise(.broker("d"), Unreadiness(.failing, "d"), of: 0, until: .whole, pauseMs: 30_000, nowMs: 0)
    #expect(health.has(.refused, of: 0))
    #expect(health.worked(.commit, of: 0) == [.broker("b"), .broker("c")])
    #expect(health.worked(.ready, of: 0) == [.broker("d")], "a part of what it has has committed, and another waited")
    #expect(!health.has(.refused, of: 0))
    #expect(health.unreadiness(nowMs: 1000).map(\.text) == ["of the other member"])
  }

  /// A member that was refused may lose its partition to another before it is let through.
  @Test func `a refusal that no member has any more is told as over`() {
    var health = Self.working()
    let (trouble, told) = (Trouble.refused("TOPIC_AUTHORIZATION_FAILED"), Unreadiness(.refused, "refused"))
    // Only a commit shows that a right to write is back.
    let begins = (0..<2).map { health.raise(trouble, told, of: $0, until: .commit, pauseMs: 30_000, nowMs: 0) }
    #expect(begins == [true, false], "the log tells it once for both")
    #expect(health.worked(.ready, of: 0) == [])
    #expect(health.worked(.idle, of: 0) == [], "the other one has it still")
    #expect(health.worked(.idle, of: 1) == [trouble])
    #expect(health.unreadiness(nowMs: 1000).isEmpty)
    let beginsAgain = health.raise(trouble, told, of: 0, until: .commit, nowMs: 2000)
    #expect(beginsAgain)
    #expect(health.worked(.commit, of: 0) == [trouble])
  }

  /// A restore that hangs is told beside a refusal, under its own reason.
  @Test func aRefusalHidesNoRestore() {
    var health = Self.working()
    health.set(.restoring, of: 1)
    health.raise(.broker("refused"), Unreadiness(.refused, "the broker refuses us"), of: 0, pauseMs: 3000, nowMs: 0)
    #expect(Self.told(health, atMs: 1000) == [.refused, .restoring])
    #expect(health.count(.resting, nowMs: 1000) == 1 && health.count(.restoring, nowMs: 1000) == 1)
    #expect(Self.told(health, atMs: 6000) == [.restoring], "the password is right again, and the restore still hangs")
  }

  // MARK: Brokers

  @Test func noBrokerIsToldOnlyWhereNoneAnswers() {
    var health = Health()
    #expect(!health.isReachable(nowMs: 0))
    #expect(Self.told(health, atMs: 0) == [.unassigned])
    health.unanswered(nowMs: 100)
    #expect(Self.told(health, atMs: 100) == [.brokerAway])
    health.answered(nowMs: 200)
    #expect(health.isReachable(nowMs: 200))
    health.begin(members: 1)
    health.set(.working, of: 0)
    // One client waits too long for its answer, another gets one.
    for atMs in stride(from: Int64(1000), to: 60_000, by: 1000) {
      health.unanswered(nowMs: atMs)
      if atMs % 4000 == 0 { health.answered(nowMs: atMs) }
      #expect(!health.isAway(nowMs: atMs))
    }
    health.unanswered(nowMs: 61_000)
    #expect(health.isAway(nowMs: 61_000))
    #expect(Self.told(health, atMs: 61_000) == [.brokerAway])
    health.answered(nowMs: 61_001)
    #expect(Self.told(health, atMs: 61_001).isEmpty)
  }

  // MARK: Turns

  @Test func aMemberThatMakesTurnsIsWell() {
    var health = Self.working()
    health.beganTurn(0, nowMs: 1000)
    #expect(health.stuck(nowMs: 3500).isEmpty)
    #expect(health.unhealthiness(nowMs: 3500) == nil)
  }

  @Test func oneThatHangsIsStuckAndAfterAMinuteUnhealthy() {
    var health = Self.working()
    health.beganTurn(0, nowMs: 1000)
    health.beganTurn(1, nowMs: 60_000)
    #expect(health.stuck(nowMs: 3501) == [0])
    #expect(Self.told(health, atMs: 3501) == [.stuck])
    #expect(health.unhealthiness(nowMs: 60_999) == nil)
    #expect(health.unhealthiness(nowMs: 61_000) == "member 0 has made no turn for 60 s: restart this worker")
    health.beganTurn(0, nowMs: 61_000)
    #expect(health.unhealthiness(nowMs: 61_000) == nil)
  }

  @Test func oneThatDoesNotComeBackFromItsCallIsLost() {
    var health = Self.working()
    health.beganTurn(0, nowMs: 1000)
    health.beganTurn(1, nowMs: 1000)
    health.setInCall(1, true)
    #expect(health.tried(isLetIn: true, nowMs: 10_000) == [])
    #expect(health.tried(isLetIn: true, nowMs: 15_999) == [])
    #expect(health.tried(isLetIn: true, nowMs: 16_000) == [1])
    #expect(health.tried(isLetIn: false, nowMs: 17_000) == [])
    health.endedTurns(0)
    #expect(health.unhealthiness(nowMs: 100_000) == nil, "it waits for a broker that is away")
    #expect(health.tried(isLetIn: true, nowMs: 100_000) == [], "it may come back by itself")
    #expect(health.unhealthiness(nowMs: 100_000) != nil)
    health.setInCall(1, false)
    #expect(health.tried(isLetIn: true, nowMs: 110_000) == [])
  }

  @Test func oneThatRestsIsWell() {
    var health = Self.working()
    health.beganTurn(0, nowMs: 1000)
    health.endedTurns(0)
    #expect(health.stuck(nowMs: 100_000).isEmpty)
    #expect(health.unhealthiness(nowMs: 100_000) == nil)
  }
}
