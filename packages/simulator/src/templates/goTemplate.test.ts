import { renderFastTemplate } from './fastTemplate';
import { renderGoTemplate } from './goTemplate';
import { renderObject } from './renderObject';
import { branchSlug, normalizeName } from './slug';

const parameters = {
  number: '7',
  branch: 'feature/Add_Größe',
  head_sha: '0123456789abcdef0123456789abcdef01234567',
  labels: ['preview', 'size-m'],
  values: { tier: 'preview' },
  title: 'It\'s "quoted" & <b>',
};

describe('Go templates', () => {
  it.each([
    ['plain', 'plain'],
    ['mr-{{ .number }}', 'mr-7'],
    ['{{.values.tier}}-{{.number}}', 'preview-7'],
    ['{{ .branch | lower | replace "/" "-" }}', 'feature-add_größe'],
    ['{{ trunc 8 .head_sha }}', '01234567'],
    ['{{ .head_sha | trunc 7 }}', '0123456'],
    ['{{ printf "%s-%05d" .number 42 }}', '7-00042'],
    ['{{ quote .title }}', '"It\'s \\"quoted\\" & <b>"'],
    ['{{ index .labels 1 }}', 'size-m'],
    ['{{ index .values "tier" | upper }}', 'PREVIEW'],
    ['{{ if eq .number "7" }}seven{{ else }}other{{ end }}', 'seven'],
    [
      '{{ if eq .number "8" }}8{{ else if hasPrefix "feature/" .branch }}f{{ else }}o{{ end }}',
      'f',
    ],
    [
      '{{ range $i, $label := .labels }}{{ $i }}{{ $label }};{{ end }}',
      '0preview;1size-m;',
    ],
    ['{{ range .missing }}x{{ else }}none{{ end }}', 'none'],
    ['{{ with .values }}{{ .tier }}{{ $.number }}{{ end }}', 'preview7'],
    ['{{ $n := .number }}{{ $n = "8" }}{{ $n }}', '8'],
    ['a {{- /* gone */ -}} b', 'ab'],
    ['{{ .missing }}', '<no value>'],
    ['{{ default "x" .missing }}', 'x'],
    ['{{ (index .labels 0) | title }}', 'Preview'],
    ['{{ and .number .missing | default "no" }}', 'no'],
    ['{{ .branch | slugify 9 true }}', 'feature'],
    ['{{ .branch | normalize }}', 'feature-add-gr--e'],
    ['{{ "}}" }}', '}}'],
    ['{{ regexReplaceAll "[^a-z]+" "a1b2" "-" }}', 'a-b-'],
  ])('renders %s as %s', (template, expected) => {
    expect(renderGoTemplate(template, parameters)).toBe(expected);
  });

  it.each([
    ['{{ .missing }}', 'map has no entry for key "missing"'],
    ['{{ .values.other }}', 'map has no entry for key "other"'],
    ['{{ nothing .number }}', 'function "nothing" not defined'],
    ['{{ if .number }}', 'unexpected EOF'],
    ['{{ .number', 'unclosed action'],
    ['{{ index .labels 9 }}', 'index out of range: 9'],
    ['{{ $other }}', 'undefined variable "$other"'],
  ])('refuses %s and says why', (template, message) => {
    expect(() =>
      renderGoTemplate(template, parameters, {
        goTemplateOptions: ['missingkey=error'],
      }),
    ).toThrow(message);
  });

  it('renders keys and values of an object, whatever they hold', () => {
    expect(
      renderObject({ 'k{{.number}}': ['{{.title}}', 3, null] }, parameters, {
        goTemplate: true,
      }),
    ).toEqual({ k7: [parameters.title, 3, null] });
  });
});

describe('old templates', () => {
  it('leaves unknown parameters as they are', () => {
    expect(
      renderFastTemplate('{{ number }}-{{other}}-{{.number}}', { number: '7' }),
    ).toBe('7-{{other}}-{{.number}}');
  });
});

describe('slugs', () => {
  it.each([
    ['feature/Add_Größe', 'feature-add-grosse'],
    ['fix: R&D @ home', 'fix-r-and-d-at-home'],
    ['--release/1.2.x--', 'release-1-2-x'],
    [`${'abc-'.repeat(12)}defghij`, `${'abc-'.repeat(12)}`.slice(0, -1)],
    ['x'.repeat(60), 'x'.repeat(50)],
  ])('makes of %s the slug %s', (branch, expected) => {
    expect(branchSlug(branch)).toBe(expected);
  });

  it('normalizes names as Argo CD does', () => {
    expect(normalizeName('Release/1.2.x_')).toBe('release-1.2.x');
  });
});
