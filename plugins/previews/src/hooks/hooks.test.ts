import { loadRows } from '../api';
import { createPreviews } from '../testing/fixtures';
import { FixturePreviewsApi } from '../testing/FixturePreviewsApi';
import { gitLabLoginOf } from './useOwnGitLabLogin';
import { parseTabQuery, toRequest, writeTabQuery } from './useTabQuery';

describe('the query in the address', () => {
  it('comes back as it was written', () => {
    const query = {
      search: 'cart & more',
      phases: ['Failed' as const, 'Live' as const],
      author: 'dev1',
      hideDrafts: true,
      sort: '-activity' as const,
      preview: 'p-42-7',
    };
    const params = writeTabQuery(query, new URLSearchParams('other=kept'));
    expect(params.get('other')).toBe('kept');
    expect(parseTabQuery(params)).toEqual(query);
  });

  it('leaves defaults out and ignores what it does not know', () => {
    const query = parseTabQuery(
      new URLSearchParams('sort=price&phase=Sunny&drafts=maybe'),
    );
    expect(query).toMatchObject({
      sort: 'attention',
      phases: [],
      hideDrafts: false,
    });
    expect(writeTabQuery(query, new URLSearchParams()).toString()).toBe('');
  });

  it('becomes a request that says only what was chosen', () => {
    expect(toRequest(parseTabQuery(new URLSearchParams('q=%20')))).toEqual({
      sort: 'attention',
    });
    expect(
      toRequest(parseTabQuery(new URLSearchParams('drafts=hide&author=dev1'))),
    ).toEqual({ sort: 'attention', author: 'dev1', draft: false });
  });
});

describe('the login behind "mine"', () => {
  const user = (annotations: Record<string, string>) => ({
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'User',
    metadata: { name: 'someone', annotations },
  });

  it.each([
    [{ 'gitlab.example.com/user-login': 'dev1' }, 'dev1'],
    [
      { 'gitlab.example.com/user-login': 'https://gitlab.example.com/dev1' },
      'dev1',
    ],
    [{ 'gitlab.com/user-login': 'https://gitlab.com/dev1/' }, 'dev1'],
    [
      {
        'gitlab.com/user-login': 'other',
        'gitlab.example.com/user-login': 'dev1',
      },
      'dev1',
    ],
    [{ 'gitlab.com/user-login': ' ' }, undefined],
    [{}, undefined],
  ])('is read from %j', (annotations, expected) => {
    expect(gitLabLoginOf(user(annotations), 'gitlab.example.com')).toBe(
      expected,
    );
  });
});

describe('reading all rows that are shown', () => {
  const [sample] = createPreviews();
  const previews = Array.from({ length: 450 }, (_, index) => ({
    ...sample,
    id: `p-42-${index}`,
  }));

  it('takes as few requests as the API allows', async () => {
    const api = new FixturePreviewsApi({ previews });
    const answer = await loadRows({ api, request: {}, rows: 420 });
    expect(answer.items).toHaveLength(420);
    expect(api.requests.map(({ limit }) => limit)).toEqual([200, 200, 20]);
    expect(answer.totalItems).toBe(450);
    expect(answer.nextCursor).toBe('420');
  });

  it('shows a row once that has moved between two pages', async () => {
    const api = new FixturePreviewsApi({
      previews: [...previews.slice(0, 200), ...previews.slice(199, 210)],
    });
    const { items } = await loadRows({ api, request: {}, rows: 300 });
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  });

  it('ends when there are no more', async () => {
    const api = new FixturePreviewsApi({ previews: previews.slice(0, 3) });
    const { items } = await loadRows({ api, request: {}, rows: 50 });
    expect(items).toHaveLength(3);
    expect(api.requests).toHaveLength(1);
  });
});
