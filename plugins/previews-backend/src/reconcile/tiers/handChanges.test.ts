import { handChangesOf } from './handChanges';

const AT = '2026-11-29T11:00:00Z';

function object(...managedFields: unknown[]) {
  return { metadata: { name: 'shop', managedFields } };
}

function entry(patch: object = {}) {
  return {
    manager: 'kubectl-edit',
    operation: 'Update',
    time: AT,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': { 'f:replicas': {} } },
    ...patch,
  };
}

describe('handChangesOf', () => {
  it('names the tool, the time and the fields of a change by hand', () => {
    expect(handChangesOf(object(entry()), {})).toEqual([
      {
        manager: 'kubectl-edit',
        at: '2026-11-29T11:00:00.000Z',
        fields: ['spec.replicas'],
      },
    ]);
  });

  it.each([
    'argocd-controller',
    'argocd-application-controller',
    'kube-controller-manager',
    'cert-manager-certificates-issuing',
    'keda-operator',
    'vpa-recommender',
    'external-secrets',
    'my-own-controller',
    'manager',
  ])('leaves out what %s wrote', manager => {
    expect(handChangesOf(object(entry({ manager })), {})).toEqual([]);
  });

  it.each([
    'kubectl-edit',
    'kubectl-client-side-apply',
    'kubectl-rollout',
    'helm',
    'Terraform',
    'k9s',
    'Mozilla',
    'node-fetch',
  ])('tells of what %s wrote', manager => {
    expect(handChangesOf(object(entry({ manager })), {})).toHaveLength(1);
  });

  it.each<[string, object, string[]]>([
    [
      'entries of lists by their keys',
      {
        'f:spec': {
          'f:template': {
            'f:spec': {
              'f:containers': {
                'k:{"name":"app"}': { '.': {}, 'f:image': {} },
              },
            },
          },
        },
      },
      ['spec.template.spec.containers[name=app].image'],
    ],
    [
      'names with dots in brackets',
      { 'f:metadata': { 'f:labels': { 'f:example.com/tier': {} } } },
      ['metadata.labels[example.com/tier]'],
    ],
    [
      'values of sets',
      { 'f:metadata': { 'f:finalizers': { 'v:"keep"': {} } } },
      ['metadata.finalizers["keep"]'],
    ],
    [
      'nothing of the status',
      { 'f:status': { 'f:phase': {} }, 'f:spec': { 'f:replicas': {} } },
      ['spec.replicas'],
    ],
  ])('writes %s', (_, fieldsV1, fields) => {
    expect(
      handChangesOf(object(entry({ fieldsV1 })), {}).map(
        change => change.fields,
      ),
    ).toEqual([fields]);
  });

  it.each<[string, object]>([
    ['of the subresource status', { subresource: 'status' }],
    ['without a time', { time: undefined }],
    ['with a time that is none', { time: 'yesterday' }],
    ['without a manager', { manager: '' }],
    ['without fields', { fieldsV1: {} }],
    ['with fields that are none', { fieldsV1: 'all' }],
    [
      'of what kubectl keeps for itself',
      {
        fieldsV1: {
          'f:metadata': {
            'f:annotations': {
              'f:kubectl.kubernetes.io/last-applied-configuration': {},
            },
          },
        },
      },
    ],
  ])('leaves out an entry %s', (_, patch) => {
    expect(handChangesOf(object(entry(patch)), {})).toEqual([]);
  });

  it.each<[string, string, number]>([
    ['before the last sync that went well', '2026-11-29T11:00:01Z', 0],
    ['in the second of that sync', AT, 1],
    ['after it', '2026-11-29T10:00:00Z', 1],
  ])('counts a change %s', (_, since, count) => {
    expect(handChangesOf(object(entry()), { since })).toHaveLength(count);
  });

  it('tells ten changes of ten fields at most, the latest first', () => {
    const fieldsV1 = {
      'f:spec': Object.fromEntries(
        Array.from({ length: 30 }, (_, index) => [`f:field${index}`, {}]),
      ),
    };
    const changes = handChangesOf(
      object(
        ...Array.from({ length: 20 }, (_, index) =>
          entry({
            time: `2026-11-29T11:${String(index).padStart(2, '0')}:00Z`,
            fieldsV1,
          }),
        ),
      ),
      {},
    );
    expect(changes).toHaveLength(10);
    expect(changes[0].at).toBe('2026-11-29T11:19:00.000Z');
    expect(changes[0].fields).toHaveLength(10);
  });

  it.each([
    undefined,
    null,
    7,
    'text',
    [],
    {},
    { metadata: { managedFields: {} } },
  ])('finds nothing in %j', value => {
    expect(handChangesOf(value, {})).toEqual([]);
  });

  it('cleans a name that would break the page', () => {
    const [change] = handChangesOf(
      object(entry({ manager: 'edit\u202e\u0000\nme' })),
      {},
    );
    expect(change.manager).toBe('edit me');
  });
});
