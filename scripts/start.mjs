// Starts the simulated platform and, once it answers, the portal: the backend on
// port 7007 and the frontend on port 3000. Both end together. Nothing is started
// where a port is taken: what listens there would answer in place of the new one.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unusablePorts } from './ports.mjs';
import { processesIn } from './processes.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const CONTROL_URL = 'http://127.0.0.1:7083';
const PORTAL_URL = 'http://localhost:3000';
const READINESS_URL = 'http://127.0.0.1:7007/.backstage/health/v1/readiness';
const SIGNALS_URL = 'ws://127.0.0.1:7007/api/signals';
const WEBHOOK_URL = 'http://127.0.0.1:7007/api/events/http/previews-gitlab';
const WEBHOOK_SECRET = 'simulated-webhook-secret';

/** Who listens where: as `app-config.yaml` and the simulator's defaults have it. */
const LISTENERS = [
  { port: 3000, host: 'localhost', name: 'the portal' },
  { port: 7007, host: '127.0.0.1', name: "the portal's backend" },
  { port: 7081, host: '127.0.0.1', name: 'the simulated GitLab' },
  { port: 7082, host: '127.0.0.1', name: 'the simulated cluster' },
  { port: 7083, host: '127.0.0.1', name: "the simulator's control API" },
  { port: 7084, host: '127.0.0.1', name: 'the simulated Route 53' },
];

/** What a person reads who has to free some ports. */
function explanationOf(unusable) {
  const { port } = unusable[0];
  const find =
    process.platform === 'win32'
      ? `netstat -ano | findstr :${port}`
      : `lsof -nP -iTCP:${port} -sTCP:LISTEN`;
  return [
    'The portal cannot start:',
    ...unusable.map(({ port: taken, name, problem }) =>
      problem === 'EADDRINUSE'
        ? `  port ${taken}, of ${name}, is taken`
        : `  port ${taken}, of ${name}, cannot be used (${problem})`,
    ),
    'If another "npm start" is running, use that one or stop it (Ctrl-C). Else stop what listens there; to see what does:',
    `  ${find}`,
  ].join('\n');
}

/** Resolves when it answers, or is not wanted any more. */
async function untilItAnswers(url, processes) {
  for (;;) {
    try {
      if (processes.stopping || (await fetch(url)).ok) {
        return;
      }
    } catch {
      // Not there yet.
    }
    await new Promise(resolve => setTimeout(resolve, 250));
  }
}

/**
 * The signals backend (0.3) answers no WebSocket before the first one has asked,
 * and that one never: better this one than the newcomer's browser, which would
 * poll instead.
 */
function wakeSignals() {
  const socket = new WebSocket(SIGNALS_URL);
  socket.addEventListener('error', () => {});
  setTimeout(() => socket.close(), 1000);
}

const unusable = await unusablePorts(LISTENERS);
if (unusable.length > 0) {
  console.error(explanationOf(unusable));
  process.exit(1);
}

const processes = processesIn(root);

processes.start('yarn', [
  'workspace',
  'simulator',
  'start',
  '--rbac',
  join(root, 'docs', 'rbac.yaml'),
  '--webhook',
  WEBHOOK_URL,
  '--webhook-secret',
  WEBHOOK_SECRET,
]);

await untilItAnswers(`${CONTROL_URL}/state`, processes);
if (!processes.stopping) {
  processes.start('yarn', ['backstage-cli', 'repo', 'start']);
  await untilItAnswers(READINESS_URL, processes);
  wakeSignals();
  await untilItAnswers(PORTAL_URL, processes);
}
if (!processes.stopping) {
  console.log(`\n\n  The portal is ready: ${PORTAL_URL}\n\n`);
}
