import Kafka
import Probes
import Settings

/// Follows the number of partitions of a member's input topics, and of the topics beside them.
struct InputGrowth<Clients: MemberClients> {
  private let context: MemberContext<Clients>
  /// The layout that a broker told last.
  private var layout: TopicLayout
  /// Producers know of fewer partitions than there are.
  private var fewer = Standing()

  init(_ context: MemberContext<Clients>) {
    self.context = context
    layout = context.plan.layout
  }

  /// Whether topics have grown. A broker that knows of fewer partitions has not heard of it yet.
  ///
  /// - Returns: The topics as they are now.
  mutating func look(_ consumer: Clients.Consumer) throws(KafkaError) -> TopicLayout {
    for input in layout.input {
      let known = layout.inputPartitions[input]!
      let count = max(known, Int32(try consumer.partitionCount(of: input, timeoutMs: CallLimit.callMs)))
      var places = layout.places[input]!
      if count > places {
        for topic in context.plan.topics.beside(input) {
          let has = Int32(try consumer.partitionCount(of: topic, timeoutMs: CallLimit.callMs))
          places = topic == context.plan.topics.beside(input).first ? has : min(places, has)
        }
      }
      reportGrowth(of: input, from: known, to: count, places: places)
      layout.inputPartitions[input] = count
      layout.places[input] = places
    }
    return layout
  }

  /// Whether producers know of all places. If not, a broker has not heard of them yet; if that lasts, a topic was made
  /// anew with fewer.
  ///
  /// - Parameter writable: The number of places that they know of, by input.
  mutating func isCovered(by writable: [String: Int32], nowMs: Int64) -> Bool {
    let short = layout.input.first { writable[$0] ?? 0 < layout.workable($0) }
    guard let short else {
      fewer.ends()
      context.health.end(.helpersShrunk, of: context.number)
      return true
    }
    guard fewer.holds(nowMs: nowMs) >= CallLimit.staleMs else { return false }
    let (has, had) = (writable[short] ?? 0, layout.workable(short))
    ask(
      .helpersShrunk, of: short, to: had,
      "the helper topics of \(short) have \(has) partitions, and had \(had): a restore waits for them")
    return false
  }

  private func reportGrowth(of input: String, from known: Int32, to count: Int32, places: Int32) {
    if count > known {
      context.log.once(
        "grown \(input) \(count)", .info,
        "\(input) has grown from \(known) to \(count) partitions; rooms that move begin anew where they come",
        .member(context.number), .topic(input))
    }
    if count > places {
      ask(
        .helpersBehind(input: input), of: input, to: count,
        "\(input) has \(count) partitions, its helper topics \(places): the others wait")
    } else {
      context.health.end(.helpersBehind(input: input), of: context.number)
    }
  }

  /// Tells what waits until somebody has grown an input's helper topics, and how to.
  private func ask(_ trouble: Trouble, of input: String, to count: Int32, _ what: String) {
    let text = "\(what); run `flyscreen topics create --grow \(input)=\(count)`"
    context.raise(trouble, text, .topic(input))
  }
}
