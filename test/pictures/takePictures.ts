import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Browser, Page } from 'playwright-core';
import { Simulator, startSimulator } from 'simulator';
import { startBrowser } from '../support/chromium';
import { freePort } from '../support/freePort';
import { Portal, startPortal, WEBHOOK_SECRET } from '../support/startPortal';

const ROOT = resolve(__dirname, '../..');
const FOLDER = join(ROOT, 'docs/images');
const SHOP = '/catalog/default/component';
const PROJECT = 'shop/checkout';
const PATIENCE = 120_000;

/** The phases that the picture of the tab shows, from one service. */
const shown = ['Live', 'Updating', 'Building', 'Failed'];

type Scheme = 'light' | 'dark';

async function openPage(options: {
  browser: Browser;
  address: string;
  scheme: Scheme;
  height: number;
}): Promise<Page> {
  const { browser, address, scheme, height } = options;
  const context = await browser.newContext({
    viewport: { width: 1400, height },
    colorScheme: scheme,
    locale: 'en-GB',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.goto(address);
  return page;
}

/** Brings the service of the tab's picture into as many phases as people meet. */
async function stirUp(simulator: Simulator, page: Page) {
  const { control, faults } = simulator;
  const cell = (phase: string) =>
    page.getByRole('cell', { name: phase, exact: true }).first();
  faults.platform.setStanding('pipeline', `${PROJECT}@fix/vat`, 'fails');
  control.openMergeRequest({
    project: PROJECT,
    sourceBranch: 'fix/vat',
    title: 'Compute VAT per line',
    author: 'dev5',
  });
  await cell('Failed').waitFor();
  control.openMergeRequest({
    project: PROJECT,
    sourceBranch: 'feature/new-header',
    title: 'A header that stays in sight',
    author: 'dev4',
    draft: true,
  });
  control.push({ project: PROJECT, iid: 2 });
  for (const phase of shown) {
    await cell(phase).waitFor();
  }
}

async function takeTab(simulator: Simulator, portal: Portal, browser: Browser) {
  const open = (scheme: Scheme) =>
    openPage({
      browser,
      address: `${portal.url}${SHOP}/checkout/previews`,
      scheme,
      height: 860,
    });
  const pages = { light: await open('light'), dark: await open('dark') };
  await stirUp(simulator, pages.light);
  for (const [scheme, page] of Object.entries(pages)) {
    await page.getByRole('cell', { name: 'Updating', exact: true }).waitFor();
    await page.screenshot({
      animations: 'disabled',
      path: join(FOLDER, `tab-${scheme}.png`),
    });
  }
}

async function takeDrawer(portal: Portal, browser: Browser, scheme: Scheme) {
  const page = await openPage({
    browser,
    address: `${portal.url}${SHOP}/payments/previews`,
    scheme,
    height: 860,
  });
  await page.getByRole('row', { name: /Refund at once/ }).click();
  const drawer = page.getByRole('dialog', { name: /Refund at once/ });
  await drawer.getByRole('button', { name: /^Resources/ }).click();
  await drawer.getByText('Workloads').waitFor();
  // A container that crashes is up for a moment after each start.
  await drawer
    .getByText(/keeps crashing/)
    .first()
    .waitFor();
  await page.screenshot({
    animations: 'disabled',
    path: join(FOLDER, `drawer-${scheme}.png`),
  });
}

async function takeCard(portal: Portal, browser: Browser, scheme: Scheme) {
  const page = await openPage({
    browser,
    address: `${portal.url}${SHOP}/payments`,
    scheme,
    height: 860,
  });
  const card = page
    .locator('.MuiCard-root')
    .filter({ hasText: 'Needs a person' });
  await card.getByText(/Needs a person/).waitFor();
  await card.screenshot({
    animations: 'disabled',
    path: join(FOLDER, `card-${scheme}.png`),
  });
}

/** Writes the pictures of the documentation, of the demonstration as `npm start` shows it. */
async function takePictures() {
  const port = await freePort();
  const simulator = await startSimulator({
    scenario: 'demo',
    rbacFile: join(ROOT, 'docs/rbac.yaml'),
    webhook: {
      url: `http://127.0.0.1:${port}/api/events/http/previews-gitlab`,
      secret: WEBHOOK_SECRET,
    },
  });
  const [portal, browser] = await Promise.all([
    startPortal({ simulator, port }),
    startBrowser(),
  ]);
  try {
    await mkdir(FOLDER, { recursive: true });
    await portal.untilOnboarded('checkout');
    await portal.untilOnboarded('payments');
    await takeTab(simulator, portal, browser);
    for (const scheme of ['light', 'dark'] as const) {
      await takeDrawer(portal, browser, scheme);
      await takeCard(portal, browser, scheme);
    }
  } finally {
    await browser.close();
    await portal.stop();
    await simulator.stop();
  }
}

takePictures().catch(error => {
  console.error(error);
  process.exitCode = 1;
});
