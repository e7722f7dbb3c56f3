import { columnsByKind, humanDuration } from './columns';
import type { KubernetesObject } from './object';

describe('humanDuration', () => {
  it.each([
    [0, '0s'],
    [-500, '0s'],
    [-5_000, '<invalid>'],
    [119_000, '119s'],
    [120_000, '2m'],
    [125_000, '2m5s'],
    [600_000, '10m'],
    [179 * 60_000, '179m'],
    [3 * 3_600_000, '3h'],
    [3 * 3_600_000 + 60_000, '3h1m'],
    [47 * 3_600_000, '47h'],
    [50 * 3_600_000, '2d2h'],
    [10 * 86_400_000, '10d'],
    [800 * 86_400_000, '2y70d'],
    [9 * 365 * 86_400_000, '9y'],
  ])('writes %d ms as %s', (milliseconds, expected) => {
    expect(humanDuration(milliseconds)).toBe(expected);
  });
});

describe('columnsByKind', () => {
  const now = new Date('2026-11-29T12:00:00Z');

  function row(object: Partial<KubernetesObject> & { kind: string }) {
    const whole = {
      apiVersion: 'v1',
      ...object,
      metadata: {
        name: 'web',
        uid: '1',
        resourceVersion: '1',
        creationTimestamp: '2026-11-29T11:59:00Z',
        ...object.metadata,
      },
    };
    return Object.fromEntries(
      columnsByKind[object.kind].map(column => [
        column.name,
        column.value(whole, now),
      ]),
    );
  }

  it('shows why a pod waits', () => {
    expect(
      row({
        kind: 'Pod',
        spec: { containers: [{ name: 'web' }] },
        status: {
          phase: 'Pending',
          containerStatuses: [
            {
              ready: false,
              restartCount: 3,
              state: { waiting: { reason: 'ImagePullBackOff' } },
            },
          ],
        },
      }),
    ).toMatchObject({
      Ready: '0/1',
      Status: 'ImagePullBackOff',
      Restarts: 3,
      Age: '60s',
      Node: '<none>',
    });
  });

  it('shows a pod that is being deleted as Terminating', () => {
    const metadata = {
      deletionTimestamp: '2026-11-29T12:00:00Z',
    } as KubernetesObject['metadata'];
    expect(row({ kind: 'Pod', metadata }).Status).toBe('Terminating');
  });

  it('shows the state of a certificate', () => {
    expect(
      row({
        kind: 'Certificate',
        spec: { secretName: 'web-tls' },
        status: { conditions: [{ type: 'Ready', status: 'True' }] },
      }),
    ).toMatchObject({ Ready: 'True', Secret: 'web-tls' });
  });

  it('shows hosts and addresses of routes', () => {
    expect(
      row({ kind: 'HTTPRoute', spec: { hostnames: ['a.example.com'] } }),
    ).toMatchObject({ Hostnames: '["a.example.com"]' });
    expect(
      row({
        kind: 'Ingress',
        spec: { rules: [{ host: 'a.example.com' }], tls: [{}] },
        status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
      }),
    ).toMatchObject({
      Hosts: 'a.example.com',
      Address: '192.0.2.1',
      Ports: '80, 443',
      Class: '<none>',
    });
  });

  it('makes a row of an object without status', () => {
    for (const kind of Object.keys(columnsByKind)) {
      expect(() => row({ kind })).not.toThrow();
    }
  });
});
