// Processes that are started together and end together: all of them, with whatever
// they started, as soon as one ends or somebody asks for it.
import { spawn } from 'node:child_process';

/** Time to end by itself; the backend's development runner may wait for a parent that is gone. */
const GRACE_MILLISECONDS = 5_000;

const windows = process.platform === 'win32';

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

/**
 * Starts processes in `cwd` and ends them when this one is asked to end. Until the last of them is gone
 * this one stays, however often it is asked: npm, npx and Yarn each pass a signal on that
 * their group got already, and a second one would leave behind whatever has not ended by then.
 */
export function processesIn(cwd, { grace = GRACE_MILLISECONDS } = {}) {
  const started = new Set();
  const processes = {
    /** Whether they are ending. */
    stopping: false,
    start(command, args) {
      const child = spawn(command, args, {
        cwd,
        stdio: ['ignore', 'inherit', 'inherit'],
        shell: windows,
        // A group of its own, so that what it starts ends with it.
        detached: !windows,
        env: { ...process.env, NODE_OPTIONS: process.env.NODE_OPTIONS ?? '' },
      });
      started.add(child);
      child.on('error', error => {
        console.error(`Could not start ${command}: ${error.message}`);
        processes.stop(1);
      });
      child.on('exit', code => processes.stop(code ?? 1));
    },
    /** Ends all of them, and then this process with this code. */
    stop(code) {
      if (processes.stopping) {
        return;
      }
      processes.stopping = true;
      process.exitCode = code;
      // A child that has ended may have left others of its group behind.
      started.forEach(child => signal(child, 'SIGTERM'));
      setTimeout(() => {
        started.forEach(child => signal(child, 'SIGKILL'));
        process.exit();
      }, grace);
    },
  };
  // SIGHUP: the terminal was closed.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(name, () => processes.stop(0));
  }
  return processes;
}
