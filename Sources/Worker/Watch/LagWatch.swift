import Kafka
import Platform
import Probes
import Settings

/// Looks how far the group is behind, on a thread and with a client of its own: it sees what members don't, such as a
/// partition that nobody works on, or one that another program has taken; it sees when no broker answers, and where a
/// transaction hangs.
struct LagWatch {
  private let plan: WorkerPlan
  private let metrics: WorkerMetrics
  private let log: Log
  private let clientId: String

  private static let everyMs: Int64 = 3000
  private static let timeoutMs: Int32 = 3000
  /// The time limit for one partition, where the request for all failed.
  private static let oneMs: Int32 = 500
  private static let allMs: Int64 = 5000

  /// - Parameter members: of the worker; it takes the number after theirs.
  init(_ plan: WorkerPlan, members: Int, _ metrics: WorkerMetrics, _ log: Log) {
    self.plan = plan
    self.metrics = metrics
    self.log = log
    clientId = plan.clientId(members + 1)
  }

  /// Runs until it is stopped. The members tell what is wrong.
  func run(_ stopping: StopSignal) {
    var backOff = RetryWait()
    while !stopping.isSet {
      do throws(KafkaError) {
        let watch = try GroupWatch(
          properties: plan.properties, group: plan.group, clientId: clientId, log: plan.clientLog)
        var ends = try EndsWatch(plan, clientId: clientId, metrics.hanging, log)
        try follow(watch, &ends, stopping, &backOff)
      } catch {
        log.debug("the group's lag is not known: \(error)")
      }
      // Brokers may lock an account after failed logins.
      stopping.wait(ms: backOff.next())
    }
  }

  private func follow(
    _ watch: borrowing GroupWatch, _ ends: inout EndsWatch, _ stopping: StopSignal, _ backOff: inout RetryWait
  ) throws(KafkaError) {
    var turn = 0
    while !stopping.isSet {
      do throws(KafkaError) {
        try lookForTopics(watch)
        try look(watch, turn)
        backOff.reset()
        metrics.health.answered(isWork: false)
      } catch {
        if error.kind == .unreachable, !error.isAnswered {
          metrics.health.unanswered(plan.servers, error)
        } else {
          metrics.health.answered(isWork: false)
        }
        // Another client may have another password.
        if error.isRefusal { throw error }
        log.debug("the group's lag is not known: \(error)")
      }
      if turn % 2 == 0 { ends.look(watch) }
      turn += 1
      watch.serve()
      stopping.wait(ms: Self.everyMs)
    }
  }

  /// A topic that is gone stands in the way, though members may not notice while nothing comes.
  ///
  /// - Throws: A wrong password. librdkafka tells the reason once, so a later call would not get it.
  private func lookForTopics(_ watch: borrowing GroupWatch) throws(KafkaError) {
    for topic in Set(plan.topics.input + plan.topics.outputs).sorted() {
      do throws(KafkaError) {
        _ = try watch.partitionCount(of: topic, timeoutMs: Self.timeoutMs)
        // A look may take longer than it may take to hear of a broker.
        metrics.health.answered(isWork: false)
        metrics.health.end(.topicGone(topic))
      } catch {
        if error.kind == .authentication { throw error }
        if error.kind == .unreachable { return }
        guard error.kind == .unknownTopic else { continue }
        let text = "the topic \(topic) is not there: make it with `flyscreen topics create`"
        metrics.health.raise(.topicGone(topic), Unreadiness(.topicGone, text), pauseMs: Self.everyMs)
      }
    }
  }

  private func look(_ watch: borrowing GroupWatch, _ turn: Int) throws(KafkaError) {
    var partitions: [TopicPartition] = []
    for input in plan.topics.input {
      let count = try watch.partitionCount(of: input, timeoutMs: Self.timeoutMs)
      partitions += (0..<Int32(count)).map { TopicPartition(input, $0) }
    }
    metrics.lag.know(partitions)
    let ends = try self.ends(of: partitions, watch, turn)
    for found in try committed(partitions, watch) {
      guard let end = ends[found.partition] else { continue }
      // Without a commit all records that are there count.
      var from = found.offset
      if from == nil { from = try watch.watermarks(of: found.partition, timeoutMs: Self.oneMs).low }
      metrics.lag.set(max(0, end - from!), of: found.partition)
    }
  }

  /// The group's offsets. Members don't notice while nothing comes that its coordinator is away.
  private func committed(
    _ partitions: [TopicPartition], _ watch: borrowing GroupWatch
  ) throws(KafkaError) -> [CommittedOffset] {
    do throws(KafkaError) {
      let found = try watch.committed(partitions, timeoutMs: Self.timeoutMs)
      metrics.health.end(.coordinatorAway)
      return found
    } catch {
      if error.isAnswered {
        let text = "the coordinator of the group \(plan.group) gives no answer: bring its broker back"
        metrics.health.raise(
          .coordinatorAway, Unreadiness(.failing, text), pauseMs: Self.everyMs + Int64(Self.timeoutMs)
        ) { $0.warning(text, .error(error)) }
      }
      throw error
    }
  }

  /// The ends that brokers tell: if some partition has no leader, asks for each alone, others first the next time.
  private func ends(
    of partitions: [TopicPartition], _ watch: borrowing GroupWatch, _ turn: Int
  ) throws(KafkaError) -> [TopicPartition: Int64] {
    do throws(KafkaError) {
      return try watch.ends(of: partitions, timeoutMs: Self.timeoutMs)
    } catch {
      if error.isRefusal { throw error }
    }
    var ends: [TopicPartition: Int64] = [:]
    let untilMs = MonotonicClock.nowMs() + Self.allMs
    for i in partitions.indices where MonotonicClock.nowMs() < untilMs {
      let partition = partitions[(i + turn) % partitions.count]
      ends[partition] = try? watch.watermarks(of: partition, timeoutMs: Self.oneMs).high
    }
    return ends
  }
}
