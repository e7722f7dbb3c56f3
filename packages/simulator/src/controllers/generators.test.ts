import { createRealClock } from '../clock';
import { Cluster } from '../kubernetes';
import { createRandom } from '../random';
import { generate, type GeneratorContext } from './generators';

describe('generators', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const cluster = new Cluster({
    name: 'test',
    clock: createRealClock(),
    random: createRandom(1),
  });
  cluster.create({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'argocd' },
  });
  const applicationSet = cluster.create({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'set', namespace: 'argocd' },
    spec: { generators: [], template: {} },
  });
  cluster.create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'second',
      namespace: 'argocd',
      labels: {
        'argocd.argoproj.io/secret-type': 'cluster',
        tier: 'preview',
      },
    },
    data: {
      name: base64('Second_Cluster'),
      server: base64('https://second.example.com'),
    },
  });
  const context: GeneratorContext = {
    cluster,
    applicationSet,
    dialect: { goTemplate: true },
  };
  const list = (...elements: Record<string, unknown>[]) => ({
    list: { elements },
  });

  it('list gives its elements', async () => {
    expect(await generate(list({ a: '1' }, { a: '2' }), context)).toEqual([
      { a: '1' },
      { a: '2' },
    ]);
  });

  it('clusters gives Argo CD’s own cluster and those it knows', async () => {
    expect(await generate({ clusters: {} }, context)).toMatchObject([
      { name: 'in-cluster', server: 'https://kubernetes.default.svc' },
      {
        name: 'Second_Cluster',
        nameNormalized: 'second-cluster',
        server: 'https://second.example.com',
        metadata: { labels: { tier: 'preview' } },
      },
    ]);
  });

  it('clusters with a selector gives what it selects, with values', async () => {
    expect(
      await generate(
        {
          clusters: {
            selector: { matchLabels: { tier: 'preview' } },
            values: { domain: '{{ .nameNormalized }}.example.com' },
          },
        },
        context,
      ),
    ).toMatchObject([{ values: { domain: 'second-cluster.example.com' } }]);
  });

  it('matrix combines each with each, and the second may use the first', async () => {
    expect(
      await generate(
        {
          matrix: {
            generators: [
              list({ a: '1' }, { a: '2' }),
              list({ b: 'of {{ .a }}' }, { b: 'x' }),
            ],
          },
        },
        context,
      ),
    ).toEqual([
      { a: '1', b: 'of 1' },
      { a: '1', b: 'x' },
      { a: '2', b: 'of 2' },
      { a: '2', b: 'x' },
    ]);
  });

  it('merge lays the later ones over the first, by their keys', async () => {
    expect(
      await generate(
        {
          merge: {
            mergeKeys: ['name'],
            generators: [
              list(
                { name: 'a', size: 'small', values: { x: '1' } },
                { name: 'b', size: 'small' },
              ),
              list(
                { name: 'a', size: 'large', values: { y: '2' } },
                { name: 'other', size: 'none' },
              ),
            ],
          },
        },
        context,
      ),
    ).toEqual([
      { name: 'a', size: 'large', values: { x: '1', y: '2' } },
      { name: 'b', size: 'small' },
    ]);
  });

  it.each([
    [{ merge: { generators: [list()] } }, 'found less than two generators'],
    [{ matrix: { generators: [list()] } }, 'Matrix support only two'],
    [{ plugin: {} }, 'plugin is not supported'],
    [{ pullRequest: { github: {} } }, 'no SCM provider'],
    [
      {
        pullRequest: {
          gitlab: {
            project: '1',
            tokenRef: { secretName: 'none', key: 'token' },
          },
        },
      },
      'Secret "none" not found',
    ],
    [
      { pullRequest: { gitlab: { api: 'http://127.0.0.1:1', project: '1' } } },
      'connection refused',
    ],
  ])('%j fails and says why', async (generator, message) => {
    await expect(generate(generator, context)).rejects.toThrow(message);
  });
});
