// The page that `--report html=FILE` writes, in a real browser: it opens without an error, filters, unfolds, is reached
// by Tab alone, fits a narrow screen, and follows light and dark.
//
//     node tests/browser/page.mjs PAGE.html [FOLDER FOR SCREENSHOTS]
//
// Needs playwright-core (`npm ci` in this folder) and Chromium (CHROMIUM, or /usr/bin/chromium).

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [file, shots] = process.argv.slice(2);
assert(file, "expected the page as first argument");
if (shots) mkdirSync(shots, { recursive: true });

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

const complaints = [];
async function open(options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => request.url().startsWith("file:") || complaints.push(`asks for ${request.url()}`));
  page.on("dialog", (dialog) => (complaints.push(`a dialog: ${dialog.message()}`), dialog.dismiss()));
  await page.goto(pathToFileURL(resolve(file)).href);
  return page;
}
const screenshot = (page, name) => (shots ? page.screenshot({ path: `${shots}/${name}.png` }) : null);
const visible = (page) => page.locator(".case:not([hidden])").count();
const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const select = async (page, id, value) => (await page.selectOption(`#${id}`, value), settled(page));

const wide = await open({ viewport: { width: 1280, height: 900 }, colorScheme: "light" });
const all = await wide.locator(".case").count();
assert(all > 0, "expected cases");
assert.equal(await visible(wide), all);
assert.match(await wide.textContent("#shown"), new RegExp(`^${all} of ${all} shown$`));
await screenshot(wide, "matrix");

// Each filter narrows down, and what is shown fits it; together they narrow down further.
for (const [id, attribute] of [["format", "data-format"], ["level", "data-level"], ["verdict", "data-verdicts"]]) {
  const values = await wide.locator(`#${id} option`).evaluateAll((options) => options.map((option) => option.value).filter(Boolean));
  assert(values.length > 0, `expected options for ${id}`);
  for (const value of values) {
    await select(wide, id, value);
    const shown = await wide.locator(".case:not([hidden])").evaluateAll((nodes, name) => nodes.map((node) => node.getAttribute(name)), attribute);
    assert(shown.length > 0 || value === "odd", `${id}=${value} shows nothing`);
    assert(shown.every((text) => text.split(" ").includes(value)), `${id}=${value} shows something else`);
  }
  await select(wide, id, "");
}
const id = await wide.locator(".case code").last().textContent();
const plain = id.replaceAll("\u200b", "");
await wide.fill("#text", plain);
await settled(wide);
const found = await visible(wide);
assert(found >= 1 && found < all, `the text ${plain} shows ${found} of ${all}`);
await wide.fill("#text", "no such words anywhere");
await settled(wide);
assert.equal(await visible(wide), 0);
assert.equal(await wide.locator(".matrix tbody tr:not([hidden])").count(), 0, "rules without a case are hidden too");
await wide.click("button[type=reset]");
await settled(wide);
assert.equal(await visible(wide), all);

// A case unfolds to its message, what was expected, and how to repeat it; by the keyboard.
const odd = await wide.locator("#verdict option[value=odd]").count();
assert.equal(odd, 1);
await select(wide, "verdict", "odd");
const first = (await visible(wide)) > 0 ? wide.locator(".case:not([hidden])").first() : wide.locator(".case").first();
if ((await visible(wide)) === 0) await select(wide, "verdict", "");
await first.locator("summary").focus();
await wide.keyboard.press("Enter");
assert(await first.evaluate((node) => node.open), "Enter unfolds a case");
for (const words of ["Request: ", "must", "Rerun"]) {
  if (words === "Rerun" && (await visible(wide)) === all) continue;
  assert((await first.textContent()).includes(words), `an unfolded case says ${words}`);
}
await first.scrollIntoViewIfNeeded();
await screenshot(wide, "case");
await wide.keyboard.press("Enter");
assert(!(await first.evaluate((node) => node.open)), "and folds it again");
await select(wide, "verdict", "");

// Tab reaches every control, and each shows that it has the focus.
// On a page of its own: where nothing has had the focus yet, Tab begins at the top.
const keys = await open({ viewport: { width: 1280, height: 900 } });
const expected = await keys.evaluate(() => {
  const can = Array.from(document.querySelectorAll("a[href], input, select, button, summary, [tabindex='0']"));
  return can.filter((node) => node.checkVisibility()).length;
});
const limit = Math.min(expected, 400);
const reached = new Set();
for (let at = 0; at < limit; at += 1) {
  await keys.keyboard.press("Tab");
  const focus = await keys.evaluate(() => {
    const node = document.activeElement;
    const outline = getComputedStyle(node).outlineStyle;
    node.dataset.reached ??= String(Math.random());
    return { name: node.dataset.reached, tag: node.tagName, outline };
  });
  assert.notEqual(focus.tag, "BODY", `Tab leaves the page after ${at} of ${expected} controls`);
  assert.notEqual(focus.outline, "none", `a ${focus.tag} shows no focus`);
  reached.add(focus.name);
}
assert.equal(reached.size, limit, "Tab goes on to another control each time");

// A narrow screen, with everything unfolded: nothing reaches beyond its edge.
const narrow = await open({ viewport: { width: 360, height: 740 }, colorScheme: "dark" });
const overflow = () => narrow.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
assert.equal(await overflow(), 0, "a screen of 360 pixels scrolls sideways");
await screenshot(narrow, "narrow-dark");
await narrow.evaluate(() => {
  for (const section of document.querySelectorAll(".rule")) section.style.contentVisibility = "visible";
  for (const node of document.querySelectorAll("details")) node.open = true;
});
assert.equal(await overflow(), 0, "unfolded, a screen of 360 pixels scrolls sideways");
const ground = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
assert.notEqual(await ground(narrow), await ground(wide), "light and dark differ");

// On paper there are no controls.
await wide.emulateMedia({ media: "print" });
assert.equal(await wide.locator("form").isVisible(), false);

assert.deepEqual(complaints, []);
await browser.close();
console.log(`page.mjs: ${all} cases, ${expected} controls of which Tab reached the first ${limit}; nothing to complain of`);
