package flyscreen.client;

import java.io.UnsupportedEncodingException;
import java.net.URLEncoder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/** A gateway's address, and all that requests to it share. */
final class Gateway {
  final String url;
  final String user;
  final TokenSource tokens;
  final Transport transport;
  final Loop loop;
  final Random random;

  Gateway(String url, String user, TokenSource tokens, Transport transport, Loop loop, Random random) {
    if (url == null || !url.matches("(?i)https?://[^/?#]+([/][^?#]*)?")) {
      throw new IllegalArgumentException("url is the gateway's address, \"https://gateway.example\"; \"" + url + "\" is none");
    }
    this.url = url.replaceAll("/+$", "");
    this.user = user == null ? "" : user;
    this.tokens = tokens;
    this.transport = transport;
    this.loop = loop;
    this.random = random;
  }

  /** A text as one piece of a URL. */
  static String encoded(String text) {
    try {
      return URLEncoder.encode(text, "UTF-8").replace("+", "%20").replace("*", "%2A").replace("%7E", "~");
    } catch (UnsupportedEncodingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * Asks for a token. {@code then} gets it on the loop (null: none is needed), or the reason why there is none. It is
   * called once, later than this returns.
   */
  void token(boolean renew, BiConsumer<String, Throwable> then) {
    CompletableFuture<String> asked;
    try {
      asked = tokens == null ? CompletableFuture.completedFuture(null) : tokens.token(renew);
    } catch (RuntimeException failed) {
      asked = new CompletableFuture<>();
      asked.completeExceptionally(failed);
    }
    if (asked == null) asked = CompletableFuture.completedFuture(null);
    asked.whenComplete((token, failed) -> loop.post(() -> then.accept(token, failed)));
  }

  /** The headers of a request with this token. */
  Map<String, String> headers(String token, String name, String value) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(name, value);
    if (token != null && !token.isEmpty()) headers.put("Authorization", "Bearer " + token);
    return headers;
  }

  /** An answer as it comes on the loop, until its request is cancelled. */
  Transport.Call open(Transport.Request request, Transport.Answer answer) {
    Relay relay = new Relay(answer);
    relay.call = transport.open(request, relay);
    return relay;
  }

  private final class Relay implements Transport.Call, Transport.Answer {
    private final Transport.Answer answer;
    private Transport.Call call;
    private boolean isOver;

    Relay(Transport.Answer answer) {
      this.answer = answer;
    }

    private void post(Runnable act) {
      loop.post(() -> {
        if (!isOver) act.run();
      });
    }

    @Override
    public void head(int status, String contentType, String retryAfter) {
      post(() -> answer.head(status, contentType, retryAfter));
    }

    @Override
    public void text(String piece) {
      post(() -> answer.text(piece));
    }

    @Override
    public void end(boolean isWhole) {
      post(() -> {
        isOver = true;
        answer.end(isWhole);
      });
    }

    @Override
    public void cancel() {
      isOver = true;
      call.cancel();
    }
  }

  /** The wait that a Retry-After asks for, in milliseconds: seconds, or an HTTP date. */
  long retryAfterMs(String header) {
    if (header == null) return 0;
    String text = header.trim();
    if (text.matches("[0-9]{1,9}")) return Long.parseLong(text) * 1000;
    try {
      long atMs = java.time.ZonedDateTime.parse(text, java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME)
          .toInstant().toEpochMilli();
      return Math.max(0, atMs - loop.wallMs());
    } catch (java.time.DateTimeException otherForm) {
      return 0;
    }
  }

  /** The failure of a future whose client was closed. */
  static CancellationException closed() {
    return new CancellationException("the client was closed");
  }
}
