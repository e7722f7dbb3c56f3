import {
  SourceError,
  SourceErrorReason,
} from '@previews/backstage-plugin-previews-common';
import { DiffStory } from '../../testing/DiffStory';
import {
  at,
  generatedBy,
  HEAD,
  HOST,
  Json,
  MERGE_REQUEST,
  ownedBy,
  pullRequestGenerator,
  WorldBuilder,
} from '../../testing/world';
import { awaitedMergeRequests } from './generatedSets';

const HOUR = 3600;
const ALL = Array.from({ length: 12 }, (_, index) => index + 1);

const name = (iid: number) => `preview-mr-${iid}`;

/** Twelve open MRs of one set, with Applications for some and namespaces for all. */
function world(options: {
  applications: readonly number[];
  closed?: readonly number[];
  labelled?: boolean;
  set?: Json;
}): WorldBuilder {
  const { applications, closed = [], set } = options;
  const built = WorldBuilder.empty().applicationSet(set);
  for (const iid of ALL) {
    built
      .mergeRequest({
        iid,
        ...(closed.includes(iid) && { state: 'closed', closed_at: at(-HOUR) }),
      })
      .namespace({ metadata: { name: name(iid) } });
  }
  for (const iid of applications) {
    built.application({ metadata: { name: name(iid) } });
  }
  return built;
}

const without = (...gone: number[]) => ALL.filter(iid => !gone.includes(iid));
const key = (iid: number) => ({ ...MERGE_REQUEST, iid });

/** A pass sees the loss, and a later one the MRs as they are read after it. */
function lose(
  after: WorldBuilder,
  options: { before?: WorldBuilder; later?: WorldBuilder } = {},
): DiffStory {
  return new DiffStory()
    .pass(options.before ?? world({ applications: ALL }), at(-60))
    .pass(after)
    .pass(options.later ?? after, at(60));
}

