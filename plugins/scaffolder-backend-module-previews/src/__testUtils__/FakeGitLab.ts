import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

/** A merge request of the fake. */
export interface FakeMergeRequest {
  iid: number;
  title: string;
  description: string;
  state: 'opened' | 'closed' | 'merged' | 'locked';
  source_branch: string;
  target_branch: string;
  source_project_id: number;
  target_project_id: number;
  author?: { username: string };
}

/** A repository of a project's registry, with the digest of each tag. */
interface FakeRepository {
  id: number;
  location: string;
  tags: Record<string, string>;
}

/** A project of the fake: branches and tags are whole sets of files. */
export interface FakeProject {
  answer: Json & { id: number; path_with_namespace: string };
  refs: Map<string, Record<string, string>>;
  /** Those of `refs` that are tags. */
  tags: Set<string>;
  registry: FakeRepository[];
  mergeRequests: FakeMergeRequest[];
  /** Commits of `from..to`, by that text. */
  ranges: Map<string, string[]>;
  /** Merge requests of a commit. */
  mergedBy: Map<string, Json[]>;
}

interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Json;
  headers: IncomingMessage['headers'];
}

/** An answer instead of the usual one. */
export type Fault = (
  call: Call,
) => { status: number; body: unknown } | undefined;

async function bodyOf(message: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) {
    chunks.push(chunk as Buffer);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return text ? JSON.parse(text) : {};
}

const notFound = (what: string) => ({
  status: 404,
  body: { message: `404 ${what} Not Found` },
});
const ok = (body: unknown, status = 200) => ({ status, body });

