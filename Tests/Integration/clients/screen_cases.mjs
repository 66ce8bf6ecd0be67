// The fold in Node takes the cases that it takes in a browser.
import { readdirSync, readFileSync } from "node:fs";
import { expect, report, SITE } from "./scripted.mjs";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
const text = read("../browser/fold_case.js").replace("/flyscreen.js", new URL(`${SITE}/client/screen.js`, import.meta.url).href);
const AsyncFunction = (async () => {}).constructor;
const take = new AsyncFunction(text);
for (const name of readdirSync(new URL("../../ScreenCases", import.meta.url)).filter((name) => name.endsWith(".json"))) {
  const { roomId, steps } = JSON.parse(read(`../../ScreenCases/${name}`));
  await take(steps, roomId, (wrong) => expect(name, wrong, []));
}

report();
