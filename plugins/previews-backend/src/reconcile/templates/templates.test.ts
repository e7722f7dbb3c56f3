import { flattenParameters, renderFastTemplate } from './fastTemplate';
import { renderGoTemplate } from './goTemplate';
import { TemplateError } from './lexer';
import { argoSlug, formerArgoSlug, normalizeName, slugifyName } from './slug';

const parameters = {
  number: '7',
  branch: 'feature/Basket_2',
  branch_slug: 'feature-basket-2',
  head_short_sha: 'a1b2c3d4',
  author: 'dev1',
  labels: ['preview', 'size::L'],
  values: { team: 'shop', replicas: 2, empty: '' },
};

const render = (template: string, missingKeyIsError = false) =>
  renderGoTemplate(template, parameters, { missingKeyIsError });

describe('renderGoTemplate', () => {
  it.each([
    ['text without actions', 'preview', 'preview'],
    ['a parameter', 'mr-{{.number}}', 'mr-7'],
    ['spaces inside an action', 'mr-{{ .number }}', 'mr-7'],
    ['a nested parameter', '{{.values.team}}', 'shop'],
    ['a field of the root by $', '{{$.values.team}}', 'shop'],
    ['a missing parameter', '{{.nope}}', '<no value>'],
    ['a nested missing parameter', '{{.values.nope}}', '<no value>'],
    ['a list', '{{.labels}}', '[preview size::L]'],
    ['a map', '{{.values}}', 'map[empty: replicas:2 team:shop]'],
    ['white space trimmed on the left', 'a  {{- .number}}', 'a7'],
    ['white space trimmed on the right', '{{.number -}}  \n b', '7b'],
    ['white space trimmed on both sides', 'a \n{{- .number -}}\n b', 'a7b'],
    ['a minus that is a number', '{{add -1 3}}', '2'],
    ['a comment', 'a{{/* nothing }} here */}}b', 'ab'],
    ['a trimming comment', 'a {{- /* nothing */ -}} b', 'ab'],
    ['braces inside a string', '{{"}}"}}', '}}'],
    ['an escaped quote', '{{"a\\"b"}}', 'a"b'],
    ['a raw string', '{{`a\\nb`}}', 'a\\nb'],
    ['a pipeline', '{{.branch | lower | replace "/" "-"}}', 'feature-basket_2'],
    ['a group', '{{(index .labels 0)}}', 'preview'],
    ['a field of a group', '{{(dict "a" "b").a}}', 'b'],
    ['a variable', '{{$a := .number}}{{$a}}-{{$a}}', '7-7'],
    ['an assignment', '{{$a := "x"}}{{if true}}{{$a = "y"}}{{end}}{{$a}}', 'y'],
    [
      'a variable that ends with its block',
      '{{$a := 1}}{{if true}}{{$a := 2}}{{$a}}{{end}}{{$a}}',
      '21',
    ],
    ['if', '{{if .values.team}}yes{{end}}', 'yes'],
    ['else', '{{if .values.empty}}yes{{else}}no{{end}}', 'no'],
    [
      'else if',
      '{{if .nope}}a{{else if eq .number "7"}}b{{else}}c{{end}}',
      'b',
    ],
    ['with', '{{with .values}}{{.team}}{{end}}', 'shop'],
    ['with without a value', '{{with .nope}}a{{else}}b{{end}}', 'b'],
    [
      'range over a list',
      '{{range .labels}}<{{.}}>{{end}}',
      '<preview><size::L>',
    ],
    [
      'range with index',
      '{{range $i, $l := .labels}}{{$i}}{{$l}} {{end}}',
      '0preview 1size::L ',
    ],
    [
      'range with one variable',
      '{{range $l := .labels}}{{$l}}.{{end}}',
      'preview.size::L.',
    ],
    [
      'range over a map, sorted',
      '{{range $k, $v := dict "b" 1 "a" 2}}{{$k}}{{$v}}{{end}}',
      'a2b1',
    ],
    [
      'range over nothing',
      '{{range .values.nope}}a{{else}}none{{end}}',
      'none',
    ],
    ['nested blocks', '{{if true}}{{if false}}a{{else}}b{{end}}{{end}}', 'b'],
    ['literals', '{{true}} {{1.5}} {{0x10}}', 'true 1.5 16'],
  ])('renders %s', (_, template, expected) => {
    expect(render(template)).toBe(expected);
  });

  it.each([
    ['{{and .values.team .number}}', '7'],
    ['{{and .values.empty .number}}', ''],
    ['{{or .values.empty .number}}', '7'],
    ['{{not .values.empty}}', 'true'],
    ['{{eq .number "7"}}', 'true'],
    ['{{eq .number "6" "7"}}', 'true'],
    ['{{ne .number "7"}}', 'false'],
    ['{{lt 1 2}}{{le 2 2}}{{gt 1 2}}{{ge 2 2}}', 'truetruefalsetrue'],
    ['{{lt "a" "b"}}', 'true'],
    ['{{len .labels}} {{len "äb"}} {{len .values}}', '2 3 3'],
    ['{{index .values "team"}}', 'shop'],
    ['{{index .values "nope"}}', '<no value>'],
    ['{{slice .number 0 1}}', '7'],
    ['{{print "a" "b"}}', 'ab'],
    ['{{println "a"}}', 'a\n'],
    ['{{printf "mr-%s-%d" .number 5}}', 'mr-7-5'],
    [
      '{{printf "%05d|%-4s|%4s|%q|%%|%x|%.2s" 7 "a" "b" "c" "d" "efg"}}',
      '00007|a   |   b|"c"|%|64|ef',
    ],
    ['{{urlquery "a b&c"}}', 'a+b%26c'],
    ['{{upper "a"}}{{lower "B"}}{{title "the end"}}', 'AbThe End'],
    ['{{trim "  a "}}|{{trimAll "-" "--a-"}}', 'a|a'],
    ['{{trimPrefix "fe" "feat"}} {{trimSuffix "at" "feat"}}', 'at fe'],
    ['{{trunc 3 "abcdef"}} {{trunc -2 "abcdef"}}', 'abc ef'],
    ['{{substr 1 3 "abcdef"}} {{substr -1 3 "abcdef"}}', 'bc abc'],
    ['{{nospace "a b c"}}{{repeat 3 "x"}}', 'abcxxx'],
    ['{{quote "a"}} {{squote "a"}}', `"a" 'a'`],
    ['{{cat "a" "b"}}', 'a b'],
    [
      '{{contains "b" "abc"}} {{hasPrefix "a" "abc"}} {{hasSuffix "c" "abc"}}',
      'true true true',
    ],
    ['{{regexMatch "^v[0-9]+$" "v12"}}', 'true'],
    ['{{regexFind "[0-9]+" "ab12c"}}', '12'],
    ['{{regexReplaceAll "[^a-z0-9]+" "a_b/c" "-"}}', 'a-b-c'],
    ['{{regexReplaceAll "(a)(b)" "ab" "${2}${1}"}}', 'ba'],
    ['{{regexReplaceAllLiteral "a" "a" "$1"}}', '$1'],
    ['{{(split "/" "a/b")._1}}', 'b'],
    ['{{splitList "/" "a/b" | last}}', 'b'],
    ['{{join "-" .labels}}', 'preview-size::L'],
    [
      '{{list 1 2 3 | first}}{{list 1 2 3 | rest}}{{list 1 2 3 | initial}}',
      '1[2 3][1 2]',
    ],
    ['{{has "preview" .labels}}', 'true'],
    ['{{without .labels "preview"}}', '[size::L]'],
    [
      '{{uniq (list 1 1 2)}}{{sortAlpha (list "b" "a")}}{{reverse (list 1 2)}}',
      '[1 2][a b][2 1]',
    ],
    [
      '{{get .values "team"}} {{hasKey .values "x"}} {{keys (dict "a" 1)}}',
      'shop false [a]',
    ],
    [
      '{{dig "team" "none" .values}} {{dig "a" "b" "none" .values}}',
      'shop none',
    ],
    ['{{default "x" .values.empty}} {{.values.team | default "x"}}', 'x shop'],
    ['{{empty .values.empty}} {{coalesce .values.empty "c"}}', 'true c'],
    ['{{ternary "a" "b" true}}', 'a'],
    [
      '{{add 1 2}} {{add1 1}} {{sub 3 1}} {{mul 2 3}} {{div 7 2}} {{mod 7 2}}',
      '3 2 2 6 3 1',
    ],
    [
      '{{max 1 3 2}} {{min 1 3 2}} {{int "12"}} {{atoi "4"}} {{float64 "1.5"}}',
      '3 1 12 4 1.5',
    ],
    [
      '{{sha256sum "a" | trunc 8}} {{sha1sum "a" | trunc 8}}',
      'ca978112 86f7e437',
    ],
    ['{{adler32sum "abc"}}', '38600999'],
    ['{{b64enc "a"}} {{b64dec "YQ=="}}', 'YQ== a'],
    [
      '{{toJson .labels}} {{(fromJson "{\\"a\\":1}").a}}',
      '["preview","size::L"] 1',
    ],
    ['{{toYaml .values.team}} {{(fromYaml "a: 1").a}}', 'shop 1'],
    ['{{indent 2 "a"}}|{{nindent 2 "a"}}', '  a|\n  a'],
    [
      '{{kebabcase "FirstName"}} {{snakecase "FirstName"}}',
      'first-name first_name',
    ],
    ['{{normalize "Feature/A_b"}}', 'feature-a-b'],
    ['{{slugify .branch}}', 'feature-basket-2'],
    ['{{slugify 9 .branch}}', 'feature-b'],
    ['{{slugify 10 true .branch}}', 'feature'],
    ['{{toString 5}}', '5'],
  ])('knows the functions in %s', (template, expected) => {
    expect(render(template)).toBe(expected);
  });

  it.each([
    ['a missing parameter where that is an error', '{{.nope}}'],
    ['a nested missing one where that is an error', '{{.values.nope}}'],
  ])('refuses %s', (_, template) => {
    expect(() => render(template, true)).toThrow(TemplateError);
  });

  it.each([
    ['an unclosed action', '{{.number'],
    ['an unterminated string', '{{"a}}'],
    ['if without end', '{{if true}}a'],
    ['end without if', 'a{{end}}'],
    ['else without if', 'a{{else}}b'],
    ['a second else', '{{if true}}a{{else}}b{{else}}c{{end}}'],
    ['an empty action', '{{}}'],
    ['an empty command', '{{.number | }}'],
    ['an unclosed group', '{{(print "a"}}'],
    ['a group that was not opened', '{{print "a")}}'],
    ['an unknown function', '{{env "HOME"}}'],
    ['a function that is random', '{{randAlphaNum 5}}'],
    ['arguments for what is no function', '{{.number .number}}'],
    ['an unknown variable', '{{$x}}'],
    ['an assignment to an unknown variable', '{{$x = 1}}'],
    ['a template of its own', '{{define "a"}}{{end}}'],
    ['an unknown character', '{{ # }}'],
    ['an index beyond the list', '{{index .labels 9}}'],
    ['a comparison of unlike things', '{{lt 1 "a"}}'],
    ['a regular expression that is none', '{{regexMatch "(" "a"}}'],
    ['a verb that is not known', '{{printf "%z" 1}}'],
  ])('refuses %s instead of rendering something wrong', (_, template) => {
    expect(() => render(template)).toThrow(TemplateError);
  });

  it.each([
    ['text that multiplies', '{{repeat 1000 (repeat 1000 "x")}}'],
    [
      'loops that multiply',
      `${'{{range $a := $.l}}'.repeat(6)}x${'{{end}}'.repeat(6)}`,
    ],
    ['a long output', '{{range .l}}{{$.long}}{{end}}'],
  ])('stops at %s', (_, template) => {
    const hostile = {
      l: Array.from({ length: 50 }, (__, index) => index),
      long: 'x'.repeat(100_000),
    };
    expect(() =>
      renderGoTemplate(template, hostile, { missingKeyIsError: false }),
    ).toThrow(TemplateError);
  });

  it('looks up nothing that a parameter inherits', () => {
    expect(render('{{.constructor}}{{.values.toString}}')).toBe(
      '<no value><no value>',
    );
    expect(() => render('{{constructor "a"}}')).toThrow(TemplateError);
  });

  it('leaves markup as the text that it is', () => {
    expect(
      renderGoTemplate(
        '{{.title}}',
        { title: '<b>{{.x}}</b>' },
        {
          missingKeyIsError: false,
        },
      ),
    ).toBe('<b>{{.x}}</b>');
  });
});

