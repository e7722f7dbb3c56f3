/** What a faulty GitLab answers instead of the truth. */
export interface FaultyAnswer {
  status: number;
  headers?: Record<string, string>;
  /** Text is sent as `text/plain`, anything else as JSON. */
  body?: unknown;
}

/** One rule: which requests it meets, and what they get. */
export interface PathFault {
  /** Part of the path and query after `/api/v4`, or a regular expression over it. */
  path: string | RegExp;
  answer: FaultyAnswer;
  /** Only this page of a list. */
  page?: number;
  /** How many requests it meets before it ends; absent for all. */
  times?: number;
}

/** Answers as GitLab words them, for {@link GitLabFaults.answer}. */
export const gitlabAnswers = {
  unauthorized: { status: 401, body: { message: '401 Unauthorized' } },
  revoked: {
    status: 401,
    body: {
      error: 'invalid_token',
      error_description:
        'Token was revoked. You have to re-authorize from the user.',
    },
  },
  expired: {
    status: 401,
    body: {
      error: 'invalid_token',
      error_description:
        'Token is expired. You can either do re-authorization or token refresh.',
    },
  },
  insufficientScope: {
    status: 403,
    body: {
      error: 'insufficient_scope',
      error_description:
        'The request requires higher privileges than provided by the access token.',
      scope: 'api read_api',
    },
  },
  forbidden: { status: 403, body: { message: '403 Forbidden' } },
  notFound: { status: 404, body: { message: '404 Not found' } },
  projectNotFound: { status: 404, body: { message: '404 Project Not Found' } },
  internalError: {
    status: 500,
    body: { message: '500 Internal Server Error' },
  },
  badGateway: {
    status: 502,
    headers: { 'content-type': 'text/html' },
    body: '<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>',
  },
  /** What the rack throttle of a limited host sends. */
  tooManyRequests: (retryAfterSeconds: number | undefined, now: Date) => {
    const reset = Math.ceil(now.getTime() / 1000) + (retryAfterSeconds ?? 60);
    return {
      status: 429,
      headers: {
        'content-type': 'text/plain',
        ...(retryAfterSeconds !== undefined && {
          'retry-after': String(retryAfterSeconds),
        }),
        'ratelimit-limit': '2000',
        'ratelimit-name': 'throttle_authenticated_api',
        'ratelimit-observed': '2001',
        'ratelimit-remaining': '0',
        'ratelimit-reset': String(reset),
        'ratelimit-resettime': new Date(reset * 1000).toUTCString(),
      },
      body: 'Retry later\n',
    };
  },
} satisfies Record<
  string,
  FaultyAnswer | ((seconds: number | undefined, now: Date) => FaultyAnswer)
>;

/** The faults of a simulated GitLab. All are off until asked for; `clear` heals everything. */
export class GitLabFaults {
  private rules: PathFault[] = [];
  private hidden = new Set<number>();

  /** Connections are closed without an answer. */
  refuse = false;
  /** Milliseconds of wall time before each answer. */
  delay = 0;
  /** Webhooks that are still to be dropped; `Infinity` for all. */
  webhooksToDrop = 0;
  /** Lists answer 200 and nothing, as they do for a token that lost its memberships. */
  emptyLists = false;

  /** Approvals come without their times, as from a GitLab of some years ago. */
  approvalsWithoutTimes = false;

  /** Answers all matching requests so, the latest rule first. */
  answer(fault: PathFault): void {
    this.rules.unshift({ ...fault });
  }

  /** Every request gets this status. */
  down(status: 500 | 502): void {
    this.answer({
      path: '',
      answer:
        status === 500 ? gitlabAnswers.internalError : gitlabAnswers.badGateway,
    });
  }

  /** A project leaves its groups' project and merge request lists, but still answers by itself. */
  hideFromGroups(projectId: number): void {
    this.hidden.add(projectId);
  }

  isHiddenFromGroups(projectId: number): boolean {
    return this.hidden.has(projectId);
  }

  /** The answer for this request, if a rule meets it. */
  match(pathAndQuery: string, page: number): FaultyAnswer | undefined {
    const rule = this.rules.find(
      candidate =>
        (candidate.page === undefined || candidate.page === page) &&
        (typeof candidate.path === 'string'
          ? pathAndQuery.includes(candidate.path)
          : candidate.path.test(pathAndQuery)),
    );
    if (rule?.times !== undefined) {
      rule.times -= 1;
      if (rule.times <= 0) {
        this.rules = this.rules.filter(candidate => candidate !== rule);
      }
    }
    return rule?.answer;
  }

  /** Heals everything. */
  clear(): void {
    this.rules = [];
    this.hidden.clear();
    this.refuse = false;
    this.delay = 0;
    this.webhooksToDrop = 0;
    this.emptyLists = false;
    this.approvalsWithoutTimes = false;
  }
}
