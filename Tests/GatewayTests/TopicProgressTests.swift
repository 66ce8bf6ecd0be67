import Gateway
import Testing

struct TopicProgressTests {
  @Test func itIsReadyWhenEachPartitionIsReadToTheEndThatItHad() {
    var progress = TopicProgress(ends: [0: 10, 1: 5])
    #expect(progress.unreadiness == "reading back commands: 2 partitions to go")
    progress.advance(0, to: 9)
    #expect(progress.unreadiness == "reading back commands: 2 partitions to go")
    progress.advance(0, to: 10)
    #expect(progress.unreadiness == "reading back commands: 1 partitions to go")
    // Its last records may be markers of transactions, which nobody gets.
    progress.reachEnd(of: 1)
    #expect(progress.unreadiness == nil)
  }

  @Test func whatLayThereIsNotLive() {
    var progress = TopicProgress(ends: [0: 10])
    #expect(!progress.isLive(0, 9))
    #expect(progress.isLive(0, 10))
    progress.reachEnd(of: 0)
    #expect(progress.isLive(0, 9))
  }

  private static func progress(losing partition: Int32, atMs: Int64 = 0) -> TopicProgress {
    var progress = TopicProgress(ends: [0: 0, 1: 0, 2: 0])
    for partition: Int32 in 0..<3 { progress.reachEnd(of: partition) }
    progress.lose(partition, nowMs: atMs)
    return progress
  }

  @Test func whereRetentionWasFasterOnlyThosePartitionsAreReadAgain() {
    var progress = Self.progress(losing: 1)
    #expect(progress.unreadiness == "reading back commands: 1 partitions to go")
    let restart = progress.restart([0: .same, 1: .overtaken, 2: .same], nowMs: 0)
    #expect(restart == TopicProgress.Restart(again: [1]))
    progress.begin(restart, ends: [1: 9])
    #expect(!progress.hasLost)
    #expect(!progress.isLive(1, 8))
    #expect(progress.isLive(0, 8))
    progress.advance(1, to: 9)
    #expect(progress.unreadiness == nil)
  }

  /// A broker that has not heard of the growth yet tells of the partitions of before.
  @Test func fewerPartitionsAreBelievedOnceAllHaveHeardOfAGrowth() {
    var progress = TopicProgress(ends: [:])
    #expect(progress.believesFewer(nowMs: 0))
    progress.grow(nowMs: 1000)
    #expect(!progress.believesFewer(nowMs: 1000 + TopicProgress.patienceMs - 1))
    #expect(progress.believesFewer(nowMs: 1000 + TopicProgress.patienceMs))
  }

  /// The broker that said so led the partition until a moment ago.
  @Test func whereTheLastRecordIsStillThereNothingIsReadAgain() {
    var progress = Self.progress(losing: 1)
    let restart = progress.restart([0: .same, 1: .same, 2: .unknown], nowMs: 0)
    #expect(restart == TopicProgress.Restart(goingOn: [1]))
    progress.begin(restart, ends: [:])
    #expect(!progress.hasLost && progress.unreadiness == nil)
  }

  /// One of them was filled to where it had been: of it no broker says that anything is gone.
  @Test func whereTheLogIsAnotherOneAllPartitionsAreReadAgain() {
    let restart = Self.progress(losing: 2).restart([0: .unknown, 1: .another, 2: .shorter], nowMs: 0)
    #expect(restart == TopicProgress.Restart(again: [0, 1, 2], isAnotherLog: true))
  }

  @Test func aLogThatIsShorterIsAnotherOneIfItStaysSo() {
    let findings: [Int32: TopicProgress.Finding] = [0: .same, 1: .shorter, 2: .untold]
    let endMs = TopicProgress.patienceMs
    var progress = Self.progress(losing: 1, atMs: 50)
    let waiting = progress.restart(findings, nowMs: 49 + endMs)
    #expect(waiting == TopicProgress.Restart())
    progress.begin(waiting, ends: [:])
    // What is told again is no other loss.
    progress.lose(1, nowMs: 60)
    #expect(progress.hasLost)
    #expect(progress.restart(findings, nowMs: 50 + endMs) == .init(again: [0, 1, 2], isAnotherLog: true))
    // A partition that isn't lost may be told of by such a broker, too.
    #expect(Self.progress(losing: 0).restart(findings, nowMs: 50 + endMs) == .init(goingOn: [0]))
  }

  @Test func whatNoBrokerTellsIsLookedForAgain() {
    let progress = Self.progress(losing: 1)
    #expect(progress.restart([0: .same, 1: .untold, 2: .same], nowMs: .max) == TopicProgress.Restart())
    // Nothing was read of it that could be looked for.
    #expect(progress.restart([0: .same, 1: .unknown, 2: .same], nowMs: 0) == TopicProgress.Restart(again: [1]))
  }

  @Test func aTopicThatIsGoneIsWaitedFor() {
    var progress = TopicProgress(ends: [0: 0, 1: 0])
    progress.loseTopic([0, 1], nowMs: 0)
    #expect(progress.unreadiness == "waiting for the commands topic, which is gone")
    #expect(progress.hasLost)
    let restart = progress.restart([0: .shorter, 1: .unknown], nowMs: 0)
    #expect(restart == TopicProgress.Restart(again: [0, 1], isAnotherLog: true))
    progress.begin(restart, ends: [0: 0, 1: 0])
    #expect(progress.unreadiness == "reading back commands: 2 partitions to go")
    #expect(!progress.isTopicGone)
  }

  /// A broker that has just started may know of no topic yet.
  @Test func aTopicThatWasNeverGoneIsReadOn() {
    var progress = TopicProgress(ends: [:])
    progress.loseTopic([0, 1], nowMs: 0)
    let restart = progress.restart([0: .same, 1: .same], nowMs: 0)
    #expect(restart == TopicProgress.Restart(goingOn: [0, 1]))
    progress.begin(restart, ends: [:])
    #expect(progress.unreadiness == nil)
  }
}
