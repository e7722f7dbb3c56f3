import { screen } from '@testing-library/react';
import { Preview } from '@previews/backstage-plugin-previews-common';
import { findViolations } from '../../testing/__testUtils__/findViolations';
import { renderFace } from '../../testing/__testUtils__/renderFace';
import { createProbe, createRoute } from '../../testing/certificates';
import { createPreviews } from '../../testing/fixtures';
import { RouteSection } from './RouteSection';

const [live] = createPreviews().filter(({ id }) => id === 'p-42-117');

async function renderSection(change: Partial<Preview>) {
  await renderFace(<RouteSection preview={{ ...live, ...change }} />);
}

const routeItem = () => screen.getByRole('list', { name: 'Routes' });
const visits = () => screen.getByRole('list', { name: 'Visits of the portal' });

describe('the routes of a preview', () => {
  it('are told with their hosts and Gateways', async () => {
    await renderSection({});
    expect(routeItem()).toHaveTextContent(
      /^Accepted ?mr-117\.preview\.example\.com ?HTTPRoute preview-mr-117\/shop → gateway\/edge$/,
    );
    expect(
      screen.queryByRole('list', { name: 'Visits of the portal' }),
    ).not.toBeInTheDocument();
  });

  it('say why one is not accepted and who can change that', async () => {
    await renderSection({
      routes: [
        createRoute('NotAllowedByListeners', {
          params: { parent: 'gateway/edge', allowed: 'Same' },
        }),
      ],
    });
    expect(routeItem()).toHaveTextContent(
      /^Not accepted.*whoever owns gateway\/edge can allow routes from its namespace\.$/,
    );
  });

  it('warn of an Ingress whose controller is retired', async () => {
    await renderSection({
      routes: [
        createRoute('AcceptedByRetired', {
          kind: 'Ingress',
          accepted: 'True',
          parents: ['nginx'],
          params: { route: 'Ingress shop', className: 'nginx' },
        }),
      ],
    });
    expect(routeItem()).toHaveTextContent(
      /^Served by a retired controller.*Ingress preview-mr-117\/shop → nginx ?Ingress shop is served by ingress-nginx \(class nginx\), which is maintained no more/,
    );
  });

  it('leave out what the row above says already', async () => {
    const route = createRoute('Pending');
    await renderSection({
      routes: [route],
      reason: {
        type: 'RouteAccepted',
        reason: 'Pending',
        params: route.params!,
      },
    });
    expect(routeItem()).toHaveTextContent(/^Waiting/);
    expect(routeItem()).not.toHaveTextContent(/waits for the controller/);
  });

  it('are told to be none', async () => {
    await renderSection({ routes: [] });
    expect(
      screen.getByText('No route belongs to this preview.'),
    ).toBeInTheDocument();
  });
});

describe('the visits of the portal', () => {
  it('tell status, time and the certificate that was shown', async () => {
    await renderSection({
      probes: [
        createProbe('Answered', { status: 'True', params: { status: 200 } }),
      ],
    });
    expect(visits()).toHaveTextContent(
      /^Answers ?mr-117\.preview\.example\.com ?HTTP 200 · 85 ms ?visited 2 min ago/,
    );
    expect(visits()).toHaveTextContent(
      /Certificate shown: mr-117\.preview\.example\.com · issued by R12 · valid until .* · trusted$/,
    );
  });

  it('say what is wrong with the certificate that was shown', async () => {
    const { certificate } = createProbe('TlsMismatch');
    await renderSection({
      probes: [
        createProbe('TlsMismatch', {
          params: { names: ['ingress.local'] },
          milliseconds: undefined,
          certificate: {
            ...certificate!,
            names: ['ingress.local'],
            issuer: undefined,
            namesHost: false,
            trusted: false,
            error: 'DEPTH_ZERO_SELF_SIGNED_CERT',
          },
        }),
      ],
    });
    expect(visits()).toHaveTextContent(
      /^Does not open as it should.*not for this host · not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)$/,
    );
  });

  it('do not pretend to have happened before the first', async () => {
    await renderSection({
      probes: [
        createProbe('NotProbedYet', {
          status: 'Unknown',
          milliseconds: undefined,
          certificate: undefined,
        }),
      ],
    });
    expect(visits()).toHaveTextContent(/^Not visited/);
    expect(visits()).not.toHaveTextContent(/ago/);
  });

  it('give axe nothing to find', async () => {
    await renderSection({
      probes: [
        createProbe('TlsExpired', {
          params: { notAfter: '2026-11-01T00:00:00Z' },
        }),
      ],
    });
    expect(await findViolations(document.body)).toEqual([]);
  });
});