/** As much of GitLab's API as the actions call, over a socket, with what a test put into it. */
export class FakeGitLab {
  readonly calls: Call[] = [];
  readonly projects: FakeProject[] = [];
  fault: Fault = () => undefined;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async listen(): Promise<FakeGitLab> {
    const server = createServer();
    const fake = new FakeGitLab(server);
    server.on('request', async (message, response) => {
      const url = new URL(message.url ?? '/', 'http://fake');
      const call: Call = {
        method: message.method ?? '',
        path: url.pathname.replace(/^\/api\/v4/, ''),
        query: url.searchParams,
        body: await bodyOf(message),
        headers: message.headers,
      };
      fake.calls.push(call);
      const { status, body } = fake.fault(call) ?? fake.#answer(call);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
    await new Promise<void>(done => {
      server.listen(0, '127.0.0.1', done);
    });
    return fake;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get integration() {
    const baseUrl = `http://${this.host}`;
    return {
      host: this.host,
      baseUrl,
      apiBaseUrl: `${baseUrl}/api/v4`,
      token: 'of-the-portal',
    };
  }

  /** What changed anything. */
  get writes(): string[] {
    return this.calls
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path}`);
  }

  addProject(options: {
    id: number;
    path: string;
    files?: Record<string, string>;
    answer?: Json;
  }): FakeProject {
    const { id, path, files = {}, answer } = options;
    const project: FakeProject = {
      answer: {
        id,
        path_with_namespace: path,
        default_branch: 'main',
        archived: false,
        container_registry_access_level: 'enabled',
        container_registry_image_prefix: `registry.example.com/${path}`,
        ...answer,
      },
      refs: new Map([['main', files]]),
      tags: new Set(),
      registry: [],
      mergeRequests: [],
      ranges: new Map(),
      mergedBy: new Map(),
    };
    this.projects.push(project);
    return project;
  }

  reset(): void {
    this.calls.length = 0;
    this.projects.length = 0;
    this.fault = () => undefined;
  }

  async close(): Promise<void> {
    await new Promise<void>(done => {
      this.#server.close(() => done());
      this.#server.closeAllConnections();
    });
  }

  #answer(call: Call): { status: number; body: unknown } {
    const [, wanted, rest = ''] =
      /^\/projects\/([^/]+)(?:\/(.*))?$/.exec(call.path) ?? [];
    const name = decodeURIComponent(wanted ?? '');
    const project = this.projects.find(
      ({ answer }) =>
        String(answer.id) === name || answer.path_with_namespace === name,
    );
    if (!project) {
      return notFound('Project');
    }
    if (rest === '') {
      return ok(project.answer);
    }
    const route = `${call.method} ${rest}`;
    const file = /^GET repository\/files\/([^/]+)$/.exec(route);
    if (file) {
      const content = project.refs.get(call.query.get('ref') ?? '')?.[
        decodeURIComponent(file[1])
      ];
      return content === undefined
        ? notFound('File')
        : ok({
            encoding: 'base64',
            content: Buffer.from(content).toString('base64'),
          });
    }
    const named = /^GET repository\/(branches|commits|tags)\/([^/]+)$/.exec(
      route,
    );
    if (named) {
      const [kind, ref] = [named[1], decodeURIComponent(named[2])];
      const isThere =
        kind === 'commits'
          ? project.refs.has(ref)
          : project.refs.has(ref) &&
            project.tags.has(ref) === (kind === 'tags');
      const id = /^[0-9a-f]{7,40}$/.test(ref) ? ref : `sha-of-${ref}`;
      return isThere ? ok({ name: ref, id }) : notFound('Branch');
    }
    if (route === 'GET repository/tags') {
      return ok([...project.tags].map(tag => ({ name: tag })));
    }
    if (route === 'GET registry/repositories') {
      return ok(project.registry.map(({ id, location }) => ({ id, location })));
    }
    const image = /^GET registry\/repositories\/(\d+)\/tags\/(.+)$/.exec(route);
    if (image) {
      const digest = project.registry.find(({ id }) => String(id) === image[1])
        ?.tags[image[2]];
      return digest ? ok({ name: image[2], digest }) : notFound('Tag');
    }
    const commit = /^GET repository\/commits\/([^/]+)\/merge_requests$/.exec(
      route,
    );
    if (commit) {
      return ok(project.mergedBy.get(decodeURIComponent(commit[1])) ?? []);
    }
    if (route === 'GET repository/commits') {
      const range = project.ranges.get(call.query.get('ref_name') ?? '') ?? [];
      return ok(range.map(id => ({ id })));
    }
    if (route === 'POST repository/commits') {
      return this.#commit(project, call.body);
    }
    if (rest.startsWith('merge_requests')) {
      return this.#mergeRequests(project, call, rest);
    }
    return notFound('Route');
  }

  #commit(project: FakeProject, body: Json) {
    const branch = String(body.branch);
    const start = body.start_branch as string | undefined;
    if (start !== undefined && project.refs.has(branch)) {
      return ok(
        { message: `A branch called '${branch}' already exists.` },
        400,
      );
    }
    const files = { ...project.refs.get(start ?? branch) };
    for (const action of body.actions as Record<string, string>[]) {
      const exists = action.file_path in files;
      if (exists === (action.action === 'create')) {
        return ok({ message: 'A file with this name already exists' }, 400);
      }
      files[action.file_path] = Buffer.from(
        action.content,
        'base64',
      ).toString();
    }
    project.refs.set(branch, files);
    return ok({ id: `sha-of-${branch}` }, 201);
  }

  #mergeRequests(project: FakeProject, call: Call, rest: string) {
    const { method, query, body } = call;
    const { mergeRequests } = project;
    if (method === 'GET') {
      const [state, source, target] = [
        'state',
        'source_branch',
        'target_branch',
      ].map(key => query.get(key));
      return ok(
        mergeRequests
          .filter(
            item =>
              (!state || item.state === state) &&
              (!source || item.source_branch === source) &&
              (!target || item.target_branch === target),
          )
          .toReversed(),
      );
    }
    if (method === 'POST') {
      const taken = mergeRequests.find(
        item =>
          item.state === 'opened' &&
          item.source_project_id === project.answer.id &&
          item.source_branch === body.source_branch,
      );
      if (taken) {
        return ok(
          { message: ['Another open merge request already exists'] },
          409,
        );
      }
      return ok(this.addMergeRequest(project, body), 201);
    }
    const found = mergeRequests.find(
      ({ iid }) => rest === `merge_requests/${iid}`,
    );
    if (!found) {
      return notFound('MergeRequest');
    }
    found.state = body.state_event === 'reopen' ? 'opened' : found.state;
    found.title = String(body.title ?? found.title);
    found.description = String(body.description ?? found.description);
    return ok(found);
  }

  /** A merge request that is open, if it is not said otherwise. */
  addMergeRequest(
    project: FakeProject,
    given: Partial<FakeMergeRequest>,
  ): FakeMergeRequest {
    const { id } = project.answer;
    const created: FakeMergeRequest = {
      title: 'x',
      description: '',
      state: 'opened',
      source_branch: 'x',
      target_branch: 'main',
      source_project_id: id,
      target_project_id: id,
      ...given,
      iid: project.mergeRequests.length + 1,
    };
    project.mergeRequests.push(created);
    return created;
  }
}
