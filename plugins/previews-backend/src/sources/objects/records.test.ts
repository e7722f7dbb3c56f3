import { parseDnsRecord, parseOwnership, textOfTxtValue } from './records';

const HERITAGE =
  'heritage=external-dns,external-dns/owner=edge,external-dns/resource=httproute/preview-mr-7/shop';

const txt = (...values: unknown[]) => ({
  Name: 'a-mr-7.preview.example.com.',
  Type: 'TXT',
  TTL: 300,
  ResourceRecords: values.map(Value => ({ Value })),
});

describe('parseDnsRecord', () => {
  it('reads name and type of an alias, which has no values', () => {
    expect(
      parseDnsRecord({
        Name: 'MR-7.Preview.example.com.',
        Type: 'A',
        AliasTarget: { HostedZoneId: 'Z1', DNSName: 'lb.example.net.' },
      }),
    ).toEqual({ name: 'mr-7.preview.example.com', type: 'A' });
  });

  it.each([
    ['\\052.preview.example.com.', '*.preview.example.com'],
    ['caf\\351.example.com.', 'café.example.com'],
    ['a\\040b.example.com.', 'a b.example.com'],
    ['_acme-challenge.mr-7.example.com', '_acme-challenge.mr-7.example.com'],
  ])('unescapes the name %s', (Name, name) => {
    expect(parseDnsRecord({ Name, Type: 'CNAME' })?.name).toBe(name);
  });

  it('keeps no value of a challenge', () => {
    expect(
      parseDnsRecord({
        Name: '_acme-challenge.mr-7.example.com.',
        Type: 'TXT',
        SetIdentifier: '"key"',
        MultiValueAnswer: true,
        ResourceRecords: [{ Value: '"key"' }],
      }),
    ).toEqual({ name: '_acme-challenge.mr-7.example.com', type: 'TXT' });
  });

  it('reads the ownership among several values', () => {
    expect(
      parseDnsRecord(txt('"v=spf1 -all"', `"${HERITAGE}"`))?.ownership,
    ).toEqual({ owner: 'edge', resource: 'httproute/preview-mr-7/shop' });
  });

  it.each([
    undefined,
    null,
    'A',
    [],
    {},
    { Name: 'x.example.com.' },
    { Name: '', Type: 'A' },
    { Name: '.', Type: 'A' },
    { Name: 'x.example.com.', Type: 'MX' },
    { Name: `${'x'.repeat(300)}.`, Type: 'A' },
    { Name: { toString: 'x' }, Type: 'A' },
  ])('takes no record from %p', value => {
    expect(parseDnsRecord(value)).toBeUndefined();
  });

  it.each([
    [txt(7, null, { Value: '"x"' })],
    [{ ...txt(), ResourceRecords: 'x' }],
    [{ ...txt(), ResourceRecords: [null, 'x', {}] }],
    [txt('not quoted', '"open', `"${'x'.repeat(5000)}"`)],
  ])('takes hostile values for no ownership', value => {
    expect(parseDnsRecord(value)).toEqual({
      name: 'a-mr-7.preview.example.com',
      type: 'TXT',
    });
  });
});

describe('textOfTxtValue', () => {
  it.each([
    ['"one"', 'one'],
    ['"one" "two"', 'onetwo'],
    ['"say \\"x\\""', 'say "x"'],
    ['"a\\052b"', 'a*b'],
    ['one', undefined],
    ['"one" two', undefined],
    ['', undefined],
  ])('of %s is %s', (value, text) => {
    expect(textOfTxtValue(value)).toBe(text);
  });
});

describe('parseOwnership', () => {
  it.each([
    ['heritage=external-dns,external-dns/owner=edge', { owner: 'edge' }],
    [HERITAGE, { owner: 'edge', resource: 'httproute/preview-mr-7/shop' }],
    ['heritage=external-dns', undefined],
    ['heritage=another,external-dns/owner=edge', undefined],
    ['external-dns/owner=edge', undefined],
    [`heritage=external-dns,external-dns/owner=${'x'.repeat(300)}`, undefined],
    ['p0w4vDMbBfKgzsbPkx0q', undefined],
  ])('of %s is %p', (text, ownership) => {
    expect(parseOwnership(text)).toEqual(ownership);
  });
});
