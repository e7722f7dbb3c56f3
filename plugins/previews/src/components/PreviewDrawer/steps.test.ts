import { Condition, Preview } from '@previews/backstage-plugin-previews-common';
import { createPreviews, fixtureNow } from '../../testing/fixtures';
import { stepToOpen, toSteps } from './steps';

function previewOf(iid: number): Preview {
  return createPreviews().find(({ mergeRequest }) => mergeRequest.iid === iid)!;
}

function statesOf(preview: Preview): string[] {
  return toSteps(preview, fixtureNow).map(({ id, state }) => `${id} ${state}`);
}

function withCondition(
  preview: Preview,
  type: Condition['type'],
  change: Partial<Condition>,
): Preview {
  return {
    ...preview,
    conditions: preview.conditions.map(condition =>
      condition.type === type ? { ...condition, ...change } : condition,
    ),
  };
}

describe('the steps of a preview', () => {
  it('are all done when it is live', () => {
    expect(statesOf(previewOf(117))).toEqual([
      'MergeRequest done',
      'ImageBuilt done',
      'ApplicationGenerated done',
      'Synced done',
      'Available done',
      'CertificateReady done',
      'RouteAccepted done',
    ]);
  });

  it('end with the visit of the portal, where there was one', () => {
    const preview = previewOf(117);
    const [condition] = preview.conditions;
    const visited = (status: 'True' | 'False', reason: string) =>
      statesOf({
        ...preview,
        conditions: [
          ...preview.conditions,
          { ...condition, type: 'Reachable', status, reason },
        ],
      }).at(-1);
    expect(visited('True', 'Answered')).toBe('Reachable done');
    expect(visited('False', 'Http5xx')).toBe('Reachable warning');
  });

  it('are still to come after the one that runs', () => {
    expect(statesOf(previewOf(123))).toEqual([
      'MergeRequest done',
      'ImageBuilt running',
      'ApplicationGenerated notYet',
      'Synced notYet',
      'Available notYet',
      'CertificateReady notYet',
      'RouteAccepted notYet',
    ]);
  });

  it('leave out what does not apply', () => {
    const preview = previewOf(117);
    const withoutCertificate = {
      ...preview,
      conditions: preview.conditions.filter(
        ({ type }) => type !== 'CertificateReady',
      ),
    };
    expect(statesOf(withoutCertificate)).not.toContainEqual(
      expect.stringContaining('CertificateReady'),
    );
  });

  it('are one for a merge request that no set takes', () => {
    expect(statesOf(previewOf(120))).toEqual(['MergeRequest running']);
  });

  it('end with the clean-up of a closed merge request, which waits for no other step', () => {
    const states = statesOf(previewOf(110));
    expect(states[0]).toBe('MergeRequest ended');
    expect(states.at(-1)).toBe('CleanedUp running');
  });

  it('say of a condition that could not be read that it is unknown', () => {
    const preview = withCondition(previewOf(117), 'Synced', {
      status: 'Unknown',
      reason: 'SourceUnavailable',
    });
    expect(statesOf(preview)).toContain('Synced unknown');
  });

  it('go on after one that cannot be read now and was done', () => {
    const running = withCondition(previewOf(117), 'Available', {
      status: 'False',
      reason: 'Progressing',
    });
    const unread = (status: 'True' | 'False') =>
      withCondition(running, 'MergeRequestOpen', {
        status: 'Unknown',
        reason: 'SourceUnavailable',
        lastKnown: { status, reason: 'Opened', params: {} },
      });
    expect(statesOf(unread('True'))).toEqual(
      expect.arrayContaining(['MergeRequest unknown', 'Available running']),
    );
    const toCome = unread('False');
    expect(
      statesOf({
        ...toCome,
        conditions: toCome.conditions.filter(
          ({ type }) => type !== 'RouteAccepted',
        ),
      }),
    ).toContain('RouteAccepted notYet');
  });

  it('run as long as they are waited for, whatever those before them do', () => {
    const preview = previewOf(123);
    const [condition] = preview.conditions;
    const states = statesOf({
      ...preview,
      conditions: [
        ...preview.conditions,
        {
          ...condition,
          type: 'CertificateReady',
          status: 'False',
          reason: 'DnsNotPropagated',
        },
      ],
    });
    expect(states).toEqual(
      expect.arrayContaining([
        'ImageBuilt running',
        'Available notYet',
        'CertificateReady running',
      ]),
    );
  });

  it('count False with a reason of a newer backend as blocked', () => {
    const preview = withCondition(previewOf(117), 'Synced', {
      status: 'False',
      reason: 'FromTheFuture',
    });
    expect(statesOf(preview)).toContain('Synced blocked');
  });

  it('tell a warning from a plain "done"', () => {
    const preview = withCondition(previewOf(117), 'RouteAccepted', {
      reason: 'AcceptedByOneParent',
    });
    expect(statesOf(preview)).toContain('RouteAccepted warning');
  });

  it('tell how long a step took, from the step before it', () => {
    const steps = toSteps(previewOf(117), fixtureNow);
    expect(steps.map(({ tookSeconds }) => tookSeconds)).toEqual([
      undefined,
      45,
      45,
      45,
      45,
      45,
      45,
    ]);
  });

  it('tell no duration where the condition has changed long after the step', () => {
    const preview = withCondition(previewOf(117), 'Synced', {
      since: new Date(fixtureNow - 60_000).toISOString(),
    });
    const steps = toSteps(preview, fixtureNow);
    const tookOf = (id: string) =>
      steps.find(step => step.id === id)?.tookSeconds;
    expect(tookOf('Synced')).toBeUndefined();
    // It came before the new "since" of the step before it.
    expect(tookOf('Available')).toBeUndefined();
  });

  describe('after an outage that changed the reason of a step', () => {
    const tookOf = (preview: Preview, id: string) =>
      toSteps(preview, fixtureNow).find(step => step.id === id)?.tookSeconds;
    const minutesAfter = (preview: Preview, minutes: number) =>
      new Date(Date.parse(preview.createdAt) + minutes * 60_000).toISOString();
    const healed = (preview: Preview) =>
      withCondition(preview, 'ApplicationGenerated', {
        since: minutesAfter(preview, 18),
      });

    it('tell no duration of it, nor of the one that came from it', () => {
      const preview = healed(previewOf(117));
      expect(tookOf(preview, 'ApplicationGenerated')).toBeUndefined();
      expect(tookOf(preview, 'Synced')).toBeUndefined();
    });

    it('keep what the steps before and after took', () => {
      const preview = healed(previewOf(117));
      expect(tookOf(preview, 'ImageBuilt')).toBe(45);
      expect(tookOf(preview, 'Available')).toBe(45);
      expect(tookOf(preview, 'CertificateReady')).toBe(45);
    });

    it('know it also before the preview is live', () => {
      const preview = healed(previewOf(117));
      expect(
        tookOf({ ...preview, phase: 'Updating' }, 'ApplicationGenerated'),
      ).toBeUndefined();
    });
  });

  it('tell no duration of what changed when all were done already', () => {
    const preview = previewOf(117);
    const since = new Date(
      Date.parse(preview.createdAt) + 20 * 60_000,
    ).toISOString();
    const restarted = withCondition(preview, 'Available', { since });
    const tookOf = (changed: Preview) =>
      toSteps(changed, fixtureNow).find(({ id }) => id === 'Available')
        ?.tookSeconds;
    expect(tookOf(restarted)).toBeUndefined();
    expect(
      tookOf({ ...restarted, phase: 'Updating', liveAt: preview.phaseSince }),
    ).toBeUndefined();
  });

  it('tell what the steps of a later commit took', () => {
    const preview = previewOf(117);
    const at = (minutes: number) =>
      new Date(Date.parse(preview.createdAt) + minutes * 60_000).toISOString();
    const steps = toSteps(
      {
        ...withCondition(
          withCondition(
            withCondition(preview, 'ImageBuilt', { since: at(20) }),
            'Synced',
            { since: at(21) },
          ),
          'Available',
          { since: at(23) },
        ),
        liveAt: preview.phaseSince,
        phaseSince: at(23),
      },
      fixtureNow,
    );
    expect(
      Object.fromEntries(steps.map(({ id, tookSeconds }) => [id, tookSeconds])),
    ).toMatchObject({ ImageBuilt: undefined, Synced: 60, Available: 120 });
  });

  it('tell the elapsed and the usual time of a step that runs', () => {
    const image = toSteps(previewOf(123), fixtureNow)[1];
    expect(image.elapsedSeconds).toBe(100);
    expect(image.usualSeconds).toBe(150);
  });
});

describe('the step that opens by itself', () => {
  it('is the first blocked one, before one that runs', () => {
    const steps = toSteps(
      withCondition(previewOf(123), 'MergeRequestOpen', {}),
      fixtureNow,
    );
    expect(stepToOpen(steps)).toBe('ImageBuilt');
    expect(stepToOpen(toSteps(previewOf(119), fixtureNow))).toBe('Available');
  });

  it('is one that warns where none is blocked or runs', () => {
    const preview = withCondition(previewOf(117), 'RouteAccepted', {
      reason: 'AcceptedByOneParent',
    });
    expect(stepToOpen(toSteps(preview, fixtureNow))).toBe('RouteAccepted');
  });

  it('is none when all are done', () => {
    expect(stepToOpen(toSteps(previewOf(117), fixtureNow))).toBeUndefined();
  });
});
