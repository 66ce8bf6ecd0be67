package flyscreen.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Requests with HttpURLConnection, each on a thread that ends with the request. A JVM's implementation doesn't let go of a
 * read that is cancelled: there the thread ends with the next bytes, which a gateway sends every 15 seconds.
 */
public final class HttpTransport implements Transport {
  private static final int CONNECT_MS = 10_000;

  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(0, 64, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), act -> {
        Thread thread = new Thread(act, "flyscreen-http");
        thread.setDaemon(true);
        return thread;
      });

  @Override
  public Call open(Request request, Answer answer) {
    Connection connection = new Connection(request, answer);
    try {
      threads.execute(connection);
    } catch (RejectedExecutionException closed) {
      answer.end(false);
    }
    return connection;
  }

  @Override
  public void close() {
    threads.shutdown();
  }

  private static final class Connection implements Call, Runnable {
    private final Request request;
    private final Answer answer;
    private HttpURLConnection http;
    private boolean isCancelled;

    Connection(Request request, Answer answer) {
      this.request = request;
      this.answer = answer;
    }

    @Override
    public void run() {
      boolean isWhole = false;
      try {
        HttpURLConnection opened = open();
        if (opened == null) return;
        int status = opened.getResponseCode();
        answer.head(status, opened.getContentType(), opened.getHeaderField("Retry-After"));
        InputStream body = status < 400 ? opened.getInputStream() : opened.getErrorStream();
        if (body != null) read(body);
        isWhole = true;
      } catch (IOException | RuntimeException broken) {
        // The caller hears of it as an end that is not whole. (Android's implementation throws some of its failures unchecked.)
      } finally {
        disconnect();
        answer.end(isWhole);
      }
    }

    private HttpURLConnection open() throws IOException {
      HttpURLConnection opening = (HttpURLConnection) new URL(request.url).openConnection();
      synchronized (this) {
        if (isCancelled) return null;
        http = opening;
      }
      opening.setConnectTimeout(CONNECT_MS);
      opening.setReadTimeout(request.silenceMs);
      opening.setUseCaches(false);
      // A redirect is none of the gateway's, and would take the token elsewhere.
      opening.setInstanceFollowRedirects(false);
      opening.setRequestMethod(request.method);
      for (Map.Entry<String, String> header : request.headers.entrySet()) {
        opening.setRequestProperty(header.getKey(), header.getValue());
      }
      // Packed text would come in blocks, late.
      opening.setRequestProperty("Accept-Encoding", "identity");
      if (request.body != null) {
        byte[] bytes = request.body.getBytes(StandardCharsets.UTF_8);
        opening.setDoOutput(true);
        opening.setFixedLengthStreamingMode(bytes.length);
        try (OutputStream out = opening.getOutputStream()) {
          out.write(bytes);
        }
      }
      return opening;
    }

    private void read(InputStream body) throws IOException {
      char[] piece = new char[8192];
      try (Reader reader = new InputStreamReader(body, StandardCharsets.UTF_8)) {
        for (int count; !isCancelled() && (count = reader.read(piece)) >= 0;) answer.text(new String(piece, 0, count));
      }
    }

    private synchronized boolean isCancelled() {
      return isCancelled;
    }

    @Override
    public void cancel() {
      synchronized (this) {
        isCancelled = true;
      }
      // Android forbids the network on the main thread, and a disconnect may write.
      Thread ending = new Thread(this::disconnect, "flyscreen-http-end");
      ending.setDaemon(true);
      ending.start();
    }

    private void disconnect() {
      HttpURLConnection ending;
      synchronized (this) {
        ending = http;
      }
      if (ending != null) ending.disconnect();
    }
  }
}
