import { ZoneRecords } from '../../sources/dns/ZoneRecords';
import { Json, ownershipRecord } from '../../testing/world';
import { leftRecords, ownershipName } from './leftRecords';

const HOST = 'mr-7.example.com';

function zoneOf(
  sets: readonly (string | Json)[],
  affixes = { prefix: '', suffix: '' },
) {
  const records = new ZoneRecords();
  records.add({ Name: 'example.com.', Type: 'SOA' });
  for (const set of sets) {
    const [Type, Name] = typeof set === 'string' ? set.split(' ') : [];
    records.add(typeof set === 'string' ? { Type, Name: `${Name}.` } : set);
  }
  return { records: records.byName(), affixes };
}

function left(
  sets: readonly (string | Json)[],
  options: {
    host?: string;
    used?: string[];
    isCertified?: boolean;
    prefix?: string;
    suffix?: string;
  } = {},
): string[] {
  const { prefix = '', suffix = '', used = [] } = options;
  return leftRecords(zoneOf(sets, { prefix, suffix }), options.host ?? HOST, {
    isUsed: name => used.includes(name),
    isCertified: options.isCertified ?? false,
  }).map(
    ({ type, name, owner }) =>
      `${type} ${name}${owner === undefined ? '' : ` owned by ${owner}`}`,
  );
}

describe('ownershipName', () => {
  it.each([
    ['', '', 'a-mr-7.example.com'],
    ['extdns-', '', 'extdns-a-mr-7.example.com'],
    ['_owner.', '', '_owner.a-mr-7.example.com'],
    ['', '-extdns', 'a-mr-7-extdns.example.com'],
    ['%{record_type}-owner-', '', 'a-owner-mr-7.example.com'],
    ['', '-%{record_type}-owner', 'mr-7-a-owner.example.com'],
  ])('with prefix %p and suffix %p is %s', (prefix, suffix, name) => {
    expect(
      ownershipName(HOST, { type: 'A', affixes: { prefix, suffix } }),
    ).toBe(name);
  });
});

describe('leftRecords', () => {
  const cases: [
    string,
    string[],
    (string | Json)[],
    Parameters<typeof left>[1]?,
  ][] = [
    ['nothing of an empty zone', [], []],
    [
      'addresses of every type without an owner',
      [`A ${HOST}`, `AAAA ${HOST}`],
      [`A ${HOST}`, `AAAA ${HOST}`],
    ],
    [
      'an address and the record of its owner',
      [`A ${HOST} owned by edge`, `TXT a-${HOST} owned by edge`],
      [`A ${HOST}`, ownershipRecord(`a-${HOST}`)],
    ],
    [
      'an alias whose owner is told for the CNAME that was asked for',
      [`A ${HOST} owned by edge`, `TXT cname-${HOST} owned by edge`],
      [`A ${HOST}`, ownershipRecord(`cname-${HOST}`)],
    ],
    [
      'the record of an owner on the name itself',
      [`A ${HOST} owned by old`, `TXT ${HOST} owned by old`],
      [`A ${HOST}`, ownershipRecord(HOST, { owner: 'old' })],
    ],
    [
      'the record of an owner behind a prefix that is configured',
      [`A ${HOST} owned by edge`, `TXT x-a-${HOST} owned by edge`],
      [`A ${HOST}`, ownershipRecord(`x-a-${HOST}`)],
      { prefix: 'x-' },
    ],
    [
      'no owner behind a prefix that is not configured',
      [`A ${HOST}`],
      [`A ${HOST}`, ownershipRecord(`x-a-${HOST}`)],
    ],
    [
      'no owner by a TXT record of somebody else',
      [`A ${HOST}`],
      [
        `A ${HOST}`,
        {
          Name: `a-${HOST}.`,
          Type: 'TXT',
          ResourceRecords: [{ Value: '"v=spf1 -all"' }],
        },
      ],
    ],
    [
      'one challenge for however many sets of it',
      [`TXT _acme-challenge.${HOST}`],
      [1, 2].map(number => ({
        Name: `_acme-challenge.${HOST}.`,
        Type: 'TXT',
        SetIdentifier: `"${number}"`,
        MultiValueAnswer: true,
        ResourceRecords: [{ Value: `"${number}"` }],
      })),
    ],
    [
      'no challenge of a certificate that is still there',
      [],
      [`TXT _acme-challenge.${HOST}`],
      { isCertified: true },
    ],
    [
      'no challenge that is delegated on purpose',
      [],
      [`CNAME _acme-challenge.${HOST}`],
    ],
    [
      'not the record of the owner of a host that is called like it',
      [`A ${HOST}`],
      [
        `A ${HOST}`,
        `A a-${HOST}`,
        // Of the host a-mr-7, in the form without a type.
        ownershipRecord(`a-${HOST}`, { owner: 'other' }),
      ],
    ],
    [
      'the owner of both of two hosts that are called alike, but no other record',
      [`A ${HOST} owned by edge`],
      [
        `A ${HOST}`,
        `A a-${HOST}`,
        ownershipRecord(`a-${HOST}`),
        ownershipRecord(`a-a-${HOST}`),
      ],
    ],
    [
      'not the record of the owner of the host that it is called after',
      [],
      [`A ${HOST}`, ownershipRecord(`a-${HOST}`)],
      { host: `a-${HOST}` },
    ],
    [
      'nothing of a host in use whose address is not there now',
      [],
      [ownershipRecord(`a-${HOST}`)],
      { host: `a-${HOST}`, used: [HOST] },
    ],
    [
      'nothing on a name in use',
      [`A ${HOST} owned by edge`],
      [`A ${HOST}`, ownershipRecord(`a-${HOST}`)],
      { used: [`a-${HOST}`] },
    ],
  ];

  it.each(cases.map(([what, ...rest]) => [what, rest] as const))(
    'finds %s',
    (_, [expected, sets, options]) => {
      expect(left(sets, options)).toEqual(expected);
    },
  );
});
