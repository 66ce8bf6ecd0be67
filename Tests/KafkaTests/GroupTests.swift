import Kafka
import Testing

/// A group's decisions and how they come to a member, on a real broker.
@Suite(.enabled(if: RealBroker.isThere, RealBroker.whyNot), .timeLimit(.minutes(15)))
struct GroupTests {
  private func fill(_ topic: String, partitions: Int32, from: Int = 0, count: Int) throws {
    let producer = try Producer(properties: RealBroker.properties(), clientId: "filler") { _ in }
    let output = try producer.topic(topic, timeoutMs: 60_000)
    for partition in 0..<partitions {
      for i in from..<from + count { try output.produce(partition, key: nil, value: "\(i)") }
    }
    try producer.flush(timeoutMs: 60_000)
    #expect(producer.close(boundedMs: 60_000))
  }

  @Test func assignmentsAndRevocationsComeAsValues() throws {
    let topic = try RealBroker.topic("rebalance", partitions: 4)
    let group = RealBroker.unique("group")
    let a = try Member(group: group, topics: [topic], RealBroker.properties())
    try a.wait("the first member has all") { a.assigned.count == 4 }
    try a.assignAll()
    let b = try Member(group: group, topics: [topic], RealBroker.properties())
    try a.wait("the first member gives all back") {
      b.step(waitMs: 0)
      return a.revocations == [(0..<4).map { TopicPartition(topic, $0) }]
    }
    #expect(a.events.contains { if case .revoked(_, lost: false) = $0 { true } else { false } })
    try a.consumer!.unassign()
    try a.wait("both have two") {
      b.step(waitMs: 0)
      return a.assigned.count == 2 && b.assigned.count == 2
    }
    #expect((a.assigned + b.assigned).sorted() == (0..<4).map { TopicPartition(topic, $0) })
    try a.assignAll()
    try b.assignAll()
    #expect(b.close())
    try a.wait("the first member gives its two back") { a.revocations.count == 2 }
    try a.consumer!.unassign()
    try a.wait("the first member has all again") { a.assigned.count == 4 }
    try a.assignAll()
    #expect(a.close())
  }

  @Test func aPartitionCanBeAssignedLaterThanTheGroupGaveIt() throws {
    let topic = try RealBroker.topic("later", partitions: 3)
    try fill(topic, partitions: 3, count: 10)
    let a = try Member(group: RealBroker.unique("group"), topics: [topic], RealBroker.properties())
    try a.wait("it has all") { a.assigned.count == 3 }
    try a.consumer!.assign([])
    for _ in 0..<3 { a.step(waitMs: 50) }
    #expect(a.records.isEmpty)
    // One is ready, then another; the first goes on where it was.
    try a.consumer!.assign([(TopicPartition(topic, 1), .at(4))])
    try a.wait("the first is read") { a.records.count == 6 }
    try a.consumer!.assign([(TopicPartition(topic, 1), .at(10)), (TopicPartition(topic, 2), .at(9))])
    try a.wait("the second is read") { a.records.count == 7 }
    try fill(topic, partitions: 3, from: 10, count: 2)
    try a.wait("both go on") { a.records.count == 11 }
    try a.consumer!.assign((0..<3).map { (TopicPartition(topic, $0), $0 == 0 ? .earliest : .at(12)) })
    try a.wait("all are read") { a.records.count == 23 }
    for partition in Int32(0)..<3 {
      let offsets = a.records.filter { $0.partition == partition }.map(\.offset)
      #expect(offsets == Array([0, 4, 9][Int(partition)]..<Int64(12)))
    }
    #expect(a.close())
  }

  @Test func theGroupRebalancesWhileOnlySomePartitionsAreAssigned() throws {
    let topic = try RealBroker.topic("partly", partitions: 4)
    try fill(topic, partitions: 4, count: 5)
    let group = RealBroker.unique("group")
    let a = try Member(group: group, topics: [topic], RealBroker.properties())
    try a.wait("it has all") { a.assigned.count == 4 }
    try a.consumer!.assign([])
    try a.consumer!.assign([(TopicPartition(topic, 3), .earliest)])
    try a.wait("one is read") { a.records.count == 5 }
    let b = try Member(group: group, topics: [topic], RealBroker.properties())
    try a.wait("the whole of it is taken back") {
      b.step(waitMs: 0)
      return a.revocations.count == 1
    }
    // A restore that ends just now would make this call; only `unassign` answers the revocation.
    try a.consumer!.assign([(TopicPartition(topic, 3), .at(5)), (TopicPartition(topic, 2), .earliest)])
    try a.consumer!.unassign()
    try a.wait("both have two") {
      b.step(waitMs: 0)
      return a.assigned.count == 2 && b.assigned.count == 2
    }
    try a.assignAll()
    try b.assignAll()
    a.records = []
    try a.wait("all is read") {
      b.step(waitMs: 0)
      return a.records.count + b.records.count == 20
    }
    #expect(a.close())
    #expect(b.close())
  }

  /// A member that never answers an assignment keeps its place as long as it receives.
  @Test func aRebalanceCanComeBeforeTheAssignmentIsAnswered() throws {
    let topic = try RealBroker.topic("unanswered", partitions: 2)
    let group = RealBroker.unique("group")
    let a = try Member(group: group, topics: [topic], RealBroker.properties())
    try a.wait("it has all") { a.assigned.count == 2 }
    let b = try Member(group: group, topics: [topic], RealBroker.properties())
    for _ in 0..<15 {
      a.step(waitMs: 100)
      b.step(waitMs: 100)
    }
    try a.assignAll()
    try a.wait("all is taken back") {
      b.step(waitMs: 0)
      return a.revocations.count == 1
    }
    try a.consumer!.unassign()
    try a.wait("both have one") {
      b.step(waitMs: 0)
      return a.assigned.count == 1 && b.assigned.count == 1
    }
    #expect(a.close())
    #expect(b.close())
  }

