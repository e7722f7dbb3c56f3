import { resolve } from 'node:path';
import { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { Simulator, startSimulator } from 'simulator';
import { startBrowser } from '../support/chromium';
import { findViolations } from '../support/findViolations';
import { freePort } from '../support/freePort';
import { Portal, startPortal, WEBHOOK_SECRET } from '../support/startPortal';

jest.setTimeout(180_000);

const RBAC = resolve(__dirname, '../../docs/rbac.yaml');
/** Of a browser and a portal on a machine that has much to do. */
const PATIENCE = 60_000;
const PROJECT = 'shop/checkout';
const ENTITY = '/catalog/default/component/checkout';

const HOSTILE_TITLE =
  '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script> Keep it';
const LONG_BRANCH = `feature/${'n'.repeat(192)}`;

/** One branch whose pipeline fails, a draft, a hostile title, and one that is live. */
const mergeRequests = [
  { branch: 'feature/cart', title: 'Faster checkout', author: 'dev1' },
  {
    branch: 'spike/voice',
    title: 'Orders by voice',
    author: 'dev2',
    draft: true,
  },
  { branch: 'feature/ledger', title: 'Write to the ledger', author: 'dev2' },
  { branch: LONG_BRANCH, title: HOSTILE_TITLE, author: 'dev3' },
];

describe('the face in a browser', () => {
  let simulator: Simulator;
  let portal: Portal;
  let browser: Browser;
  const pages: Page[] = [];

  beforeAll(async () => {
    const port = await freePort();
    simulator = await startSimulator({
      seed: 'face',
      speed: 20,
      rbacFile: RBAC,
      webhook: {
        url: `http://127.0.0.1:${port}/api/events/http/previews-gitlab`,
        secret: WEBHOOK_SECRET,
      },
      scenario: ({ scenario, faults, control }) => {
        scenario.addService({ name: 'checkout' });
        faults.platform.setStanding(
          'pipeline',
          `${PROJECT}@feature/ledger`,
          'fails',
        );
        for (const { branch, ...rest } of mergeRequests) {
          control.openMergeRequest({
            project: PROJECT,
            sourceBranch: branch,
            ...rest,
          });
        }
      },
    });
    [portal, browser] = await Promise.all([
      startPortal({
        simulator,
        port,
        config: { previews: { schedule: { checks: { seconds: 2 } } } },
      }),
      startBrowser(),
    ]);
    await portal.untilOnboarded('checkout');
    const page = await openTab();
    await rowOf(page, /Faster checkout/)
      .getByText('Live', { exact: true })
      .waitFor({ timeout: 90_000 });
    await rowOf(page, /Write to the ledger/)
      .getByText('Failed', { exact: true })
      .waitFor({ timeout: 90_000 });
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

  /** A page of its own, so that no test inherits the choices of another. */
  async function openPage(
    address: string,
    options: BrowserContextOptions = {},
  ): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width: 1400, height: 900 },
      locale: 'en-GB',
      ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    pages.push(page);
    await page.goto(`${portal.url}${address}`);
    return page;
  }

  async function openTab(
    search = '',
    options: BrowserContextOptions = {},
  ): Promise<Page> {
    return openPage(`${ENTITY}/previews${search}`, options);
  }

  function rowOf(page: Page, name: RegExp) {
    return page.getByRole('row', { name });
  }

  function drawerOf(page: Page) {
    return page.getByRole('dialog', { name: /^!\d+ / });
  }

  async function untilSearchHas(
    page: Page,
    name: string,
    value: string | null,
  ) {
    await page.waitForURL(url => url.searchParams.get(name) === value);
  }

  const live = /Faster checkout/;
  const failed = /Write to the ledger/;
  const draft = /Orders by voice/;

  it('keeps search, filters and order in the address, over a reload and "back"', async () => {
    const page = await openTab();
    await rowOf(page, live).waitFor();

    await page.getByRole('searchbox').fill('checkout');
    await untilSearchHas(page, 'q', 'checkout');
    await rowOf(page, draft).waitFor({ state: 'detached' });
    await page.getByRole('searchbox').fill('');
    await untilSearchHas(page, 'q', null);

    await page.getByRole('button', { name: '1 failed' }).click();
    await untilSearchHas(page, 'phase', 'Failed');
    await rowOf(page, live).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Author/ }).click();
    await page.getByRole('option', { name: 'dev2' }).click();
    await untilSearchHas(page, 'author', 'dev2');
    await page
      .getByRole('columnheader', { name: 'Merge request' })
      .getByRole('button')
      .click();
    await untilSearchHas(page, 'sort', 'iid');

    const chosen = async () => {
      await rowOf(page, failed).waitFor();
      await rowOf(page, live).waitFor({ state: 'detached' });
      expect(
        await page
          .getByRole('columnheader', { name: 'Merge request' })
          .getAttribute('aria-sort'),
      ).toBe('ascending');
    };
    await chosen();
    await page.reload();
    await chosen();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.waitForURL(url => url.pathname === ENTITY);
    await page.goBack();
    await chosen();
    await page.getByRole('button', { name: '1 failed' }).click();
    await untilSearchHas(page, 'phase', null);
  });

  it('orders the rows by a column in both directions', async () => {
    const page = await openTab('?sort=iid');
    const titles = async () => {
      const rows = page.locator('tr[tabindex="0"]');
      await rows.nth(mergeRequests.length - 1).waitFor();
      return (await rows.allInnerTexts()).map(text => /!\d+/.exec(text)?.[0]);
    };
    expect(await titles()).toEqual(['!1', '!2', '!3', '!4']);
    await page
      .getByRole('columnheader', { name: 'Merge request' })
      .getByRole('button')
      .click();
    await untilSearchHas(page, 'sort', '-iid');
    await page.locator('tr[tabindex="0"]', { hasText: '!4' }).waitFor();
    await page.waitForFunction(() =>
      document.querySelector('tr[tabindex="0"]')?.textContent?.includes('!4'),
    );
    expect(await titles()).toEqual(['!4', '!3', '!2', '!1']);
  });

  it('opens the drawer by keyboard, and Escape gives the focus back to the row', async () => {
    const page = await openTab();
    const row = rowOf(page, failed);
    await row.waitFor();
    await page
      .getByRole('columnheader', { name: 'Age' })
      .getByRole('button')
      .focus();
    // The row that needs a person is the first.
    await page.keyboard.press('Tab');
    expect(
      await row.evaluate(element => element === document.activeElement),
    ).toBe(true);
    await page.keyboard.press('Enter');
    const drawer = drawerOf(page);
    await drawer.getByRole('heading', { name: failed }).waitFor();
    expect(
      await drawer.evaluate(element =>
        element.contains(document.activeElement),
      ),
    ).toBe(true);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await untilSearchHas(page, 'preview', null);
    await page.waitForFunction(() =>
      document.activeElement?.textContent?.includes('Write to the ledger'),
    );
  });

  it('shows the drawer to whoever is sent its address, and "back" closes it', async () => {
    const page = await openTab();
    await rowOf(page, failed).click();
    await drawerOf(page).waitFor();
    const address = new URL(page.url());
    expect(address.searchParams.get('preview')).toBeTruthy();

    const other = await openTab(address.search);
    const drawer = drawerOf(other);
    await drawer.getByRole('heading', { name: failed }).waitFor();
    // The step that is blocked is open, and tells the reason once.
    await drawer.getByRole('button', { name: /^Image ?, blocked/ }).waitFor();
    expect(await drawer.getByText(/Pipeline #\d+ failed/).count()).toBe(1);

    await page.goBack();
    await drawerOf(page).waitFor({ state: 'detached' });
    await rowOf(page, failed).waitFor();
  });

  it('shows phase and "open" first where there is little room', async () => {
    const page = await openTab('', { viewport: { width: 420, height: 900 } });
    const row = page.getByRole('listitem').filter({ hasText: live });
    await row.waitFor();
    expect((await row.innerText()).replace(/\s+/g, ' ')).toMatch(
      /^Live Open .*!1 Faster checkout/,
    );
    expect(
      await page.evaluate(
        () => document.documentElement.scrollWidth <= window.innerWidth,
      ),
    ).toBe(true);
    await row.getByText('Faster checkout').click();
    const drawer = drawerOf(page);
    await drawer.waitFor();
    expect((await drawer.boundingBox())?.width).toBeLessThanOrEqual(420);
  });

  it('leaves hostile titles and long names inert, in sight and within their row', async () => {
    const page = await openTab();
    const row = rowOf(page, /Keep it/);
    await row.waitFor();
    await row.click();
    await drawerOf(page)
      .getByRole('heading', { name: /Keep it/ })
      .waitFor();
    expect(
      await page.evaluate(() => (window as { hacked?: number }).hacked),
    ).toBeUndefined();
    expect(await page.locator('section img, [role=dialog] img').count()).toBe(
      0,
    );
    await page.keyboard.press('Escape');
    const table = await page.getByRole('table').boundingBox();
    const cell = await row.getByText(/^→ main/).boundingBox();
    expect(cell!.x + cell!.width).toBeLessThan(
      table!.x + table!.width / 2 + 200,
    );
  });

  it('writes a draft once, as a badge', async () => {
    const page = await openTab();
    const row = rowOf(page, draft);
    await row.getByText('Draft', { exact: true }).waitFor();
    expect(await row.getByText('Draft:').count()).toBe(0);
  });

  it('shows counts and the latest previews on the overview, with the way to each', async () => {
    const page = await openPage(ENTITY);
    await page.getByText(/Needs a person: !3/).waitFor();
    await page.getByRole('status').filter({ hasText: '1 failed' }).waitFor();
    await page.getByRole('link', { name: /^!\d+ Faster checkout/ }).click();
    await drawerOf(page).getByRole('heading', { name: live }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`${ENTITY}/previews`);
  });

  it('follows the dark theme of the system', async () => {
    const brightness = async (colorScheme: 'dark' | 'light') => {
      const page = await openTab('', { colorScheme });
      await rowOf(page, live).waitFor();
      const color = await page
        .getByRole('columnheader', { name: 'Phase' })
        .evaluate(element => getComputedStyle(element).backgroundColor);
      const [red, green, blue] = color.match(/\d+/g)!.map(Number);
      return (red + green + blue) / 3;
    };
    expect(await brightness('light')).toBeGreaterThan(200);
    expect(await brightness('dark')).toBeLessThan(100);
  });

  it.each(['light', 'dark'] as const)(
    'gives axe nothing to find in tab, drawer and card in the %s theme',
    async colorScheme => {
      const page = await openTab('', { colorScheme });
      await rowOf(page, failed).waitFor();
      const tab = page.getByRole('region', { name: 'Previews' });
      expect(await findViolations(tab)).toEqual([]);

      await rowOf(page, failed).click();
      const drawer = drawerOf(page);
      for (const name of [
        /^Conditions/,
        /^Certificate/,
        /^Route/,
        /^Resources/,
        /^Timeline/,
      ]) {
        await drawer
          .getByRole('button', { name })
          .and(drawer.locator('[aria-expanded="false"]'))
          .and(drawer.locator('.MuiAccordionSummary-root'))
          .click();
      }
      await drawer.getByRole('list', { name: 'Timeline' }).waitFor();
      expect(await findViolations(drawer)).toEqual([]);

      await page.goto(`${portal.url}${ENTITY}`);
      await page.getByText(/Needs a person: !3/).waitFor();
      const card = page
        .locator('.MuiCard-root')
        .filter({ hasText: 'Needs a person' });
      expect(await findViolations(card)).toEqual([]);

      const narrow = await openTab('', {
        colorScheme,
        viewport: { width: 420, height: 900 },
      });
      const list = narrow.getByRole('region', { name: 'Previews' });
      await list.getByText('Faster checkout').waitFor();
      expect(await findViolations(list)).toEqual([]);
    },
  );

  it('leads to no page that needs a tool which a newcomer lacks', async () => {
    const page = await openPage(ENTITY);
    await page.locator('a[href="/create"]').first().waitFor();
    expect(await page.locator('a[href^="/docs"]').count()).toBe(0);
  });

  it('speaks Catalan once that is chosen in the settings', async () => {
    const page = await openPage('/settings');
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('option', { name: /català/i }).click();
    await page.goto(`${portal.url}${ENTITY}/previews`);
    const row = rowOf(page, failed);
    await row.getByText('Amb error', { exact: true }).waitFor();
    await page.getByText(/El pipeline #\d+ ha fallat abans/).waitFor();
    expect(
      await page.getByRole('columnheader', { name: 'Edat' }).isVisible(),
    ).toBe(true);
  });

  it('works in a browser whose language is no language tag', async () => {
    const context = await browser.newContext({
      viewport: { width: 1400, height: 900 },
    });
    const page = await context.newPage();
    pages.push(page);
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'language', { value: 'en-US@posix' });
      Object.defineProperty(navigator, 'languages', { value: ['en-US@posix'] });
    });
    await page.goto(`${portal.url}${ENTITY}/previews`);
    await rowOf(page, failed).click();
    const heading = drawerOf(page).getByRole('heading', { name: failed });
    await heading.waitFor();
    expect(await heading.isVisible()).toBe(true);
  });

  it('tells what the checks find on a set that was broken, and nothing of it once it is mended', async () => {
    const changeSet = (state: string | undefined) =>
      simulator.clusters[0].cluster.patch(
        {
          kind: 'ApplicationSet',
          namespace: 'argocd',
          name: 'checkout-previews',
        },
        object => {
          const { generators } = object.spec as {
            generators: {
              pullRequest: { gitlab: { pullRequestState?: string } };
            }[];
          };
          generators[0].pullRequest.gitlab.pullRequestState = state;
        },
      );
    changeSet(undefined);
    const page = await openTab();
    const line = page.getByRole('button', { name: /^Set-up: \d+ error/ });
    await line.waitFor({ timeout: 60_000 });
    await line.click();
    const list = page.getByRole('list', {
      name: 'Findings of the readiness checks',
    });
    await list
      .getByText(/checkout-previews takes merge requests of any state/)
      .waitFor();
    await list
      .getByText('Set pullRequestState: opened on the generator.')
      .waitFor();
    const tab = page.getByRole('region', { name: 'Previews' });
    expect(await findViolations(tab)).toEqual([]);
    changeSet('opened');
    await list
      .getByText(/takes merge requests of any state/)
      .waitFor({ state: 'detached', timeout: 60_000 });
  });

  it('shows what runs in dev above the rows, and who released it', async () => {
    const { cluster } = simulator.clusters[0];
    const project = simulator.gitlab.state.findProject(PROJECT)!;
    const preview = cluster
      .list({ kind: 'Application', namespace: 'argocd' })
      .find(({ metadata }) => metadata.name.endsWith('-1'))!;
    const spec = JSON.parse(
      JSON.stringify(preview.spec)
        .replaceAll(preview.metadata.name, 'checkout-dev')
        .replaceAll('mr-1.checkout', 'dev.checkout'),
    );
    cluster.create({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: {
        name: 'checkout-dev',
        namespace: 'argocd',
        labels: {
          'previews/tier': 'dev',
          'previews/project-id': String(project.id),
        },
      },
      spec: {
        ...spec,
        project: 'default',
        source: { ...spec.source, targetRevision: 'main' },
      },
    });
    const page = await openTab();
    const tiers = page.getByRole('list', { name: 'Environments' });
    await tiers.getByText(/^main @ [0-9a-f]{8}$/).waitFor({ timeout: 60_000 });
    await tiers
      .getByRole('button', { name: 'Who released to dev, and when' })
      .click();
    const details = page.getByRole('dialog', { name: 'dev' });
    await details.getByText('argocd/checkout-dev').waitFor();
    await details.getByText(/by Argo CD itself/).waitFor();
    // Colours are judged once it has faded in.
    await page.waitForFunction(
      element => element && getComputedStyle(element).opacity === '1',
      await details.elementHandle(),
    );
    expect(await findViolations(details)).toEqual([]);
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    expect(await findViolations(tiers)).toEqual([]);
  });

  it('says that GitLab does not answer, keeps the rows, and recovers', async () => {
    const page = await openTab();
    await rowOf(page, live).waitFor();
    simulator.faults.gitlab.down(502);
    await page
      .getByRole('alert')
      .filter({ hasText: /GitLab .* What you see is from/ })
      .waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Not all fresh' }).waitFor();
    const row = rowOf(page, live);
    await row.getByText('Live', { exact: true }).waitFor();
    await row
      .getByRole('cell', { name: live })
      .and(page.locator('[title^="Last known state, from GitLab"]'))
      .waitFor();
    expect(await page.locator('tr[tabindex="0"]').count()).toBe(
      mergeRequests.length,
    );
    await simulator.faults.clear();
    await page
      .getByRole('alert')
      .filter({ hasText: 'What you see is from' })
      .waitFor({ state: 'detached', timeout: 60_000 });
  });
});
