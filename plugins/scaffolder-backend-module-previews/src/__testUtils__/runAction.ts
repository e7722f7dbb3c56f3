import type { TemplateAction } from '@backstage/plugin-scaffolder-node';
import { createMockActionContext } from '@backstage/plugin-scaffolder-node-test-utils';
import type { LoggerService } from '@backstage/backend-plugin-api';

/** Runs an action as a step of a task would, and hands back what it put out. */
export async function runAction(options: {
  action: TemplateAction<any, any, any>;
  workspacePath: string;
  input: object;
  isDryRun?: boolean;
  logger?: LoggerService;
}): Promise<Record<string, any>> {
  const { action, ...given } = options;
  const output: Record<string, unknown> = {};
  await action.handler({
    ...createMockActionContext({ workspacePath: options.workspacePath }),
    ...given,
    output: (name: string, value: unknown) => {
      output[name] = value;
    },
  });
  return output;
}