  @Test func recordsReceivedBeforeARevocationComeBeforeIt() throws {
    let topic = try RealBroker.topic("before", partitions: 2)
    try fill(topic, partitions: 2, count: 3_000)
    let group = RealBroker.unique("group")
    let a = try Member(group: group, topics: [topic], RealBroker.properties())
    try a.wait("it has all") { a.assigned.count == 2 }
    try a.assignAll()
    let b = try Member(group: group, topics: [topic], RealBroker.properties())
    // The records received before it is told of the revocation have no gaps from the start.
    try a.wait("all is taken back") {
      b.step(waitMs: 0)
      return a.revocations.count == 1
    }
    try a.consumer!.unassign()
    let after = a.records.count
    try a.wait("it has one") {
      b.step(waitMs: 0)
      return a.assigned.count == 1
    }
    #expect(a.records.count == after, "nothing is received between unassign and the next assign")
    for partition in Int32(0)..<2 {
      let offsets = a.records.filter { $0.partition == partition }.map(\.offset)
      #expect(offsets == Array(0..<Int64(offsets.count)))
    }
    #expect(a.close())
    #expect(b.close())
  }

  @Test func ofTwoMembersWithOneInstanceIdTheOlderIsFenced() throws {
    let topic = try RealBroker.topic("static", partitions: 2)
    let group = RealBroker.unique("group")
    let a = try Member(group: group, topics: [topic], instanceId: "w1", RealBroker.properties())
    try a.wait("it has all") { a.assigned.count == 2 }
    try a.assignAll()
    let b = try Member(group: group, topics: [topic], instanceId: "w1", RealBroker.properties())
    try b.wait("the younger has all") { b.assigned.count == 2 }
    try a.wait("the older is told") {
      a.events.contains { if case .failed(let error, _) = $0 { error.kind == .fenced && error.isFatal } else { false } }
    }
    #expect(b.close())
    #expect(a.close())
  }

  @Test func aGroupTellsWhoHasAPlaceInIt() throws {
    let topic = try RealBroker.topic("describe", partitions: 2)
    let group = RealBroker.unique("group")
    let admin = try Admin(properties: RealBroker.properties(), clientId: "tests") { _ in }
    try eventually("a group that nobody has joined has no members") {
      (try? admin.describeGroup(group, timeoutMs: 5_000))?.members.isEmpty == true
    }
    var last: String?
    // The second takes the place of the first, which stays in the group.
    for _ in 0..<2 {
      let one = try Member(group: group, topics: [topic], instanceId: "w1", RealBroker.properties())
      try one.wait("it has all") { one.assigned.count == 2 }
      try one.assignAll()
      let id = one.ask { $0.memberId }
      let described = try admin.describeGroup(group, timeoutMs: 60_000)
      #expect(described.members.map(\.id) == [id] && id != last && described.coordinator >= 0)
      #expect(described.members.map(\.instanceId) == ["w1"] && described.members.map(\.clientId) == ["member"])
      #expect(described.members.allSatisfy { $0.host.contains("127.0.0.1") })
      last = id
      #expect(one.close())
    }
    let dynamic = try Member(group: group, topics: [topic], RealBroker.properties())
    try dynamic.wait("it joins") {
      let described = try admin.describeGroup(group, timeoutMs: 60_000)
      return described.members.contains { $0.instanceId == nil && $0.clientId == "member" }
    }
    #expect(dynamic.close())
  }

  /// In librdkafka an assertion ended the process where a group's coordinator was found after the request's time.
  @Test func aGroupThatToldNothingInTimeIsAskedAgain() throws {
    let group = RealBroker.unique("group")
    for timeoutMs in Int32(1)...20 {
      let admin = try Admin(properties: RealBroker.properties(), clientId: "tests") { _ in }
      _ = try? admin.describeGroup(group, timeoutMs: timeoutMs)
      #expect(try admin.describeGroup(group, timeoutMs: 60_000).members.isEmpty)
    }
  }

  @Test func aWaitingMemberIsWokenByTheGroupAndFromAnotherThread() async throws {
    let topic = try RealBroker.topic("wake")
    let a = try Member(group: RealBroker.unique("group"), topics: [topic], RealBroker.properties())
    // An assignment ends the wait, too: it takes far less than an hour, the test's limit being a quarter of one.
    a.step(waitMs: 3_600_000)
    #expect(a.assigned.count == 1)
    try a.assignAll()
    try a.wait("it is at the end") {
      a.events.contains(.endOfPartition(TopicPartition(topic, 0), offset: 0))
    }
    // A wake before the wait is not lost: without it this would take the hour, and the test's limit.
    a.waker.wake()
    a.step(waitMs: 3_600_000)
    let waker = a.waker
    async let wakes: Void = Task.detached { waker.wake() }.value
    a.step(waitMs: 3_600_000)
    await wakes
    #expect(a.close())
  }

  @Test func aTopicThatIsNotThereIsSaidToBeSo() throws {
    let name = RealBroker.unique("missing")
    let a = try Member(group: RealBroker.unique("group"), topics: [name], RealBroker.properties())
    try a.wait("it is told") {
      a.events.contains { if case .failed(let error, _) = $0 { error.kind == .unknownTopic } else { false } }
    }
    #expect(a.close())
  }
}
