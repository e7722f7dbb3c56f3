// What a browser loads of the frontend plugin, compressed and without Backstage and
// Material UI, which the portal has anyway: for the tab, the card and the drawer;
// and what it loads only when it is wanted, such as a language.
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { run } from './support/organisations';
import { report } from './report';

const ROOT = resolve(__dirname, '../..');
const FRONTEND = join(ROOT, 'plugins/previews');
/** What stands in the face of an entity; the drawer belongs to the tab. */
const FIRST = [
  'plugins/previews/src/alpha.tsx',
  'plugins/previews/src/components/PreviewsTab/index.ts',
  'plugins/previews/src/components/PreviewsCard/index.ts',
];
const OF_THE_PORTAL =
  /^(@backstage\/|@material-ui\/|react$|react\/|react-dom|react-router)/;
const BUDGET_KILOBYTES = 60;

/** What is used of esbuild, which the Backstage CLI brings. */
interface Bundler {
  build(options: object): Promise<{
    outputFiles: { path: string; contents: Uint8Array }[];
    metafile: {
      outputs: Record<
        string,
        {
          entryPoint?: string;
          imports: { path: string; kind: string; external?: boolean }[];
        }
      >;
    };
  }>;
}

interface Chunk {
  entryPoint?: string;
  /** Chunks that are loaded with it. */
  needs: string[];
  bytes: number;
}

async function bundle(): Promise<Map<string, Chunk>> {
  const { build }: Bundler = createRequire(join(ROOT, 'package.json'))(
    'esbuild',
  );
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [join(FRONTEND, 'src/alpha.tsx')],
    outdir: join(ROOT, 'out'),
    write: false,
    metafile: true,
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'portal',
        setup(builder: {
          onResolve(
            filter: object,
            answer: (found: { path: string }) => object,
          ): void;
        }) {
          builder.onResolve({ filter: OF_THE_PORTAL }, ({ path }) => ({
            path,
            external: true,
          }));
        },
      },
    ],
  });
  return new Map(
    Object.entries(metafile.outputs).map(([path, output]) => {
      const file = outputFiles.find(one => one.path === join(ROOT, path));
      const needs = output.imports
        .filter(({ kind, external }) => kind !== 'dynamic-import' && !external)
        .map(needed => needed.path);
      const chunk = {
        ...(output.entryPoint && { entryPoint: output.entryPoint }),
        needs,
        bytes: gzipSync(file?.contents ?? '').length,
      };
      return [path, chunk] as const;
    }),
  );
}

function kilobytesOf(chunks: Map<string, Chunk>, paths: Iterable<string>) {
  let bytes = 0;
  for (const path of paths) {
    bytes += chunks.get(path)?.bytes ?? 0;
  }
  return bytes / 1024;
}

run(async () => {
  const chunks = await bundle();
  const first = new Set<string>();
  const load = (path: string) => {
    if (!first.has(path)) {
      first.add(path);
      chunks.get(path)?.needs.forEach(load);
    }
  };
  for (const entryPoint of FIRST) {
    const found = [...chunks].find(([, one]) => one.entryPoint === entryPoint);
    if (!found) {
      throw new Error(`Nothing begins with ${entryPoint}`);
    }
    load(found[0]);
  }
  // The package's description, which an app may show, is neither a language nor a chart.
  const later = [...chunks].flatMap(([path, { entryPoint }]) =>
    first.has(path) || entryPoint?.endsWith('package.json') ? [] : path,
  );
  for (const [name, paths] of Object.entries({ first, later })) {
    report({
      name: name === 'first' ? 'bundle-tab-card-drawer' : 'bundle-lazy',
      // It does not depend on how many previews there are.
      size: 0,
      figure: kilobytesOf(chunks, paths),
      budget: BUDGET_KILOBYTES,
      unit: 'kB gzip',
    });
  }
});
