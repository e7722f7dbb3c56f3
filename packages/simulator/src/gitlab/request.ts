import type { AccessToken, Project } from './model';
import { gitlabAnswers, type FaultyAnswer } from './faults';
import type { GitLabFaults } from './faults';
import type { GitLabState } from './state';

/** An answer other than success, thrown by a route. */
export class GitLabAnswer extends Error {
  readonly answer: FaultyAnswer;

  constructor(answer: FaultyAnswer) {
    super(`GitLab answers ${answer.status}`);
    this.name = 'GitLabAnswer';
    this.answer = answer;
  }
}

/** What a route needs to know of a request. */
export interface GitLabRequest {
  state: GitLabState;
  faults: GitLabFaults;
  now: Date;
  method: string;
  /** URL decoded path parameters. */
  parameters: Record<string, string>;
  query: URLSearchParams;
  /** Fields of the body. */
  fields: Record<string, unknown>;
  token: AccessToken;
}

export function notFound(what?: string): GitLabAnswer {
  return new GitLabAnswer(
    what
      ? { status: 404, body: { message: `404 ${what} Not Found` } }
      : gitlabAnswers.notFound,
  );
}

/** A refusal with a message, as most of GitLab's services word theirs. */
export function refused(status: number, message: string): GitLabAnswer {
  return new GitLabAnswer({ status, body: { message } });
}

export function forbidden(message: string): GitLabAnswer {
  return refused(403, message);
}

export function badRequest(error: string): GitLabAnswer {
  return new GitLabAnswer({ status: 400, body: { error } });
}

/** Whether the token may see the project; a project it may not see answers 404, as in GitLab. */
export function mayRead(token: AccessToken, project: Project): boolean {
  return token.projectIds === undefined || token.projectIds.has(project.id);
}

export function readableProject(
  request: GitLabRequest,
  parameter = 'id',
): Project {
  const project = request.state.findProject(request.parameters[parameter]);
  if (!project || !mayRead(request.token, project)) {
    throw notFound('Project');
  }
  return project;
}

/** The token behind a request, or the 401 that GitLab gives without one. */
export function authenticate(
  state: GitLabState,
  value: string | undefined,
  now: Date,
): AccessToken {
  const token = state.tokens.find(candidate => candidate.value === value);
  if (value === undefined || !token) {
    throw new GitLabAnswer(gitlabAnswers.unauthorized);
  }
  if (token.revoked) {
    throw new GitLabAnswer(gitlabAnswers.revoked);
  }
  if (isExpired(token, now)) {
    throw new GitLabAnswer(gitlabAnswers.expired);
  }
  return token;
}

export function isExpired(token: AccessToken, now: Date): boolean {
  return (
    token.expiresAt !== undefined &&
    now.getTime() >= Date.parse(`${token.expiresAt}T00:00:00Z`)
  );
}

/** Throws the 403 for a token without any of the scopes. */
export function requireScope(token: AccessToken, scopes: string[]): void {
  if (!scopes.some(scope => token.scopes.includes(scope))) {
    throw new GitLabAnswer({
      ...gitlabAnswers.insufficientScope,
      body: {
        ...gitlabAnswers.insufficientScope.body,
        scope: scopes.join(' '),
      },
    });
  }
}
