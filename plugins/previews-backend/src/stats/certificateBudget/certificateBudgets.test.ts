import { IssuedRecord, RefusedRecord } from '../../model';
import { BudgetOptions, certificateBudgets } from './certificateBudgets';
import { letsEncryptLimits } from './limits';
import { registeredDomainOf } from './registeredDomain';

const NOW = Date.parse('2026-11-29T12:00:00.000Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SERVER = 'acme-v02.api.letsencrypt.org';

const at = (hours: number) => new Date(NOW + hours * HOUR).toISOString();

function issued(
  hoursAgo: number,
  options: Partial<IssuedRecord> = {},
): IssuedRecord {
  const uid = options.names?.join('+') ?? `mr-${hoursAgo}`;
  return {
    kind: 'issued',
    id: `${uid}/1`,
    server: SERVER,
    names: [`mr-${hoursAgo}.preview.example.com`],
    at: at(-hoursAgo),
    ...options,
  };
}

function refused(
  hoursAgo: number,
  options: Partial<RefusedRecord> = {},
): RefusedRecord {
  return {
    kind: 'refused',
    id: `order-${hoursAgo}/refused`,
    server: SERVER,
    names: ['mr-1.preview.example.com'],
    limit: 'domain',
    domain: 'example.com',
    at: at(-hoursAgo),
    ...options,
  };
}

const memory = { since: at(-30 * 24), unread: [], told: {} };

function budgets(options: Partial<BudgetOptions>) {
  return certificateBudgets({
    records: [],
    memory,
    gaps: [],
    limits: letsEncryptLimits,
    now: new Date(NOW).toISOString(),
    ...options,
  });
}

function example(options: Partial<BudgetOptions>) {
  const [budget, ...others] = budgets(options).domains;
  expect(others).toEqual([]);
  expect(budget.domain).toBe('example.com');
  return budget;
}

/** So many, evenly from the first hours ago until now. */
function spread(count: number, hours: number): IssuedRecord[] {
  return Array.from({ length: count }, (_, index) =>
    issued(hours - (index * hours) / count, {
      names: [`mr-${index}.preview.example.com`],
    }),
  );
}

describe('the registered domain', () => {
  it.each([
    {
      name: 'a subdomain',
      host: 'mr-1.preview.example.com',
      is: 'example.com',
    },
    { name: 'a wildcard', host: '*.preview.example.com', is: 'example.com' },
    {
      name: 'a suffix of two labels',
      host: 'a.b.example.co.uk',
      is: 'example.co.uk',
    },
    {
      name: 'a private suffix',
      host: 'mr-1.shop.github.io',
      is: 'shop.github.io',
    },
    { name: 'a suffix itself', host: 'github.io', is: 'github.io' },
    { name: 'a name of one label', host: 'localhost', is: 'localhost' },
    { name: 'a root dot', host: 'mr-1.example.com.', is: 'example.com' },
  ])('of $name is $is', ({ host, is }) => {
    expect(registeredDomainOf(host)).toBe(is);
  });
});

describe('the budget of a registered domain', () => {
  it('is none where nothing was issued', () => {
    expect(budgets({})).toEqual({
      domains: [],
      atLeast: false,
      observedSince: memory.since,
    });
  });

  it('tells what is used and left, and when the next one and all are back', () => {
    expect(
      example({ records: [issued(1), issued(1.5), issued(2)] }),
    ).toMatchObject({
      server: SERVER,
      state: 'ok',
      limit: 50,
      used: 3,
      left: 47,
      refillSeconds: 12_096,
      nextRefillAt: '2026-11-29T13:21:36.000Z',
      fullAt: '2026-11-29T20:04:48.000Z',
      issuedLastWeek: 3,
    });
  });

  it('is full again after the time that it takes, though the week is not over', () => {
    const budget = example({ records: [issued(4)] });
    expect(budget).toMatchObject({ used: 0, left: 50, issuedLastWeek: 1 });
    expect(budget).not.toHaveProperty('nextRefillAt');
    expect(budget).not.toHaveProperty('fullAt');
  });

  it('remembers what was used before the week, since a bucket does not forget by the calendar', () => {
    const burst = Array.from({ length: 50 }, (_, index) =>
      issued(9 * 24, { names: [`old-${index}.example.com`] }),
    );
    const steady = spread(50, 7 * 24);
    expect(example({ records: [...burst, ...steady] }).left).toBeLessThan(20);
    expect(example({ records: steady }).left).toBeGreaterThan(40);
  });

  it('is the same whatever the order in which it was learnt', () => {
    const records = [...spread(20, 100), refused(90, { retryAt: at(-80) })];
    expect(budgets({ records: [...records].reverse() })).toEqual(
      budgets({ records }),
    );
  });

  it.each([
    {
      name: 'the next revision of a Certificate',
      again: issued(2, { id: 'tls/2', names: ['a.example.com'] }),
      used: 1,
    },
    {
      name: 'a Certificate that was made again for the same names',
      again: issued(2, { id: 'other/1', names: ['a.example.com'] }),
      used: 1,
    },
    {
      name: 'the next revision with other names',
      again: issued(2, {
        id: 'tls/2',
        names: ['a.example.com', 'b.example.com'],
      }),
      used: 2,
    },
  ])('counts $name as $used in all', ({ again, used }) => {
    const first = issued(2.5, { id: 'tls/1', names: ['a.example.com'] });
    expect(example({ records: [first, again] }).used).toBe(used);
  });

  it('takes a later revision for a renewal where the first was never seen', () => {
    expect(example({ records: [issued(1, { id: 'tls/7' })] }).used).toBe(0);
  });

  it('counts a certificate over two registered domains in both', () => {
    const { domains } = budgets({
      records: [issued(1, { names: ['a.example.com', 'a.example.org'] })],
    });
    expect(domains.map(({ domain, used }) => [domain, used])).toEqual([
      ['example.com', 1],
      ['example.org', 1],
    ]);
  });

  it('keeps servers apart, and leaves those for tests out', () => {
    const { domains } = budgets({
      records: [
        issued(1),
        issued(1.01, { server: 'ca.example.net' }),
        issued(1.2, { server: 'acme-staging-v02.api.letsencrypt.org' }),
      ],
    });
    expect(domains.map(({ server, used }) => [server, used])).toEqual([
      ['ca.example.net', 1],
      [SERVER, 1],
    ]);
  });

  it('has the limit that was granted for the domain', () => {
    expect(
      example({
        records: [issued(0.1)],
        limits: {
          ...letsEncryptLimits,
          domains: new Map([['example.com', 300]]),
        },
      }),
    ).toMatchObject({ limit: 300, left: 299, refillSeconds: 2016 });
  });

  it('forgets what is too old to matter, and what is still to come', () => {
    expect(budgets({ records: [issued(29 * 24), issued(-1)] }).domains).toEqual(
      [],
    );
  });
});

describe('the forecast', () => {
  it('says when it runs out at a pace that is above what comes back', () => {
    const budget = example({ records: spread(35, 48) });
    expect(budget).toMatchObject({ state: 'ok', issuedLastWeek: 35 });
    expect(budget.weeklyPace).toBeGreaterThan(75);
    const runsOutIn = (Date.parse(budget.runsOutAt!) - NOW) / DAY;
    expect(runsOutIn).toBeGreaterThan(4);
    expect(runsOutIn).toBeLessThan(8);
    expect(Date.parse(budget.runsOutAt!) % HOUR).toBe(0);
  });

  it('says nothing of a pace that can go on', () => {
    expect(example({ records: spread(20, 7 * 24) })).not.toHaveProperty(
      'runsOutAt',
    );
  });

  it('is low when it runs out within days, though a third is left', () => {
    expect(example({ records: spread(70, 84) })).toMatchObject({
      state: 'low',
    });
  });

  it('does not take the burst of an hour for the pace of a week', () => {
    const budget = example({ records: spread(20, 1) });
    expect(budget).toMatchObject({ state: 'ok', weeklyPace: 47 });
    expect(budget).not.toHaveProperty('runsOutAt');
  });

  it('makes no pace of a handful', () => {
    expect(example({ records: spread(4, 1) })).toMatchObject({
      weeklyPace: 4,
      state: 'ok',
    });
  });

  it('advises the wildcard at 40 merge requests a week, while enough is left', () => {
    const budget = example({ records: spread(40, 7 * 24) });
    expect(budget).toMatchObject({
      state: 'ok',
      weeklyPace: 40,
      advisedWildcard: '*.preview.example.com',
    });
  });

  it('advises none at a pace that is far from the limit', () => {
    expect(example({ records: spread(10, 7 * 24) })).not.toHaveProperty(
      'advisedWildcard',
    );
  });

  it('advises the parent of most names, and never one of a wildcard', () => {
    const records = [
      ...spread(45, 24),
      issued(3, { names: ['a.other.example.com'] }),
      issued(3.1, { names: ['*.x.example.com'] }),
    ];
    expect(example({ records }).advisedWildcard).toBe('*.preview.example.com');
  });

  it.each([
    { left: 10, state: 'low' },
    { left: 0, state: 'spent' },
  ])('is $state with $left left', ({ left, state }) => {
    const records = Array.from({ length: 50 - left }, (_, index) =>
      issued(0.1, { id: `tls-${index}/1`, names: [`n-${index}.example.com`] }),
    );
    expect(example({ records })).toMatchObject({ left, state });
  });
});

describe('the word of the authority', () => {
  it('outranks what was counted, until its time', () => {
    const retryAt = at(5);
    expect(
      example({ records: [issued(10), refused(1, { retryAt })] }),
    ).toMatchObject({
      state: 'spent',
      used: 50,
      left: 0,
      refusedUntil: retryAt,
      nextRefillAt: retryAt,
    });
  });

  it('leaves one when its time has come', () => {
    expect(
      example({ records: [refused(2, { retryAt: at(0) })] }),
    ).toMatchObject({ state: 'low', left: 1 });
  });

  it('counts for nothing once it issues one all the same: what was counted holds', () => {
    const records = [issued(3), issued(1)];
    const budget = example({
      records: [...records, refused(2, { retryAt: at(5) })],
    });
    expect(budget).not.toHaveProperty('refusedUntil');
    expect(budget).toEqual(example({ records }));
  });

  it('stands where one is issued after its time, or was before', () => {
    const budget = example({
      records: [issued(4), refused(3, { retryAt: at(-1) }), issued(0.5)],
    });
    expect(budget).toMatchObject({ state: 'spent', left: 0 });
  });

  it('stands again with the next refusal', () => {
    const retryAt = at(5);
    const records = [
      refused(3, { retryAt }),
      issued(2),
      refused(1, { retryAt, id: 'order/refused/again' }),
    ];
    expect(example({ records }).refusedUntil).toBe(retryAt);
  });

  it('counts as none left for the time of one where it names no time', () => {
    expect(example({ records: [refused(1)] })).toMatchObject({
      state: 'spent',
      nextRefillAt: at(-1 + 12_096 / 3600),
    });
    expect(example({ records: [refused(4)] }).left).toBe(1);
  });

  it('tells the limit that there really is, unless one is configured', () => {
    const records = [refused(1, { size: 300 })];
    expect(example({ records }).limit).toBe(300);
    const domains = new Map([['example.com', 200]]);
    expect(
      example({ records, limits: { ...letsEncryptLimits, domains } }).limit,
    ).toBe(200);
  });

  it('is of the domain that it names', () => {
    const { domains } = budgets({
      records: [refused(1, { names: ['a.example.com', 'a.example.org'] })],
    });
    expect(domains.map(({ domain }) => domain)).toEqual(['example.com']);
  });
});

describe('the budget of an exact set of names', () => {
  const names = ['mr-7.preview.example.com'];
  const again = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      issued(6 - index, { id: `tls-${index}/1`, names }),
    );

  it('counts every certificate, renewals too, and comes back in 34 hours each', () => {
    const { nameSets, used } = example({ records: again(3) });
    expect(nameSets).toMatchObject([
      {
        names,
        limit: 5,
        used: 3,
        left: 2,
        state: 'ok',
        refillSeconds: 120_960,
      },
    ]);
    expect(used).toBeLessThanOrEqual(1);
  });

  it('is spent by a host that is made again five times', () => {
    const [set] = example({ records: again(5) }).nameSets;
    expect(set).toMatchObject({ state: 'spent', left: 0 });
    expect(set.nextRefillAt).toBe(at(-6 + 33.6));
  });

  it('takes a refusal for the set, which says nothing of the domain', () => {
    const budget = example({
      records: [
        refused(1, {
          limit: 'names',
          domain: undefined,
          names,
          retryAt: at(9),
        }),
      ],
    });
    expect(budget).toMatchObject({ state: 'ok', used: 0 });
    expect(budget.nameSets).toMatchObject([
      { names, state: 'spent', refusedUntil: at(9) },
    ]);
  });

  it('tells other names apart', () => {
    const { nameSets } = example({
      records: [
        issued(1, { names }),
        issued(0.9, { id: 'a/2', names }),
        issued(0.8, { id: 'b/1', names: [...names, 'z.example.com'] }),
        issued(0.7, { id: 'b/2', names: [...names, 'z.example.com'] }),
      ],
    });
    expect(nameSets.map(({ used }) => used)).toEqual([2, 2]);
  });
});

