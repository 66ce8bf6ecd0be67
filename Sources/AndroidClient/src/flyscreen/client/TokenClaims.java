package flyscreen.client;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.json.JSONException;
import org.json.JSONObject;

/** The end of a token, read without a check: the gateway verifies tokens. */
final class TokenClaims {
  /** A token is renewed so long before its end, or a fifth of the time that is left if that is less. */
  private static final long EARLY_MS = 30_000;

  private TokenClaims() {}

  /** When the token ends, in milliseconds since 1970; null if the token doesn't tell. */
  static Long endMs(String token) {
    if (token == null) return null;
    String[] parts = token.split("\\.", -1);
    if (parts.length < 2) return null;
    try {
      String text = new String(Base64.getUrlDecoder().decode(parts[1].replace("=", "")), StandardCharsets.UTF_8);
      Object end = new JSONObject(text).opt("exp");
      return end instanceof Number ? (long) (((Number) end).doubleValue() * 1000) : null;
    } catch (IllegalArgumentException | JSONException unreadable) {
      return null;
    }
  }

  /** Milliseconds until the token should be renewed; null if it tells no end, or has ended by this clock. */
  static Long renewalInMs(String token, long wallMs) {
    Long endMs = endMs(token);
    if (endMs == null || endMs <= wallMs) return null;
    long leftMs = endMs - wallMs;
    return leftMs - Math.min(EARLY_MS, leftMs / 5);
  }

  /** Whether the first token ends later than the second. A token without an end never ends. */
  static boolean endsLater(String token, String other) {
    Long mine = endMs(token);
    Long others = endMs(other);
    return others != null && (mine == null || mine > others);
  }
}
