import { DomainBudget } from '@previews/backstage-plugin-previews-common';
import { TokenReading } from '../../model';
import { DiffStory } from '../../testing/DiffStory';
import { at, CLUSTER, NOW, WorldBuilder } from '../../testing/world';
import { certificateBudgetFindings } from './certificateBudgets';

const DAY = 86_400;

const budget: DomainBudget = {
  domain: 'example.com',
  server: 'acme.example.net',
  state: 'ok',
  limit: 50,
  used: 3,
  left: 47,
  refillSeconds: 12_096,
  issuedLastWeek: 3,
  weeklyPace: 3,
  nameSets: [],
};

describe('certificates that run out', () => {
  const typesOf = (options: Partial<DomainBudget>) =>
    certificateBudgetFindings([{ ...budget, ...options }]).map(
      ({ finding }) => finding.type,
    );

  it('are nothing to find while enough is left', () => {
    expect(typesOf({})).toEqual([]);
  });

  it('are found with how many are left, until when, and the wildcard', () => {
    const [{ finding }] = certificateBudgetFindings([
      {
        ...budget,
        state: 'low',
        left: 8,
        runsOutAt: at(DAY),
        advisedWildcard: '*.preview.example.com',
      },
    ]);
    expect(finding).toMatchObject({
      type: 'CertificateBudgetLow',
      severity: 'warning',
      subject: {
        kind: 'Domain',
        name: 'example.com',
        host: 'acme.example.net',
      },
      params: { left: 8, limit: 50 },
    });
    expect(finding.message).toMatch(/^8 of 50 new certificates .*example\.com/);
    expect(finding.message).toContain('*.preview.example.com');
  });

  it('are found to be spent, with the time of the next one', () => {
    const [{ finding }] = certificateBudgetFindings([
      { ...budget, state: 'spent', left: 0, nextRefillAt: at(3600) },
    ]);
    expect(finding.type).toBe('CertificateBudgetSpent');
    expect(finding.params.refillAt).toBe(at(3600));
    expect(finding.params).not.toHaveProperty('wildcard');
  });

  it('are found for one set of names, though the domain has enough', () => {
    const set = { ...budget, names: ['a.example.com'], limit: 5, left: 0 };
    expect(
      typesOf({
        nameSets: [
          { ...set, state: 'spent' },
          { ...set, names: ['b.example.com'], state: 'low' },
        ],
      }),
    ).toEqual(['NameSetBudgetSpent']);
  });
});

describe('an issuer with a stored key', () => {
  const solvers = (route53: object) => ({
    spec: { acme: { solvers: [{ dns01: { route53 } }] } },
  });
  const story = (world: WorldBuilder) =>
    new DiffStory().pass(world).findings('IssuerStaticKey');

  it.each([
    { name: 'a key in the issuer', route53: { accessKeyID: 'AKIDEXAMPLE' } },
    {
      name: 'a key in a Secret',
      route53: { accessKeyIDSecretRef: { name: 'aws', key: 'id' } },
    },
    {
      name: 'a secret key with an ambient id',
      route53: { secretAccessKeySecretRef: { name: 'aws', key: 'secret' } },
    },
  ])('is found by $name, which is not repeated', ({ route53 }) => {
    const [finding] = story(
      WorldBuilder.live().clusterIssuer(solvers(route53)),
    );
    expect(finding).toMatchObject({
      subject: { kind: 'ClusterIssuer', name: 'letsencrypt', cluster: CLUSTER },
      severity: 'warning',
    });
    expect(finding.message).toContain('ClusterIssuer letsencrypt');
    expect(JSON.stringify(finding)).not.toContain('AKIDEXAMPLE');
  });

  it('is found in a namespace too', () => {
    const [finding] = story(
      WorldBuilder.live().issuer(solvers({ accessKeyID: 'x' })),
    );
    expect(finding.subject).toMatchObject({ kind: 'Issuer' });
    expect(finding.message).toMatch(/Issuer [\w-]+\/letsencrypt/);
  });

  it.each([
    {
      name: 'a role by a service account',
      route53: {
        role: 'arn:aws:iam::123456789012:role/dns',
        auth: { kubernetes: { serviceAccountRef: { name: 'cert-manager' } } },
      },
    },
    { name: 'what the pod has', route53: { region: 'eu-west-1' } },
    { name: 'an empty key', route53: { accessKeyID: '' } },
  ])('is none with $name', ({ route53 }) => {
    expect(story(WorldBuilder.live().clusterIssuer(solvers(route53)))).toEqual(
      [],
    );
  });

  it('stays found while the issuers are not read, and is over when the key is gone', () => {
    const told = new DiffStory().pass(
      WorldBuilder.live().clusterIssuer(solvers({ accessKeyID: 'x' })),
    );
    told.pass(
      WorldBuilder.live().kindReading(['clusterIssuers'], {
        state: 'failing',
        completeAt: at(-DAY),
      }),
      at(60),
    );
    expect(told.types()).toEqual(['IssuerStaticKey']);
    told.pass(WorldBuilder.live().clusterIssuer(), at(120));
    expect(told.types()).toEqual([]);
  });
});