describe('the alarm of a set that shrinks', () => {
  it.each([
    {
      what: 'four of twelve go',
      after: () => world({ applications: without(1, 2, 3, 4) }),
      rings: false,
    },
    {
      what: 'five of twelve go',
      after: () => world({ applications: without(1, 2, 3, 4, 5) }),
      rings: true,
    },
    {
      what: 'all go',
      after: () => world({ applications: [] }),
      rings: true,
    },
    {
      what: 'five go whose MRs were closed',
      after: () =>
        world({
          applications: without(1, 2, 3, 4, 5),
          closed: [1, 2, 3, 4, 5],
        }),
      rings: false,
    },
    {
      what: 'six go of which two MRs were closed',
      after: () =>
        world({ applications: without(1, 2, 3, 4, 5, 6), closed: [1, 2] }),
      rings: false,
    },
    {
      what: 'the filter asks for a label that no MR has',
      after: () =>
        world({
          applications: [],
          set: generatedBy({ labels: ['preview', 'mobile'] }),
        }),
      rings: true,
    },
  ])('rings: $rings where $what', ({ after, rings }) => {
    const told = lose(after());
    expect(told.findings('GeneratedSetShrank')).toHaveLength(rings ? 1 : 0);
    expect(told.frozenSets.size).toBe(rings ? 1 : 0);
  });

  it('does not ring for a set that gives other names than before', () => {
    const renamed = WorldBuilder.empty().applicationSet({
      spec: { template: { metadata: { name: 'mr-{{.number}}' } } },
    });
    ALL.forEach(iid =>
      renamed
        .mergeRequest({ iid })
        .application({ metadata: { name: `mr-${iid}` } }),
    );
    expect(lose(renamed).findings('GeneratedSetShrank')).toEqual([]);
    // Also where the old ones go before the new ones come.
    const told = lose(world({ applications: [] }));
    told.pass(renamed, at(120));
    expect(told.findings('GeneratedSetShrank')).toEqual([]);
  });

  /** The set names its Applications otherwise than before; those of some names are there. */
  function called(names: readonly ((iid: number) => string)[]) {
    const built = WorldBuilder.empty().applicationSet({
      spec: { template: { metadata: { name: 'mr-{{.number}}' } } },
    });
    for (const iid of ALL) {
      built.mergeRequest({ iid });
      for (const nameOf of names) {
        built.application({
          metadata: {
            name: nameOf(iid),
            labels: {
              'previews/project-id': '42',
              'previews/merge-request': `${iid}`,
            },
          },
        });
      }
    }
    return built;
  }

  it('does not ring where the Applications of the former names go after the new ones came', () => {
    const former = (iid: number) => `old-${iid}`;
    const next = (iid: number) => `mr-${iid}`;
    const told = new DiffStory()
      .pass(called([former]), at(-120))
      .pass(called([former, next]), at(-60))
      .pass(called([next]))
      .pass(called([next]), at(60))
      .pass(called([next]), at(5 * 24 * HOUR));
    expect(told.findings('GeneratedSetShrank')).toEqual([]);
    // Those of the new names are watched as ever.
    told
      .pass(called([]), at(6 * 24 * HOUR))
      .pass(called([]), at(6 * 24 * HOUR + 60));
    expect(told.finding('GeneratedSetShrank').params).toMatchObject({
      lost: 12,
      before: 12,
    });
  });

  it('does not ring for pushes to a set that names the commit, seen beside each other', () => {
    const commits = ALL.slice(0, 5).map(iid => ({
      iid,
      sha: `${iid}`.repeat(40),
    }));
    /** The first so many were pushed to; of the last of them both Applications are there. */
    const pushed = (count: number, options: { beside: boolean }) => {
      const built = WorldBuilder.empty().applicationSet({
        spec: {
          template: {
            metadata: { name: 'mr-{{.number}}-{{.head_short_sha}}' },
          },
        },
      });
      const application = (iid: number, sha: string) =>
        built.application({
          metadata: { name: `mr-${iid}-${sha.slice(0, 8)}` },
        });
      commits.forEach(({ iid, sha }, index) => {
        const isPushed = index < count;
        built.mergeRequest({ iid, ...(isPushed && { sha }) });
        application(iid, isPushed ? sha : HEAD);
        if (options.beside && index === count - 1) {
          application(iid, HEAD);
        }
      });
      return built;
    };
    const told = new DiffStory().pass(pushed(0, { beside: false }), at(-60));
    commits.forEach((_, index) => {
      told
        .pass(pushed(index + 1, { beside: true }), at(index * 10))
        .pass(pushed(index + 1, { beside: false }), at(index * 10 + 5));
    });
    told.pass(pushed(5, { beside: false }), at(120));
    expect(told.findings('GeneratedSetShrank')).toEqual([]);
  });

  it('does not ring for five of seventeen, which is less than 30 %', () => {
    const more = (applications: readonly number[]) => {
      const built = world({ applications });
      for (let iid = 13; iid <= 17; iid += 1) {
        built
          .mergeRequest({ iid })
          .application({ metadata: { name: name(iid) } });
      }
      return built;
    };
    const told = lose(more(without(1, 2, 3, 4, 5)), { before: more(ALL) });
    expect(told.findings('GeneratedSetShrank')).toEqual([]);
  });

  it('waits until GitLab was read after the loss: Argo CD may know of a merge first', () => {
    const gone = world({ applications: without(1, 2, 3, 4, 5) });
    const closed = world({
      applications: without(1, 2, 3, 4, 5),
      closed: [1, 2, 3, 4, 5],
    });
    const told = new DiffStory()
      .pass(world({ applications: ALL }), at(-60))
      .pass(gone);
    expect(told.types()).toEqual([]);
    told.pass(closed, at(60));
    expect(told.findings('GeneratedSetShrank')).toEqual([]);
  });

  it('counts what goes within one requeue, and not what goes one by one', () => {
    const told = new DiffStory().pass(world({ applications: ALL }), at(-600));
    [1, 2, 3, 4, 5, 6].forEach((_, index) => {
      const gone = ALL.slice(0, index + 1);
      told.pass(
        world({ applications: without(...gone) }),
        at(-500 + index * 100),
      );
    });
    expect(told.findings('GeneratedSetShrank')).toEqual([]);

    const fast = new DiffStory().pass(world({ applications: ALL }), at(-60));
    [1, 2, 3, 4, 5, 6].forEach((_, index) => {
      const gone = ALL.slice(0, index + 1);
      fast.pass(world({ applications: without(...gone) }), at(index * 5));
    });
    expect(fast.finding('GeneratedSetShrank').params).toMatchObject({
      before: 12,
    });
  });

  it('counts an Application from when its deletion is asked for', () => {
    const deleting = world({ applications: ALL });
    for (const iid of [1, 2, 3, 4, 5]) {
      deleting.application({
        metadata: { name: name(iid), deletionTimestamp: at(-1) },
      });
    }
    expect(lose(deleting).findings('GeneratedSetShrank')).toHaveLength(1);
  });

  it('tells the numbers, the set and each Application that went', () => {
    const finding = lose(
      world({ applications: without(1, 2, 3, 4, 5, 6) }),
    ).finding('GeneratedSetShrank');
    expect(finding).toMatchObject({
      severity: 'critical',
      subject: { kind: 'ApplicationSet', name: 'shop-previews' },
      params: { applicationSet: 'argocd/shop-previews', lost: 6, before: 12 },
    });
    expect(finding.evidence.map(part => part.name).sort()).toEqual(
      [1, 2, 3, 4, 5, 6].map(name),
    );
    // All previews of the set are frozen, and all say so.
    expect(finding.previewIds).toHaveLength(12);
  });

  it('is not raised by a cluster that is down, nor ended', () => {
    const blind = (built: WorldBuilder) =>
      built.kindReading('applications', {
        state: 'failing',
        completeAt: at(-HOUR),
      });
    expect(lose(blind(world({ applications: [] }))).types()).not.toContain(
      'GeneratedSetShrank',
    );
    const told = lose(world({ applications: [] }));
    told.pass(blind(world({ applications: ALL })), at(120));
    expect(told.findings('GeneratedSetShrank')).toHaveLength(1);
  });

  it('is raised though GitLab is read again only an hour later', () => {
    const gone = () => world({ applications: [] });
    const told = new DiffStory().pass(world({ applications: ALL }), at(-60));
    const unread = gone().projectReading({
      state: 'failing',
      status: 502,
      completeAt: at(-60),
    });
    told.pass(unread).pass(unread, at(HOUR / 2));
    expect(told.findings('GeneratedSetShrank')).toEqual([]);
    told.pass(gone(), at(HOUR));
    expect(told.findings('GeneratedSetShrank')).toHaveLength(1);
  });

  it('lasts until the set is whole again', () => {
    const told = lose(world({ applications: [] }));
    told.pass(world({ applications: without(3) }), at(120));
    expect(told.finding('GeneratedSetShrank').params.lost).toBe(12);
    told.pass(world({ applications: ALL }), at(180));
    expect(told.findings('GeneratedSetShrank')).toEqual([]);
    expect(told.frozenSets.size).toBe(0);
  });

  it('ends when the MRs of what went are closed', () => {
    const gone = [1, 2, 3, 4, 5];
    const told = lose(world({ applications: without(...gone) }));
    told.pass(world({ applications: without(...gone), closed: gone }), at(120));
    expect(told.findings('GeneratedSetShrank')).toEqual([]);
  });

  it('ends with the set itself', () => {
    const told = lose(world({ applications: [] }));
    told.pass(world({ applications: [] }).without('applicationSets'), at(120));
    expect(told.findings('GeneratedSetShrank')).toEqual([]);
  });
});

