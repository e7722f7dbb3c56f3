import { ReasonParams } from '../reasons';
import { annotationProblem } from './annotationProblem';
import { english } from './english';
import { loadCatalogue } from './languages';
import { renderMessage, renderSentence, renderSourceError } from './render';

const now = new Date('2026-12-05T14:05:00Z');

describe('the sentences', () => {
  it.each<[string, string, string, ReasonParams, string]>([
    [
      'en',
      'MergeRequestOpen',
      'SourceUnavailable',
      { source: 'gitlab:gitlab.example.com', since: '2026-12-05T14:02:00Z' },
      'GitLab gitlab.example.com has not answered since 14:02; what you see is from then.',
    ],
    [
      'en',
      'Available',
      'SourceUnavailable',
      { source: 'cluster:prod', since: '2026-12-04T14:02:00Z' },
      'The cluster prod has not answered since 4 Dec 2026, 14:02; what you see is from then.',
    ],
    [
      'ca',
      'Available',
      'SourceUnavailable',
      { source: 'cluster:prod', since: '2026-12-05T14:02:00Z' },
      'El clúster prod no ha respost des de les 14:02; el que es veu és d’aquell moment.',
    ],
    [
      'es',
      'Available',
      'SourceUnavailable',
      { source: 'cluster:prod', since: '2026-12-05T01:02:00Z' },
      'El clúster prod no ha respondido desde la 01:02; lo que se ve es de ese momento.',
    ],
    [
      'fr',
      'Available',
      'SourceUnavailable',
      { source: 'cluster:prod', since: '2026-12-05T14:02:00Z' },
      'Le cluster prod n’a pas répondu depuis 14:02\u00a0; ce qui s’affiche date de ce moment-là.',
    ],
    [
      'en',
      'ImageBuilt',
      'PipelineRunning',
      {
        tag: '9c8b7a65',
        pipeline: 1234567,
        startedAt: '2026-12-05T14:03:20Z',
        usualSeconds: 150,
      },
      'The image 9c8b7a65 is being built by pipeline #1234567 (1 min 40 s; usually 2 min 30 s).',
    ],
    [
      'en',
      'Selected',
      'LabelMissing',
      { applicationSet: 'argocd/shop', labels: ['preview'] },
      'The ApplicationSet argocd/shop takes only merge requests labelled “preview”; add the label to get a preview.',
    ],
    [
      'ca',
      'Selected',
      'LabelMissing',
      { applicationSet: 'argocd/shop', labels: ['preview', 'qa'] },
      'L’ApplicationSet argocd/shop només agafa sol·licituds de fusió amb les etiquetes «preview» i «qa»; afegiu-les per tenir un entorn.',
    ],
    [
      'en',
      'Available',
      'CrashLoop',
      {
        container: 'api',
        workload: 'Deployment api',
        restarts: 1,
        exitCode: 1,
      },
      'The container api of Deployment api keeps crashing (exit code 1, 1 restart); its logs tell why.',
    ],
    [
      'en',
      'Available',
      'CrashLoop',
      { container: 'api', workload: 'Deployment api', restarts: 6 },
      'The container api of Deployment api keeps crashing (6 restarts); its logs tell why.',
    ],
    [
      'en',
      'Synced',
      'SyncFailed',
      {
        application: 'shop-7',
        error: 'Namespace "shop-release-1.2.x" is invalid.',
        resources: [],
      },
      'The sync of the Application shop-7 failed; whoever owns its manifests has to correct them: Namespace "shop-release-1.2.x" is invalid.',
    ],
    [
      'en',
      'ImageBuilt',
      'TagLengthDiffers',
      { tag: '8e0b4504', near: ['8e0b450'] },
      'The registry has no image 8e0b4504, only 8e0b450 of the same commit; the pipeline and the ApplicationSet have to shorten the commit to the same length.',
    ],
    [
      'en',
      'Synced',
      'CommitNotInProject',
      { application: 'shop-7', sha: '8e0b45049b', project: 'group/shop' },
      'The commit 8e0b4504 of the fork is not in group/shop, which the Application shop-7 reads; a preview needs a branch in that project itself.',
    ],
    [
      'en',
      'CleanedUp',
      'OperationBlocksDeletion',
      { application: 'shop-7', since: '2026-11-21T14:05:00Z' },
      'The Application shop-7 has been in deletion since 21 Nov 2026, 14:05 (14 d) and cannot go while a sync runs; someone can terminate the sync in Argo CD.',
    ],
    [
      'fr',
      'Selected',
      'KeptByGenerator',
      { applicationSet: 'argocd/shop', state: 'merged' },
      'L’ApplicationSet argocd/shop garde l’environnement alors que la demande de fusion est fusionnée\u00a0; son responsable peut mettre pullRequestState à «\u00a0opened\u00a0» pour qu’il soit supprimé.',
    ],
  ])('in %s: %s %s', async (language, type, reason, params, expected) => {
    expect(
      renderSentence(
        { type, reason, params },
        { catalogue: await loadCatalogue(language), now, timeZone: 'UTC' },
      ),
    ).toBe(expected);
  });

  it('puts markup into a sentence as text and nothing into its form', () => {
    expect(
      renderSentence(
        {
          type: 'MergeRequestOpen',
          reason: 'SourceBranchDeleted',
          params: { branch: '$& <b>#${x}</b>', extra: 'ignored' },
        },
        { catalogue: english, now },
      ),
    ).toContain('“$& <b>#${x}</b>”');
  });
});

