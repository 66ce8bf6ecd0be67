import Kafka
import Probes

extension Log {
  /// librdkafka's own lines, for debugging: what they mean to us, whoever has the client says.
  var ofClient: ClientLog {
    { line in self.debug("librdkafka: \(line.facility): \(line.text)") }
  }
}
