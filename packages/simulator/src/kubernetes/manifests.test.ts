import { parseManifests } from './manifests';

describe('parseManifests', () => {
  it('reads every document and passes over empty ones', () => {
    const objects = parseManifests(`
# what the client may do
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: reader }
rules: []
---
---
apiVersion: v1
kind: Namespace
metadata: { name: shop }
`);
    expect(objects.map(({ kind }) => kind)).toEqual([
      'ClusterRole',
      'Namespace',
    ]);
  });

  it('refuses what is malformed or no object', () => {
    expect(() => parseManifests('a: [')).toThrow('Malformed YAML');
    expect(() => parseManifests('color: blue')).toThrow(
      'no object of Kubernetes',
    );
  });
});
