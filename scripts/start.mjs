// Starts the simulated platform and, once it answers, the portal: the backend on
// port 7007 and the frontend on port 3000. Both end together.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const CONTROL_URL = 'http://127.0.0.1:7083';
const PORTAL_URL = 'http://localhost:3000';
const READINESS_URL = 'http://127.0.0.1:7007/.backstage/health/v1/readiness';
const SIGNALS_URL = 'ws://127.0.0.1:7007/api/signals';
const WEBHOOK_URL = 'http://127.0.0.1:7007/api/events/http/previews-gitlab';
const WEBHOOK_SECRET = 'simulated-webhook-secret';

/** Time to end by itself; the backend's development runner may wait for a parent that is gone. */
const GRACE_MILLISECONDS = 5_000;

const windows = process.platform === 'win32';
const started = new Set();
let stopping = false;

function start(command, args) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: windows,
    // A group of its own, so that what it starts ends with it.
    detached: !windows,
    env: { ...process.env, NODE_OPTIONS: process.env.NODE_OPTIONS ?? '' },
  });
  started.add(child);
  child.on('error', error => {
    console.error(`Could not start ${command}: ${error.message}`);
    stop(1);
  });
  child.on('exit', code => {
    stop(code ?? 1);
  });
  return child;
}

/** Signals a child and all that it started. */
function signal(child, name) {
  if (child.pid === undefined) {
    // It could not be started.
    return;
  }
  try {
    if (windows) {
      child.kill(name);
    } else {
      process.kill(-child.pid, name);
    }
  } catch (error) {
    // All of it has ended already.
    if (error.code !== 'ESRCH') {
      throw error;
    }
  }
}

function stop(code) {
  if (!stopping) {
    stopping = true;
    process.exitCode = code;
    // A child that has ended may have left others of its group behind.
    started.forEach(child => signal(child, 'SIGTERM'));
    setTimeout(() => {
      started.forEach(child => signal(child, 'SIGKILL'));
      process.exit();
    }, GRACE_MILLISECONDS);
  }
}

async function untilItAnswers(url) {
  for (;;) {
    try {
      if (stopping || (await fetch(url)).ok) {
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

process.once('SIGINT', () => stop(0));
process.once('SIGTERM', () => stop(0));

start('yarn', [
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

await untilItAnswers(`${CONTROL_URL}/state`);
if (!stopping) {
  start('yarn', ['backstage-cli', 'repo', 'start']);
  await untilItAnswers(READINESS_URL);
  wakeSignals();
  await untilItAnswers(PORTAL_URL);
}
if (!stopping) {
  console.log(`\n\n  The portal is ready: ${PORTAL_URL}\n\n`);
}
