import { Browser, Page } from 'playwright-core';
import { Simulator, startSimulator } from 'simulator';
import { resolve } from 'node:path';
import { startBrowser } from '../support/chromium';
import { freePort } from '../support/freePort';
import { Portal, startPortal, WEBHOOK_SECRET } from '../support/startPortal';

jest.setTimeout(180_000);

const RBAC = resolve(__dirname, '../../docs/rbac.yaml');
/** Of a browser and a portal on a machine that has much to do. */
const PATIENCE = 60_000;

describe('the Previews tab of an entity', () => {
  let simulator: Simulator;
  let portal: Portal;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    const port = await freePort();
    simulator = await startSimulator({
      seed: 'life',
      speed: 4,
      rbacFile: RBAC,
      webhook: {
        url: `http://127.0.0.1:${port}/api/events/http/previews-gitlab`,
        secret: WEBHOOK_SECRET,
      },
      scenario: ({ scenario }) => {
        scenario.addService({ name: 'checkout' });
      },
    });
    [portal, browser] = await Promise.all([
      startPortal({ simulator, port }),
      startBrowser(),
    ]);
    await portal.untilOnboarded('checkout');
    page = await browser.newPage({
      viewport: { width: 1400, height: 900 },
      locale: 'en-GB',
    });
    page.setDefaultTimeout(PATIENCE);
  });

  afterAll(async () => {
    await browser?.close();
    await portal?.stop();
    await simulator?.stop();
  });

  it('shows a merge request from waiting to live, its update, and its end in the timeline', async () => {
    await openTab(page, portal, 'checkout');
    await page.getByText('No open merge requests').waitFor();

    const opened = simulator.control.openMergeRequest({
      project: 'shop/checkout',
      sourceBranch: 'feature/faster-checkout',
      title: 'Faster checkout',
      author: 'dev1',
    });
    const row = page.getByRole('row', { name: /Faster checkout/ });
    await row.waitFor();
    await row
      .getByText(/Waiting|Building|Deploying/)
      .first()
      .waitFor();
    await row.getByText('Live', { exact: true }).waitFor();
    await row.getByText(opened.sha!.slice(0, 8)).first().waitFor();
    const open = row.getByRole('link', { name: /Open.*!1/ });
    expect(await open.getAttribute('href')).toBe(
      'https://mr-1.checkout.preview.example.com/',
    );

    const pushed = simulator.control.push({
      project: 'shop/checkout',
      iid: opened.iid,
    });
    await row.getByText(pushed.sha!.slice(0, 8)).first().waitFor();
    await row.getByText('Updating', { exact: true }).waitFor();
    await row.getByText('Live', { exact: true }).waitFor();

    await row.click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('heading', { name: /Faster checkout/ }).waitFor();
    await drawer.getByText('Timeline').first().waitFor();

    simulator.control.close({ project: 'shop/checkout', iid: opened.iid });
    await drawer.getByText('Gone', { exact: true }).first().waitFor();
    await page.reload();
    await page
      .getByRole('dialog')
      .getByText('Gone', { exact: true })
      .first()
      .waitFor();
    await page
      .getByRole('dialog')
      .getByText(/Nothing of the preview is left/)
      .first()
      .waitFor();
    expect(portal.log()).not.toMatch(/unhandled/i);
  });
});

async function openTab(page: Page, portal: Portal, component: string) {
  await page.goto(
    `${portal.url}/catalog/default/component/${component}/previews`,
  );
}
