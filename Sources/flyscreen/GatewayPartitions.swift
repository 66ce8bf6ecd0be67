import Kafka
import Probes
import Settings

extension Subcommand {
  static let gatewayPartitions = Subcommand(
    name: "gateway partitions",
    summary: "prints nginx's map from partitions to gateways, for gateways with shares",
    note:
      "ADDRESS is what nginx reaches a gateway at, PARTITIONS the list of its gateway.partitions: 0-3,8 is 0,1,2,3,8."
      + "\nGateways have the same share or none in common. Deploy/nginx.conf says where what is printed belongs.",
    operands: "ADDRESS=PARTITIONS …",
    settings: ["topics", "kafka"]
  ) { invocation in
    let configuration = invocation.configuration
    let shares = try GatewayShares(invocation.arguments.operands)
    _ = try configuration.bootstrapServers()
    let admin = try Admin(
      properties: KafkaProperties(configuration.kafka), clientId: "flyscreen-gateway-partitions",
      log: Log(configuration.logging).ofClient)
    let topic = configuration.topics.commands
    let count = try MetadataGrace.ask { () throws(KafkaError) in
      try admin.partitionCount(of: topic, timeoutMs: 10_000)
    }
    try shares.check(partitions: count, of: topic)
    var output = StandardOutput()
    output.append(shares.nginx(partitions: count, of: topic, drainMs: configuration.gateway.drainMs))
    try output.flush()
    return .done
  }
}
