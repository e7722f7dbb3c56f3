import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Manifest } from './onboarding';

/** Groups of Kubernetes itself, whose kinds are no custom resources. */
const BUILT_IN = /^(v1|(apps|batch|policy|networking\.k8s\.io)\/v1)$/;
/** No package has its schema. */
const WITHOUT_SCHEMA = ['ExternalSecret'];

/** What the published schemas have against the custom resources among some objects. */
export async function schemaProblems(objects: Manifest[]): Promise<string[]> {
  const child = spawn(process.execPath, [join(__dirname, 'checkSchemas.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  child.stdin.end(
    JSON.stringify(
      objects.filter(
        ({ apiVersion, kind }) =>
          !BUILT_IN.test(apiVersion) && !WITHOUT_SCHEMA.includes(kind),
      ),
    ),
  );
  return JSON.parse(await text(child.stdout)) as string[];
}
