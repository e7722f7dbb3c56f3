import { resolve } from 'node:path';
import { Browser, Page } from 'playwright-core';
import { Simulator, startSimulator } from 'simulator';
import { startBrowser } from '../support/chromium';
import { findViolations } from '../support/findViolations';
import { freePort } from '../support/freePort';
import { Portal, startPortal, WEBHOOK_SECRET } from '../support/startPortal';

jest.setTimeout(180_000);

const RBAC = resolve(__dirname, '../../docs/rbac.yaml');
const ENTITY = '/catalog/default/component/checkout';
const hostOf = (iid: number) => `mr-${iid}.checkout.preview.example.com`;
const PATIENCE = 90_000;

describe('certificates in a browser', () => {
  let simulator: Simulator;
  let portal: Portal;
  let browser: Browser;
  const pages: Page[] = [];

  beforeAll(async () => {
    const port = await freePort();
    simulator = await startSimulator({
      seed: 'certificates',
      speed: 20,
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
  });

  afterEach(async () => {
    await simulator.faults.clear();
    await Promise.all(pages.splice(0).map(page => page.context().close()));
  });

  afterAll(async () => {
    await browser?.close();
    await portal?.stop();
    await simulator?.stop();
  });

  async function openTab(): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width: 1400, height: 900 },
      locale: 'en-GB',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    pages.push(page);
    await page.goto(`${portal.url}${ENTITY}/previews`);
    return page;
  }

  /** Opens a merge request whose certificate meets a fault until it is healed. */
  function openWithFault(
    title: string,
    fault: 'never' | 'rateLimited',
  ): { heal(): void } {
    const branch = `feature/${fault.toLowerCase()}`;
    const iid = simulator.control.mergeRequests().length + 1;
    const { platform } = simulator.faults;
    platform.set('certificate', hostOf(iid), fault);
    const opened = simulator.control.openMergeRequest({
      project: 'shop/checkout',
      sourceBranch: branch,
      title,
      author: 'dev1',
    });
    expect(opened.iid).toBe(iid);
    return { heal: () => platform.clear('certificate', hostOf(iid)) };
  }

  it('shows a preview from waiting for DNS to the padlock of a valid certificate', async () => {
    const page = await openTab();
    const { heal } = openWithFault('Wait for the record', 'never');
    const row = page.getByRole('row', { name: /Wait for the record/ });
    await row.getByText('Securing', { exact: true }).waitFor();
    await row.getByText('for DNS', { exact: true }).waitFor();

    await row.click();
    const drawer = page.getByRole('dialog', { name: /Wait for the record/ });
    const chain = drawer.getByRole('list', {
      name: /^Steps of the certificate/,
    });
    const challenge = chain.getByRole('button', { name: /^Challenge/ });
    await challenge.waitFor();
    expect(await challenge.getAttribute('aria-expanded')).toBe('true');
    await drawer.getByText(/^cert-manager says: .*propagat/).waitFor();
    expect(
      await drawer.getByText(/is written and not seen everywhere yet/).count(),
    ).toBe(1);
    expect(await findViolations(drawer)).toEqual([]);

    heal();
    await chain.getByRole('button', { name: /^Order ?, done/ }).waitFor();
    await drawer.getByText('Live', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    const cell = row.getByText(/^Valid for \d+ d more$/);
    await cell.waitFor({ state: 'attached' });
    await row.getByTitle(/ · expires /).waitFor();
    expect(await row.getByText('for DNS', { exact: true }).count()).toBe(0);
  });

  it('says when a certificate that a limit holds up is tried again', async () => {
    const page = await openTab();
    openWithFault('Ask for one too many', 'rateLimited');
    const row = page.getByRole('row', { name: /Ask for one too many/ });
    const nextTry = /^next try in \d+ (s|min|h|d)$/;
    await row.getByText(nextTry).waitFor();
    await page.getByText(/too many certificates .*\(next try: /).waitFor();

    await row.click();
    const drawer = page.getByRole('dialog', { name: /Ask for one too many/ });
    const chain = drawer.getByRole('list', {
      name: /^Steps of the certificate/,
    });
    const order = chain.getByRole('button', { name: /^Order ?, failed/ });
    await order.waitFor();
    expect(await order.getAttribute('aria-expanded')).toBe('true');
    await drawer.getByText(nextTry).waitFor();
    expect(await drawer.getByText(nextTry).getAttribute('datetime')).toMatch(
      /^\d{4}-\d\d-\d\dT/,
    );
    await drawer.getByText(/^cert-manager says: .*429/).waitFor();
    expect(await findViolations(drawer)).toEqual([]);
  });
});
