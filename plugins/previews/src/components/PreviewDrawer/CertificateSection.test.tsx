import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Preview } from '@previews/backstage-plugin-previews-common';
import { findViolations } from '../../testing/__testUtils__/findViolations';
import { renderFace } from '../../testing/__testUtils__/renderFace';
import { certificateSituations } from '../../testing/certificates';
import { FixturePreviewsApi } from '../../testing/FixturePreviewsApi';
import { PreviewDrawer } from './PreviewDrawer';

async function openDrawer(preview: Preview): Promise<HTMLElement> {
  await renderFace(<PreviewDrawer id={preview.id} onClose={() => {}} />, {
    api: new FixturePreviewsApi({ previews: [preview] }),
  });
  const drawer = await screen.findByRole('dialog');
  await within(drawer).findByRole('heading', { level: 2 });
  return drawer;
}

function chainOf(drawer: HTMLElement): HTMLElement {
  return within(drawer).getByRole('list', {
    name: 'Steps of the certificate preview-mr-117',
  });
}

function stepsOf(drawer: HTMLElement): string[] {
  return within(chainOf(drawer))
    .getAllByRole('button')
    .map(button => button.textContent!);
}

function detailOf(drawer: HTMLElement): HTMLElement {
  const open = within(chainOf(drawer)).getByRole('button', { expanded: true });
  return document.getElementById(open.getAttribute('aria-controls')!)!;
}

async function openSection(drawer: HTMLElement) {
  await userEvent.click(
    within(drawer).getByRole('button', { name: /^Certificate mr-117/ }),
  );
}

describe('the chain of a certificate', () => {
  it('is open at the Challenge that waits for DNS, with its time against the usual one', async () => {
    const drawer = await openDrawer(certificateSituations.waitingForDns());
    expect(stepsOf(drawer)).toEqual([
      'Certificate, waitingwaiting',
      'Request, waitingwaiting',
      'Order, waitingwaiting',
      'Challenge, waiting1:07 of about 1:30',
    ]);
    expect(detailOf(drawer)).toHaveTextContent(
      /^Challenge preview-mr-117-3 · mr-117\.preview\.example\.com · DNS-01 · pending · created 1 min ago ?cert-manager says: Waiting for DNS-01/,
    );
  });

  it('says at the Order that is limited when it is tried again', async () => {
    const drawer = await openDrawer(certificateSituations.rateLimited());
    expect(stepsOf(drawer).at(-1)).toMatch(/^Order, failed/);
    const detail = detailOf(drawer);
    expect(
      within(detail).getByText('next try in 53 min').getAttribute('title'),
    ).toMatch(/Nov 29, 2026/);
    expect(detail).toHaveTextContent(/cert-manager says: 429/);
  });

  it('tells the reason once, in the step of the preview', async () => {
    const drawer = await openDrawer(certificateSituations.accessDenied());
    expect(
      within(drawer).getAllByText(/does not let cert-manager write the record/),
    ).toHaveLength(1);
  });

  it('tells the reason itself where the row is about something else', async () => {
    const preview = certificateSituations.accessDenied();
    const drawer = await openDrawer({
      ...preview,
      reason: undefined,
      message: undefined,
      conditions: [],
    });
    await openSection(drawer);
    expect(detailOf(drawer)).toHaveTextContent(
      /^The DNS provider does not let cert-manager write the record/,
    );
  });

  it('opens and closes each step by keyboard', async () => {
    const drawer = await openDrawer(certificateSituations.waitingForDns());
    within(chainOf(drawer))
      .getByRole('button', { name: /^Order/ })
      .focus();
    await userEvent.keyboard('{Enter}');
    expect(detailOf(drawer)).toHaveTextContent(
      /^Order preview-mr-117-2 · pending/,
    );
    await userEvent.keyboard(' ');
    expect(
      within(chainOf(drawer)).queryByRole('button', { expanded: true }),
    ).not.toBeInTheDocument();
  });

  it('of an issued certificate opens nothing, and says issuer and dates', async () => {
    const drawer = await openDrawer(certificateSituations.ready());
    await openSection(drawer);
    expect(stepsOf(drawer)).toEqual([
      'Certificate, donedone',
      'Request, donedone',
      'Order, donedone',
    ]);
    expect(
      within(chainOf(drawer)).queryByRole('button', { expanded: true }),
    ).not.toBeInTheDocument();
    expect(
      within(drawer).getByText(/^Let's Encrypt R12 · expires .* · renews /),
    ).toBeInTheDocument();
  });

  it('warns of a renewal that fails while the certificate is valid', async () => {
    const drawer = await openDrawer(certificateSituations.renewalFailing());
    expect(within(drawer).getByText('renewal fails')).toBeInTheDocument();
    expect(
      within(drawer).getByText(/· renewal was due Nov 19, 2026$/),
    ).toBeInTheDocument();
    expect(stepsOf(drawer)[0]).toMatch(/^Certificate, done/);
    expect(detailOf(drawer)).toHaveTextContent(/^next try in 4 h/);
  });

  it('says what an expired certificate needs, though its controller calls it Ready', async () => {
    const drawer = await openDrawer(certificateSituations.expiredWhileReady());
    expect(stepsOf(drawer)).toEqual(['Certificate, blockedblocked']);
    expect(detailOf(drawer)).toHaveTextContent(/Ready · created 91 d ago/);
  });

  it('has no steps where none is read', async () => {
    const drawer = await openDrawer(certificateSituations.expiresSoon());
    await openSection(drawer);
    expect(within(drawer).getByText('expires soon')).toBeInTheDocument();
    expect(
      within(drawer).queryByRole('list', { name: /^Steps of the certificate/ }),
    ).not.toBeInTheDocument();
  });

  it('shows what cert-manager says as text', async () => {
    const preview = certificateSituations.waitingForDns();
    const [certificate] = preview.certificates;
    preview.certificates = [
      {
        ...certificate,
        chain: certificate.chain!.map(step => ({
          ...step,
          reason: '<img src=x onerror="window.hacked=1">',
        })),
      },
    ];
    const drawer = await openDrawer(preview);
    expect(detailOf(drawer)).toHaveTextContent(/<img src=x/);
    expect(drawer.querySelector('img')).toBeNull();
  });

  it.each(['waitingForDns', 'rateLimited', 'renewalFailing'] as const)(
    'gives axe nothing to find when %s',
    async situation => {
      await openDrawer(certificateSituations[situation]());
      expect(await findViolations(document.body)).toEqual([]);
    },
  );
});
