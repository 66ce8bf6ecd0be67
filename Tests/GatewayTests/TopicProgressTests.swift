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

  @Test func whereRetentionWasFasterOnlyThosePartitionsAreReadAnew() {
    var progress = TopicProgress(ends: [0: 0, 1: 0, 2: 0])
    for partition: Int32 in 0..<3 { progress.reachEnd(of: partition) }
    progress.lose(1)
    #expect(progress.unreadiness == "reading back commands: 1 partitions to go")
    let restart = progress.restart(readTo: [0: 7, 1: 7, 2: 7], lows: [0: 0, 1: 8, 2: 0])
    #expect(restart.partitions == [1] && !restart.isAnotherLog)
    progress.begin(ends: [1: 9])
    #expect(!progress.hasLost)
    #expect(!progress.isLive(1, 8))
    #expect(progress.isLive(0, 8))
    progress.advance(1, to: 9)
    #expect(progress.unreadiness == nil)
  }

  /// One of them was filled to where it had been, and tells nothing.
  @Test func whereTheLogIsAnotherOneAllPartitionsAreReadAnew() {
    var progress = TopicProgress(ends: [0: 3, 1: 3, 2: 3])
    progress.lose(2)
    let restart = progress.restart(readTo: [0: 7, 1: 7, 2: 7], lows: [0: 0, 1: 0, 2: 0])
    #expect(restart.partitions == [0, 1, 2] && restart.isAnotherLog)
    // The first that is there is the one that was to come next.
    #expect(progress.restart(readTo: [0: 7, 1: 7, 2: 7], lows: [0: 0, 1: 0, 2: 7]).isAnotherLog)
  }

  @Test func aTopicThatIsGoneIsWaitedForAndThenReadAnew() {
    var progress = TopicProgress(ends: [0: 0, 1: 0])
    progress.loseTopic([0, 1])
    #expect(progress.unreadiness == "waiting for the commands topic, which is gone")
    #expect(progress.hasLost)
    progress.begin(ends: [0: 0, 1: 0])
    #expect(progress.unreadiness == "reading back commands: 2 partitions to go")
    #expect(!progress.isTopicGone)
  }
}
