/// The names of Kafka's things, which also code without a client knows.
@_exported public import KafkaNames
