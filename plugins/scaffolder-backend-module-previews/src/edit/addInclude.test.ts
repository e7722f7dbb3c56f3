import { InputError } from '@backstage/errors';
import { addInclude } from './addInclude';

const include = '.gitlab/previews.gitlab-ci.yml';
const LINE = `local: ${include}`;

/** Every way that GitLab lets a pipeline include, and what shall become of it. */
const cases: [string, string, string][] = [
  ['no pipeline', '', `include:\n  - ${LINE}\n`],
  [
    'only comments',
    '# Pipeline of the shop\n',
    `# Pipeline of the shop\n\ninclude:\n  - ${LINE}\n`,
  ],
  [
    'no include',
    '# Pipeline\nstages: [build, test] # two\n\ntest:\n  script:\n    - "make"   # all\n    # - make slow\n',
    `# Pipeline\nstages: [build, test] # two\n\ntest:\n  script:\n    - "make"   # all\n    # - make slow\n\ninclude:\n  - ${LINE}\n`,
  ],
  [
    'no line end at the end',
    'test:\n  script: make',
    `test:\n  script: make\n\ninclude:\n  - ${LINE}\n`,
  ],
  [
    'a block scalar at the end that keeps its empty lines',
    'test:\n  script: |+\n    make\n\n',
    `test:\n  script: |+\n    make\n\ninclude:\n  - ${LINE}\n`,
  ],
  [
    'an include that is empty',
    'include: # later\n\ntest: {script: make}\n',
    `include: # later\n  - ${LINE}\n\ntest: {script: make}\n`,
  ],
  [
    'one file as a text',
    "include: '/ci/test.yml' # tests\n\nstages: [build]\n",
    `include:\n  - '/ci/test.yml' # tests\n  - ${LINE}\n\nstages: [build]\n`,
  ],
  [
    'one file as a URL',
    'include: https://ci.example.com/test.yml\n',
    `include:\n  - https://ci.example.com/test.yml\n  - ${LINE}\n`,
  ],
  [
    'one entry as a map',
    'include:\n  # Tests of the platform\n  project: platform/ci\n  file:\n    - test.yml\n  ref: v1\n\nstages: [build]\n',
    `include:\n  # Tests of the platform\n  - project: platform/ci\n    file:\n      - test.yml\n    ref: v1\n  - ${LINE}\n\nstages: [build]\n`,
  ],
  [
    'one entry as a map with brackets',
    'include: { template: Auto-DevOps.gitlab-ci.yml }\n',
    `include:\n  - { template: Auto-DevOps.gitlab-ci.yml }\n  - ${LINE}\n`,
  ],
  [
    'a list of all kinds',
    'include:\n  - local: a.yml\n  - remote: https://ci.example.com/b.yml\n  - template: Jobs/SAST.gitlab-ci.yml\n  - component: $CI_SERVER_FQDN/platform/ci/lint@1.2\n    inputs: {stage: test} # last\n  # - local: old.yml\nstages: [build, test]\n',
    `include:\n  - local: a.yml\n  - remote: https://ci.example.com/b.yml\n  - template: Jobs/SAST.gitlab-ci.yml\n  - component: $CI_SERVER_FQDN/platform/ci/lint@1.2\n    inputs: {stage: test} # last\n  - ${LINE}\n  # - local: old.yml\nstages: [build, test]\n`,
  ],
  [
    'a list that is not indented',
    'include:\n- local: a.yml\ntest: {script: make}\n',
    `include:\n- local: a.yml\n- ${LINE}\ntest: {script: make}\n`,
  ],
  [
    'a list with brackets',
    'include: [a.yml, {local: b.yml}] # two\n',
    `include: [a.yml, {local: b.yml}, { local: "${include}" }] # two\n`,
  ],
  [
    'an empty list',
    'include: []\ntest: {script: make}\n',
    `include: [{ local: "${include}" }]\ntest: {script: make}\n`,
  ],
  [
    'an alias of one entry',
    '.common: &common\n  local: a.yml\ninclude: *common\n',
    `.common: &common\n  local: a.yml\ninclude:\n  - *common\n  - ${LINE}\n`,
  ],
  [
    'anchors, merge keys and tags of GitLab',
    '.base: &base\n  image: node\ntest:\n  <<: *base\n  script:\n    - !reference [.setup, script]\n    - make\n',
    `.base: &base\n  image: node\ntest:\n  <<: *base\n  script:\n    - !reference [.setup, script]\n    - make\n\ninclude:\n  - ${LINE}\n`,
  ],
  [
    'a header that declares inputs',
    'spec:\n  inputs:\n    version:\n      default: "1"\n---\ninclude:\n  - local: a.yml\n',
    `spec:\n  inputs:\n    version:\n      default: "1"\n---\ninclude:\n  - local: a.yml\n  - ${LINE}\n`,
  ],
  [
    'an end that is marked',
    '---\ntest: {script: make}\n...\n',
    `---\ntest: {script: make}\n\ninclude:\n  - ${LINE}\n...\n`,
  ],
  [
    'line ends of Windows',
    'include:\r\n  - local: a.yml\r\ntest:\r\n  script: make\r\n',
    `include:\r\n  - local: a.yml\r\n  - ${LINE}\r\ntest:\r\n  script: make\r\n`,
  ],
  [
    'line ends of Windows, and one file as a text',
    'include: a.yml\r\ntest:\r\n  script: make\r\n',
    `include:\r\n  - a.yml\r\n  - ${LINE}\r\ntest:\r\n  script: make\r\n`,
  ],
];