describe('the alarm where Applications move to another set', () => {
  const MOVED = [1, 2, 3, 4, 5, 6];
  const DAY = 24 * HOUR;

  /** The set has its own, and another one generates for the same project. */
  function two(options: {
    own: readonly number[];
    others: readonly number[];
    /** When those of the other set were made, and those of the set itself. */
    othersSince?: number;
    ownSince?: number;
    cluster?: string;
    /** Of the other set. */
    template?: string;
  }): WorldBuilder {
    const { own, others, othersSince = -10, ownSince = -20 * DAY } = options;
    const { cluster, template = 'half-{{.number}}' } = options;
    const built = WorldBuilder.empty().applicationSet();
    if (cluster) {
      built.cluster({ cluster });
    }
    built.applicationSet(
      {
        metadata: { name: 'half' },
        spec: { template: { metadata: { name: template } } },
      },
      cluster,
    );
    ALL.forEach(iid => built.mergeRequest({ iid }));
    own.forEach(iid =>
      built.application({
        metadata: { name: name(iid), creationTimestamp: at(ownSince) },
      }),
    );
    others.forEach(iid =>
      built.application(
        {
          metadata: {
            name: template.replace('{{.number}}', `${iid}`),
            creationTimestamp: at(othersSince),
            ownerReferences: [ownedBy('half')],
          },
        },
        cluster,
      ),
    );
    return built;
  }

  const before = (options: Partial<Parameters<typeof two>[0]> = {}) =>
    two({ own: ALL, others: [], ...options });
  const beside = (options: Partial<Parameters<typeof two>[0]> = {}) =>
    two({ own: ALL, others: MOVED, ...options });
  const after = (options: Partial<Parameters<typeof two>[0]> = {}) =>
    two({ own: without(...MOVED), others: MOVED, ...options });

  it.each([
    {
      what: 'half of them move at once',
      passes: [before(), after()],
      rings: false,
    },
    {
      what: 'half of them move to a set in another cluster',
      passes: [before({ cluster: 'other' }), after({ cluster: 'other' })],
      rings: false,
    },
    {
      what: 'the new ones are seen beside the former ones',
      passes: [before(), beside(), after()],
      rings: false,
    },
    {
      what: 'the new ones were made hours before the former ones go',
      passes: [
        beside({ othersSince: -20 * HOUR }),
        after({ othersSince: -20 * HOUR }),
      ],
      rings: false,
    },
    {
      what: 'the former ones go before the new ones come',
      passes: [
        before(),
        two({ own: without(...MOVED), others: [] }),
        after({ othersSince: 30 }),
      ],
      rings: false,
    },
    {
      what: 'MRs that are as new as the split move at once',
      passes: [
        before({ ownSince: -40 }),
        after({ ownSince: -40, othersSince: -5 }),
      ],
      rings: false,
    },
    {
      what: 'the other set takes the Applications themselves over',
      passes: [
        before(),
        after({ template: 'preview-mr-{{.number}}', othersSince: -20 * DAY }),
      ],
      rings: false,
    },
    {
      what: 'the other set always had one for each MR too',
      passes: [
        beside({ othersSince: -20 * DAY + 45 }),
        after({ othersSince: -20 * DAY + 45 }),
      ],
      rings: true,
    },
    {
      what: 'both sets generated for MRs of today',
      passes: [
        beside({ ownSince: -HOUR, othersSince: -HOUR + 45 }),
        after({ ownSince: -HOUR, othersSince: -HOUR + 45 }),
      ],
      rings: true,
    },
    {
      what: 'the other set has had one for each MR for two days',
      passes: [
        beside({ othersSince: -2 * DAY }),
        after({ othersSince: -2 * DAY }),
      ],
      rings: true,
    },
    {
      what: 'those of the other set are of other MRs',
      passes: [
        before(),
        two({ own: without(...MOVED), others: [7, 8, 9, 10, 11, 12] }),
      ],
      rings: true,
    },
  ])('rings: $rings where $what', ({ passes, rings }) => {
    const told = new DiffStory();
    passes.forEach((built, index) =>
      told.pass(built, at((index - passes.length + 1) * 60)),
    );
    const last = passes[passes.length - 1];
    told.pass(last, at(60));
    expect(told.findings('GeneratedSetShrank')).toHaveLength(rings ? 1 : 0);
    told.pass(last, at(5 * DAY));
    expect(told.findings('GeneratedSetShrank')).toHaveLength(rings ? 1 : 0);
  });

  it('ends once the other set has them', () => {
    const gone = two({ own: without(...MOVED), others: [] });
    const told = lose(gone, { before: before() });
    expect(told.findings('GeneratedSetShrank')).toHaveLength(1);
    told.pass(after({ othersSince: 90 }), at(120));
    expect(told.findings('GeneratedSetShrank')).toEqual([]);
    // They are the other set's to lose from now on.
    told.pass(gone, at(180)).pass(gone, at(240));
    expect(told.finding('GeneratedSetShrank').subject.name).toBe('half');
  });

  it('does not end by an Application that is being deleted', () => {
    const gone = two({ own: without(...MOVED), others: [] });
    const told = lose(gone, { before: before() });
    const leaving = after({ othersSince: 90 });
    MOVED.forEach(iid =>
      leaving.application({
        metadata: { name: `half-${iid}`, deletionTimestamp: at(100) },
      }),
    );
    told.pass(leaving, at(120));
    expect(told.finding('GeneratedSetShrank').subject.name).toBe(
      'shop-previews',
    );
  });
});

