import {
  InputError,
  isError,
  NotAllowedError,
  NotFoundError,
} from '@backstage/errors';
import type { AcmeLimitName } from '../acme/limits';
import { readFields, sendJson } from '../http/body';
import { listen, type Listener } from '../http/listen';
import type { Simulator } from '../simulator';
import type { TagOptions } from './control';
import { faultNames } from './faults';

type Fields = Record<string, unknown>;

const STATUS_BY_ERROR: Record<string, number> = {
  InputError: 400,
  SyntaxError: 400,
  NotAllowedError: 403,
  NotFoundError: 404,
  ConflictError: 409,
};

function describe(simulator: Simulator) {
  return {
    gitlab: simulator.gitlab.url,
    aws: { route53: simulator.aws.url, sts: simulator.aws.stsUrl },
    clusters: simulator.clusters.map(({ name, url }) => ({ name, url })),
    mergeRequests: simulator.control.mergeRequests(),
    applications: simulator.clusters[0].cluster
      .list({ kind: 'Application' })
      .map(({ metadata, status }) => ({
        name: metadata.name,
        sync: status?.sync?.status,
        health: status?.health?.status,
        deleting: metadata.deletionTimestamp !== undefined,
      })),
  };
}

function reference(fields: Fields) {
  const iid = Number(fields.iid);
  if (
    typeof fields.project !== 'string' &&
    typeof fields.project !== 'number'
  ) {
    throw new InputError('project is missing');
  }
  if (!Number.isInteger(iid)) {
    throw new InputError('iid is missing');
  }
  return { project: fields.project, iid };
}

function words(value: unknown): string[] {
  return (Array.isArray(value) ? value : String(value ?? '').split(','))
    .map(String)
    .filter(Boolean);
}

function actOnMergeRequest(
  simulator: Simulator,
  action: string,
  fields: Fields,
): unknown {
  const { control } = simulator;
  const text = (key: string) => {
    if (fields[key] === undefined) {
      throw new InputError(`${key} is missing`);
    }
    return String(fields[key]);
  };
  const by = fields.by === undefined ? undefined : String(fields.by);
  const isOn = (key: string) =>
    fields[key] !== false && fields[key] !== 'false';
  switch (action) {
    case 'open':
      return control.openMergeRequest({
        project: text('project'),
        sourceBranch: text('sourceBranch'),
        title: String(fields.title ?? fields.sourceBranch),
        author: String(fields.author ?? 'dev1'),
        labels: words(fields.labels),
        draft: String(fields.draft) === 'true',
        fork: String(fields.fork) === 'true',
      });
    case 'push':
      return control.push({
        ...reference(fields),
        force: String(fields.force) === 'true',
      });
    case 'approve':
    case 'unapprove':
    case 'merge':
    case 'close':
    case 'reopen':
      return control[action]({ ...reference(fields), by });
    case 'label':
      return control.setLabels({
        ...reference(fields),
        labels: words(fields.labels),
      });
    case 'lock':
      return control.setLocked({
        ...reference(fields),
        locked: isOn('locked'),
      });
    case 'draft':
      return control.setDraft({ ...reference(fields), draft: isOn('draft') });
    default:
      throw new NotFoundError(`There is no action ${action}`);
  }
}

function tagOf(fields: Fields): TagOptions {
  const { project, name, revision } = fields;
  if (!project || !name) {
    throw new InputError('project and name of a tag are missing');
  }
  return {
    project: String(project),
    name: String(name),
    revision: revision === undefined ? undefined : String(revision),
  };
}

function certificateReference(fields: Fields) {
  if (!fields.namespace || !fields.name) {
    throw new InputError('namespace and name of a certificate are missing');
  }
  return {
    namespace: String(fields.namespace),
    name: String(fields.name),
    cluster: Number(fields.cluster ?? 0),
  };
}

