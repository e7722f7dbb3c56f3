import { DriftedResource } from '@previews/backstage-plugin-previews-common';
import { ApplicationFact } from '../../model';
import { at, NOW, WorldBuilder } from '../../testing/world';
import { mergeDrift, SeenChanges } from './mergeDrift';

const RESOURCE = {
  group: 'apps',
  kind: 'Deployment',
  namespace: 'shop-prod',
  name: 'shop',
};
const CHANGE = {
  manager: 'kubectl-edit',
  at: at(-60),
  fields: ['spec.replicas'],
};
const SEEN: SeenChanges = { resource: RESOURCE, changes: [CHANGE] };

function fact(...statuses: string[]): ApplicationFact {
  const [world] = WorldBuilder.empty()
    .application({
      status: {
        sync: {
          status: statuses.includes('OutOfSync') ? 'OutOfSync' : 'Synced',
        },
        resources: statuses.map(status => ({ ...RESOURCE, status })),
      },
    })
    .build().clusters;
  return [...world.kinds.applications.objects.values()][0];
}

function merge(options: {
  before?: DriftedResource[];
  fact: ApplicationFact;
  seen?: SeenChanges[];
  now?: string;
}) {
  return mergeDrift({
    before: [],
    seen: [],
    now: NOW,
    forgetBefore: at(-86_400),
    ...options,
  });
}

describe('mergeDrift', () => {
  it('tells what is out of sync, also where nothing by hand was seen', () => {
    expect(merge({ fact: fact('OutOfSync') })).toEqual([
      { ...RESOURCE, status: 'OutOfSync' },
    ]);
    expect(merge({ fact: fact('OutOfSync'), seen: [SEEN] })).toEqual([
      { ...RESOURCE, status: 'OutOfSync', changes: [CHANGE] },
    ]);
  });

  it('tells nothing of what is in sync and always was', () => {
    expect(merge({ fact: fact('Synced') })).toEqual([]);
  });

  it('keeps a change that was put back, with the time, once', () => {
    const before = merge({ fact: fact('OutOfSync'), seen: [SEEN] });
    const restored = merge({ before, fact: fact('Synced'), seen: [SEEN] });
    expect(restored).toEqual([
      {
        ...RESOURCE,
        status: 'Synced',
        changes: [{ ...CHANGE, restoredAt: NOW }],
      },
    ]);
    expect(
      merge({ before: restored, fact: fact('Synced'), now: at(60) }),
    ).toEqual(restored);
  });

  it('keeps a change that was put back before it was written', () => {
    expect(merge({ fact: fact('Synced'), seen: [SEEN] })).toMatchObject([
      { status: 'Synced', changes: [{ restoredAt: NOW }] },
    ]);
  });

  it('keeps what it was changed by while the live object cannot be read', () => {
    const before = merge({ fact: fact('OutOfSync'), seen: [SEEN] });
    expect(merge({ before, fact: fact('OutOfSync') })).toEqual(before);
  });

  it('adds a second change to the first, the latest first', () => {
    const before = merge({ fact: fact('OutOfSync'), seen: [SEEN] });
    const later = { ...CHANGE, manager: 'helm', at: at(-10) };
    const [{ changes }] = merge({
      before,
      fact: fact('OutOfSync'),
      seen: [{ resource: RESOURCE, changes: [later] }],
    });
    expect(changes).toEqual([later, CHANGE]);
  });

  it('forgets what was put back long ago, and the resource with it', () => {
    const before: DriftedResource[] = [
      {
        ...RESOURCE,
        status: 'Synced',
        changes: [{ ...CHANGE, restoredAt: at(-90_000) }],
      },
    ];
    expect(merge({ before, fact: fact('Synced') })).toEqual([]);
  });

  it('does not say that a resource is back which the Application tells nothing of while it is unknown', () => {
    const before = merge({ fact: fact('OutOfSync'), seen: [SEEN] });
    const unknown = {
      ...fact(),
      sync: { status: 'Unknown' as const, revisions: [] },
    };
    expect(merge({ before, fact: unknown })).toEqual([
      { ...RESOURCE, status: 'Unknown', changes: [CHANGE] },
    ]);
  });
});
