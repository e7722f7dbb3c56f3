import { screen, waitFor, within } from '@testing-library/react';
import {
  DomainBudget,
  StatsResponse,
} from '@previews/backstage-plugin-previews-common';
import { createResponseError } from '../../testing/__testUtils__/responseError';
import { findViolations } from '../../testing/__testUtils__/findViolations';
import { renderFace } from '../../testing/__testUtils__/renderFace';
import { fixtureNow } from '../../testing/fixtures';
import { FixturePreviewsApi } from '../../testing/FixturePreviewsApi';
import { PreviewsTab } from './PreviewsTab';

const tab = <PreviewsTab entityRef="component:default/shop" />;
const at = (hours: number) =>
  new Date(fixtureNow + hours * 3_600_000).toISOString();

const budget: DomainBudget = {
  domain: 'example.com',
  server: 'acme-v02.api.letsencrypt.org',
  state: 'ok',
  limit: 50,
  used: 19,
  left: 31,
  refillSeconds: 12_096,
  nextRefillAt: at(1),
  fullAt: at(64),
  issuedLastWeek: 19,
  weeklyPace: 19,
  nameSets: [],
};

const durations = { count: 9, imprecise: 0, stages: [] };

const overall: StatsResponse['overall'] = {
  spinUp: { ...durations, p50Seconds: 270 },
  teardown: { ...durations, p50Seconds: 90 },
  created: { total: 9, weeks: [] },
};

function apiWith(
  options: Partial<DomainBudget> = {},
  answer: Partial<StatsResponse> = {},
): FixturePreviewsApi {
  const api = new FixturePreviewsApi();
  api.statistics = {
    overall,
    certificateBudget: {
      domains: [{ ...budget, ...options }],
      atLeast: false,
    },
    ...answer,
  };
  return api;
}

const strip = () => screen.findByRole('list', { name: 'Statistics' });

describe('the statistics strip of the tab', () => {
  it('tells what half of the previews take, and how many certificates are used', async () => {
    await renderFace(tab, { api: apiWith() });
    expect(await strip()).toHaveTextContent(
      /Spin-up p50 4:30.*Teardown p50 1:30.*example\.com: certificates 19\/50 this week.*31 left · next one back: /,
    );
    const gauge = screen.getByRole('meter', {
      name: 'Certificates of example.com that are used',
    });
    expect(gauge).toHaveAttribute('aria-valuenow', '19');
    expect(gauge).toHaveAttribute('aria-valuemax', '50');
    expect(gauge).toHaveAttribute(
      'aria-valuetext',
      'example.com: certificates 19/50 this week',
    );
  });

  it('says that it is at least so many where not all are known', async () => {
    const certificateBudget = { domains: [budget], atLeast: true };
    await renderFace(tab, { api: apiWith({}, { certificateBudget }) });
    expect(await strip()).toHaveTextContent(
      /certificates at least 19\/50.*at most 31 left/,
    );
  });

  it.each([true, false])(
    'says that none is left, be it of all or of what is known (%s)',
    async atLeast => {
      const api = apiWith(
        {},
        {
          certificateBudget: {
            domains: [{ ...budget, state: 'spent', used: 50, left: 0 }],
            atLeast,
          },
        },
      );
      await renderFace(tab, { api });
      const list = await strip();
      expect(list).toHaveTextContent(/50\/50 this week.*none left/);
      expect(list).not.toHaveTextContent(/0 left/);
    },
  );

  it('says when they run out, and which certificate would serve instead', async () => {
    const api = apiWith({
      state: 'low',
      used: 44,
      left: 6,
      runsOutAt: at(2),
      advisedWildcard: '*.preview.example.com',
    });
    await renderFace(tab, { api });
    const list = await strip();
    expect(list).toHaveTextContent(/6 left .* used up at this pace: /);
    expect(list).toHaveTextContent(
      'One certificate for *.preview.example.com would serve all these previews.',
    );
  });

  it('gives the word of the certificate authority before a count', async () => {
    const api = apiWith({
      state: 'spent',
      used: 50,
      left: 0,
      refusedUntil: at(5),
      nextRefillAt: at(5),
    });
    await renderFace(tab, { api });
    const list = await strip();
    expect(list).toHaveTextContent(
      /50\/50 .*none until .*, as the certificate authority says/,
    );
    expect(list).not.toHaveTextContent('left');
  });

  it('tells only what is known', async () => {
    const api = apiWith({}, { overall: { ...overall, teardown: durations } });
    api.statistics.certificateBudget = { domains: [], atLeast: true };
    await renderFace(tab, { api });
    const items = within(await strip()).getAllByRole('listitem');
    expect(items.map(item => item.textContent)).toEqual(['Spin-up p50 4:30']);
  });

  it('is asked for after the rows, for this entity', async () => {
    const api = apiWith();
    const order: string[] = [];
    const getStats = jest
      .spyOn(api, 'getStats')
      .mockImplementation(async () => {
        order.push('stats');
        throw await createResponseError(500);
      });
    const listPreviews = api.listPreviews.bind(api);
    jest.spyOn(api, 'listPreviews').mockImplementation(async request => {
      const answer = await listPreviews(request);
      order.push('rows');
      return answer;
    });
    await renderFace(tab, { api });
    await waitFor(() => expect(getStats).toHaveBeenCalled());
    expect(order.slice(0, 2)).toEqual(['rows', 'stats']);
    expect(getStats.mock.calls[0]).toEqual([
      { entityRef: 'component:default/shop' },
      expect.anything(),
    ]);
  });

  it.each([403, 500])(
    'is absent where the answer is %s, and the rows are there',
    async status => {
      const api = apiWith();
      const getStats = jest
        .spyOn(api, 'getStats')
        .mockRejectedValue(await createResponseError(status));
      await renderFace(tab, { api });
      await screen.findByText('Faster checkout');
      await waitFor(() => expect(getStats).toHaveBeenCalled());
      expect(
        screen.queryByRole('list', { name: 'Statistics' }),
      ).not.toBeInTheDocument();
      expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    },
  );

  it('is absent where there is nothing to tell', async () => {
    const api = new FixturePreviewsApi();
    const getStats = jest.spyOn(api, 'getStats');
    await renderFace(tab, { api });
    await waitFor(() => expect(getStats).toHaveBeenCalled());
    expect(
      screen.queryByRole('list', { name: 'Statistics' }),
    ).not.toBeInTheDocument();
  });

  it('has nothing that axe objects to', async () => {
    await renderFace(tab, {
      api: apiWith({ state: 'low', advisedWildcard: '*.preview.example.com' }),
    });
    expect(await findViolations(await strip())).toEqual([]);
  }, 30_000);
});
