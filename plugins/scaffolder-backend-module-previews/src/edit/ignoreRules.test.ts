import { findHidingRule, type IgnoreFile } from './ignoreRules';

const file = '.gitlab/previews.gitlab-ci.yml';

function root(content: string): IgnoreFile[] {
  return [{ path: '.gitignore', content }];
}

describe('findHidingRule', () => {
  it.each<[string, string]>([
    ['the name of the file', 'previews.gitlab-ci.yml'],
    ['its folder', '.gitlab/'],
    ['its folder from the root', '/.gitlab'],
    ['a pattern of the name', '*.yml'],
    ['a pattern of all hidden files', '.*'],
    ['everything', '*'],
    ['everything below', '.gitlab/**'],
    ['any folder', '**/previews.*'],
    ['one character', 'previews?gitlab-ci.yml'],
    ['a class', '[a-p]reviews.gitlab-ci.y[!a]l'],
    ['an escaped character', '\\previews.gitlab-ci.yml'],
    ['a rule with spaces behind it', '*.yml   '],
    ['a rule of Windows', '*.yml\r\n'],
  ])('knows %s', (_, rule) => {
    expect(findHidingRule({ path: file, ignoreFiles: root(rule) })).toEqual({
      hidden: file,
      path: '.gitignore',
      line: 1,
      rule: rule.trim(),
    });
  });

  it.each<[string, string]>([
    ['a comment', '# *.yml'],
    ['a rule of folders with the name of the file', 'previews.gitlab-ci.yml/'],
    ['the name in the root', '/previews.gitlab-ci.yml'],
    ['a pattern that ends at a folder', '/*.yml'],
    ['another file', '*.yaml'],
    ['a rule that a later one takes back', '*.yml\n!.gitlab/*.yml'],
    ['a class that does not end', 'previews[.gitlab-ci.yml'],
    ['an empty file', '\n\n'],
  ])('is not taken in by %s', (_, rules) => {
    expect(
      findHidingRule({ path: file, ignoreFiles: root(rules) }),
    ).toBeUndefined();
  });

  it('knows that nothing comes back out of a hidden folder', () => {
    expect(
      findHidingRule({
        path: file,
        ignoreFiles: root(`# ours\n.gitlab/\n!${file}`),
      }),
    ).toMatchObject({ line: 2, rule: '.gitlab/' });
  });

  it('takes rules of the folder of the file after those above', () => {
    const ignoreFiles = [
      { path: '.gitlab/.gitignore', content: '!*.yml' },
      { path: '.gitignore', content: '*.yml' },
      { path: 'other/.gitignore', content: '*' },
    ];
    expect(findHidingRule({ path: file, ignoreFiles })).toBeUndefined();
    expect(findHidingRule({ path: 'other/a', ignoreFiles })).toMatchObject({
      path: 'other/.gitignore',
    });
  });

  it('decides a rule that is made to take forever', () => {
    const rule = `${'a*'.repeat(200)}b`;
    expect(
      findHidingRule({
        path: 'a'.repeat(5000),
        ignoreFiles: root(rule),
      }),
    ).toBeUndefined();
  });
});