describe('a template that is made to keep the portal busy', () => {
  const grown = (step: string) =>
    `{{$x := list "a" "a"}}${step.repeat(60)}{{$x}}`;

  it.each([
    ['lists of a list twice', grown('{{$x = list $x $x}}')],
    ['maps of a map twice', grown('{{$x = dict "a" $x "b" $x}}')],
    ['lists as JSON', grown('{{$x = list $x $x}}{{$y := toJson $x}}')],
    [
      'a text that replaces every character',
      '{{$x := repeat 1000 "ab"}}{{replace "" $x (repeat 100 $x)}}',
    ],
    [
      'a long separator',
      '{{join (repeat 1000 "ab") (splitList "" (repeat 1000 "a"))}}',
    ],
    ['YAML that contains itself', '{{fromYaml "&a [*a, *a]"}}'],
    [
      'expressions over a long text',
      `{{$x := repeat 1000 "abcdefgh"}}{{$p := repeat 100 "a?b?c?"}}${'{{$y := regexFind $p $x}}'.repeat(
        1000,
      )}`,
    ],
    [
      'an expression that is laid out a thousand times',
      `{{regexMatch (repeat 100 "(?:x{0,999})?") "y"}}`,
    ],
    [
      'much work in few steps',
      `{{$x := repeat 1000 (repeat 100 "a")}}${'{{$y := sha256sum $x}}'.repeat(
        1000,
      )}`,
    ],
    ['groups without an end', `{{${'('.repeat(100_000)}}}`],
  ])('gives up early: %s', (_, template) => {
    expect(() => render(template)).toThrow(TemplateError);
  });

  it('is split in linear time where it has a long gap', () => {
    expect(render(`{{.number}}${' '.repeat(150_000)}x{{- .number}}`)).toMatch(
      /^7 +x7$/,
    );
  });
});