describe('what a caller may know', () => {
  const records = [
    issued(1, { previewId: 'mine', names: ['mine.example.com'] }),
    issued(0.9, { id: 'm/2', previewId: 'mine', names: ['mine.example.com'] }),
    issued(0.8, {
      id: 's/2',
      previewId: 'other',
      names: ['secret.example.com'],
    }),
    issued(1.1, { previewId: 'other', names: ['secret.example.com'] }),
    issued(1.2, { previewId: 'other', names: ['secret.example.org'] }),
    issued(1.3, { names: ['shared.example.net'] }),
  ];

  it('is how much of a domain all use together, and the names of their own previews', () => {
    const answer = budgets({ records, visible: new Set(['mine']) });
    expect(answer.domains).toMatchObject([
      {
        domain: 'example.com',
        used: 2,
        nameSets: [{ names: ['mine.example.com'] }],
      },
    ]);
    expect(JSON.stringify(answer)).not.toMatch(/secret|shared/);
  });

  it('is no wildcard for the names of others', () => {
    const busy = Array.from({ length: 60 }, (_, index) => [
      issued(index + 0.1, {
        id: `a/${index}`,
        previewId: index < 10 ? 'mine' : 'other',
        names: [
          index < 10
            ? `mr-${index}.mine.example.com`
            : `mr-${index}.secret.example.com`,
        ],
      }),
    ]).flat();
    expect(budgets({ records: busy }).domains).toMatchObject([
      { advisedWildcard: '*.secret.example.com' },
    ]);
    expect(
      budgets({ records: busy, visible: new Set(['mine']) }).domains,
    ).toMatchObject([{ advisedWildcard: '*.mine.example.com' }]);
  });

  it('is everything where nothing is hidden', () => {
    expect(budgets({ records }).domains).toHaveLength(3);
  });
});

