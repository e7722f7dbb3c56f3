import { createTheme, getContrastRatio } from '@material-ui/core/styles';
import {
  CertificateSummary,
  Preview,
} from '@previews/backstage-plugin-previews-common';
import { createPreviews, fixtureNow } from '../../testing/fixtures';
import { certificateStateAt, worstCertificate } from './certificates';
import { commitState, shortSha } from './commitState';
import { briefReason } from './briefReason';
import {
  initialsOf,
  mergeRequestName,
  mergeRequestTitle,
  sourceNameOfId,
} from './names';
import { legible, phaseTones, toneColor } from './tones';
import { applicationTones, healthTone, worstApplication } from './worst';

const [sample] = createPreviews().filter(({ phase }) => phase === 'Live');

function withCommit(
  commit: Partial<Preview['commit']>,
  phase: Preview['phase'] = 'Live',
): Preview {
  return { ...sample, phase, commit: { by: 'tag', ...commit } };
}

const HEAD = '8e0b45049b6253b8984cde9241830d2851168142';

describe('the commit of a row', () => {
  it.each<[string, Preview, ReturnType<typeof commitState>]>([
    [
      'is current no longer once the preview is torn down',
      withCommit({ head: HEAD, running: '8e0b4504' }, 'TearingDown'),
      { kind: 'one', sha: HEAD, current: false },
    ],
    [
      'is not current of an orphan, whose branch has no newer one either',
      withCommit({ head: HEAD, running: '8e0b4504' }, 'Orphaned'),
      { kind: 'one', sha: HEAD, current: false },
    ],
    [
      'is current when eight digits of the head run',
      withCommit({ head: HEAD, expected: '8e0b4504', running: '8e0b4504' }),
      { kind: 'one', sha: HEAD, current: true },
    ],
    [
      'is current when seven digits of the head run',
      withCommit({ head: HEAD, expected: '8e0b4504', running: '8e0b450' }),
      { kind: 'one', sha: HEAD, current: true },
    ],
    [
      'is not taken for current by fewer than seven digits',
      withCommit({ head: HEAD, expected: '8e0b4504', running: '8e0b45' }),
      { kind: 'updating', from: '8e0b45', to: HEAD },
    ],
    [
      'is current when a tag with an affix runs as expected',
      withCommit({
        head: HEAD,
        expected: 'mr-8e0b4504',
        running: 'mr-8e0b4504',
      }),
      { kind: 'one', sha: HEAD, current: true },
    ],
    [
      'is on its way from the one that runs to the head',
      withCommit({ head: HEAD, expected: '8e0b4504', running: '1a2b3c4d' }),
      { kind: 'updating', from: '1a2b3c4d', to: HEAD },
    ],
    [
      'is the head alone while nothing runs',
      withCommit({ head: HEAD, expected: '8e0b4504' }, 'Building'),
      { kind: 'one', sha: HEAD, current: false },
    ],
    [
      'is neither current nor outdated without a head',
      withCommit({ running: '1a2b3c4d' }),
      { kind: 'one', sha: '1a2b3c4d', current: false },
    ],
    [
      'is unknown where no expression names it',
      withCommit({ head: HEAD, by: 'none' }),
      { kind: 'unknown' },
    ],
    [
      'is left out where no set takes the merge request',
      withCommit({ head: HEAD }, 'NotSelected'),
      { kind: 'none' },
    ],
    ['is left out when nothing is known', withCommit({}), { kind: 'none' }],
  ])('%s', (_, preview, expected) => {
    expect(commitState(preview)).toEqual(expected);
  });

  it('is cut to eight digits, a tag is not', () => {
    expect(shortSha(HEAD)).toBe('8e0b4504');
    expect(shortSha('v1.42.0-rc.1')).toBe('v1.42.0-rc.1');
  });
});

