/// All that is measured under one name, and how Prometheus reads it.
struct MetricFamily: Sendable {
  enum Kind: String { case counter, gauge, histogram }

  struct Series: Sendable {
    enum Value: Sendable {
      case counter(Counter)
      case gauge(Gauge)
      case reading(@Sendable () -> Double)
      case histogram(Histogram)
    }

    /// `topic="im.gifts",partition="3"`, or nothing.
    let labels: String
    let value: Value
  }

  let name: String
  let help: String
  let kind: Kind
  var series: [Series] = []

  var text: String {
    if series.isEmpty { return "" }
    var text = "# HELP \(name) \(Self.escaped(help, quote: false))\n# TYPE \(name) \(kind.rawValue)\n"
    for one in series {
      switch one.value {
      case .counter(let counter): text += Self.line(name, one.labels, String(counter.count))
      case .gauge(let gauge): text += Self.line(name, one.labels, String(gauge.level))
      case .reading(let read): text += Self.line(name, one.labels, Self.text(of: read()))
      case .histogram(let histogram): text += lines(of: histogram, one.labels)
      }
    }
    return text
  }

  private func lines(of histogram: Histogram, _ labels: String) -> String {
    let state = histogram.read()
    var text = ""
    var count: Int64 = 0
    for (bucket, more) in state.counts.enumerated() {
      count += more
      let bound = bucket < histogram.bounds.count ? Self.text(of: histogram.bounds[bucket]) : "+Inf"
      text += Self.line("\(name)_bucket", labels + (labels.isEmpty ? "" : ",") + "le=\"\(bound)\"", String(count))
    }
    return text + Self.line("\(name)_sum", labels, Self.text(of: state.sum))
      + Self.line("\(name)_count", labels, String(count))
  }

  private static func line(_ name: String, _ labels: String, _ value: String) -> String {
    labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
  }

  /// The value in Go's notation.
  private static func text(of value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
    if let whole = Int64(exactly: value) { return String(whole) }
    return String(value)
  }

  static func text(of labels: Metrics.Labels) -> String {
    labels.map { label in
      precondition(isName(label.name), "\(label.name) is no name for a label")
      return "\(label.name)=\"\(escaped(label.value, quote: true))\""
    }.joined(separator: ",")
  }

  private static func escaped(_ text: String, quote: Bool) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where quote: escaped += "\\\""
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  static func isName(_ name: String) -> Bool {
    !name.isEmpty && !(0x30...0x39).contains(name.utf8.first!)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}

extension MetricFamily.Series.Value {
  var counter: Counter {
    guard case .counter(let counter) = self else { preconditionFailure("declared as something else") }
    return counter
  }

  var gauge: Gauge {
    guard case .gauge(let gauge) = self else { preconditionFailure("declared as something else") }
    return gauge
  }

  var histogram: Histogram {
    guard case .histogram(let histogram) = self else { preconditionFailure("declared as something else") }
    return histogram
  }
}
