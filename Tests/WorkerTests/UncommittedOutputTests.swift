import Kafka
import Settings
import Testing
import Worker

/// Output that waits for its commit when partitions come or go: it goes out with their offsets, or not at all.
@Suite struct UncommittedOutputTests {
  private let world = SimulatedWorld(partitions: [3])
  private let kafka: SimulatedKafka
  private let beside: [String]
  /// The partitions that have places from the beginning.
  private let inputs: [TopicPartition]

  private final class Crowd { var events = LogCrowd(seed: 1) }
  private let crowd = Crowd()

  init() {
    kafka = world.kafka
    beside = world.topics.beside("in")
    inputs = world.inputs
  }

  private func start(_ number: Int, seed: UInt64 = 1) -> SimulatedProcess {
    SimulatedProcess(
      world, number: number, id: number, isNamed: true,
      plan: world.plan(isNamed: true, begin: .beginning, LogSettings()), seed: seed)
  }

  private func append() {
    for partition in inputs {
      let (key, value) = crowd.events.event(on: partition.partition)
      kafka.append(.init(key: key, value: value, timestampMs: world.nowMs, status: .plain), to: partition)
    }
  }

  private func run(_ processes: SimulatedProcess..., ms: Int64 = 10_000, until isSo: () -> Bool) -> Bool {
    let endMs = world.nowMs + ms
    var chance = Chance(seed: 1)
    while world.breach == nil, !isSo(), world.nowMs < endMs {
      world.advance(ms: 20)
      kafka.progress(&chance, oneIn: 1)
      kafka.group.hear(Set(processes.flatMap(\.heartbeats)), nowMs: world.nowMs)
      for process in processes { process.step() }
    }
    return isSo()
  }

  private func isAtWork(_ process: SimulatedProcess) -> Bool { process.member?.running == inputs }
  private var isDone: Bool { inputs.allSatisfy { world.laws.next(of: $0) == kafka.log($0).end } }
  private func told(_ what: String) -> Bool { world.story.contains { $0.contains(what) } }
  private var breach: String? { world.breach ?? world.laws.difference() }

  /// A coordinator that has forgotten a member's last join gives it partitions without taking any back.
  @Test func whatIsGivenAnewLeavesNoOutputOfOthers() {
    let only = start(1)
    append()
    #expect(run(only) { isAtWork(only) && isDone })
    #expect(only.consumers[0].capacity > 2 * inputs.count, "what follows must not seem much to it")
    // So soon after a commit the next one waits.
    append()
    only.step()
    #expect(!isDone)
    kafka.group.join(2, process: 2)
    kafka.group.join(1, process: 1)
    kafka.group.failOver(forgetting: 1)
    only.step()
    append()
    #expect(run(only) { isDone })
    _ = run(only, ms: 100) { false }
    #expect(breach == nil)
  }

  /// Starts a worker that makes its producers anew, since places were added, and cannot.
  private func startWithoutProducers() -> SimulatedProcess {
    kafka.partitionCounts["in"] = 4
    kafka.group.partitions.append(TopicPartition("in", 3))
    let process = start(1)
    #expect(run(process) { isAtWork(process) })
    kafka.isLoading = true
    for topic in beside { kafka.partitionCounts[topic] = 4 }
    // It looks again every 2 s.
    #expect(run(process, ms: 3000) { process.openProducers == 0 })
    return process
  }

  @Test func whatIsTakenWhileThereIsNoProducerIsMadeByItsNextOwner() {
    let first = startWithoutProducers()
    append()
    #expect(!run(first, ms: 200) { isDone }, "it has no producer")
    #expect(first.member!.waitingRecords > 0)
    let second = start(2)
    #expect(run(first, second) { told("assigned member=2") })
    kafka.isLoading = false
    append()
    #expect(run(first, second) { isDone })
    _ = run(first, second, ms: 100) { false }
    #expect(breach == nil)
  }

  @Test func whatCanNotBeCommittedIsNotKept() {
    let only = startWithoutProducers()
    for _ in 0..<50 {
      append()
      _ = run(only, ms: 100) { false }
    }
    #expect(only.member!.waitingRecords == 0)
    kafka.isLoading = false
    #expect(run(only) { isDone })
    #expect(breach == nil)
  }
}
