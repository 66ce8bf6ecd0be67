// For nginx's njs: finds the partition of the commands topic that has a request's room, so that nginx.conf can pass the
// request to a gateway with that partition. The first of several rooms counts; a gateway without all of them says 421.

// Takes a target apart as a gateway does (RequestTarget.swift), and works on bytes, as a partitioner does on keys.
const SLASH = 0x2f, COMMA = 0x2c, PERCENT = 0x25, PLUS = 0x2b, BLANK = 0x20;

/// The partition of the request's room. Empty: the request is about no room, or no gateway would understand it; then
/// any gateway answers it.
function partition(r) {
  const room = firstRoom(r.rawVariables.request_uri);
  const count = Number(r.variables.flyscreen_partitions);
  return room && room.length > 0 ? String((murmur2(room) & 0x7fffffff) % count) : "";
}

function firstRoom(target) {
  const query = target.indexOf("?");
  const segments = split(query < 0 ? target : target.slice(0, query), SLASH);
  if (segments.length < 2) return null;
  const place = segments[1].toString();
  if (place === "rooms" && segments.length > 2) return decoded(segments[2], false);
  if (place !== "commands" || query < 0) return null;
  const parameters = split(target.slice(query + 1), "&".charCodeAt(0));
  for (let i = 0; i < parameters.length; i++) {
    const equals = parameters[i].indexOf("=");
    if (equals < 0 || text(decoded(parameters[i].slice(0, equals), true)) !== "rooms") continue;
    // A comma of a room's own is encoded.
    const rooms = split(parameters[i].slice(equals + 1), COMMA);
    for (let j = 0; j < rooms.length; j++) if (rooms[j].length > 0) return decoded(rooms[j], true);
  }
  return null;
}

function split(bytes, separator) {
  const parts = [];
  let begin = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] !== separator) continue;
    parts.push(bytes.slice(begin, i));
    begin = i + 1;
  }
  parts.push(bytes.slice(begin));
  return parts;
}

/// null where a `%` is not followed by two hexadecimal digits.
function decoded(bytes, plusIsBlank) {
  const out = Buffer.alloc(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    let byte = bytes[i];
    if (byte === PERCENT) {
      const digits = bytes.slice(i + 1, i + 3).toString();
      if (!/^[0-9a-fA-F]{2}$/.test(digits)) return null;
      byte = parseInt(digits, 16);
      i += 2;
    } else if (byte === PLUS && plusIsBlank) {
      byte = BLANK;
    }
    out[length++] = byte;
  }
  return out.slice(0, length);
}

function text(bytes) {
  return bytes ? bytes.toString() : "";
}

/// Kafka's, as Java's clients choose a key's partition (Murmur2.swift).
function murmur2(bytes) {
  const m = 0x5bd1e995;
  const whole = bytes.length - bytes.length % 4;
  let hash = 0x9747b28c ^ bytes.length;
  for (let i = 0; i < whole; i += 4) {
    let word = Math.imul(bytes[i] | bytes[i + 1] << 8 | bytes[i + 2] << 16 | bytes[i + 3] << 24, m);
    word ^= word >>> 24;
    hash = Math.imul(hash, m) ^ Math.imul(word, m);
  }
  if (whole < bytes.length) {
    for (let i = whole; i < bytes.length; i++) hash ^= bytes[i] << 8 * (i - whole);
    hash = Math.imul(hash, m);
  }
  hash ^= hash >>> 13;
  hash = Math.imul(hash, m);
  return hash ^ hash >>> 15;
}

export default { partition };
