import {
  fixedText,
  hostsIn,
  labelsOf,
  longestLength,
  matcherOf,
  movesTheDot,
  normalForm,
  parametersOf,
  withValues,
} from './templates';

const go = { goTemplate: true, values: { stage: 'mr-{{ .number }}' } };
const fast = { goTemplate: false, values: {} };

it.each([
  ['preview-mr-{{ .number }}', ['number']],
  ['{{- .branch_slug | trunc 20 -}}', ['branch_slug']],
  ['{{ .values.stage }}', ['values.stage']],
  ['{{ $.number }}', ['number']],
  ['{{ printf "%s.example.com" .head_sha }}', ['head_sha']],
  ['{{ $set.name }} {{ (index .labels 0).name }}', ['labels']],
  ['{{ number }}', ['(number)']],
  ['{{ if eq .author "dev.x" }}a{{ end }}', ['author']],
  ['{{ now }}', []],
  ['no action', []],
])('finds the parameters of the Go template %s', (template, expected) => {
  expect(parametersOf(template, go)).toEqual(expected);
});

it.each([
  ['mr-{{number}}', ['number']],
  ['{{ values.stage }}', ['values.stage']],
  ['{{ .number }}', ['']],
])('finds the parameters of %s without goTemplate', (template, expected) => {
  expect(parametersOf(template, fast)).toEqual(expected);
});

it.each([
  ['preview-mr-4711-{{ .number }}', 'preview-mr-4711-'.length + 6],
  ['{{ .branch_slug }}', 50],
  ['{{ .branch_slug | trunc 12 }}', 12],
  ['{{ .branch_slug | trunc 12 | sha256sum }}', 1],
  ['{{ .values.stage }}', 3 + 6],
  ['{{ .something }}', 1],
  ['{{ .head_short_sha }}-{{ .head_short_sha_7 }}', 16],
])('knows how long %s can become', (template, expected) => {
  expect(longestLength(template, go)).toBe(expected);
});

it.each([
  [
    'shop-{{ .number }}.preview.example.com',
    ['shop-{{ .number }}.preview.example.com'],
  ],
  ['https://shop-{{number}}.<ip>.nip.io/path', ['shop-{{number}}.<ip>.nip.io']],
  [
    'host: {{ .branch_slug }}.a.example.com # one',
    ['{{ .branch_slug }}.a.example.com'],
  ],
  ['registry.example.com/shop:{{ .head_short_sha }}', []],
  ['fixed.example.com', []],
])('finds the hosts in %s', (text, expected) => {
  expect(hostsIn(text)).toEqual(expected);
});

it('parts a host at its dots, and not at those of actions', () => {
  expect(labelsOf('a-{{ .number }}.b.c')).toEqual([
    'a-{{ .number }}',
    'b',
    'c',
  ]);
});

it('knows where the dot is another', () => {
  expect(movesTheDot('{{ range .labels }}{{ . }}{{ end }}')).toBe(true);
  expect(movesTheDot('{{ if .labels }}a{{ end }}')).toBe(false);
});

it('compares templates of both syntaxes', () => {
  expect(normalForm('mr-{{ .number }}')).toBe(normalForm('mr-{{number}}'));
  expect(fixedText('mr-{{ .number }}-x')).toBe('mr- -x');
  expect(withValues('a-{{ .values.stage }}', go)).toBe('a-mr-{{ .number }}');
});

it('matches what a template can give, unless that is nearly anything', () => {
  expect(matcherOf('review-{{ .number }}')?.test('review-7')).toBe(true);
  expect(matcherOf('review-{{ .number }}')?.test('review')).toBe(false);
  expect(matcherOf('{{ .branch_slug }}-x')).toBeUndefined();
  expect(matcherOf('ab.c-{{ .number }}')?.test('abXc-7')).toBe(false);
});