function ageOf(fields: Fields): number {
  const days = Number(fields.days);
  if (fields.days === undefined || !Number.isFinite(days)) {
    throw new InputError('days is missing');
  }
  return days;
}

function setAcmeLimits(simulator: Simulator, fields: Fields) {
  const { acme } = simulator.platform;
  const known = Object.keys(acme.limits);
  const limitNames = (key: string) =>
    words(fields[key]).map(word => {
      if (!known.includes(word)) {
        throw new InputError(
          `There is no limit ${word}; there are ${known.join(', ')}`,
        );
      }
      return word as AcmeLimitName;
    });
  const subject = fields.subject === undefined ? '' : String(fields.subject);
  if (fields.drain !== undefined && !subject) {
    throw new InputError('drain needs a subject');
  }
  if (fields.enforce !== undefined) {
    const enforced = limitNames('enforce');
    acme.enforced.clear();
    enforced.forEach(name => acme.enforced.add(name));
  }
  limitNames('drain').forEach(name => acme.drain(name, subject));
  return describeAcme(simulator);
}

function describeAcme({ platform: { acme } }: Simulator) {
  return { enforced: [...acme.enforced], budgets: acme.budgets() };
}

async function route(
  simulator: Simulator,
  method: string,
  path: string,
  fields: Fields,
): Promise<unknown> {
  const action = /^\/merge-requests\/([a-z]+)$/.exec(path)?.[1];
  if (method === 'POST' && action) {
    return actOnMergeRequest(simulator, action, fields);
  }
  switch (`${method} ${path}`) {
    case 'GET /':
    case 'GET /state':
      return describe(simulator);
    case 'GET /faults':
      return faultNames;
    case 'POST /faults': {
      const { fault, ...rest } = fields;
      await simulator.faults.inject(String(fault), rest);
      return { injected: fault };
    }
    case 'DELETE /faults':
      await simulator.faults.clear();
      return { cleared: true };
    case 'POST /tags': {
      const tag = tagOf(fields);
      return { tag: tag.name, sha: simulator.control.tag(tag) };
    }
    case 'POST /certificates/renew':
      simulator.control.renewCertificate(certificateReference(fields));
      return { renewing: fields.name };
    case 'POST /certificates/age':
      simulator.control.ageCertificate({
        ...certificateReference(fields),
        days: ageOf(fields),
      });
      return { aged: fields.name };
    case 'GET /acme':
      return describeAcme(simulator);
    case 'POST /acme':
      return setAcmeLimits(simulator, fields);
    case 'GET /dns':
      return simulator.platform.dns.list().map(zone => ({
        ...zone,
        records: simulator.platform.dns.records(zone.id),
      }));
    case 'POST /quiet':
      await simulator.quiet();
      return { quiet: true };
    default:
      throw new NotFoundError(`There is no ${method} ${path}`);
  }
}

/**
 * Starts the control API on the loopback interface. A web page cannot use it: requests that carry an
 * `Origin` are refused, and so are names other than the loopback's.
 */
export async function startControlServer(
  simulator: Simulator,
  port: number,
): Promise<Listener> {
  return listen({
    port,
    handle: async (request, response) => {
      try {
        const host = (request.headers.host ?? '').replace(/:\d+$/, '');
        if (
          request.headers.origin !== undefined ||
          !['127.0.0.1', 'localhost'].includes(host)
        ) {
          throw new NotAllowedError('The control API is for this machine only');
        }
        const { pathname } = new URL(request.url ?? '/', 'http://localhost');
        const method = request.method ?? 'GET';
        const fields = method === 'POST' ? await readFields(request) : {};
        sendJson(
          response,
          200,
          await route(simulator, method, pathname, fields),
        );
      } catch (error) {
        const known = isError(error) ? STATUS_BY_ERROR[error.name] : undefined;
        sendJson(response, known ?? 500, {
          error: isError(error) ? error.message : String(error),
        });
      }
    },
  });
}
