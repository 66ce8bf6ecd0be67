package flyscreen.client;

import java.util.HashMap;
import java.util.Map;

/** The last command of each log that a screen has drawn, by which a command that comes twice is told. */
final class AppliedCommands {
  private static final class Mark {
    long offset;
    long place;
    long atMs;
  }

  private final Map<String, Mark> marks = new HashMap<>();

  /** Whether a command has not come. One whose id has another form never has. */
  boolean isNew(String id, long atMs) {
    CommandId origin = CommandId.of(id);
    Mark last = origin == null ? null : marks.get(origin.log);
    if (last == null) return true;
    // A topic that was made again counts from 0, but later.
    return atMs > last.atMs || origin.offset > last.offset || (origin.offset == last.offset && origin.place > last.place);
  }

  /** Returns whether the command is new. */
  boolean insert(String id, long atMs) {
    if (!isNew(id, atMs)) return false;
    CommandId origin = CommandId.of(id);
    if (origin == null) return true;
    Mark last = marks.computeIfAbsent(origin.log, log -> new Mark());
    last.offset = origin.offset;
    last.place = origin.place;
    last.atMs = atMs;
    return true;
  }
}
