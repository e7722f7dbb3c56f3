import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** A GitLab that has files and is only read: what a template asks of it before it proposes anything. */
export interface GitLabOfFiles {
  host: string;
  url: string;
  /** Requests that would have changed something. */
  writes: string[];
  close(): Promise<void>;
}

interface Repository {
  id: number;
  path: string;
  files: Record<string, string>;
}

/** As `GET /projects/:id/repository/archive` packs it: below one folder. */
async function archiveOf(repository: Repository): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'previews-archive-'));
  try {
    for (const [path, content] of Object.entries(repository.files)) {
      const file = join(folder, 'archive', path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    }
    const { stdout } = await promisify(execFile)(
      'tar',
      ['-czf', '-', '-C', folder, 'archive'],
      { encoding: 'buffer' },
    );
    return stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function answer(options: {
  repository: Repository;
  rest: string;
  url: string;
}): unknown {
  const { repository, rest, url } = options;
  const file = /^repository\/files\/([^/]+)$/.exec(rest)?.[1];
  if (file !== undefined) {
    const content = repository.files[decodeURIComponent(file)];
    return (
      content !== undefined && {
        encoding: 'base64',
        content: Buffer.from(content).toString('base64'),
      }
    );
  }
  switch (rest) {
    case '':
      return {
        id: repository.id,
        path_with_namespace: repository.path,
        default_branch: 'main',
        archived: false,
        web_url: `${url}/${repository.path}`,
        container_registry_access_level: 'enabled',
        container_registry_image_prefix: `registry.example.com/${repository.path}`,
      };
    case 'repository/commits':
      return [{ id: 'c0ffee' }];
    case 'repository/commits/shop-v1.4.0':
    case 'repository/commits/shop-v1.5.0':
      return { id: 'c0ffee' };
    case 'repository/tags':
      return [{ name: 'shop-v1.5.0' }, { name: 'shop-v1.4.0' }];
    case 'repository/tags/shop-v1.4.0':
    case 'repository/tags/shop-v1.5.0':
      return { name: rest.slice('repository/tags/'.length) };
    case 'repository/commits/c0ffee/merge_requests':
      return [{ iid: 3, title: 'Faster search', state: 'merged' }];
    case 'merge_requests':
      return [];
    default:
      return false;
  }
}

export async function gitLabOfFiles(
  repositories: Repository[],
): Promise<GitLabOfFiles> {
  const writes: string[] = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://gitlab');
    const url = `http://${request.headers.host}`;
    if (request.method !== 'GET') {
      writes.push(`${request.method} ${pathname}`);
    }
    const [, name = '', rest = ''] =
      /^\/api\/v4\/projects\/([^/]+)(?:\/(.*))?$/.exec(pathname) ?? [];
    const wanted = decodeURIComponent(name);
    const repository = repositories.find(
      ({ id, path }) => String(id) === wanted || path === wanted,
    );
    if (repository && rest.startsWith('repository/archive')) {
      response.end(await archiveOf(repository));
      return;
    }
    const body = repository && answer({ repository, rest, url });
    response.writeHead(body ? 200 : 404, {
      'content-type': 'application/json',
    });
    response.end(JSON.stringify(body || { message: '404 Not Found' }));
  });
  await new Promise<void>(done => {
    server.listen(0, '127.0.0.1', done);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}`,
    writes,
    close: () =>
      new Promise(done => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
