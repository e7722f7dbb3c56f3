// From a key to the next paint while the rows of an entity's tab are filtered, in
// the built portal in Chromium; and in the same run the same in an empty input.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Browser, Page } from 'playwright-core';
import { startBrowser } from '../support/chromium';
import { percentile, run } from './support/organisations';
import { Host, startHost } from './support/startHost';
import { report, SIZES } from './report';

const ADDRESS = '/catalog/default/component/service-1000/previews';
const BUILT_APP = join(resolve(__dirname, '../..'), 'packages/app/dist');
const ROWS = 50;
/** Each one is typed letter by letter, and taken away again. */
const SEARCHES = ['dev1', 'basket', 'feature', 'show the'];
const BUDGET_MILLISECONDS = 100;
const PATIENCE = { timeout: 60_000 };

interface Typing {
  /** Milliseconds from each key to the second frame after it. */
  keys: number[];
  /** Milliseconds from the last key of each search to its rows. */
  rows: number[];
}

/**
 * Notes of every input how long the page took until a frame was painted with it:
 * the frame that follows it is being made when its callback runs, and was painted
 * when that of a message after it runs.
 */
function noteInputs() {
  const noted: number[] = [];
  Object.assign(window, { noted });
  window.addEventListener(
    'keydown',
    event => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () =>
        noted.push(performance.now() - event.timeStamp);
      requestAnimationFrame(() => channel.port2.postMessage(undefined));
    },
    { capture: true },
  );
}

async function untilRows(page: Page, address: RegExp) {
  await page.waitForURL(address, PATIENCE);
  await page.locator('table[aria-busy="false"]').waitFor(PATIENCE);
}

async function type(page: Page, into: string): Promise<Typing> {
  const typing: Typing = { keys: [], rows: [] };
  const field = page.locator(into);
  await field.focus();
  for (const text of SEARCHES) {
    await page.evaluate(() => {
      (window as unknown as { noted: number[] }).noted.length = 0;
    });
    for (const letter of text) {
      await page.keyboard.press(letter === ' ' ? 'Space' : letter);
    }
    const startedAt = performance.now();
    if (into.includes('search')) {
      await untilRows(page, /[?&]q=/);
      typing.rows.push(performance.now() - startedAt);
    }
    for (const _ of text) {
      await page.keyboard.press('Backspace');
    }
    if (into.includes('search')) {
      await untilRows(page, /previews(\?(?!.*q=).*)?$/);
    }
    typing.keys.push(
      ...(await page.evaluate(
        () => (window as unknown as { noted: number[] }).noted,
      )),
    );
  }
  return typing;
}

async function measure(browser: Browser, host: Host, size: number) {
  const context = await browser.newContext({
    viewport: { width: 1400, height: 900 },
    locale: 'en-GB',
  });
  const page = await context.newPage();
  await page.addInitScript(noteInputs);
  await page.goto(`${host.url}${ADDRESS}`);
  const rows = page.locator('tr[tabindex="0"]');
  await rows.nth(ROWS - 1).waitFor(PATIENCE);
  // The portal goes on loading for a while.
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => {
    const empty = document.createElement('input');
    empty.id = 'empty';
    document.body.append(empty);
  });
  await type(page, 'input[type="search"]');
  const empty = await type(page, '#empty');
  const search = await type(page, 'input[type="search"]');
  await context.close();

  const figure = percentile(search.keys, 0.95);
  report({
    name: 'browser-key-to-paint-p95',
    size,
    figure,
    unit: 'ms',
    budget: BUDGET_MILLISECONDS,
  });
  report({
    name: 'browser-key-to-paint-over-empty-input',
    size,
    figure,
    unit: 'ms',
    ratio: figure / percentile(empty.keys, 0.95),
  });
  report({
    name: 'browser-last-key-to-rows-p95',
    size,
    figure: percentile(search.rows, 0.95),
    unit: 'ms',
  });
}

run(async () => {
  if (!existsSync(join(BUILT_APP, 'index.html'))) {
    throw new Error('Build the portal first, by "yarn build:app"');
  }
  const browser = await startBrowser();
  try {
    for (const size of SIZES) {
      const host = await startHost({ size, mergeRequestsPerProject: size });
      try {
        await measure(browser, host, size);
      } finally {
        await host.stop();
      }
    }
  } finally {
    await browser.close();
  }
});
