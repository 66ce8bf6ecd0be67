package flyscreen.client;

import java.util.ArrayList;
import java.util.List;

/** Server-sent events out of text that comes in pieces, as the HTML standard reads them. */
final class EventStreamParser {
  static final class Event {
    final String type;
    final String data;
    /** The last id that the stream sent, with this event or before. */
    final String id;

    Event(String type, String data, String id) {
      this.type = type;
      this.data = data;
      this.id = id;
    }
  }

  private final StringBuilder line = new StringBuilder();
  private final StringBuilder data = new StringBuilder();
  private boolean isFirst = true;
  private boolean wasReturn;
  private String type = "";
  private String id;
  /** The last {@code retry} in milliseconds; null: none came. */
  Long retryMs;

  /** {@code lastEventId}: where the stream goes on. */
  EventStreamParser(String lastEventId) {
    id = lastEventId;
  }

  /** The events that are whole with this text. */
  List<Event> push(String text) {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isFirst) {
        isFirst = false;
        if (c == '\uFEFF') continue;
      }
      if (c == '\n' && wasReturn) {
        wasReturn = false;
        continue;
      }
      wasReturn = c == '\r';
      if (c != '\n' && c != '\r') {
        line.append(c);
        continue;
      }
      Event event = take(line.toString());
      line.setLength(0);
      if (event != null) events.add(event);
    }
    return events;
  }

  /** Takes a line; an empty one ends an event. */
  private Event take(String line) {
    if (line.isEmpty()) {
      Event event = data.length() == 0
          ? null : new Event(type.isEmpty() ? "message" : type, data.substring(0, data.length() - 1), id);
      type = "";
      data.setLength(0);
      return event;
    }
    int colon = line.indexOf(':');
    if (colon == 0) return null;
    String field = colon < 0 ? line : line.substring(0, colon);
    String value = colon < 0 ? "" : line.substring(line.startsWith(" ", colon + 1) ? colon + 2 : colon + 1);
    if (field.equals("data")) data.append(value).append('\n');
    else if (field.equals("event")) type = value;
    else if (field.equals("id") && value.indexOf('\0') < 0) id = value;
    else if (field.equals("retry") && value.matches("[0-9]{1,18}")) retryMs = Long.valueOf(value);
    return null;
  }
}
