import { Story } from '../testing/Story';
import { at, HOST, NOW, WorldBuilder } from '../testing/world';
import { webhookSeen } from './webhookSeen';

const { live } = WorldBuilder;

function seen(options: {
  since?: string;
  createdAt?: string;
  projects?: Record<string, string>;
  hosts?: string[];
}) {
  const { since = at(-86_400), createdAt = at(-3600) } = options;
  const story = new Story().pass(
    live().mergeRequest({ created_at: createdAt }),
  );
  return webhookSeen({
    host: HOST,
    project: story.result!.basis.index.project(HOST, 42)!,
    memory: { since, projects: options.projects ?? {} },
    hosts: new Set(options.hosts ?? [HOST]),
    now: NOW,
  });
}

describe('whether a webhook of a project came', () => {
  it.each<[string, boolean | undefined, Parameters<typeof seen>[0]]>([
    ['it did', true, { projects: { [`${HOST}/42`]: at(-60) } }],
    [
      'it did, of a host without a secret',
      true,
      { projects: { [`${HOST}/42`]: at(-60) }, hosts: [] },
    ],
    ['a merge request was opened and nothing told of it', false, {}],
    [
      'only another project’s came',
      false,
      { projects: { [`${HOST}/4`]: at(-60) } },
    ],
    [
      'nothing was opened since it is remembered',
      undefined,
      { since: at(-60) },
    ],
    ['it may still be on its way', undefined, { createdAt: at(-30) }],
    ['the host sends none to the portal', undefined, { hosts: [] }],
  ])('%s: %s', (_, expected, options) => {
    expect(seen(options)).toBe(expected);
  });
});
