import { projectOfRepository } from './projectOfRepository';

const instances = [
  { host: 'gitlab.example.com', webUrl: 'https://gitlab.example.com' },
  { host: 'code.example.com', webUrl: 'https://code.example.com/gitlab' },
  { host: 'localhost:8080', webUrl: 'http://localhost:8080' },
];

describe('the project that a repository’s URL means', () => {
  it.each<[string, string, string | undefined]>([
    ['HTTPS', 'https://gitlab.example.com/a/b.git', 'gitlab.example.com a/b'],
    [
      'no suffix',
      'https://gitlab.example.com/a/b/c/',
      'gitlab.example.com a/b/c',
    ],
    ['a user', 'https://x:y@gitlab.example.com/a/b', 'gitlab.example.com a/b'],
    [
      'a subpath',
      'https://code.example.com/gitlab/a/b.git',
      'code.example.com a/b',
    ],
    ['a port', 'http://localhost:8080/a/b.git', 'localhost:8080 a/b'],
    ['scp', 'git@gitlab.example.com:a/b.git', 'gitlab.example.com a/b'],
    [
      'SSH',
      'ssh://git@gitlab.example.com:2222/a/b.git',
      'gitlab.example.com a/b',
    ],
    [
      'a place outside of the subpath',
      'https://code.example.com/a/b',
      undefined,
    ],
    ['another host', 'https://github.com/a/b.git', undefined],
    [
      'a host that only ends alike',
      'https://evil-gitlab.example.com/a/b',
      undefined,
    ],
    ['a chart registry', 'oci://gitlab.example.com/a/b', undefined],
    ['a template', '{{ .url }}', undefined],
    ['a lone name', 'https://gitlab.example.com/a', undefined],
    ['nothing', '', undefined],
  ])('is found for %s', (_, url, expected) => {
    const found = projectOfRepository(url, instances);
    expect(found && `${found.host} ${found.path}`).toBe(expected);
  });
});
