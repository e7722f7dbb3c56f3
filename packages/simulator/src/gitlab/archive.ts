import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import type { Tree } from './trees';

/** A tar archive of a tree, or of one of its folders, below one folder as GitLab packs it. */
export async function packArchive(options: {
  tree: Tree;
  /** Of the folder that all is in. */
  name: string;
  folder?: string;
}): Promise<Buffer> {
  const { tree, name, folder } = options;
  const archive = pack();
  for (const [path, content] of tree) {
    if (!folder || path === folder || path.startsWith(`${folder}/`)) {
      archive.entry({ name: `${name}/${path}` }, content);
    }
  }
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) {
    chunks.push(chunk as Buffer);
  }
  return gzipSync(Buffer.concat(chunks));
}
