import { InputError } from '@backstage/errors';
import { readMergeRequests, releaseNotes } from './releaseNotes';

const notes = (given: string | unknown[] | undefined) =>
  releaseNotes({
    service: 'shop',
    previous: 'shop-v1',
    value: 'shop-v2',
    mergeRequests: readMergeRequests(given),
  });

describe('releaseNotes', () => {
  it('lists merge requests as GitLab answers them', () => {
    const list = [
      {
        iid: 7,
        title: 'Faster search',
        web_url: 'https://gitlab.example.com/web/shop/-/merge_requests/7',
        author: { username: 'dev1' },
        labels: ['x'],
      },
      { iid: 8, title: 'Basket' },
    ];
    const expected =
      'Promotes shop from `shop-v1` to `shop-v2`.\n\n## What is in it\n\n- [\\!7](https://gitlab.example.com/web/shop/-/merge_requests/7) Faster search (dev1)\n- \\!8 Basket\n\nReverting this merge request takes the release back.\n';
    expect(notes(list)).toBe(expected);
    expect(notes(JSON.stringify(list))).toBe(expected);
  });

  it('lists the lines of a text', () => {
    expect(notes('- Faster search\r\n\n* Basket\n')).toContain(
      '\n- Faster search\n- Basket\n',
    );
  });

  it.each([undefined, '', []])('says that nothing is listed for %j', given => {
    expect(notes(given)).toContain('Nobody listed the merge requests.');
  });

  it('lets titles call nobody, run nothing and be no markup', () => {
    const text = notes([
      { title: '/merge\n/approve @all <img src=x> [a](javascript:b) `c`' },
      { iid: 1, title: 'x', web_url: `${'javascript'}:alert(1)` },
    ]);
    expect(text).not.toMatch(/^\//m);
    expect(text).not.toContain('@all');
    expect(text).toContain('\\<img src=x\\> \\[a\\](javascript:b) \\`c\\`');
    expect(text).not.toContain('](javascript:alert');
  });

  it('says first that nobody knows whether the value exists, and why', () => {
    const text = releaseNotes({
      service: 'shop',
      previous: 'shop-v1',
      value: 'shop-v2',
      unverified: 'gitlab.example.com did not answer *once*',
      mergeRequests: [],
    });
    expect(text).toContain(
      'to `shop-v2`.\n\n**It was not found out whether `shop-v2` exists:** gitlab.example.com did not answer \\*once\\*. Make sure that it does before this is merged.\n\n## What is in it',
    );
  });

  it('ends a list that is too long', () => {
    const text = notes(Array.from({ length: 250 }, () => ({ title: 'x' })));
    expect(text).toContain('- and 50 more');
  });

  it.each<[string, string | unknown[]]>([
    ['JSON that is none', '[{'],
    ['one without a title', [{ iid: 1 }]],
  ])('refuses %s', (_, given) => {
    expect(() => readMergeRequests(given)).toThrow(InputError);
  });
});