describe('colours', () => {
  const tones = [...new Set(Object.values(phaseTones))];

  it.each(['light', 'dark'] as const)(
    'can be read as text in the %s theme',
    name => {
      const theme = createTheme({ palette: { type: name } });
      for (const tone of tones) {
        const color = toneColor(theme, tone);
        expect(
          getContrastRatio(color, theme.palette.background.paper),
        ).toBeGreaterThanOrEqual(4.5);
      }
    },
  );

  it('are left as they are where they can be read already', () => {
    expect(legible('#000000', '#ffffff')).toBe('#000000');
    expect(legible('#ffffff', '#121212')).toBe('#ffffff');
  });
});

describe('what most needs looking at', () => {
  const certificate = (change: Partial<CertificateSummary>) =>
    ({ ...sample.certificates[0], ...change } as CertificateSummary);

  it('is a failed certificate before one that waits or is ready', () => {
    expect(
      worstCertificate([
        certificate({ name: 'a' }),
        certificate({ name: 'b', state: 'waiting' }),
        certificate({ name: 'c', state: 'failed' }),
      ])?.name,
    ).toBe('c');
  });

  it('is of ready certificates the first to expire', () => {
    expect(
      worstCertificate([
        certificate({ name: 'a', notAfter: '2027-02-01T00:00:00Z' }),
        certificate({ name: 'b', notAfter: '2027-01-01T00:00:00Z' }),
      ])?.name,
    ).toBe('b');
  });

  it('is of ready certificates one that cannot be renewed', () => {
    expect(
      worstCertificate([
        certificate({ name: 'a', notAfter: '2027-01-01T00:00:00Z' }),
        certificate({
          name: 'b',
          notAfter: '2027-02-01T00:00:00Z',
          reason: 'RenewalOverdue',
        }),
      ])?.name,
    ).toBe('b');
  });

  it('is a Degraded Application before a Healthy one', () => {
    const [application] = sample.applications;
    expect(
      worstApplication([
        application,
        { ...application, name: 'broken', health: 'Degraded' },
      ])?.name,
    ).toBe('broken');
    expect(worstApplication([])).toBeUndefined();
  });

  it.each(['TearingDown', 'Gone', 'NotSelected', 'Orphaned'] as const)(
    'reads as no success once its preview is %s, and as trouble still',
    phase => {
      const [application] = sample.applications;
      expect(applicationTones(application, phase)).toEqual({
        sync: 'neutral',
        health: 'neutral',
      });
      expect(
        applicationTones({ ...application, health: 'Degraded' }, phase).health,
      ).toBe('bad');
      expect(applicationTones(application, 'Live')).toEqual({
        sync: 'good',
        health: 'good',
      });
    },
  );

  it('is not decided by words that Argo CD does not use', () => {
    expect(healthTone('constructor')).toBe('neutral');
  });
});

describe('a certificate at a moment', () => {
  const DAY = 86_400_000;
  const inDays = (days: number) =>
    new Date(fixtureNow + days * DAY).toISOString();
  const stateOf = (change: Partial<CertificateSummary>) =>
    certificateStateAt({ ...sample.certificates[0], ...change }, fixtureNow);

  it.each<[string, Partial<CertificateSummary>, string]>([
    ['is good while its end is far', { notAfter: inDays(78) }, 'ready good'],
    [
      'worries from fourteen days before its end',
      { notAfter: inDays(13.9), renewalTime: inDays(-16) },
      'ready warning expiresSoon',
    ],
    [
      'does not worry fourteen days before its end',
      { notAfter: inDays(14), renewalTime: inDays(-16) },
      'ready good',
    ],
    [
      'worries when nobody is to renew it',
      { notAfter: inDays(9), renewalTime: undefined },
      'ready warning expiresSoon',
    ],
    [
      'does not worry when it lives a week and is renewed in time',
      { notAfter: inDays(5), renewalTime: inDays(3) },
      'ready good',
    ],
    [
      'worries when its renewal is to come after its end',
      { notAfter: inDays(5), renewalTime: inDays(6) },
      'ready warning expiresSoon',
    ],
    [
      'worries when its renewal fails, however long it is valid',
      { notAfter: inDays(29), reason: 'RenewalFailing' },
      'ready warning renewalFailing',
    ],
    [
      'worries when its renewal is overdue',
      { notAfter: inDays(29), reason: 'RenewalOverdue' },
      'ready warning renewalOverdue',
    ],
    [
      'has expired at its end, also where that was not read yet',
      { notAfter: inDays(0) },
      'expired bad',
    ],
    [
      'is ready where its end is not known',
      { notAfter: undefined, renewalTime: undefined },
      'ready good',
    ],
    ['is not decided by an odd reason', { reason: 'toString' }, 'ready good'],
    ['waits', { state: 'waiting' }, 'waiting moving'],
    ['has failed', { state: 'failed' }, 'failed bad'],
  ])('%s', (_, change, expected) => {
    const { state, tone, concern } = stateOf(change);
    expect([state, tone, concern].filter(Boolean).join(' ')).toBe(expected);
  });
});

