import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { Browser, chromium } from 'playwright-core';

const SYSTEM_BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** A system browser where there is one, else the one that an npm package carries. */
async function browserPath(): Promise<string> {
  const chosen = process.env.CHROMIUM_PATH;
  const found = [...(chosen ? [chosen] : []), ...SYSTEM_BROWSERS].find(
    existsSync,
  );
  if (found) {
    return found;
  }
  // The package is an ES module that finds its files by its own address, so that
  // it has to run outside of the tests' module system.
  const script =
    "import('@sparticuz/chromium').then(m => m.default.executablePath()).then(p => process.stdout.write(p))";
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['-e', script],
    { cwd: __dirname },
  );
  return stdout;
}

/** Starts a headless Chromium that asks nothing of the network but the pages it is given. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await browserPath(),
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