describe('a named token', () => {
  const good: TokenReading = {
    name: 'generator',
    host: 'gitlab.example.com',
    state: 'ready',
    fact: { scopes: ['read_api'], expiresOn: '2027-06-01', active: true },
    readAt: NOW,
  };
  const world = (token: TokenReading, now = NOW) => ({
    ...WorldBuilder.live().readAt(now).build(),
    tokens: [token],
  });
  const found = (options: Partial<TokenReading>) =>
    new DiffStory().pass(world({ ...good, ...options })).types();

  it.each<[string, Partial<TokenReading>, string[]]>([
    ['with read_api and an end that is far', {}, []],
    [
      'with read_api and what it includes',
      { fact: { ...good.fact!, scopes: ['read_user', 'read_api'] } },
      [],
    ],
    [
      'that may write',
      { fact: { ...good.fact!, scopes: ['api'] } },
      ['TokenScopeTooWide'],
    ],
    [
      'that may read the code too',
      { fact: { ...good.fact!, scopes: ['read_api', 'read_repository'] } },
      ['TokenScopeTooWide'],
    ],
    [
      'that ends within a month',
      { fact: { ...good.fact!, expiresOn: at(10 * DAY).slice(0, 10) } },
      ['TokenExpires'],
    ],
    [
      'that never ends',
      { fact: { scopes: ['read_api'], active: true } },
      ['TokenExpires'],
    ],
    [
      'that has ended',
      { fact: { ...good.fact!, expiresOn: at(-DAY).slice(0, 10) } },
      ['TokenRefused'],
    ],
    [
      'that was revoked',
      { fact: { ...good.fact!, active: false } },
      ['TokenRefused'],
    ],
    ['that GitLab does not accept', { state: 'refused' }, ['TokenRefused']],
    [
      'that was not handed over',
      { state: 'unverifiable', fact: undefined, readAt: undefined },
      ['TokenNotVerifiable'],
    ],
    [
      'of which GitLab tells nothing for an hour',
      { state: 'unverifiable', readAt: at(-3600) },
      [],
    ],
    [
      'of which GitLab tells nothing for days',
      { state: 'unverifiable', readAt: at(-3 * DAY) },
      ['TokenNotVerifiable'],
    ],
    ['that was not asked yet', { state: 'pending', fact: undefined }, []],
    [
      'with two faults',
      { fact: { scopes: ['api'], active: true } },
      ['TokenExpires', 'TokenScopeTooWide'],
    ],
  ])('%s', (_, options, types) => {
    expect(found(options)).toEqual(types);
  });

  it('keeps its finding over a restart, until it was asked again', () => {
    const told = new DiffStory().pass(
      world({ ...good, fact: { ...good.fact!, scopes: ['api'] } }),
    );
    const before = told.finding('TokenScopeTooWide');
    const pending: TokenReading = {
      name: good.name,
      host: good.host,
      state: 'pending',
    };
    told.pass(world(pending, at(60)), at(60));
    expect(told.finding('TokenScopeTooWide')).toEqual(before);
    told.pass(world({ ...good, readAt: at(120) }, at(120)), at(120));
    expect(told.types()).toEqual([]);
  });

  it('is told with its name, its host and what it may do too much', () => {
    const finding = new DiffStory()
      .pass(
        world({ ...good, fact: { ...good.fact!, scopes: ['api', 'sudo'] } }),
      )
      .finding('TokenScopeTooWide');
    expect(finding.message).toMatch(
      /generator .*gitlab\.example\.com.*api, sudo/,
    );
  });

  it('that is no longer named takes its findings with it', () => {
    const told = new DiffStory().pass(world({ ...good, state: 'refused' }));
    told.pass(WorldBuilder.live(), at(60));
    expect(told.types()).toEqual([]);
  });
});