describe('names', () => {
  it.each([
    [{ username: 'dev1' }, 'D1'],
    [{ username: 'dev2' }, 'D2'],
    [{ username: 'reviewer' }, 'RR'],
    [{ username: 'first.second' }, 'FS'],
    [{ username: 'x' }, 'X'],
    [{ username: '' }, '?'],
    [{ username: 'u', name: 'One Two Three' }, 'OT'],
    [{ username: 'u', name: '😀 ☂' }, '😀☂'],
  ])('makes initials of %j', (author, expected) => {
    expect(initialsOf(author)).toBe(expected);
  });

  it.each([
    ['Draft: New header', true, 'New header'],
    ['draft:New header', true, 'New header'],
    ['[Draft] New header', true, 'New header'],
    ['(draft) New header', true, 'New header'],
    ['New header', true, 'New header'],
    ['Draft:', true, 'Draft:'],
    ['Drafting the header', true, 'Drafting the header'],
    ['Draft: New header', false, 'Draft: New header'],
  ])(
    'shows the title %j of a merge request whose draft is %s as %j',
    (title, draft, expected) => {
      expect(mergeRequestTitle({ ...sample.mergeRequest, title, draft })).toBe(
        expected,
      );
    },
  );

  it.each([
    ['ApplicationGenerated', 'GeneratorError', ''],
    ['ApplicationGenerated', 'FrozenByGenerator', ''],
    ['Synced', 'OldCommit', ''],
    ['CleanedUp', 'FrozenByGenerator', ''],
    ['ApplicationGenerated', 'ValidationError', 'told'],
    ['Synced', 'SyncFailed', 'told'],
    ['toString', 'OldCommit', 'told'],
  ])('briefly keeps of the error of %s %s: "%s"', (type, reason, expected) => {
    const params = { application: 'a', error: 'told' };
    expect(briefReason({ type, reason, params })?.params).toEqual({
      application: 'a',
      error: expected,
    });
  });

  it('adds no error to a reason without one', () => {
    const reason = { type: 'Synced', reason: 'OldCommit', params: {} };
    expect(briefReason(reason)).toBe(reason);
    expect(briefReason(undefined)).toBeUndefined();
  });

  it('names a draft without its mark', () => {
    expect(
      mergeRequestName({
        ...sample.mergeRequest,
        iid: 7,
        title: 'Draft: New header',
        draft: true,
      }),
    ).toBe('!7 New header');
  });

  it('names a source by its id, also with a port', () => {
    expect(sourceNameOfId('gitlab:gitlab.example.com:8443')).toBe(
      'GitLab gitlab.example.com:8443',
    );
    expect(sourceNameOfId('cluster:edge')).toBe('Kubernetes edge');
    expect(sourceNameOfId('argocd:central')).toBe('Argo CD central');
    expect(sourceNameOfId('dns:Z0SIMULATED1')).toBe('DNS Z0SIMULATED1');
  });
});
