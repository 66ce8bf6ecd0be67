package import Kafka

/// The place of a line of a log, for people.
package enum LinePlace: Equatable, Sendable, CustomStringConvertible {
  /// A line of a file, from 1; `isEnded`: a newline follows it.
  case line(Int, file: String, isEnded: Bool)
  case offset(Int64, of: TopicPartition)
  /// There is no line.
  case nowhere

  package var description: String {
    switch self {
    case .line(let number, let file, true): "\(file) line \(number)"
    case .line(let number, let file, false):
      "\(file) line \(number) (the last, and nothing ends it: was the file cut short?)"
    case .offset(let offset, let partition): "\(partition) offset \(offset)"
    case .nowhere: ""
    }
  }
}
