import { createRandom } from '../random';
import { createManualClock } from '../testing/manualClock';
import { AcmeServer } from './acmeServer';
import { registeredDomain, type AcmeLimitName } from './limits';

const HOUR = 3600 * 1000;

describe('the limits of the ACME server', () => {
  const start = (...enforce: AcmeLimitName[]) => {
    const clock = createManualClock(new Date('2026-11-29T12:00:00Z'));
    const acme = new AcmeServer({ clock, random: createRandom(1), enforce });
    const order = (...names: string[]) =>
      acme.newOrder({ account: 'a', names });
    const issue = (...names: string[]) => acme.finalize(order(...names));
    return { clock, acme, order, issue };
  };

  it('refuses the 51st certificate of a registered domain in a week, and says when it may come', () => {
    const { clock, order, issue } = start('domain');
    for (let index = 0; index < 50; index += 1) {
      issue(`mr-${index}.preview.example.com`);
    }
    expect(() => order('another.example.com')).toThrow(
      '429 urn:ietf:params:acme:error:rateLimited: too many certificates (50) already issued for "example.com" in the last 168h0m0s, retry after 2026-11-29 15:21:36 UTC: see https://letsencrypt.org/docs/rate-limits/#new-certificates-per-registered-domain',
    );
    issue('another.example.org');
    clock.advance(202 * 60_000);
    issue('another.example.com');
    expect(() => order('one-more.example.com')).toThrow('rateLimited');
  });

  it('spares renewals the limit of the domain, not that of the same names', () => {
    const { clock, order, issue } = start('domain', 'set');
    issue('a.example.com');
    for (let index = 1; index < 50; index += 1) {
      issue(`mr-${index}.example.com`);
    }
    for (let index = 1; index < 5; index += 1) {
      issue('a.example.com');
    }
    expect(() => order('a.example.com')).toThrow(
      'too many certificates (5) already issued for this exact set of identifiers in the last 168h0m0s, retry after 2026-11-30 21:36:00 UTC',
    );
    clock.advance(34 * HOUR);
    issue('a.example.com');
    expect(() => order('a.example.com')).toThrow('exact set');
  });

  it('takes the order of names for nothing', () => {
    const { order, issue } = start('set');
    for (let index = 0; index < 5; index += 1) {
      issue('a.example.com', 'b.example.com');
    }
    expect(() => order('b.example.com', 'a.example.com')).toThrow('exact set');
    issue('a.example.com');
  });

  it('refuses the 301st order of an account in three hours', () => {
    const { clock, order } = start('orders');
    for (let index = 0; index < 300; index += 1) {
      order(`mr-${index}.example.com`);
    }
    expect(() => order('x.example.com')).toThrow(
      'too many new orders (300) from this account in the last 3h0m0s, retry after 2026-11-29 12:00:36 UTC',
    );
    clock.advance(36_000);
    order('x.example.com');
  });

  it('refuses a host after five failed authorizations in an hour', () => {
    const { acme, clock, order } = start('authorizations');
    for (let index = 0; index < 5; index += 1) {
      const failing = order('a.example.com');
      acme.refuse(failing, failing.authorizations[0]);
    }
    expect(() => order('a.example.com')).toThrow(
      'too many failed authorizations (5) for "a.example.com" in the last 1h0m0s, retry after 2026-11-29 12:12:00 UTC',
    );
    order('b.example.com');
    clock.advance(12 * 60_000);
    order('a.example.com');
  });

  it('uses an authorization again for thirty days', () => {
    const { acme, clock, order } = start();
    const first = order('*.example.com');
    expect(first.authorizations).toMatchObject([
      { identifier: 'example.com', wildcard: true, status: 'pending' },
    ]);
    acme.authorize(first, first.authorizations[0]);
    expect(order('*.example.com').authorizations[0].status).toBe('valid');
    expect(order('example.com').authorizations[0].status).toBe('pending');
    clock.advance(31 * 24 * HOUR);
    expect(order('*.example.com').authorizations[0].status).toBe('pending');
  });

  it('counts what it does not enforce, and tells what is left', () => {
    const { acme, issue } = start();
    for (let index = 0; index < 60; index += 1) {
      issue(`mr-${index}.example.com`);
    }
    expect(acme.budgets()).toContainEqual({
      limit: 'domain',
      subject: 'example.com',
      burst: 50,
      left: 0,
      availableAt: expect.any(Date),
    });
    acme.drain('set', 'b.example.com,a.example.com');
    expect(acme.budgets()).toContainEqual(
      expect.objectContaining({
        limit: 'set',
        subject: 'a.example.com,b.example.com',
        left: 0,
      }),
    );
  });

  it.each([
    ['mr-1.preview.example.com', 'example.com'],
    ['*.preview.example.com', 'example.com'],
    ['example.com', 'example.com'],
    ['a.example.co.uk', 'example.co.uk'],
  ])('takes %s for a name of %s', (name, domain) => {
    expect(registeredDomain(name)).toBe(domain);
  });
});
