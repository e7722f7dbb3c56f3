import { createRealClock } from '../clock';
import { GitLabState } from '../gitlab/state';
import { createRandom } from '../random';
import { chartValues, type ValueSource } from './chartValues';

describe('values of the preview chart', () => {
  const gitlab = new GitLabState({
    clock: createRealClock(),
    random: createRandom(1),
  });
  const project = gitlab.addProject({
    path: 'shop/checkout',
    files: {
      'deploy/values.yaml':
        'image: { repository: registry.example.com/shop/checkout, tag: main }\nhost: main.example.com\n',
      'deploy/preview.yaml': 'replicas: 2\nimage: { tag: from-file }\n',
    },
  });
  const values = (source: ValueSource) =>
    chartValues({
      source: { path: 'deploy', ...source },
      project,
      files: gitlab.files(project),
      applicationName: 'preview-mr-1-7',
    });

  it.each<[string, ValueSource, object]>([
    ['the repository', {}, { image: { tag: 'main' }, replicas: 1 }],
    [
      'a value file',
      { helm: { valueFiles: ['preview.yaml'] } },
      { image: { tag: 'from-file' }, replicas: 2 },
    ],
    [
      'text over a value file',
      {
        helm: { valueFiles: ['preview.yaml'], values: 'image: { tag: text }' },
      },
      { image: { tag: 'text' }, replicas: 2 },
    ],
    [
      'an object instead of text',
      {
        helm: {
          values: 'image: { tag: text }\nreplicas: 5',
          valuesObject: { image: { tag: 'object' } },
        },
      },
      { image: { tag: 'object' }, replicas: 1 },
    ],
    [
      'parameters over all',
      {
        helm: {
          valuesObject: { image: { tag: 'object' } },
          parameters: [
            { name: 'image.tag', value: 'parameter' },
            { name: 'podLabels.example\\.com/a', value: 'b' },
          ],
        },
      },
      { image: { tag: 'parameter' }, podLabels: { 'example.com/a': 'b' } },
    ],
    [
      'a Kustomize image',
      { kustomize: { images: ['registry.example.com/shop/checkout:abc'] } },
      {
        image: { repository: 'registry.example.com/shop/checkout', tag: 'abc' },
      },
    ],
    [
      'a Kustomize image under another name',
      {
        kustomize: {
          images: [
            'registry.example.com/shop/checkout=mirror.example.com/c:abc',
          ],
        },
      },
      { image: { repository: 'mirror.example.com/c', tag: 'abc' } },
    ],
    [
      'the Kustomize image of something else, not at all',
      { kustomize: { images: ['other:abc'] } },
      { image: { tag: 'main' } },
    ],
    [
      'Kustomize patches and affixes',
      {
        kustomize: {
          nameSuffix: '-mr-7',
          patches: [
            {
              patch:
                '[{ op: replace, path: /spec/hostnames/0, value: mr-7.example.com }]',
            },
          ],
        },
      },
      { host: 'mr-7.example.com', name: 'checkout-mr-7' },
    ],
  ])('come from %s', (_from, source, expected) => {
    expect(values(source)).toMatchObject(expected);
  });
});
