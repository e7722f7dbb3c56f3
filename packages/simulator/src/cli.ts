/* eslint-disable no-console */
import { parseArgs } from 'node:util';
import { faultNames } from './control/faults';
import { startSimulator } from './simulator';

const GITLAB_PORT = 7081;
const CLUSTER_PORT = 7082;
const CONTROL_PORT = 7083;
const AWS_PORT = 7084;

const HELP = `Simulated GitLab and Kubernetes platform

  yarn workspace simulator start [--speed N] [--seed TEXT] [--scenario demo|empty]
      [--rbac FILE] [--webhook URL] [--webhook-secret TEXT]
      [--gitlab-port N] [--cluster-port N] [--control-port N] [--aws-port N]
      [--enforce-acme-limits]

  and, on one that runs:
  ... open PROJECT BRANCH [--title TEXT] [--author LOGIN] [--labels A,B] [--draft] [--fork]
  ... push PROJECT IID [--force]
  ... approve | unapprove | merge | close | reopen PROJECT IID [--by LOGIN]
  ... label PROJECT IID --labels A,B
  ... draft | lock PROJECT IID [--off]
  ... tag PROJECT NAME [--ref BRANCH, TAG OR COMMIT]
  ... renew NAMESPACE CERTIFICATE
  ... age NAMESPACE CERTIFICATE --days N
  ... dns
  ... acme [enforce=LIMITS] [drain=LIMIT subject=NAME]
  ... fault NAME [key=value ...]
  ... faults [clear]
  ... state

Faults:
${Object.entries(faultNames)
  .map(([name, text]) => `  ${name.padEnd(26)} ${text}`)
  .join('\n')}`;

const options = {
  help: { type: 'boolean', short: 'h' },
  speed: { type: 'string' },
  seed: { type: 'string' },
  scenario: { type: 'string' },
  rbac: { type: 'string' },
  webhook: { type: 'string' },
  'webhook-secret': { type: 'string' },
  'gitlab-port': { type: 'string' },
  'cluster-port': { type: 'string' },
  'control-port': { type: 'string' },
  'aws-port': { type: 'string' },
  'enforce-acme-limits': { type: 'boolean' },
  days: { type: 'string' },
  title: { type: 'string' },
  author: { type: 'string' },
  labels: { type: 'string' },
  by: { type: 'string' },
  ref: { type: 'string' },
  draft: { type: 'boolean' },
  fork: { type: 'boolean' },
  force: { type: 'boolean' },
  off: { type: 'boolean' },
} as const;

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    options,
    allowPositionals: true,
  });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const port = (value: string | undefined, fallback: number) =>
    value === undefined ? fallback : Number(value);
  const controlPort = port(values['control-port'], CONTROL_PORT);
  const [command, ...rest] = positionals;
  if (command !== undefined && command !== 'start') {
    await send(controlPort, command, rest, values);
    return;
  }
  const simulator = await startSimulator({
    seed: values.seed,
    speed: values.speed === undefined ? undefined : Number(values.speed),
    scenario: values.scenario === 'empty' ? 'empty' : 'demo',
    gitlabPort: port(values['gitlab-port'], GITLAB_PORT),
    clusterPorts: [port(values['cluster-port'], CLUSTER_PORT)],
    controlPort,
    awsPort: port(values['aws-port'], AWS_PORT),
    acme: values['enforce-acme-limits']
      ? { enforce: ['domain', 'set', 'orders', 'authorizations'] }
      : undefined,
    rbacFile: values.rbac,
    webhook: values.webhook
      ? { url: values.webhook, secret: values['webhook-secret'] }
      : undefined,
  });
  console.log(`GitLab      ${simulator.gitlab.url}`);
  simulator.clusters.forEach(({ name, url }) =>
    console.log(`Cluster     ${url} (${name})`),
  );
  console.log(`Route 53    ${simulator.aws.url}`);
  console.log(`STS         ${simulator.aws.stsUrl}`);
  console.log(`Control API ${simulator.controlUrl}`);
  const stop = () => {
    simulator.stop().then(
      () => process.exit(0),
      error => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

async function send(
  port: number,
  command: string,
  rest: string[],
  values: Record<string, string | boolean | undefined>,
): Promise<void> {
  const { method, path, body } = requestFor(command, rest, values);
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: body ? { 'content-type': 'application/json' } : {},
    body: body && JSON.stringify(body),
  });
  const answer = (await response.json()) as unknown;
  console.log(JSON.stringify(answer, undefined, 2));
  if (!response.ok) {
    process.exitCode = 1;
  }
}

/** `key=value` words. */
function pairs(words: string[]): Record<string, string> {
  return Object.fromEntries(
    words.map(pair => {
      const [key, ...value] = pair.split('=');
      return [key, value.join('=')];
    }),
  );
}

function requestFor(
  command: string,
  rest: string[],
  values: Record<string, string | boolean | undefined>,
): { method: string; path: string; body?: Record<string, unknown> } {
  switch (command) {
    case 'state':
      return { method: 'GET', path: '/state' };
    case 'faults':
      return {
        method: rest[0] === 'clear' ? 'DELETE' : 'GET',
        path: '/faults',
      };
    case 'fault':
      return {
        method: 'POST',
        path: '/faults',
        body: {
          ...pairs(rest.slice(1)),
          fault: rest[0],
        },
      };
    case 'dns':
      return { method: 'GET', path: '/dns' };
    case 'acme':
      return rest.length === 0
        ? { method: 'GET', path: '/acme' }
        : { method: 'POST', path: '/acme', body: pairs(rest) };
    case 'tag':
      return {
        method: 'POST',
        path: '/tags',
        body: { project: rest[0], name: rest[1], revision: values.ref },
      };
    case 'renew':
    case 'age':
      return {
        method: 'POST',
        path: `/certificates/${command}`,
        body: { namespace: rest[0], name: rest[1], days: values.days },
      };
    case 'open':
      return {
        method: 'POST',
        path: '/merge-requests/open',
        body: {
          project: rest[0],
          sourceBranch: rest[1],
          title: values.title,
          author: values.author,
          labels: values.labels,
          draft: values.draft,
          fork: values.fork,
        },
      };
    default:
      return {
        method: 'POST',
        path: `/merge-requests/${command}`,
        body: {
          project: rest[0],
          iid: Number(rest[1]),
          labels: values.labels,
          force: values.force,
          by: values.by,
          draft: !values.off,
          locked: !values.off,
        },
      };
  }
}

run().catch(error => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
