package flyscreen.client;

/** The parts of a command's id, {@code topic/partition/offset/n}. */
final class CommandId {
  /** {@code topic/partition}: one partition of an input topic. */
  final String log;
  final long offset;
  final long place;

  private CommandId(String log, long offset, long place) {
    this.log = log;
    this.offset = offset;
    this.place = place;
  }

  /** The parts of this id; null if it has another form. */
  static CommandId of(String id) {
    int last = id.lastIndexOf('/');
    int middle = last < 1 ? -1 : id.lastIndexOf('/', last - 1);
    if (middle < 0) return null;
    try {
      return new CommandId(
          id.substring(0, middle), Long.parseLong(id.substring(middle + 1, last)), Long.parseLong(id.substring(last + 1)));
    } catch (NumberFormatException otherForm) {
      return null;
    }
  }

  /** The log that a command with this id came from; null if the id has another form. */
  static String logOf(String id) {
    CommandId known = of(id);
    return known == null ? null : known.log;
  }
}
