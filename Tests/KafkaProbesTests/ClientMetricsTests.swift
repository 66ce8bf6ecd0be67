import KafkaProbes
import Probes
import Testing

struct ClientMetricsTests {
  /// Statistics as librdkafka 2.0.2 writes them, without the fields that nobody reads.
  private func statistics(
    state: String = "UP", p99: Int = 40_000, timeouts: Int = 0, waiting: Int = 2, inQueue: Int = 5
  ) -> String {
    #"""
    {"name":"rdkafka#consumer-1","msg_cnt":3,"msg_size":900,
     "brokers":{
       "127.0.0.1:9092/bootstrap":{"nodeid":-1,"state":"UP","rtt":{"p50":1,"p99":2},"txerrs":9},
       "127.0.0.1:9092/1":{"nodeid":1,"state":"\#(state)","outbuf_cnt":1,"waitresp_cnt":\#(waiting),"txerrs":0,
         "rxerrs":4,"req_timeouts":\#(timeouts),"disconnects":1,"rtt":{"p50":1500,"p99":\#(p99)}}},
     "topics":{"im.gifts":{"partitions":{"0":{"fetchq_cnt":\#(inQueue),"fetchq_size":100},
       "-1":{"fetchq_cnt":0,"fetchq_size":0}}}}}
    """#
  }

  private func update(_ clients: ClientMetrics, _ number: Int, _ json: String) {
    var json = json
    json.withUTF8 { clients.update(number, UnsafeRawBufferPointer($0)) }
  }

  @Test func whatAClientTellsIsShown() {
    let metrics = Metrics()
    let clients = ClientMetrics(metrics, kind: "group")
    update(clients, 0, statistics())
    let lines = Set(metrics.text().split(separator: "\n"))
    for line in [
      #"flyscreen_kafka_queue_records{client="group"} 8"#,
      #"flyscreen_kafka_queue_bytes{client="group"} 1000"#,
      #"flyscreen_kafka_connections{client="group",broker="1"} 1"#,
      #"flyscreen_kafka_requests{client="group",broker="1"} 3"#,
      #"flyscreen_kafka_round_trip_seconds{client="group",broker="1",percentile="50"} 0.0015"#,
      #"flyscreen_kafka_round_trip_seconds{client="group",broker="1",percentile="99"} 0.04"#,
      #"flyscreen_kafka_errors_total{client="group",broker="1",kind="receive"} 4"#,
      #"flyscreen_kafka_errors_total{client="group",broker="1",kind="timeout"} 0"#,
    ] {
      #expect(lines.contains(Substring(line)), "\(line)")
    }
    #expect(!metrics.text().contains(#"broker="-1""#))
  }

  @Test func severalAreSummedAndTheSlowestIsTold() {
    let metrics = Metrics()
    let clients = ClientMetrics(metrics, kind: "group")
    update(clients, 0, statistics())
    update(clients, 1, statistics(state: "CONNECT", p99: 90_000))
    let lines = Set(metrics.text().split(separator: "\n"))
    #expect(lines.contains(#"flyscreen_kafka_connections{client="group",broker="1"} 1"#))
    #expect(lines.contains(#"flyscreen_kafka_requests{client="group",broker="1"} 6"#))
    #expect(
      lines.contains(#"flyscreen_kafka_round_trip_seconds{client="group",broker="1",percentile="99"} 0.09"#))
    #expect(lines.contains(#"flyscreen_kafka_errors_total{client="group",broker="1",kind="receive"} 8"#))
    clients.remove(1)
    #expect(metrics.text().contains(#"flyscreen_kafka_requests{client="group",broker="1"} 3"#))
  }

  /// A counter never goes back: a client that takes another's place begins at 0.
  @Test func errorsOnlyGrow() {
    let metrics = Metrics()
    let clients = ClientMetrics(metrics, kind: "group")
    for timeouts in [3, 5, 2, 2] { update(clients, 0, statistics(timeouts: timeouts)) }
    #expect(metrics.text().contains(#"kind="timeout"} 7"#))
  }

  @Test func whatIsNoStatisticsChangesNothing() {
    let metrics = Metrics()
    let clients = ClientMetrics(metrics, kind: "group")
    let before = metrics.text()
    for json in ["", "[]", "{", "7"] { update(clients, 0, json) }
    #expect(metrics.text() == before)
  }
}
