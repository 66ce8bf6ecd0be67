/// A topic in which the group begins.
package struct GroupBeginning: Equatable {
  package var topic: String
  package var offsets: [Member.Commit.Offset] = []
  /// Numbers of records before and after these offsets.
  package var before: Int64 = 0
  package var after: Int64 = 0

  package init(topic: String) { self.topic = topic }

  /// The metadata of its commit. Nothing is known of earlier records.
  package static let mark = "begin"
}
