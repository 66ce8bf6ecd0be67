// A global fetch that answers the README's example as a gateway would.
const sender = { userId: "7", name: "阿花", avatarUrl: "" };
let stream;
const say = (event, data) => stream.enqueue(new TextEncoder().encode(`id: 1\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
const command = (place, atMs, body) => ({ roomId: "r1", id: `im.gifts/0/${place}/0`, atMs, ...body });

globalThis.fetch = async (url, { method, body, signal }) => {
  if (method !== "POST") {
    if (url !== "https://gateway.example/commands?rooms=r1,r2&user=7") throw new Error(`nobody asked for ${url}`);
    const answer = new ReadableStream({ start: (controller) => void (stream = controller) });
    signal.addEventListener("abort", () => stream.error(signal.reason));
    say("snapshot", { roomId: "r1", nowMs: 1000, commands: [] });
    say("command", command(1, 1000, { giftShow: { comboId: "c", lane: 1, sender, receiverId: "", giftId: "rose", giftName: "玫瑰", value: 1, from: 0, total: 2, enterMs: 250, tier: 0 } }));
    say("command", command(2, 1001, { giftBump: { comboId: "c", lane: 1, count: 2, tickMs: 300 } }));
    return new Response(answer, { headers: { "Content-Type": "text/event-stream" } });
  }
  const { wish } = JSON.parse(body);
  setTimeout(() => say("command", command(3, 1002, { wishFly: { wishId: wish.wishId, track: 0, sender, text: wish.text, style: "", width: 90, durationMs: 6000, likes: 0 } })), 20);
  return new Response(JSON.stringify({ topic: "im.wishes", partition: 0, offset: 3 }), { status: 202 });
};
