package flyscreen.client;

import java.util.concurrent.CompletableFuture;

/**
 * Gives a JSON Web Token each time that a stream opens or an event is sent. A future that fails counts as a failure to
 * connect: the source is asked again later. A token of null means none.
 */
public interface TokenSource {
  /** {@code renew}: the last token was refused, or ends soon. */
  CompletableFuture<String> token(boolean renew);

  /** A source of one token. */
  static TokenSource of(String token) {
    return new TokenSource() {
      @Override
      public CompletableFuture<String> token(boolean renew) {
        return CompletableFuture.completedFuture(token);
      }
    };
  }
}
