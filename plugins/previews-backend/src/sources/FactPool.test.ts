import { FactPool } from './FactPool';

describe('a pool of facts', () => {
  it('leaves facts as they are, by value', () => {
    const facts = () => ({
      name: 'preview-mr-7',
      labels: { 'app.kubernetes.io/name': 'checkout-service' },
      images: ['registry.example.com/shop:a1b2c3d4', ''],
      ready: true,
      restarts: 0,
      nothing: null,
      missing: undefined,
      annotations: {},
      finalizers: [],
      nested: [[], [{}]],
      containers: [{ name: 'main', image: 'registry.example.com/shop' }],
    });
    const pool = FactPool.create();
    expect(pool.compact(facts())).toStrictEqual(facts());
    expect(pool.compact(facts())).toStrictEqual(facts());
  });

  it('remembers a text once, however often and wherever it stands', () => {
    const pool = FactPool.create();
    for (let copy = 0; copy < 10; copy += 1) {
      pool.compact({
        namespace: 'preview-mr-7',
        deep: [{ namespace: 'preview-mr-7' }],
      });
    }
    expect(pool.size).toBe(1);
  });

  it('lets all that is empty be one', () => {
    const pool = FactPool.create();
    const facts = () =>
      pool.compact({ labels: {}, finalizers: [] as string[], owners: [{}] });
    const [one, other] = [facts(), facts()];
    expect(one.labels).toBe(other.labels);
    expect(one.finalizers).toBe(other.finalizers);
    expect(one.owners[0]).toBe(one.labels);
    expect(one.owners).not.toBe(other.owners);
  });

  it('takes what has members of its own as it is', () => {
    const readAt = new Date(0);
    const keys = new Map([['a', 1]]);
    expect(FactPool.create().compact({ readAt, keys })).toEqual({
      readAt,
      keys,
    });
  });

  it('takes texts, numbers and nothing as well as objects', () => {
    const pool = FactPool.create();
    expect(pool.compact('a text of some length')).toBe('a text of some length');
    expect(pool.compact(7)).toBe(7);
    expect(pool.compact(null)).toBeNull();
    expect(pool.compact(undefined)).toBeUndefined();
  });

  it('does not remember short texts', () => {
    const pool = FactPool.create();
    pool.compact(['Synced', 'main', '']);
    expect(pool.size).toBe(0);
  });

  it('forgets the older half when there are too many', () => {
    const pool = FactPool.create({ generation: 10 });
    for (let index = 0; index < 1000; index += 1) {
      pool.compact(`text number ${index}`);
      expect(pool.size).toBeLessThanOrEqual(20);
    }
  });
});
