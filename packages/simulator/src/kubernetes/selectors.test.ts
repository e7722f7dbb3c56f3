import type { KubernetesObject } from './object';
import {
  parseFieldSelector,
  parseLabelSelector,
  selectedName,
} from './selectors';

function pod(
  labels: Record<string, string>,
  more: Partial<KubernetesObject> = {},
): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'web',
      namespace: 'shop',
      uid: '1',
      resourceVersion: '1',
      creationTimestamp: '2026-11-29T12:00:00Z',
      labels,
    },
    ...more,
  };
}

describe('parseLabelSelector', () => {
  const labels = { app: 'web', tier: 'front', number: '7' };
  it.each([
    ['', true],
    ['app=web', true],
    ['app==web', true],
    ['app = web', true],
    ['app=api', false],
    ['app!=api', true],
    ['app!=web', false],
    ['other!=web', true],
    ['app=web,tier=front', true],
    ['app=web,tier=back', false],
    ['app in (web, api)', true],
    ['app in (api)', false],
    ['app notin (api,db)', true],
    ['app notin (web)', false],
    ['other notin (web)', true],
    ['app', true],
    ['other', false],
    ['!other', true],
    ['!app', false],
    ['number>6', true],
    ['number<6', false],
    ['app in (web),!other', true],
    ['other=', false],
  ])('reads "%s"', (selector, selects) => {
    expect(parseLabelSelector(selector)(pod(labels))).toBe(selects);
  });

  it('refuses what it cannot read with 400', () => {
    expect(() => parseLabelSelector('app in web')).toThrow(
      expect.objectContaining({ code: 400, reason: 'BadRequest' }),
    );
  });
});

describe('parseFieldSelector', () => {
  const running = pod({}, { status: { phase: 'Running' } });
  it.each([
    ['metadata.name=web', true],
    ['metadata.name!=web', false],
    ['metadata.namespace=shop', true],
    ['status.phase=Running', true],
    ['status.phase!=Running,metadata.name=web', false],
    ['spec.nodeName=', true],
  ])('reads "%s"', (selector, selects) => {
    expect(parseFieldSelector(selector, 'Pod')(running)).toBe(selects);
  });

  it('selects events by what they are about', () => {
    const event = {
      ...pod({}),
      kind: 'Event',
      involvedObject: { kind: 'Pod', name: 'web' },
    };
    const selects = parseFieldSelector(
      'involvedObject.kind=Pod,involvedObject.name=web',
      'Event',
    );
    expect(selects(event)).toBe(true);
  });

  it('refuses a field that the kind cannot be selected by', () => {
    expect(() => parseFieldSelector('spec.color=red', 'Pod')).toThrow(
      'field label not supported: spec.color',
    );
    expect(() =>
      parseFieldSelector('status.phase=Running', 'Application'),
    ).toThrow('field label not supported: status.phase');
  });
});

describe('selectedName', () => {
  it('finds the one name that a selector asks for', () => {
    expect(selectedName('metadata.name=web')).toBe('web');
    expect(selectedName('status.phase=x,metadata.name==web')).toBe('web');
    expect(selectedName('metadata.name!=web')).toBeUndefined();
    expect(selectedName(undefined)).toBeUndefined();
  });
});