describe('the alarm of a set that was pointed to another project', () => {
  const DAY = 24 * HOUR;
  const OTHER = { id: 43, path_with_namespace: 'group/other' };
  const refusal = (reason: SourceErrorReason): SourceError => ({
    reason,
    message: 'GitLab refuses.',
    since: at(DAY),
  });

  /** The set lists another project; nothing is left of the previews of the former one. */
  function patched(
    options: {
      /** How the former project is read; by default it is. */
      reading?: Parameters<WorldBuilder['projectReading']>[0] | 'forgotten';
      closed?: readonly number[];
      unreadable?: SourceErrorReason;
      /** More sets. */
      sets?: readonly Json[];
    } = {},
  ): WorldBuilder {
    const { reading, closed = [], unreadable, sets = [] } = options;
    const built = new WorldBuilder().cluster().project(OTHER);
    if (unreadable) {
      built.gitlab({
        host: HOST,
        unreadable: [{ reference: '42', error: refusal(unreadable) }],
      });
    }
    if (reading !== 'forgotten') {
      built.project();
      ALL.forEach(iid =>
        built.mergeRequest({
          iid,
          ...(closed.includes(iid) && { state: 'closed' }),
        }),
      );
      built.projectReading(reading ?? {});
    }
    built.applicationSet(generatedBy({ project: 'group/other' }));
    sets.forEach((set, index) =>
      built.applicationSet({ ...set, metadata: { name: `more-${index}` } }),
    );
    return built;
  }

  const alarmed = () => {
    const told = lose(patched());
    expect(told.findings('GeneratedSetShrank')).toHaveLength(1);
    return told;
  };
  const rings = (told: DiffStory) =>
    told.findings('GeneratedSetShrank').length > 0;

  it('ends when the MRs are over, and not before', () => {
    const told = alarmed();
    told.pass(patched({ closed: without(3) }), at(5 * DAY));
    expect(rings(told)).toBe(true);
    told.pass(patched({ closed: ALL }), at(5 * DAY + 60));
    expect(rings(told)).toBe(false);
    expect(told.frozenSets.size).toBe(0);
  });

  it('asks for the MRs to be read as long as it hangs on them, though nothing is left of them', () => {
    const told = new DiffStory().pass(world({ applications: ALL }), at(-60));
    const awaited = () =>
      awaitedMergeRequests(told.last!.sets.values()).map(({ iid }) => iid);
    expect(awaited()).toEqual([]);
    // Before it rings too: whether they are open decides of that.
    told.pass(patched());
    expect(awaited().sort((a, b) => a - b)).toEqual(ALL);
    expect(told.story.preview(key(1)).phase).toBe('Gone');
    told.pass(patched(), at(60));
    expect(awaited()).toHaveLength(12);
    told.pass(patched({ closed: without(3) }), at(120));
    expect(awaited()).toEqual([3]);
    told.pass(patched({ closed: ALL }), at(180));
    expect(awaited()).toEqual([]);
  });

  const refused = (reason: SourceErrorReason) => ({
    state: 'failing' as const,
    completeAt: at(HOUR),
    error: refusal(reason),
  });

  it.each([
    { what: 'is not found', by: { reading: refused('NotFound') } },
    { what: 'may not be read', by: { reading: refused('Forbidden') } },
    {
      what: 'is not found by its id after a restart',
      by: { reading: 'forgotten', unreadable: 'NotFound' },
    },
    {
      what: 'is not found, where a set names another one',
      by: {
        reading: 'forgotten',
        unreadable: 'NotFound',
        sets: [generatedBy({ project: '43' })],
      },
    },
  ] as { what: string; by: Parameters<typeof patched>[0] }[])(
    'ends where the former project $what for a day: nobody will ever tell',
    ({ by }) => {
      const told = alarmed();
      told.pass(patched(by), at(2 * DAY - 60));
      expect(rings(told)).toBe(true);
      told.pass(patched(by), at(2 * DAY));
      expect(rings(told)).toBe(false);
    },
  );

  it.each([
    { what: 'GitLab is down', by: { reading: refused('ServerError') } },
    { what: 'the token expired', by: { reading: refused('TokenExpired') } },
    { what: 'nothing was said of it', by: { reading: 'forgotten' } },
    {
      what: 'another set lists it, though it is not found',
      by: {
        reading: refused('NotFound'),
        sets: [generatedBy({ project: 'group/shop' })],
      },
    },
    {
      what: 'another set lists it by its id, though it is not found',
      by: {
        reading: 'forgotten',
        unreadable: 'NotFound',
        sets: [generatedBy({ project: '42' })],
      },
    },
    {
      what: 'another set lists what may be it, though it is not found',
      by: {
        reading: 'forgotten',
        unreadable: 'NotFound',
        sets: [generatedBy({ project: 'group/shop' })],
      },
    },
  ] as { what: string; by: Parameters<typeof patched>[0] }[])(
    'lasts while $what, however long: the MRs may be open',
    ({ by }) => {
      const told = alarmed();
      told.pass(patched(by), at(10 * DAY));
      expect(rings(told)).toBe(true);
      expect(told.frozenSets.size).toBe(1);
    },
  );

  it('ends a day later where the GitLab of the former project is not configured any more', () => {
    const former = 'gitlab.former.example.com';
    const both = (applications: readonly number[]) => {
      const built = WorldBuilder.empty()
        .project({}, former)
        .applicationSet({
          spec: {
            generators: [
              pullRequestGenerator({ project: 'group/other' }),
              pullRequestGenerator({ api: `https://${former}/` }),
            ],
          },
        });
      ALL.forEach(iid => built.mergeRequest({ iid }, undefined, former));
      applications.forEach(iid =>
        built.application({ metadata: { name: name(iid) } }),
      );
      return built;
    };
    const told = lose(both([]), { before: both(ALL) });
    expect(rings(told)).toBe(true);
    told.pass(patched({ reading: 'forgotten' }), at(DAY - 60));
    expect(rings(told)).toBe(true);
    told.pass(patched({ reading: 'forgotten' }), at(DAY));
    expect(rings(told)).toBe(false);
  });
});

