import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../clock';
import { readBody } from '../http/body';
import { listen } from '../http/listen';
import { createRandom, type Random } from '../random';
import { AwsKeys, type AwsCredentials } from './credentials';
import { AwsError } from './errors';
import { AwsFaults } from './faults';
import { Route53 } from './route53';
import { renderXml } from './xml';
import type { DnsZones } from './zones';

/** A request that reached Route 53 or STS. */
export interface AwsRequest {
  method: string;
  /** With the query. */
  path: string;
  /** Such as `ListResourceRecordSets`; absent when it was refused before. */
  operation?: string;
  /** ARN of whom it was from, where that could be told. */
  principal?: string;
  status: number;
}

/** A running API. */
export interface AwsServer {
  /** Endpoint of Route 53. */
  url: string;
  /** Endpoint of STS. */
  stsUrl: string;
  /** Known from the start, for clients without a role. */
  credentials: AwsCredentials;
  faults: AwsFaults;
  requests: AwsRequest[];
  close(): Promise<void>;
}

const ROUTE53_NAMESPACE = 'https://route53.amazonaws.com/doc/2013-04-01/';
const STS_NAMESPACE = 'https://sts.amazonaws.com/doc/2011-06-15/';
const VERSION_PREFIX = '/2013-04-01';
const STS_PREFIX = '/sts';
const ACCOUNT = '123456789012';
const ACCESS_KEY_ID = 'AKIASIMULATEDPORTAL0';
const REQUESTS_KEPT = 10_000;

function requestId(random: Random): string {
  return [8, 4, 4, 4, 12].map(digits => random.hex(digits)).join('-');
}

/**
 * Starts Route 53 and the part of STS that web identity takes, as the AWS SDK speaks to them, on the
 * loopback interface.
 */
export async function startAwsServer(options: {
  zones: DnsZones;
  clock: Clock;
  port?: number;
}): Promise<AwsServer> {
  const { zones, clock } = options;
  const random = createRandom('aws');
  const faults = new AwsFaults();
  const keys = new AwsKeys({ clock, random });
  keys.add({
    accessKeyId: ACCESS_KEY_ID,
    arn: `arn:aws:iam::${ACCOUNT}:user/portal`,
  });
  const route53 = new Route53({ zones, faults });
  const requests: AwsRequest[] = [];

  const assumeRole = (form: URLSearchParams): string => {
    const action = form.get('Action');
    if (action !== 'AssumeRoleWithWebIdentity') {
      throw new AwsError({
        status: 400,
        code: 'InvalidAction',
        message: `Could not find operation ${action} for version 2011-06-15`,
      });
    }
    const roleArn = form.get('RoleArn') ?? '';
    if (!form.get('WebIdentityToken')) {
      throw new AwsError({
        status: 400,
        code: 'InvalidIdentityToken',
        message:
          'The web identity token that was passed could not be validated',
      });
    }
    if (faults.denyAssumeRole) {
      throw new AwsError({
        status: 403,
        code: 'AccessDenied',
        message: 'Not authorized to perform sts:AssumeRoleWithWebIdentity',
      });
    }
    const session = keys.assumeRole({
      roleArn,
      sessionName: form.get('RoleSessionName') ?? 'session',
    });
    return renderXml({
      root: 'AssumeRoleWithWebIdentityResponse',
      namespace: STS_NAMESPACE,
      content: {
        AssumeRoleWithWebIdentityResult: {
          SubjectFromWebIdentityToken:
            'system:serviceaccount:backstage:backstage',
          Audience: 'sts.amazonaws.com',
          AssumedRoleUser: {
            Arn: session.arn,
            AssumedRoleId: `AROA${random.hex(16).toUpperCase()}`,
          },
          Credentials: {
            AccessKeyId: session.accessKeyId,
            SecretAccessKey: session.secretAccessKey,
            SessionToken: session.sessionToken,
            Expiration: session.expiresAt.toISOString(),
          },
        },
        ResponseMetadata: { RequestId: requestId(random) },
      },
    });
  };

  const answer = async (
    request: IncomingMessage,
    entry: AwsRequest,
  ): Promise<string> => {
    const body = (await readBody(request)).toString('utf8');
    const { pathname, searchParams } = new URL(entry.path, 'http://localhost');
    if (faults.delay > 0) {
      await wait(faults.delay);
    }
    if (faults.failing !== undefined) {
      throw new AwsError({
        status: faults.failing,
        code: 'ServiceUnavailable',
        message: 'Service is unable to handle request',
      });
    }
    if (!pathname.startsWith(`${VERSION_PREFIX}/`)) {
      const form = new URLSearchParams(body);
      entry.operation = form.get('Action') ?? undefined;
      return assumeRole(form);
    }
    const principal = keys.authenticate(request);
    entry.principal = principal.arn;
    const { operation, root, content } = route53.handle({
      method: entry.method,
      path: pathname.slice(VERSION_PREFIX.length),
      query: searchParams,
      body,
      principal,
    });
    entry.operation = operation;
    return renderXml({ root, namespace: ROUTE53_NAMESPACE, content });
  };

  const handle = async (
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const id = requestId(random);
    const entry: AwsRequest = {
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      status: 200,
    };
    requests.push(entry);
    requests.splice(0, requests.length - REQUESTS_KEPT);
    let text: string;
    try {
      text = await answer(request, entry);
    } catch (error) {
      if (!(error instanceof AwsError)) {
        throw error;
      }
      entry.status = error.status;
      text = renderXml({
        root: 'ErrorResponse',
        namespace: entry.path.startsWith(VERSION_PREFIX)
          ? ROUTE53_NAMESPACE
          : STS_NAMESPACE,
        content: {
          Error: {
            Type: error.status < 500 ? 'Sender' : 'Receiver',
            Code: error.code,
            Message: error.message,
          },
          RequestId: id,
        },
      });
    }
    response.writeHead(entry.status, {
      'content-type': 'text/xml',
      'x-amzn-requestid': id,
    });
    response.end(text);
  };

  const listener = await listen({ port: options.port, handle });
  return {
    url: listener.url,
    stsUrl: `${listener.url}${STS_PREFIX}`,
    credentials: {
      accessKeyId: ACCESS_KEY_ID,
      secretAccessKey: 'simulated-secret-access-key',
    },
    faults,
    requests,
    close: listener.close,
  };
}
