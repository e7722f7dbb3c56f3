import { InputError, NotFoundError } from '@backstage/errors';
import { promoteLine } from './promoteLine';

const path = 'argocd/shop/application-prod.yaml';
const DIGEST = `sha256:${'4f'.repeat(32)}`;
const NEXT = `sha256:${'5a'.repeat(32)}`;

function application(source: string): string {
  return `# prod\napiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: shop-prod}\nspec:\n${source}`;
}

const single = (line: string) =>
  application(`  source:\n    repoURL: https://a\n    ${line}\n    path: .\n`);

function overlay(image: string): string {
  return `resources: [../../base]\nimages:\n  - name: registry.example.com/web/shop\n    ${image}\n`;
}

describe('promoteLine', () => {
  it.each<[string, string, string]>([
    ['plain', 'targetRevision: shop-v1', 'targetRevision: shop-v2'],
    ['in quotes', "targetRevision: 'shop-v1'", "targetRevision: 'shop-v2'"],
    [
      'in double quotes, with a comment',
      'targetRevision:   "shop-v1"  # here',
      'targetRevision:   "shop-v2"  # here',
    ],
  ])('changes targetRevision alone: %s', (_, before, after) => {
    expect(
      promoteLine({
        file: { path, text: single(before) },
        line: 'targetRevision',
        value: 'shop-v2',
      }),
    ).toEqual({
      pin: {
        line: 'targetRevision',
        repositoryUrl: 'https://a',
        isChart: false,
      },
      text: single(after),
      changed: true,
      previous: 'shop-v1',
    });
  });

  it('keeps what is a number a text', () => {
    const { text } = promoteLine({
      file: { path, text: single('targetRevision: 1.2.3') },
      line: 'targetRevision',
      value: '1.10',
    });
    expect(text).toBe(single("targetRevision: '1.10'"));
  });

  it('keeps line ends of Windows', () => {
    const text = single('targetRevision: shop-v1').replaceAll('\n', '\r\n');
    expect(
      promoteLine({
        file: { path, text },
        line: 'targetRevision',
        value: 'shop-v2',
      }).text,
    ).toBe(text.replace('shop-v1', 'shop-v2'));
  });

  it('changes newTag with its digest', () => {
    expect(
      promoteLine({
        file: { path, text: overlay(`newTag: prod-v1@${DIGEST}`) },
        line: 'newTag',
        value: `prod-v2@${NEXT}`,
      }),
    ).toEqual({
      pin: { line: 'newTag', image: 'registry.example.com/web/shop' },
      text: overlay(`newTag: prod-v2@${NEXT}`),
      changed: true,
      previous: `prod-v1@${DIGEST}`,
    });
  });

  it('changes nothing when it is that already', () => {
    const text = single('targetRevision: shop-v1');
    expect(
      promoteLine({
        file: { path, text },
        line: 'targetRevision',
        value: 'shop-v1',
      }),
    ).toMatchObject({ text, changed: false, previous: 'shop-v1' });
  });

  it('takes the source, the Application or the image that is meant', () => {
    const sources = application(
      '  sources:\n    - {repoURL: https://a, targetRevision: v1}\n    - repoURL: https://b\n      targetRevision: v1\n',
    );
    const file = {
      path,
      text: `${sources}---\nkind: Application\nmetadata: {name: other}\nspec: {source: {targetRevision: v1}}\n`,
    };
    const { text } = promoteLine({
      file,
      line: 'targetRevision',
      value: 'v2',
      application: 'shop-prod',
      of: 'https://b',
    });
    expect(text).toBe(
      file.text.replace(
        'b\n      targetRevision: v1',
        'b\n      targetRevision: v2',
      ),
    );
    expect(() =>
      promoteLine({ file, line: 'targetRevision', value: 'v2' }),
    ).toThrow('has several lines with targetRevision: say which is meant of');
  });

  it.each<[string, string, object]>([
    [
      'the version of a chart',
      application(
        '  source: {repoURL: https://charts.example.com, chart: shop, targetRevision: 1.2.3}\n',
      ),
      { repositoryUrl: 'https://charts.example.com', isChart: true },
    ],
    [
      'the version of a chart in an OCI registry',
      application(
        '  source: {repoURL: oci://registry.example.com/shop, targetRevision: 1.2.3}\n',
      ),
      { isChart: true },
    ],
  ])('tells that it pins %s', (_, text, pin) => {
    expect(
      promoteLine({
        file: { path, text },
        line: 'targetRevision',
        value: '1.3.0',
      }).pin,
    ).toMatchObject(pin);
  });

  it('tells the image that a Kustomization renames it to', () => {
    const text =
      'images:\n  - name: app\n    newName: registry.example.com/web/shop\n    newTag: v1\n';
    expect(
      promoteLine({ file: { path, text }, line: 'newTag', value: 'v2' }).pin,
    ).toEqual({ line: 'newTag', image: 'registry.example.com/web/shop' });
  });

  it.each<[string, string, string, string]>([
    ['a branch', single('targetRevision: v1'), 'main', 'which moves'],
    ['HEAD', single('targetRevision: v1'), 'HEAD', 'a release is pinned'],
    [
      'what is no revision',
      single('targetRevision: v1'),
      'v2\n    x: y',
      'targetRevision is a tag',
    ],
    [
      'a value of several lines',
      single('targetRevision: >-\n      v1'),
      'v2',
      'more than one line would change',
    ],
    [
      'a value that others share',
      single('targetRevision: &v v1\n    chart: *v'),
      'v2',
      'cannot be edited without changing more than it should',
    ],
    [
      'a value from elsewhere',
      `x: &v v1\n${single('targetRevision: *v')}`,
      'v2',
      'is not one value',
    ],
    ['a file that is no YAML', 'a: [', 'v2', 'is no valid YAML'],
  ])('refuses %s', (_, text, value, message) => {
    const promote = () =>
      promoteLine({ file: { path, text }, line: 'targetRevision', value });
    expect(promote).toThrow(InputError);
    expect(promote).toThrow(message);
  });

  it.each<[string, string, string, string]>([
    ['latest', 'newTag: v1', 'latest', 'which moves'],
    ['what is no tag', 'newTag: v1', 'a b', 'newTag is a tag'],
    [
      'a tag beside a digest',
      `newTag: v1\n    digest: ${DIGEST}`,
      'v2',
      'pins the image by a digest on a line of its own',
    ],
    [
      'a tag that loses the digest',
      `newTag: v1@${DIGEST}`,
      'v2',
      'pins the image by its digest: "v2" has none',
    ],
  ])('refuses %s for newTag', (_, image, value, message) => {
    expect(() =>
      promoteLine({
        file: { path, text: overlay(image) },
        line: 'newTag',
        value,
      }),
    ).toThrow(message);
  });

  it('says that there is no such line', () => {
    expect(() =>
      promoteLine({
        file: { path, text: single('chart: a') },
        line: 'targetRevision',
        value: 'v2',
      }),
    ).toThrow(
      new NotFoundError(`${path} has no targetRevision of an Application`),
    );
  });
});
