import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';
import {
  application,
  applicationNameOf,
  applicationSet,
  certificate,
  deployment,
  gateway,
  GROUP,
  httpRoute,
  Json,
  mergeRequest,
  namespaceObject,
  pathOf,
  pipeline,
  Place,
  PlaceState,
  pods,
  projectOfGitLab,
  projectIdOf,
  projectOf,
  replicaSet,
  Setting,
  statefulSet,
} from './objects';

const TOKEN = 'bench-upstream-token';
const HOUR = 3_600_000;
const BOOKMARK_EVERY_MILLISECONDS = 30_000;

/** How many calls reached the upstream, by what they ask for. */
export interface Calls {
  /** Lists of a group, by which GitLab is polled. */
  lists: number;
  /** All other calls to GitLab. */
  details: number;
  /** Watches, and the lists of whole kinds that come before. */
  cluster: number;
  /** Discovery, single objects and short lists, which checks of set-ups read. */
  setUps: number;
}

/** GitLab and one cluster with so many live previews, which stand still unless told. */
export interface Upstream {
  gitlab: { url: string; token: string };
  clusters: { name: string; url: string; token: string }[];
  calls(): Calls;
  /** Changes the title of an MR, and tells nobody. */
  retitle(place: Place, title: string): void;
  /** Changes the health of an Application; the watches tell of it. */
  setHealth(place: Place, health: string): void;
  /** What GitLab sends to its webhooks when an MR was updated. */
  webhookOf(place: Place): { headers: Record<string, string>; body: string };
  stop(): Promise<void>;
}

interface Kind {
  count: number;
  objects: (index: number) => Json[];
}

/** Paths of kinds that every cluster has, whether there are any or not. */
const BUILT_IN = /^\/(api\/v1|apis\/(apps|networking\.k8s\.io)\/v1)\/./;
/** Longest list that a check of a set-up asks for; those before a watch are longer. */
const SHORT_LIST = 200;
const NONE_OF_KIND: Kind = { count: 0, objects: () => [] };

function keyOf({ project: index, iid }: Place): string {
  return `${index}/${iid}`;
}

function send(
  response: ServerResponse,
  body: unknown,
  options: { status?: number; headers?: Record<string, string> } = {},
) {
  const { status = 200, headers = {} } = options;
  response.writeHead(status, {
    'content-type': 'application/json',
    ...headers,
  });
  response.end(JSON.stringify(body));
}

/**
 * Serves an organisation of any size. Nothing is kept but what was changed:
 * every object is made when it is asked for, so that the server is small and
 * fast beside what it is read by.
 */