describe('renderMessage', () => {
  it('tells times completely and no elapsed time, to be read later', () => {
    expect(
      renderMessage({
        type: 'CleanedUp',
        reason: 'NamespaceTerminating',
        params: { namespace: 'shop-7', since: '2026-12-05T14:02:00Z' },
      }),
    ).toBe(
      'The namespace shop-7 has been terminating since 2026-12-05 14:02 UTC; it goes when all in it is gone.',
    );
    expect(
      renderMessage({
        type: 'ImageBuilt',
        reason: 'PipelineRunning',
        params: {
          tag: 'a',
          pipeline: 1,
          startedAt: '2026-12-05T14:02:00Z',
          usualSeconds: 90,
        },
      }),
    ).toBe('The image a is being built by pipeline #1 (usually 1 min 30 s).');
  });

  it('is a sentence even where a name is empty', () => {
    expect(
      renderMessage({
        type: 'Available',
        reason: 'Asleep',
        params: { workload: '' },
      }),
    ).toBe('Available is Asleep.');
  });
});

describe('renderSourceError', () => {
  it('tells since when and when it is tried again', () => {
    expect(
      renderSourceError(
        {
          reason: 'RateLimited',
          source: { kind: 'gitlab', name: 'gitlab.example.com' },
          since: '2026-12-05T14:02:00Z',
          retryAt: '2026-12-05T14:10:00Z',
        },
        { catalogue: english, now, timeZone: 'UTC' },
      ),
    ).toBe(
      'GitLab gitlab.example.com has limited the portal’s calls since 14:02 (3 min); next try: 14:10.',
    );
  });

  it.each(['en', 'ca', 'es', 'fr'])(
    'tells a token that was revoked, has expired, is none or lacks a scope apart, in %s',
    async language => {
      const catalogue = await loadCatalogue(language);
      const texts = (
        [
          'TokenRevoked',
          'TokenExpired',
          'TokenInvalid',
          'ScopeMissing',
        ] as const
      ).map(reason =>
        renderSourceError(
          {
            reason,
            source: { kind: 'gitlab', name: 'gitlab.example.com' },
            subject: 'group/shop',
            since: '2026-12-05T14:02:00Z',
          },
          { catalogue, now, timeZone: 'UTC' },
        ),
      );
      expect(new Set(texts).size).toBe(4);
      expect(texts.map(text => text?.includes('read_api'))).toEqual([
        false,
        false,
        false,
        true,
      ]);
    },
  );
});

describe('annotationProblem', () => {
  it('carries clean params and the English sentence', () => {
    expect(
      annotationProblem({
        annotation: 'gitlab.com/project-slug',
        reason: 'ProjectClaimedFromElsewhere',
        params: { project: 'other/\u202ething' },
      }),
    ).toEqual({
      annotation: 'gitlab.com/project-slug',
      reason: 'ProjectClaimedFromElsewhere',
      params: { project: 'other/thing' },
      message:
        'The annotation gitlab.com/project-slug names the project other/thing, which is in another group than the entity’s own file, so its previews are not shown; whoever runs the portal can allow it under previews.catalog.allow.',
    });
  });
});