describe('what is not known', () => {
  it.each([
    { name: 'nothing was read yet', options: { memory: undefined } },
    {
      name: 'a cluster is not read',
      options: { memory: { ...memory, unread: ['main'] } },
    },
    {
      name: 'it is remembered for less than a week',
      options: { memory: { ...memory, since: at(-6 * 24) } },
    },
    {
      name: 'no replica was at work for hours',
      options: {
        gaps: [{ scope: '*', startedAt: at(-40), endedAt: at(-30) }],
      },
    },
    {
      name: 'a cluster was not read for hours',
      options: {
        gaps: [{ scope: 'cluster:main', startedAt: at(-40), endedAt: at(-30) }],
      },
    },
  ])('makes it at least what is said where $name', ({ options }) => {
    expect(budgets(options).atLeast).toBe(true);
  });

  it.each([
    {
      name: 'a restart of minutes',
      gap: { scope: '*', startedAt: at(-3), endedAt: at(-2.9) },
    },
    {
      name: 'a gap of GitLab',
      gap: { scope: 'gitlab:h/1', startedAt: at(-40), endedAt: at(-30) },
    },
    {
      name: 'what is longer ago than a week',
      gap: { scope: '*', startedAt: at(-300), endedAt: at(-200) },
    },
  ])('does not matter for $name', ({ gap }) => {
    expect(budgets({ gaps: [gap] }).atLeast).toBe(false);
  });
});
