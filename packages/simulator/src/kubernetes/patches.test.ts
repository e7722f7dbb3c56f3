import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
} from './patches';

describe('applyMergePatch', () => {
  it.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: ['b'] }, { a: ['c', 'd'] }, { a: ['c', 'd'] }],
    [{ a: { b: 'c' } }, { a: { b: null, d: 'e' } }, { a: { d: 'e' } }],
    [{ a: 'b' }, { a: { c: null } }, { a: {} }],
    [{ a: 1 }, ['b'], ['b']],
  ])('merges %j with %j', (target, patch, expected) => {
    expect(applyMergePatch(target, patch)).toEqual(expected);
  });
});

describe('applyJsonPatch', () => {
  const target = { metadata: { labels: { 'a/b': 'c' } }, list: [1, 2] };

  it('adds, replaces, removes, moves and copies', () => {
    expect(
      applyJsonPatch(target, [
        { op: 'test', path: '/metadata/labels/a~1b', value: 'c' },
        { op: 'replace', path: '/metadata/labels/a~1b', value: 'd' },
        { op: 'add', path: '/list/-', value: 3 },
        { op: 'add', path: '/list/0', value: 0 },
        { op: 'remove', path: '/list/1' },
        { op: 'copy', from: '/metadata/labels', path: '/copied' },
        { op: 'move', from: '/copied', path: '/moved' },
      ]),
    ).toEqual({
      metadata: { labels: { 'a/b': 'd' } },
      list: [0, 2, 3],
      moved: { 'a/b': 'd' },
    });
    expect(target.list).toEqual([1, 2]);
  });

  it.each([
    ['a test that fails', { op: 'test', path: '/list/0', value: 9 }],
    ['removing what is not there', { op: 'remove', path: '/missing' }],
    ['replacing what is not there', { op: 'replace', path: '/x', value: 1 }],
    ['adding below what is not there', { op: 'add', path: '/x/y', value: 1 }],
    ['an index beyond the end', { op: 'add', path: '/list/9', value: 1 }],
    ['a path without a slash', { op: 'add', path: 'list', value: 1 }],
    ['an unknown operation', { op: 'explode', path: '/list' }],
  ])('refuses %s with 422', (_, operation) => {
    expect(() => applyJsonPatch(target, [operation as any])).toThrow(
      expect.objectContaining({ code: 422, reason: 'Invalid' }),
    );
  });

  it('does not reach the prototype', () => {
    applyJsonPatch({}, [
      { op: 'add', path: '/__proto__', value: { polluted: true } },
    ]);
    expect(({} as any).polluted).toBeUndefined();
  });
});

describe('applyStrategicMergePatch', () => {
  const template = (containers: unknown[], more: object = {}) => ({
    spec: { template: { spec: { containers, ...more } } },
  });

  it('merges containers by name and their ports by containerPort', () => {
    expect(
      applyStrategicMergePatch(
        template([
          {
            name: 'web',
            image: 'web:1',
            ports: [{ containerPort: 80, name: 'http' }],
          },
        ]),
        template([
          {
            name: 'web',
            image: 'web:2',
            ports: [{ containerPort: 80, protocol: 'TCP' }],
          },
          { name: 'log', image: 'log:1' },
        ]),
      ),
    ).toEqual(
      template([
        {
          name: 'web',
          image: 'web:2',
          ports: [{ containerPort: 80, name: 'http', protocol: 'TCP' }],
        },
        { name: 'log', image: 'log:1' },
      ]),
    );
  });

  it('deletes an item by its key', () => {
    expect(
      applyStrategicMergePatch(
        template([{ name: 'web' }, { name: 'log' }]),
        template([{ name: 'log', $patch: 'delete' }]),
      ),
    ).toEqual(template([{ name: 'web' }]));
  });

  it('replaces a list or a map that asks for it', () => {
    expect(
      applyStrategicMergePatch(
        template([{ name: 'web' }]),
        template([{ name: 'new' }, { $patch: 'replace' }]),
      ),
    ).toEqual(template([{ name: 'new' }]));
    expect(
      applyStrategicMergePatch(
        { data: { a: '1', b: '2' } },
        { data: { c: '3', $patch: 'replace' } },
      ),
    ).toEqual({ data: { c: '3' } });
  });

  it('keeps the order that the client asks for', () => {
    expect(
      applyStrategicMergePatch(
        template([{ name: 'a' }, { name: 'b' }]),
        template([{ name: 'c' }], {
          '$setElementOrder/containers': [
            { name: 'c' },
            { name: 'b' },
            { name: 'a' },
          ],
        }),
      ),
    ).toEqual(template([{ name: 'c' }, { name: 'b' }, { name: 'a' }]));
  });

  it('treats finalizers as a set', () => {
    expect(
      applyStrategicMergePatch(
        { metadata: { finalizers: ['a', 'b'] } },
        {
          metadata: {
            finalizers: ['b', 'c'],
            '$deleteFromPrimitiveList/finalizers': ['a'],
          },
        },
      ),
    ).toEqual({ metadata: { finalizers: ['b', 'c'] } });
  });

  it('keeps only the keys it is told to retain', () => {
    expect(
      applyStrategicMergePatch(
        { strategy: { type: 'RollingUpdate', rollingUpdate: {} } },
        { strategy: { $retainKeys: ['type'], type: 'Recreate' } },
      ),
    ).toEqual({ strategy: { type: 'Recreate' } });
  });
});
