// A gateway that says what a test says, to the module by itself: window.gateway, as the module's `fetch`.
const [done] = arguments;

const { Flyscreen } = await import("/flyscreen.js");

class ScriptedGateway {
  /** Each request: its rooms, and how to answer it. */
  asked = [];
  #waiting = [];

  fetch = (url, { signal, headers }) => {
    const rooms = decodeURIComponent(/rooms\/(.*)\/commands|rooms=([^&]*)/.exec(url).slice(1).find(Boolean)).split(",");
    return new Promise((resolve, reject) => {
      const request = { rooms, headers, isGone: false, refuse: reject };
      request.answer = (status, text = "", type = status === 200 ? "text/event-stream" : "text/plain", more = {}) => {
        const body = new ReadableStream({ start: (stream) => void (request.stream = stream) });
        resolve(new Response(body, { status, headers: { "Content-Type": type, ...more } }));
        if (text) request.send(text);
      };
      request.send = (text) => request.stream.enqueue(new TextEncoder().encode(text));
      request.tell = (roomId, id = "1") =>
        request.send(`event: snapshot\nid: ${id}\ndata: ${JSON.stringify({ roomId, nowMs: 1000, commands: [] })}\n\n`);
      request.end = () => request.stream.close();
      signal.addEventListener("abort", () => {
        request.isGone = true;
        reject(signal.reason);
      });
      this.asked.push(request);
      for (const look of this.#waiting.splice(0)) look();
    });
  };

  /** The request of this number, once it is there. */
  async request(number) {
    while (this.asked.length <= number) await new Promise((resolve) => this.#waiting.push(resolve));
    return this.asked[number];
  }

  /** A client that keeps what its streams and rooms have said, and tells once they say something of this. */
  client() {
    const client = new Flyscreen({ fetch: this.fetch });
    client.told = [];
    let look = () => {};
    const hear = (state, rooms, detail) => (client.told.push({ ...detail, state, rooms }), look());
    client.addEventListener("state", ({ detail }) => hear(detail.state, detail.rooms.join(), detail));
    client.addEventListener("snapshot", ({ detail }) => hear("told", detail.roomId));
    client.once = async (state, rooms, from = 0) => {
      const find = () => client.told.slice(from).find((one) => one.state === state && one.rooms === rooms);
      while (!find()) await new Promise((resolve) => (look = resolve));
      return find();
    };
    return client;
  }
}

window.ScriptedGateway = ScriptedGateway;
done([]);
