import { projectSlugFromLocation } from './gitLabLocation';

describe('projectSlugFromLocation', () => {
  it.each<[string, string, string, string | undefined]>([
    [
      'finds the project of a file',
      'https://gitlab.example.com/shop/api/-/blob/main/catalog-info.yaml',
      'https://gitlab.example.com',
      'shop/api',
    ],
    [
      'finds the project of a folder in a subgroup',
      'https://gitlab.example.com/shop/back/api/-/tree/main/a/',
      'https://gitlab.example.com/',
      'shop/back/api',
    ],
    [
      'leaves out the subpath of the instance',
      'https://example.com/git/shop/api/-/blob/main/catalog-info.yaml',
      'https://example.com/git/',
      'shop/api',
    ],
    [
      'stops at the first separator',
      'https://gitlab.example.com/a/b/-/blob/main/x/-/blob/c/d.yaml',
      'https://gitlab.example.com',
      'a/b',
    ],
    [
      'refuses another host',
      'https://gitlab.example.org/shop/api/-/blob/main/catalog-info.yaml',
      'https://gitlab.example.com',
      undefined,
    ],
    [
      'refuses another port',
      'https://gitlab.example.com:8443/shop/api/-/blob/main/a.yaml',
      'https://gitlab.example.com',
      undefined,
    ],
    [
      'refuses a location outside the subpath',
      'https://example.com/github/shop/api/-/blob/main/a.yaml',
      'https://example.com/git',
      undefined,
    ],
    [
      'refuses a project without a group',
      'https://example.com/git/api/-/blob/main/a.yaml',
      'https://example.com/git',
      undefined,
    ],
    [
      'refuses a page that is no file',
      'https://gitlab.example.com/shop/api/-/issues/1',
      'https://gitlab.example.com',
      undefined,
    ],
    ['refuses what is no URL', 'shop/api', 'https://example.com', undefined],
    [
      'refuses a broken escape',
      'https://gitlab.example.com/shop/%E0%A4%A/-/blob/main/a.yaml',
      'https://gitlab.example.com',
      undefined,
    ],
  ])('%s', (_, locationUrl, baseUrl, expected) => {
    expect(projectSlugFromLocation({ locationUrl, baseUrl })).toBe(expected);
  });
});
