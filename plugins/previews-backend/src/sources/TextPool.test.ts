import { TextPool } from './TextPool';

describe('a pool of texts', () => {
  it('leaves facts as they are, by value', () => {
    const facts = () => ({
      name: 'preview-mr-7',
      labels: { 'app.kubernetes.io/name': 'checkout-service' },
      images: ['registry.example.com/shop:a1b2c3d4', ''],
      ready: true,
      restarts: 0,
      nothing: null,
      containers: [{ name: 'main', image: 'registry.example.com/shop' }],
    });
    const pool = TextPool.create();
    expect(pool.share(facts())).toEqual(facts());
    expect(pool.share(facts())).toEqual(facts());
  });

  it('remembers a text once, however often and wherever it stands', () => {
    const pool = TextPool.create();
    for (let copy = 0; copy < 10; copy += 1) {
      pool.share({
        namespace: 'preview-mr-7',
        deep: [{ namespace: 'preview-mr-7' }],
      });
    }
    expect(pool.size).toBe(1);
  });

  it('takes texts, numbers and nothing as well as objects', () => {
    const pool = TextPool.create();
    expect(pool.share('a text of some length')).toBe('a text of some length');
    expect(pool.share(7)).toBe(7);
    expect(pool.share(null)).toBeNull();
    expect(pool.share(undefined)).toBeUndefined();
  });

  it('does not remember short texts', () => {
    const pool = TextPool.create();
    pool.share(['Synced', 'main', '']);
    expect(pool.size).toBe(0);
  });

  it('forgets the older half when there are too many', () => {
    const pool = TextPool.create({ generation: 10 });
    for (let index = 0; index < 1000; index += 1) {
      pool.share(`text number ${index}`);
      expect(pool.size).toBeLessThanOrEqual(20);
    }
  });
});
