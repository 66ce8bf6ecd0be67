package flyscreen.client;

import java.util.ArrayList;
import java.util.List;
import org.json.JSONObject;

/** A gateway that answers as a test says. */
final class ScriptedGateway implements Transport {
  final class Asked implements Call {
    final Request request;
    final long atMs = loop.nowMs();
    boolean isGone;
    private final Answer answer;

    Asked(Request request, Answer answer) {
      this.request = request;
      this.answer = answer;
    }

    Asked answer(int status, String type, String retryAfter) {
      answer.head(status, type, retryAfter);
      return this;
    }

    Asked open() {
      return answer(200, "text/event-stream", null);
    }

    Asked say(String event, Object data, String id) {
      answer.text("event: " + event + "\nid: " + id + "\ndata: " + data + "\n\n");
      return this;
    }

    void reply(int status, String text, String retryAfter) {
      answer.head(status, "application/json", retryAfter);
      answer.text(text);
      answer.end(true);
    }

    void end(boolean isWhole) {
      answer.end(isWhole);
    }

    @Override
    public void cancel() {
      isGone = true;
    }

    JSONObject sent() throws Exception {
      return new JSONObject(request.body);
    }
  }

  final VirtualLoop loop;
  final List<Asked> asked = new ArrayList<>();
  boolean isClosed;

  ScriptedGateway(VirtualLoop loop) {
    this.loop = loop;
  }

  @Override
  public Call open(Request request, Answer answer) {
    Asked one = new Asked(request, answer);
    asked.add(one);
    return one;
  }

  @Override
  public void close() {
    isClosed = true;
  }

  Asked last() {
    return asked.get(asked.size() - 1);
  }

  /** The streams that were asked for whose address has this text. */
  List<Asked> streams(String text) {
    List<Asked> streams = new ArrayList<>();
    for (Asked one : asked) if (one.request.url.contains("/commands") && one.request.url.contains(text)) streams.add(one);
    return streams;
  }
}
