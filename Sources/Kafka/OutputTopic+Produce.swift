import CRdKafka

/// A header of a record; a null value is not an empty one.
package struct OutputHeader {
  package var name: String
  package var value: [UInt8]?

  package init(_ name: String, _ value: [UInt8]?) {
    self.name = name
    self.value = value
  }

  package init(_ name: String, _ text: String) { self.init(name, Array(text.utf8)) }
}

extension OutputTopic {
  /// Enqueues one record, with what a batch can't have. Copies what it is given. Waits for room like a batch.
  ///
  /// - Parameter receipt: gets the record's fate, which `delivered` then doesn't know.
  package func produce(
    _ partition: Int32, key: UnsafeRawBufferPointer?, value: UnsafeRawBufferPointer?, headers: [OutputHeader] = [],
    timestampMs: Int64? = nil, receipt: DeliveryReceipts.Receipt? = nil
  ) throws(KafkaError) {
    // A list of our own: with headers inline, 2.0.2 frees them twice where the record is refused.
    var fields = [
      field(RD_KAFKA_VTYPE_RKT) { $0.rkt = handle },
      field(RD_KAFKA_VTYPE_PARTITION) { $0.i32 = partition },
      field(RD_KAFKA_VTYPE_MSGFLAGS) { $0.i = RD_KAFKA_MSG_F_COPY },
      field(RD_KAFKA_VTYPE_OPAQUE) { $0.ptr = receipt?.address ?? UnsafeMutableRawPointer(slot(partition)) },
      bytesField(RD_KAFKA_VTYPE_KEY, key),
      bytesField(RD_KAFKA_VTYPE_VALUE, value),
    ]
    if let timestampMs { fields.append(field(RD_KAFKA_VTYPE_TIMESTAMP) { $0.i64 = timestampMs }) }
    let list = headers.isEmpty ? nil : headerList(headers)
    if let rows = client.inbox.rows { noteSent(partition, ended: rows.transaction) }
    if let list { fields.append(field(RD_KAFKA_VTYPE_HEADERS) { $0.headers = list }) }
    while let refusal = rd_kafka_produceva(client.handle, fields, fields.count) {
      if rd_kafka_error_code(refusal) == RD_KAFKA_RESP_ERR__QUEUE_FULL {
        rd_kafka_error_destroy(refusal)
        client.poll(100)
        continue
      }
      if let list { rd_kafka_headers_destroy(list) }
      throw KafkaError(owning: refusal)
    }
  }

  private func headerList(_ headers: [OutputHeader]) -> OpaquePointer? {
    let list = rd_kafka_headers_new(headers.count)
    for header in headers {
      if let value = header.value {
        rd_kafka_header_add(list, header.name, -1, value, value.count)
      } else {
        rd_kafka_header_add(list, header.name, -1, nil, -1)
      }
    }
    return list
  }

  private func field(
    _ type: rd_kafka_vtype_t, _ set: (inout rd_kafka_vu_t.__Unnamed_union_u) -> Void
  ) -> rd_kafka_vu_t {
    var field = rd_kafka_vu_t()
    field.vtype = type
    set(&field.u)
    return field
  }

  private func bytesField(_ type: rd_kafka_vtype_t, _ bytes: UnsafeRawBufferPointer?) -> rd_kafka_vu_t {
    field(type) {
      $0.mem.ptr = bytes.map { UnsafeMutableRawPointer(mutating: $0.baseAddress ?? Self.empty) }
      $0.mem.size = bytes?.count ?? 0
    }
  }

  /// The address of nothing: an empty key or value is not a null one.
  private static var empty: UnsafeRawPointer { UnsafeRawPointer(bitPattern: 1)! }
}