describe('while the alarm lasts', () => {
  /** The set takes nothing any more; the Applications went and the namespaces stayed. */
  const filtered = (options: { closed?: number[] } = {}) =>
    world({
      applications: [],
      set: generatedBy({ labels: ['preview', 'mobile'] }),
      ...options,
    });

  it('nothing of the set becomes an orphan, however long it takes', () => {
    const told = lose(filtered());
    told.pass(filtered(), at(3 * HOUR)).pass(filtered(), at(48 * HOUR));
    for (const iid of ALL) {
      expect(told.story.preview(key(iid)).phase).toBe('TearingDown');
    }
    expect(told.types()).toEqual(['GeneratedSetShrank']);
  });

  it('would be an orphan without it', () => {
    const few = (applications: number[]) =>
      world({
        applications,
        set: generatedBy({ labels: ['preview', 'mobile'] }),
      });
    const told = new DiffStory()
      .pass(few([]), at(-60))
      .pass(world({ applications: [1] }), at(-30))
      .pass(few([]))
      .pass(few([]), at(3 * HOUR));
    expect(told.story.preview(key(1)).phase).toBe('Orphaned');
  });

  it('an MR that is closed is torn down as ever', () => {
    const told = lose(filtered());
    told.pass(
      filtered({ closed: [1] }).without('namespaces', name(1)),
      at(HOUR),
    );
    expect(told.story.preview(key(1)).phase).toBe('Gone');
    expect(told.story.preview(key(2)).phase).toBe('TearingDown');
  });

  it('what was an orphan before stays one', () => {
    const told = new DiffStory().pass(
      world({ applications: ALL }),
      at(-4 * HOUR),
    );
    const one = () => world({ applications: ALL, closed: [1] });
    told.pass(one(), at(-3 * HOUR)).pass(one(), at(-60));
    expect(told.story.preview(key(1)).phase).toBe('Orphaned');
    told
      .pass(filtered({ closed: [1] }))
      .pass(filtered({ closed: [1] }), at(60));
    expect(told.findings('GeneratedSetShrank')).toHaveLength(1);
    expect(told.story.preview(key(1)).phase).toBe('Orphaned');
  });

  it('all is live again afterwards, and nothing is left to tell', () => {
    const told = lose(filtered());
    told.pass(world({ applications: ALL }), at(120));
    expect(told.types()).toEqual([]);
  });
});