describe('addInclude', () => {
  it.each(cases)('adds to %s, and changes nothing else', (_, text, wanted) => {
    expect(addInclude({ text, include })).toEqual({
      text: wanted,
      changed: true,
    });
  });

  it('keeps the byte order mark of a file', () => {
    const { text } = addInclude({
      text: '\ufeffinclude: [a.yml]\n',
      include,
    });
    expect(text).toBe(`\ufeffinclude: [a.yml, { local: "${include}" }]\n`);
  });

  it.each(cases)('adds only once to %s', (_, text) => {
    const once = addInclude({ text, include });
    expect(addInclude({ text: once.text, include })).toEqual({
      text: once.text,
      changed: false,
    });
  });

  it.each([
    ['as a text', `include: ${include}\n`],
    ['from the root', `include: /${include}\n`],
    ['in a list', `include: [{ local: '/${include}' }]\n`],
    ['by a wildcard', 'include:\n  - local: .gitlab/*.gitlab-ci.yml\n'],
    ['by a wildcard of folders', "include: '**.yml'\n".replace('**', '**/*')],
    [
      'under a rule',
      `include:\n  - local: ${include}\n    rules: [{if: $A}]\n`,
    ],
  ])('knows that it is included %s', (_, text) => {
    expect(addInclude({ text, include })).toEqual({ text, changed: false });
  });

  it.each([
    ['a project', `include: [{ project: a/b, file: ${include} }]\n`],
    ['a remote file', `include: https://ci.example.com/${include}\n`],
    ['another file', 'include: .gitlab/other.yml\n'],
  ])('is not taken in by %s', (_, text) => {
    expect(addInclude({ text, include }).changed).toBe(true);
  });

  it('edits a pipeline that is all brackets, with its comments', () => {
    const { text } = addInclude({
      text: '# Made by a tool\n{"stages": ["build"], "test": {"script": "make"}}\n',
      include,
    });
    expect(text).toContain('# Made by a tool');
    expect(text).toContain(include);
    expect(text).toContain('"stages": [ "build" ]');
  });

  it.each<[string, string, string]>([
    ['what is no YAML', 'a: [\n', '.gitlab-ci.yml is no valid YAML'],
    ['a key twice', 'a: 1\na: 2\n', 'Map keys must be unique'],
    ['a list', '- a\n', '.gitlab-ci.yml is no pipeline: it is not a map'],
    [
      'a list by an alias',
      '.list: &list [a.yml]\ninclude: *list\n',
      'takes its include from elsewhere by an alias; add "- local:',
    ],
    [
      'a list that others use, too',
      'include: &list\n  - a.yml\n.copy: *list\n',
      'cannot be edited without changing more than it should; add "- local:',
    ],
    [
      'a reference',
      'include: !reference [.list, include]\n',
      'includes by a !reference',
    ],
  ])('refuses %s', (_, text, message) => {
    expect(() => addInclude({ text, include })).toThrow(InputError);
    expect(() => addInclude({ text, include })).toThrow(message);
  });

  it.each<[string, string]>([
    ['without the stage', 'stages: [compile, test]\n'],
    ['that has the usual stages only', 'test: {script: make}\n'],
  ])('refuses a pipeline %s', (_, text) => {
    expect(() => addInclude({ text, include, stage: 'images' })).toThrow(
      '.gitlab-ci.yml has no stage "images", which the jobs of previews are in; it has ',
    );
  });

  it.each<[string, string]>([
    ['that has it', 'stages: [compile, images]\n'],
    ['that may include it', 'include: a.yml\n'],
    ['that takes them from elsewhere', 'stages: [!reference [.a, stages]]\n'],
  ])('takes a pipeline %s', (_, text) => {
    expect(addInclude({ text, include, stage: 'images' }).changed).toBe(true);
  });
});
