import { mockServices } from '@backstage/backend-test-utils';
import {
  SourceErrorReason,
  SourceState,
} from '@previews/backstage-plugin-previews-common';
import { SourceJournal } from './SourceJournal';

const state = (
  status: SourceState['status'],
  ...reasons: SourceErrorReason[]
): SourceState => ({
  id: 'cluster:main',
  kind: 'cluster',
  name: 'main',
  status,
  lastCompleteAt: '2026-11-02T08:00:00.000Z',
  errors: reasons.map(reason => ({
    reason,
    message: `It is ${reason}.`,
    since: '2026-11-02T08:00:00.000Z',
  })),
  notes: [],
});

describe('the log of the sources', () => {
  const written = (...states: SourceState[]) => {
    const logger = mockServices.logger.mock();
    const journal = new SourceJournal({ logger });
    states.forEach(one => journal.note([one]));
    return {
      warnings: logger.warn.mock.calls.map(([text]) => text),
      news: logger.info.mock.calls.map(([text]) => text),
    };
  };

  it('says once that one cannot be read, and once that it is read again', () => {
    expect(
      written(
        state('fresh'),
        state('failing', 'Unreachable', 'Unreachable'),
        state('stale', 'Unreachable'),
        state('failing'),
        state('fresh'),
        state('fresh'),
      ),
    ).toEqual({
      warnings: ['cluster:main cannot be read as a whole: It is Unreachable.'],
      news: ['cluster:main is read again'],
    });
  });

  it('says so again where there is another reason, and after it was read', () => {
    const { warnings, news } = written(
      state('failing', 'Unreachable'),
      state('failing', 'TokenInvalid'),
      state('fresh'),
      state('failing', 'TokenInvalid'),
    );
    expect(warnings).toHaveLength(3);
    expect(news).toHaveLength(1);
  });

  it('tells of a source that has gone silent, and of one that is read but for a part', () => {
    expect(written(state('stale')).warnings).toEqual([
      'cluster:main cannot be read as a whole: Nothing was told since 2026-11-02T08:00:00.000Z.',
    ]);
    expect(written(state('fresh', 'Forbidden')).warnings).toHaveLength(1);
  });

  it('tells of each outage of a source of which a part is denied all along', () => {
    const outage = [
      state('failing', 'Forbidden', 'Unreachable'),
      state('stale', 'Forbidden', 'TimedOut'),
      state('stale', 'Forbidden', 'Unreachable'),
      state('fresh', 'Forbidden'),
    ];
    const told = [
      'cluster:main cannot be read as a whole: It is Unreachable.',
      'cluster:main cannot be read as a whole: It is TimedOut.',
    ];
    expect(written(state('fresh', 'Forbidden'), ...outage, ...outage)).toEqual({
      warnings: [
        'cluster:main cannot be read as a whole: It is Forbidden.',
        ...told,
        ...told,
      ],
      news: ['cluster:main is read again', 'cluster:main is read again'],
    });
  });

  it('says nothing of one that has only begun', () => {
    expect(written(state('pending'), state('fresh'))).toEqual({
      warnings: [],
      news: [],
    });
  });
});
