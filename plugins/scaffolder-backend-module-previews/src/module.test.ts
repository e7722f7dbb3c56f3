import { startTestBackend } from '@backstage/backend-test-utils';
import {
  scaffolderActionsExtensionPoint,
  type TemplateAction,
} from '@backstage/plugin-scaffolder-node';
import { parse } from 'yaml';
import scaffolderModulePreviews from '.';

describe('scaffolderModulePreviews', () => {
  async function registered() {
    const actions: TemplateAction<any, any, any>[] = [];
    await startTestBackend({
      extensionPoints: [
        [
          scaffolderActionsExtensionPoint,
          { addActions: (...added) => actions.push(...added) },
        ],
      ],
      features: [scaffolderModulePreviews],
    });
    return actions;
  }

  it('registers every action, each of which can be run dry', async () => {
    const actions = await registered();
    expect(actions.map(({ id }) => id)).toEqual([
      'previews:token:check',
      'previews:service:resolve',
      'previews:gitops:render',
      'previews:gitops:validate',
      'previews:service:edit',
      'previews:gitlab:merge-request',
      'previews:release:promote',
      'previews:release:notes',
    ]);
    expect(actions.every(({ supportsDryRun }) => supportsDryRun)).toBe(true);
  });

  it('describes every input and output, and shows examples that name the action', async () => {
    for (const { id, description, schema, examples } of await registered()) {
      expect(description).toBeTruthy();
      for (const side of [schema?.input, schema?.output]) {
        const properties = Object.entries(side?.properties ?? {});
        expect(properties.length).toBeGreaterThan(0);
        properties.forEach(([name, property]) =>
          expect([id, name, property.description]).toEqual([
            id,
            name,
            expect.any(String),
          ]),
        );
      }
      expect(examples?.length).toBeGreaterThan(0);
      examples?.forEach(({ example }) =>
        expect(parse(example).steps.map(({ action }: any) => action)).toContain(
          id,
        ),
      );
    }
  });
});
