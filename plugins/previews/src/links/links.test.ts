/* eslint-disable no-script-url -- hostile addresses are what is tested */
import { Preview } from '@previews/backstage-plugin-previews-common';
import { createPreviews } from '../testing/fixtures';
import { commitUrl, pipelineUrl, projectUrl } from './gitLab';
import { nextStepOf } from './nextStep';
import { safeUrl } from './safeUrl';

function previewOf(iid: number): Preview {
  return createPreviews().find(({ mergeRequest }) => mergeRequest.iid === iid)!;
}

describe('an address', () => {
  it.each(['https://a.example.com/x?y#z', 'http://a.example.com/'])(
    '%s may become a link',
    url => expect(safeUrl(url)).toBe(url),
  );

  it.each([
    undefined,
    '',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'ftp://a.example.com',
    '//a.example.com',
    '/relative',
    'a.example.com',
    'https://gitlab.example.com@evil.example.com/',
    'https://',
  ])('%j may not', url => expect(safeUrl(url)).toBeUndefined());
});

describe('links into GitLab', () => {
  const { mergeRequest } = previewOf(118);

  it('keep the subpath of the instance and subgroups', () => {
    const nested = {
      ...mergeRequest,
      webUrl: 'https://x.example.com/gitlab/a/b/shop/-/merge_requests/7',
    };
    expect(projectUrl(nested)).toBe('https://x.example.com/gitlab/a/b/shop');
    expect(commitUrl(nested, '1a2b3c4')).toBe(
      'https://x.example.com/gitlab/a/b/shop/-/commit/1a2b3c4',
    );
  });

  it('exist only for what is a SHA and a safe address', () => {
    expect(commitUrl(mergeRequest, 'v1.0.0')).toBeUndefined();
    expect(commitUrl(mergeRequest, '../../settings')).toBeUndefined();
    expect(
      commitUrl({ ...mergeRequest, webUrl: 'javascript:1/-/' }, '1a2b3c4d'),
    ).toBeUndefined();
    expect(
      commitUrl({ ...mergeRequest, webUrl: undefined }, '1a2b3c4d'),
    ).toBeUndefined();
  });

  it("lead to the pipeline, else to the merge request's pipelines", () => {
    expect(pipelineUrl(mergeRequest)).toBe(
      'https://gitlab.example.com/group/shop/-/pipelines/9118',
    );
    expect(pipelineUrl({ ...mergeRequest, pipeline: undefined })).toBe(
      'https://gitlab.example.com/group/shop/-/merge_requests/118/pipelines',
    );
  });
});

describe('the next step of a row', () => {
  it.each([
    [
      119,
      'logs',
      'https://argocd.example.com/applications/argocd/preview-mr-119?node=apps%2FDeployment%2Fpreview-mr-119%2Fapi%2F0&tab=logs',
    ],
    [118, 'pipeline', 'https://gitlab.example.com/group/shop/-/pipelines/9118'],
    [
      98,
      'application',
      'https://argocd.example.com/applications/argocd/preview-mr-98',
    ],
    [
      120,
      'mergeRequest',
      'https://gitlab.example.com/group/shop/-/merge_requests/120',
    ],
  ])('of !%s is taken at the %s', (iid, step, url) => {
    expect(nextStepOf(previewOf(iid))).toEqual({ step, kind: 'url', url });
  });

  it('are the logs in the Kubernetes tab where no Argo CD leads to them', () => {
    const preview = {
      ...previewOf(119),
      applications: previewOf(119).applications.map(application => ({
        ...application,
        webUrl: undefined,
      })),
    };
    const places = {
      kubernetesTab: '/catalog/default/component/shop/kubernetes',
    };
    expect(nextStepOf(preview, places)).toEqual({
      step: 'logs',
      kind: 'path',
      path: places.kubernetesTab,
    });
    expect(nextStepOf(preview)).toBeUndefined();
    expect(nextStepOf(previewOf(119), places)).toMatchObject({ kind: 'url' });
    // The tab has logs and nothing of a merge request.
    expect(nextStepOf(previewOf(124), places)).toBeUndefined();
  });

  it('is left out where its address is not known', () => {
    expect(nextStepOf(previewOf(124))).toBeUndefined();
  });

  it('is left out for a live preview and for a reason of a newer backend', () => {
    expect(nextStepOf(previewOf(117))).toBeUndefined();
    expect(
      nextStepOf({
        ...previewOf(119),
        reason: { type: 'Available', reason: 'FromTheFuture', params: {} },
      }),
    ).toBeUndefined();
  });

  it('is the list of sources when one of them does not answer', () => {
    expect(
      nextStepOf({
        ...previewOf(119),
        reason: {
          type: 'Available',
          reason: 'SourceUnavailable',
          params: { source: 'cluster:edge' },
        },
      }),
    ).toEqual({ step: 'sources', kind: 'sources' });
  });
});
