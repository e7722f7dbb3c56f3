import { resolveSafeChildPath } from '@backstage/backend-plugin-api';
import { InputError, NotFoundError } from '@backstage/errors';
import { serializeDirectoryContents } from '@backstage/plugin-scaffolder-node';
import { lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { RepositoryFile } from '../edit';

const MAXIMUM_FILE = 1_000_000;

async function kindOf(path: string): Promise<'none' | 'file' | 'other'> {
  try {
    const stats = await lstat(path);
    return stats.isFile() && stats.size <= MAXIMUM_FILE ? 'file' : 'other';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return 'none';
    }
    throw error;
  }
}

/** A folder of a task's workspace; nothing outside of it is read or written. */
export class WorkspaceFolder {
  readonly #root: string;
  readonly #name: string;

  static of(options: {
    workspacePath: string;
    /** Below the workspace. */
    path: string;
  }): WorkspaceFolder {
    return new WorkspaceFolder(
      resolveSafeChildPath(options.workspacePath, options.path),
      options.path,
    );
  }

  private constructor(root: string, name: string) {
    this.#root = root;
    this.#name = name;
  }

  /**
   * Content of a file; undefined where there is none.
   *
   * @throws InputError for links and files that are too large: what was fetched is somebody else's
   */
  async read(path: string): Promise<string | undefined> {
    const absolute = resolveSafeChildPath(this.#root, path);
    const kind = await kindOf(absolute);
    if (kind === 'other') {
      throw new InputError(
        `${this.#name}/${path} is a link, a folder or larger than 1 MB`,
      );
    }
    return kind === 'none' ? undefined : readFile(absolute, 'utf8');
  }

  /**
   * All files, or those that fit the patterns, in order.
   *
   * @throws NotFoundError when the folder does not exist
   */
  async readAll(patterns?: string[]): Promise<RepositoryFile[]> {
    if ((await kindOf(this.#root)) === 'none') {
      throw new NotFoundError(
        `The workspace has no folder ${
          this.#name
        }: a step before has to make it`,
      );
    }
    const files = await serializeDirectoryContents(this.#root, {
      gitignore: false,
      globPatterns: patterns && [...patterns, '!.git'],
    });
    return files
      .filter(({ symlink }) => !symlink)
      .map(({ path, content }) => ({
        path: path.replace(/^\.\//, ''),
        content: content.toString('utf8'),
      }))
      .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  }

  async write(files: readonly RepositoryFile[]): Promise<void> {
    for (const { path, content } of files) {
      const absolute = resolveSafeChildPath(this.#root, path);
      await mkdir(dirname(absolute), { recursive: true });
      await writeFile(absolute, content);
    }
  }
}
