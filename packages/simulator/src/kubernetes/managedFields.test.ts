import { leavesOf, pathsIn, trackManagedFields } from './managedFields';
import type { KubernetesObject, ManagedFieldsEntry } from './object';
import { defineResource } from './resources';

const deployments = defineResource('apps/v1', 'Deployment');
const applications = defineResource('argoproj.io/v1alpha1', 'Application', {
  custom: true,
});

function deployment(image: string, more: object = {}): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'web',
      namespace: 'shop',
      uid: '1',
      resourceVersion: '1',
      creationTimestamp: '2026-11-29T12:00:00Z',
      labels: { app: 'web' },
    },
    spec: {
      template: { spec: { containers: [{ name: 'web', image }] } },
      ...more,
    },
  };
}

function write(options: {
  next: KubernetesObject;
  previous?: KubernetesObject;
  fieldManager?: string;
  scope?: string;
  now?: string;
}): ManagedFieldsEntry[] {
  const { next, previous, fieldManager, scope } = options;
  trackManagedFields({
    resource: deployments,
    previous,
    next,
    options: { fieldManager, scope },
    now: options.now ?? '2026-11-29T12:00:00Z',
  });
  return next.metadata.managedFields ?? [];
}

describe('leavesOf', () => {
  it('names items of merged lists by their key', () => {
    expect([...leavesOf(deployment('web:1'), deployments).keys()]).toEqual([
      'f:metadata\nf:labels\nf:app',
      'f:spec\nf:template\nf:spec\nf:containers\nk:{"name":"web"}\n.',
      'f:spec\nf:template\nf:spec\nf:containers\nk:{"name":"web"}\nf:name',
      'f:spec\nf:template\nf:spec\nf:containers\nk:{"name":"web"}\nf:image',
    ]);
  });

  it('takes lists of custom resources as a whole', () => {
    const object = {
      metadata: { finalizers: ['a'] },
      status: { conditions: [{ type: 'Ready' }] },
    };
    expect([...leavesOf(object, applications).keys()]).toEqual([
      'f:metadata\nf:finalizers\nv:"a"',
      'f:status\nf:conditions',
    ]);
  });
});

describe('trackManagedFields', () => {
  it('gives a field to who changed it last', () => {
    const first = deployment('web:1', { replicas: 1 });
    write({ next: first, fieldManager: 'tool' });
    const second = deployment('web:1', { replicas: 2 });
    const entries = write({
      next: second,
      previous: first,
      fieldManager: 'person',
      now: '2026-11-29T13:00:00Z',
    });
    expect(entries.map(({ manager, time }) => [manager, time])).toEqual([
      ['tool', '2026-11-29T12:00:00Z'],
      ['person', '2026-11-29T13:00:00Z'],
    ]);
    expect([...pathsIn(entries[1].fieldsV1)]).toEqual(['f:spec\nf:replicas']);
    expect(pathsIn(entries[0].fieldsV1).has('f:spec\nf:replicas')).toBe(false);
  });

  it('keeps entries of the status subresource apart', () => {
    const first = deployment('web:1');
    write({ next: first, fieldManager: 'tool' });
    const second = { ...deployment('web:1'), status: { replicas: 1 } };
    expect(
      write({
        next: second,
        previous: first,
        fieldManager: 'tool',
        scope: 'status',
      }),
    ).toMatchObject([
      { manager: 'tool' },
      {
        manager: 'tool',
        subresource: 'status',
        fieldsV1: { 'f:status': { 'f:replicas': {} } },
      },
    ]);
  });

  it('changes nothing where nothing is changed', () => {
    const first = deployment('web:1');
    write({ next: first, fieldManager: 'tool' });
    const again = deployment('web:1');
    expect(
      write({
        next: again,
        previous: first,
        fieldManager: 'tool',
        now: '2026-11-29T13:00:00Z',
      }),
    ).toEqual(first.metadata.managedFields);
  });

  it('leaves the entries alone when no manager is named', () => {
    const first = deployment('web:1');
    write({ next: first, fieldManager: 'tool' });
    const second = deployment('web:2');
    expect(write({ next: second, previous: first })).toEqual(
      first.metadata.managedFields,
    );
  });
});
