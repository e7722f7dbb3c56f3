import { WorldBuilder } from '../testing/world';
import { ClusterSource, GitLabSource } from '../sources/types';
import { Hints } from './Hints';

describe('Hints', () => {
  const world = WorldBuilder.live().build();
  const [reading] = world.clusters;
  const [gitlabReading] = world.gitlab;
  const cluster = {
    cluster: 'main',
    readObjects: jest.fn(kind => ({ ...reading.kinds.pods, kind })),
  } as unknown as ClusterSource;
  const gitlab = {
    host: gitlabReading.host,
    readProject: (id: number) => gitlabReading.projects.get(id),
  } as unknown as GitLabSource;

  /** Hints after the first pass, which is over everything. */
  function heard(): Hints {
    const hints = new Hints();
    hints.take();
    return hints;
  }

  it('mean everything at first, since nothing was read yet', () => {
    expect(new Hints().take()).toBeUndefined();
  });

  it('are read once, those of one object together', () => {
    const hints = heard();
    hints.addObjects(cluster, { kind: 'pods', keys: ['a/b'] });
    hints.addObjects(cluster, { kind: 'pods', keys: ['a/c', 'a/b'] });
    hints.addObjects(cluster, { kind: 'namespaces', keys: [] });
    hints.addProjects(gitlab, { projectIds: [42] });
    hints.addProjects(gitlab, { projectIds: [42] });
    hints.addPreview({ host: 'gitlab.example.com', projectId: 42, iid: 7 });
    expect(hints.take()).toMatchObject({
      objects: [
        { cluster: 'main', kind: 'pods', keys: new Set(['a/b', 'a/c']) },
        { cluster: 'main', kind: 'namespaces', keys: new Set() },
      ],
      projects: [{ reading: { fact: { id: 42 } } }],
      previews: [{ projectId: 42, iid: 7 }],
    });
    expect(hints.take()).toEqual({ objects: [], projects: [], previews: [] });
  });

  it('mean everything where one of them does', () => {
    const hints = heard();
    hints.addObjects(cluster, { kind: 'pods', keys: ['a/b'] });
    hints.addEverything();
    expect(hints.take()).toBeUndefined();
    expect(hints.take()).toEqual({ objects: [], projects: [], previews: [] });
  });

  it('mean everything where a project is known no more', () => {
    const hints = heard();
    hints.addProjects(gitlab, { projectIds: [1] });
    expect(hints.take()).toBeUndefined();
  });
});