export async function startUpstream(options: {
  projects: number;
  mergeRequestsPerProject: number;
  webhookSecret?: string;
}): Promise<Upstream> {
  const { projects, mergeRequestsPerProject, webhookSecret = '' } = options;
  const size = projects * mergeRequestsPerProject;
  const calls: Calls = { lists: 0, details: 0, cluster: 0, setUps: 0 };
  const changes = new Map<string, Partial<PlaceState>>();
  const watches = new Map<string, Set<ServerResponse>>();
  let version = 1;
  let setting: Setting = { gitlabUrl: '', readyAt: '' };

  const placeAt = (index: number): Place => ({
    project: Math.floor(index / mergeRequestsPerProject),
    iid: 1 + (index % mergeRequestsPerProject),
  });
  const exists = ({ project: index, iid }: Place) =>
    index >= 0 &&
    index < projects &&
    iid >= 1 &&
    iid <= mergeRequestsPerProject;
  const stateOf = (place: Place): PlaceState => ({
    title: `Change number ${place.iid} of this service`,
    updatedAt: setting.readyAt,
    health: 'Healthy',
    ...changes.get(keyOf(place)),
  });
  const change = (place: Place, part: Partial<PlaceState>) =>
    changes.set(keyOf(place), { ...changes.get(keyOf(place)), ...part });

  const ofPlace = (make: (place: Place) => Json | Json[]): Kind => ({
    count: size,
    objects: index => [make(placeAt(index))].flat(),
  });
  const kinds = new Map<string, Kind>([
    [
      'applicationsets',
      {
        count: projects,
        objects: index => [applicationSet(index, setting)],
      },
    ],
    [
      'applications',
      ofPlace(place => application(place, stateOf(place), setting)),
    ],
    ['namespaces', ofPlace(place => namespaceObject(place, setting))],
    ['deployments', ofPlace(place => deployment(place, setting))],
    ['replicasets', ofPlace(place => replicaSet(place, setting))],
    ['statefulsets', ofPlace(place => statefulSet(place, setting))],
    ['pods', ofPlace(place => pods(place, setting))],
    ['certificates', ofPlace(place => certificate(place, setting))],
    ['httproutes', ofPlace(place => httpRoute(place, setting))],
    ['gateways', { count: 1, objects: () => [gateway(setting)] }],
  ]);

  function sendPage(
    response: ServerResponse,
    url: URL,
    list: { count: number; item: (index: number) => Json },
  ) {
    const perPage = Number(url.searchParams.get('per_page') ?? 20);
    const page = Number(url.searchParams.get('page') ?? 1);
    const pages = Math.ceil(list.count / perPage);
    const start = (page - 1) * perPage;
    const length = Math.max(0, Math.min(perPage, list.count - start));
    send(
      response,
      Array.from({ length }, (_, index) => list.item(start + index)),
      {
        headers: {
          'x-page': String(page),
          'x-per-page': String(perPage),
          'x-total': String(list.count),
          'x-total-pages': String(pages),
          'x-next-page': page < pages ? String(page + 1) : '',
        },
      },
    );
  }

  function mergeRequestsOf(url: URL, places: readonly Place[] | undefined) {
    const updatedAfter = url.searchParams.get('updated_after');
    const item = (place: Place) => mergeRequest(place, stateOf(place), setting);
    if (updatedAfter === null) {
      return places
        ? { count: places.length, item: (index: number) => item(places[index]) }
        : { count: size, item: (index: number) => item(placeAt(index)) };
    }
    const after = Date.parse(updatedAfter);
    const all =
      after <= Date.parse(setting.readyAt)
        ? Array.from({ length: size }, (_, index) => placeAt(index))
        : [...changes.keys()].map(key => {
            const [index, iid] = key.split('/').map(Number);
            return { project: index, iid };
          });
    const found = (places ?? all)
      .filter(place => Date.parse(stateOf(place).updatedAt) >= after)
      .sort((left, right) =>
        stateOf(left).updatedAt < stateOf(right).updatedAt ? 1 : -1,
      );
    return { count: found.length, item: (index: number) => item(found[index]) };
  }

  function findProject(reference: string): number | undefined {
    const index = /^\d+$/.test(reference)
      ? projectOf(Number(reference))
      : projectOf(Number(reference.split('-').pop()));
    return exists({ project: index, iid: 1 }) ? index : undefined;
  }

  function answerProject(
    response: ServerResponse,
    url: URL,
    parts: readonly string[],
  ): boolean {
    const [reference, ...rest] = parts;
    const index = findProject(decodeURIComponent(reference));
    if (index === undefined) {
      return false;
    }
    const [what, iid, detail] = rest;
    const place = { project: index, iid: Number(iid) };
    if (rest.length === 0) {
      send(response, projectOfGitLab(index, setting));
    } else if (rest.join('/') === 'registry/repositories') {
      send(response, [
        {
          id: projectIdOf(index),
          path: pathOf(index),
          location: `registry.example.com/${pathOf(index)}`,
        },
      ]);
    } else if (what === 'registry') {
      const name = parts[parts.length - 1];
      const path = `${pathOf(index)}:${name}`;
      send(response, { name, path, location: `registry.example.com/${path}` });
    } else if (what === 'merge_requests' && iid === undefined) {
      const own = Array.from({ length: mergeRequestsPerProject }, (_, at) => ({
        project: index,
        iid: at + 1,
      }));
      sendPage(response, url, mergeRequestsOf(url, own));
    } else if (what === 'merge_requests' && exists(place)) {
      switch (detail) {
        case undefined:
          send(response, mergeRequest(place, stateOf(place), setting));
          break;
        case 'pipelines':
          send(response, [pipeline(place, setting)]);
          break;
        default:
          return false;
      }
    } else {
      return false;
    }
    return true;
  }

  function answerGitLab(response: ServerResponse, url: URL): boolean {
    const parts = url.pathname.split('/').slice(3);
    const [what, name, list] = parts;
    if (what === 'groups' && list !== undefined) {
      calls.lists += 1;
      if (decodeURIComponent(name) !== GROUP) {
        return false;
      }
      if (list === 'projects') {
        const item = (index: number) => projectOfGitLab(index, setting);
        sendPage(response, url, { count: projects, item });
      } else {
        sendPage(response, url, mergeRequestsOf(url, undefined));
      }
      return true;
    }
    calls.details += 1;
    if (what === 'personal_access_tokens') {
      send(response, { scopes: ['read_api'], active: true, revoked: false });
      return true;
    }
    return what === 'projects' && answerProject(response, url, parts.slice(1));
  }

  function answerDiscovery(response: ServerResponse, path: string): boolean {
    const groups = new Map([
      ['argoproj.io/v1alpha1', ['applications', 'applicationsets']],
      ['cert-manager.io/v1', ['certificates']],
      ['gateway.networking.k8s.io/v1', ['httproutes', 'gateways']],
    ]);
    if (path === '/apis') {
      send(response, {
        kind: 'APIGroupList',
        groups: [...groups.keys()].map(groupVersion => {
          const [name, served] = groupVersion.split('/');
          const preferredVersion = { groupVersion, version: served };
          return { name, versions: [preferredVersion], preferredVersion };
        }),
      });
      return true;
    }
    const resources = groups.get(path.slice('/apis/'.length));
    if (resources) {
      send(response, {
        kind: 'APIResourceList',
        resources: resources.map(name => ({ name })),
      });
    }
    return resources !== undefined;
  }

  function watch(response: ServerResponse, plural: string) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    const open = watches.get(plural) ?? new Set();
    watches.set(plural, open.add(response));
    response.on('close', () => open.delete(response));
  }

  function tell(plural: string, event: { type: string; object: Json }) {
    const line = `${JSON.stringify(event)}\n`;
    watches.get(plural)?.forEach(response => response.write(line));
  }

  function answerCluster(response: ServerResponse, url: URL): boolean {
    const path = url.pathname.slice('/cluster'.length);
    const plural = path.split('/').pop()!;
    const kind =
      kinds.get(plural) ?? (BUILT_IN.test(path) ? NONE_OF_KIND : undefined);
    const isWatched =
      url.searchParams.has('watch') ||
      Number(url.searchParams.get('limit')) > SHORT_LIST;
    calls[kind && isWatched ? 'cluster' : 'setUps'] += 1;
    if (!kind) {
      return answerDiscovery(response, path);
    }
    if (url.searchParams.has('watch')) {
      watch(response, plural);
      return true;
    }
    const start = Number(url.searchParams.get('continue') ?? 0);
    const limit = Number(url.searchParams.get('limit') ?? kind.count);
    const end = Math.min(kind.count, start + limit);
    const items: Json[] = [];
    for (let index = start; index < end; index += 1) {
      items.push(...kind.objects(index));
    }
    send(response, {
      kind: 'List',
      metadata: {
        resourceVersion: String(version),
        ...(end < kind.count && { continue: String(end) }),
      },
      items,
    });
    return true;
  }

  const server = createServer(
    (request: IncomingMessage, response: ServerResponse) => {
      const url = new URL(request.url ?? '/', setting.gitlabUrl);
      const isAnswered = url.pathname.startsWith('/cluster')
        ? answerCluster(response, url)
        : answerGitLab(response, url);
      if (!isAnswered) {
        send(response, { message: '404 Not Found' }, { status: 404 });
      }
    },
  );
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  setting = {
    gitlabUrl: url,
    readyAt: new Date(Date.now() - HOUR).toISOString().replace(/\.\d+/, ''),
  };
  const bookmarks = setInterval(() => {
    for (const plural of watches.keys()) {
      const metadata = { resourceVersion: String(version) };
      tell(plural, { type: 'BOOKMARK', object: { metadata } });
    }
  }, BOOKMARK_EVERY_MILLISECONDS);

  return {
    gitlab: { url, token: TOKEN },
    clusters: [{ name: 'bench', url: `${url}/cluster`, token: TOKEN }],
    calls: () => ({ ...calls }),
    retitle: (place, title) =>
      change(place, { title, updatedAt: new Date().toISOString() }),
    setHealth(place, health) {
      change(place, { health });
      version += 1;
      const object = application(place, stateOf(place), setting);
      Object.assign(object.metadata as Json, {
        resourceVersion: String(version),
        name: applicationNameOf(place),
      });
      tell('applications', { type: 'MODIFIED', object });
    },
    webhookOf: place => ({
      headers: {
        'content-type': 'application/json',
        'x-gitlab-event': 'Merge Request Hook',
        'x-gitlab-token': webhookSecret,
      },
      body: JSON.stringify({
        object_kind: 'merge_request',
        event_type: 'merge_request',
        project: {
          id: projectIdOf(place.project),
          web_url: `${url}/${pathOf(place.project)}`,
          path_with_namespace: pathOf(place.project),
        },
        object_attributes: {
          iid: place.iid,
          target_project_id: projectIdOf(place.project),
          action: 'update',
        },
      }),
    }),
    async stop() {
      clearInterval(bookmarks);
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
