package flyscreen.client;

import java.util.Map;

/** Sends requests to a gateway. {@link HttpTransport} does so with HttpURLConnection; an app can give another. */
public interface Transport {
  /** A request to a gateway. */
  final class Request {
    public final String method;
    public final String url;
    public final Map<String, String> headers;
    /** Text to send; null: none. */
    public final String body;
    /** The request fails if nothing comes for so many milliseconds. */
    public final int silenceMs;

    Request(String method, String url, Map<String, String> headers, String body, int silenceMs) {
      this.method = method;
      this.url = url;
      this.headers = headers;
      this.body = body;
      this.silenceMs = silenceMs;
    }
  }

  /** Hears the answer to a request, on any thread: first a head, then pieces of text, then one end. */
  interface Answer {
    /** {@code contentType} and {@code retryAfter} are these headers; null if there is none. */
    void head(int status, String contentType, String retryAfter);

    void text(String piece);

    /** {@code isWhole}: the last byte came. False: the connection broke, or there never was one. */
    void end(boolean isWhole);
  }

  /** A request under way. */
  interface Call {
    /** Ends the request: no more comes of it. */
    void cancel();
  }

  Call open(Request request, Answer answer);

  /** Ends the transport's own threads. */
  void close();
}
