import { InputError, NotFoundError } from '@backstage/errors';
import { addAnnotations } from './addAnnotations';

const annotations = {
  'gitlab.com/project-slug': 'web/shop',
  'gitlab.com/project-id': '42',
};
const head = 'apiVersion: backstage.io/v1alpha1\nkind: Component\n';
const spec = 'spec:\n  type: service\n';

const cases: [string, string, string][] = [
  [
    'an entity with some',
    `${head}metadata:\n  name: shop # ours\n  annotations:\n    "backstage.io/techdocs-ref":   dir:.   # pages\n  tags: [go]\n${spec}`,
    `${head}metadata:\n  name: shop # ours\n  annotations:\n    "backstage.io/techdocs-ref":   dir:.   # pages\n    gitlab.com/project-slug: web/shop\n    gitlab.com/project-id: '42'\n  tags: [go]\n${spec}`,
  ],
  [
    'an entity without any',
    `${head}metadata:\n  name: shop\n  links:\n    - url: https://example.com\n${spec}`,
    `${head}metadata:\n  name: shop\n  links:\n    - url: https://example.com\n  annotations:\n    gitlab.com/project-slug: web/shop\n    gitlab.com/project-id: '42'\n${spec}`,
  ],
  [
    'annotations that are empty',
    `${head}metadata:\n    annotations: # none yet\n    name: shop\n${spec}`,
    `${head}metadata:\n    annotations: # none yet\n      gitlab.com/project-slug: web/shop\n      gitlab.com/project-id: '42'\n    name: shop\n${spec}`,
  ],
  [
    'annotations with brackets',
    `${head}metadata:\n  name: shop\n  annotations: { a: b } # one\n${spec}`,
    `${head}metadata:\n  name: shop\n  annotations: { a: b, "gitlab.com/project-slug": "web/shop", "gitlab.com/project-id": "42" } # one\n${spec}`,
  ],
  [
    'empty brackets',
    `${head}metadata:\n  name: shop\n  annotations: {}\n`,
    `${head}metadata:\n  name: shop\n  annotations: { "gitlab.com/project-slug": "web/shop", "gitlab.com/project-id": "42" }\n`,
  ],
  [
    'an annotation that is there already',
    `${head}metadata:\n  name: shop\n  annotations:\n    gitlab.com/project-id: 42\n`,
    `${head}metadata:\n  name: shop\n  annotations:\n    gitlab.com/project-id: 42\n    gitlab.com/project-slug: web/shop\n`,
  ],
  [
    'the one Component of several documents',
    `# System\napiVersion: backstage.io/v1alpha1\nkind: System\nmetadata: {name: shop}\n---\n${head}metadata:\n  name: shop\n---\napiVersion: backstage.io/v1alpha1\nkind: API\nmetadata: {name: shop}\n`,
    `# System\napiVersion: backstage.io/v1alpha1\nkind: System\nmetadata: {name: shop}\n---\n${head}metadata:\n  name: shop\n  annotations:\n    gitlab.com/project-slug: web/shop\n    gitlab.com/project-id: '42'\n---\napiVersion: backstage.io/v1alpha1\nkind: API\nmetadata: {name: shop}\n`,
  ],
  [
    'line ends of Windows',
    `${head}metadata:\n  name: shop\n`.replaceAll('\n', '\r\n'),
    `${head}metadata:\n  name: shop\n  annotations:\n    gitlab.com/project-slug: web/shop\n    gitlab.com/project-id: '42'\n`.replaceAll(
      '\n',
      '\r\n',
    ),
  ],
  [
    'no line end at the end',
    `${head}metadata:\n  name: shop`,
    `${head}metadata:\n  name: shop\n  annotations:\n    gitlab.com/project-slug: web/shop\n    gitlab.com/project-id: '42'\n`,
  ],
  [
    'annotations that are merged from elsewhere',
    `${head}metadata:\n  name: shop\n  labels: &common {a: b}\n  annotations:\n    <<: *common\n`,
    `${head}metadata:\n  name: shop\n  labels: &common {a: b}\n  annotations:\n    <<: *common\n    gitlab.com/project-slug: web/shop\n    gitlab.com/project-id: '42'\n`,
  ],
];

describe('addAnnotations', () => {
  it.each(cases)('adds to %s, and changes nothing else', (_, text, wanted) => {
    expect(addAnnotations({ text, annotations })).toEqual({
      text: wanted,
      changed: true,
    });
  });

  it.each(cases)('adds only once to %s', (_, __, wanted) => {
    expect(addAnnotations({ text: wanted, annotations })).toEqual({
      text: wanted,
      changed: false,
    });
  });

  it('edits metadata with brackets, and keeps comments and order', () => {
    const { text } = addAnnotations({
      text: `# Ours\n${head}metadata: { name: shop } # short\n${spec}`,
      annotations,
    });
    expect(text).toMatch(/^# Ours\napiVersion[^]*# short[^]*type: service\n$/);
    expect(text).toContain('gitlab.com/project-id: "42"');
  });

  it('takes the entity that is meant of several', () => {
    const text = `${head}metadata:\n  name: api\n---\n${head}metadata:\n  name: shop\n`;
    expect(
      addAnnotations({ text, annotations, entity: { name: 'shop' } }).text,
    ).toBe(
      `${head}metadata:\n  name: api\n---\n${head}metadata:\n  name: shop\n  annotations:\n    gitlab.com/project-slug: web/shop\n    gitlab.com/project-id: '42'\n`,
    );
  });

  it('names annotations that have another value, and overwrites none', () => {
    const text = `${head}metadata:\n  name: shop\n  annotations:\n    gitlab.com/project-slug: web/old\n    gitlab.com/project-id: ''\n`;
    expect(() => addAnnotations({ text, annotations })).toThrow(
      new InputError(
        'catalog-info.yaml has other annotations already, which are not overwritten: gitlab.com/project-slug is "web/old", not "web/shop"; gitlab.com/project-id is "", not "42"',
      ),
    );
  });

  it('does not touch annotations that another entity shares', () => {
    const text = `${head}metadata:\n  name: shop\n  labels: &shared\n    a: b\n  annotations: *shared\n`;
    expect(() => addAnnotations({ text, annotations })).toThrow(
      'catalog-info.yaml cannot be edited without changing more than it should; add the annotations gitlab.com/project-slug, gitlab.com/project-id',
    );
  });

  it('says what is there when the entity is not', () => {
    const text = `${head}metadata:\n  name: shop\n`;
    expect(() =>
      addAnnotations({ text, annotations, entity: { name: 'store' } }),
    ).toThrow(
      new NotFoundError(
        'catalog-info.yaml has no component store; it has Component shop',
      ),
    );
    expect(() => addAnnotations({ text: '', annotations })).toThrow(
      new NotFoundError('catalog-info.yaml has no component'),
    );
  });

  it('asks which entity is meant', () => {
    const text = `${head}metadata:\n  name: api\n---\n${head}metadata:\n  name: shop\n`;
    expect(() => addAnnotations({ text, annotations })).toThrow(
      'say which is meant of Component api, Component shop',
    );
  });
});