describe('renderFastTemplate', () => {
  const flat = flattenParameters(parameters);

  it('gives up on an output that is too long', () => {
    expect(() =>
      renderFastTemplate('{{x}}'.repeat(1000), { x: 'y'.repeat(1000) }),
    ).toThrow(TemplateError);
  });

  it.each([
    ['mr-{{number}}', 'mr-7'],
    ['mr-{{ number }}', 'mr-7'],
    ['{{values.team}}-{{values.replicas}}', 'shop-2'],
    ['{{nope}}', '{{nope}}'],
    ['{{.number}}', '{{.number}}'],
    ['{{labels}}', '{{labels}}'],
    ['{{number}', '{{number}'],
    ['{{constructor}}', '{{constructor}}'],
  ])('renders %s as %s', (template, expected) => {
    expect(renderFastTemplate(template, flat)).toBe(expected);
  });
});

describe('argoSlug', () => {
  const long = `feature/${'very-'.repeat(40)}long`;

  it.each([
    ['Feature/Basket', 'feature-basket'],
    ['feature_basket', 'feature-basket'],
    ['release/1.2.x', 'release-1-2-x'],
    ['a&b@c', 'aandbatc'],
    ['größe', 'grosse'],
    ['año', 'ano'],
    ['東京', 'dongjing'],
    ['a--b///c', 'a-b-c'],
    ['--a--', 'a'],
    [' a ', 'a'],
    ["it's-done", 'its-done'],
    ['a\u2014b', 'a-b'],
    ['a+b=c', 'a-b-c'],
    ['', ''],
    ['///', ''],
    ['x'.repeat(60), 'x'.repeat(50)],
    [`${'a'.repeat(49)}-bcd`, 'a'.repeat(49)],
    [`${'a'.repeat(50)}-bcd`, 'a'.repeat(50)],
    [`${'a'.repeat(50)}`, 'a'.repeat(50)],
    [long, 'feature-very-very-very-very-very-very-very-very'],
  ])('writes %j as %j', (branch, slug) => {
    expect(argoSlug(branch)).toBe(slug);
  });

  it('is a valid label for branches of 200 characters', () => {
    for (const character of ['a', 'a/', 'ä_', '日', '.-', '&']) {
      const branch = character.repeat(200).slice(0, 200);
      expect(argoSlug(branch)).toMatch(
        /^([a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?)?$/,
      );
    }
  });

  it('lets two long branches collide, as Argo CD does', () => {
    expect(argoSlug(`${long}-one`)).toBe(argoSlug(`${long}-two`));
  });
});

describe('formerArgoSlug', () => {
  it.each([
    ['release/1.2.x', 'release-1.2.x'],
    ['Feature_A', 'feature-a'],
    ['größe', 'gr-e'],
    [`${'a'.repeat(49)}-bcd`, 'a'.repeat(49)],
    ['x'.repeat(60), 'x'.repeat(50)],
  ])('writes %j as %j', (branch, slug) => {
    expect(formerArgoSlug(branch)).toBe(slug);
  });
});

describe('slugifyName and normalizeName', () => {
  it.each([
    ['cuts hard', slugifyName('feature/basket', { maximum: 9 }), 'feature-b'],
    [
      'cuts at a dash',
      slugifyName('feature/basket', { maximum: 9, atDash: true }),
      'feature',
    ],
    ['keeps what is short', slugifyName('a/b', { maximum: 9 }), 'a-b'],
    ['keeps dots of a name', normalizeName('Release/1.2'), 'release-1.2'],
    ['trims a name', normalizeName('/.a.-'), 'a'],
    ['cuts a name at 253', normalizeName('a'.repeat(300)), 'a'.repeat(253)],
  ])('%s', (_, found, expected) => {
    expect(found).toBe(expected);
  });
});
