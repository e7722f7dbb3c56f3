import type { ServerResponse } from 'node:http';
import type { GitLabState } from './state';

function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}

/**
 * The web pages that links of the portal lead to: a merge request, a project, or what there is.
 * They exist so that no link of a demonstration is broken.
 */
export function sendPage(
  state: GitLabState,
  path: string,
  response: ServerResponse,
): void {
  const match = /^\/(.+?)\/-\/merge_requests\/(\d+)/.exec(path);
  const project = state.findProject(
    match ? match[1] : path.replace(/^\//, '').replace(/\/-\/.*$/, ''),
  );
  const mergeRequest = match && project?.mergeRequests.get(Number(match[2]));
  const facts: [string, string][] = [];
  let title = 'Simulated GitLab';
  if (mergeRequest) {
    title = `!${mergeRequest.iid} ${mergeRequest.title}`;
    facts.push(
      ['State', mergeRequest.state],
      ['Author', mergeRequest.author.username],
      ['Branch', mergeRequest.sourceBranch],
      ['Commit', mergeRequest.sha ?? 'source branch deleted'],
      ['Labels', mergeRequest.labels.join(', ')],
      ['Pipeline', state.pipelinesOf(mergeRequest)[0]?.status ?? 'none'],
    );
  } else if (project) {
    title = project.pathWithNamespace;
    for (const candidate of project.mergeRequests.values()) {
      facts.push([`!${candidate.iid} (${candidate.state})`, candidate.title]);
    }
  } else if (path === '/') {
    for (const candidate of state.projects.values()) {
      facts.push([String(candidate.id), candidate.pathWithNamespace]);
    }
  } else {
    response.writeHead(404, { 'content-type': 'text/plain' });
    response.end('404 Page Not Found\n');
    return;
  }
  const rows = facts
    .map(
      ([name, value]) =>
        `<tr><th align="left">${escapeMarkup(name)}</th><td>${escapeMarkup(
          value,
        )}</td></tr>`,
    )
    .join('');
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  });
  response.end(
    `<!doctype html><html lang="en"><title>${escapeMarkup(
      title,
    )}</title><body style="font-family:sans-serif;margin:2rem"><p>Simulated GitLab</p><h1>${escapeMarkup(
      title,
    )}</h1><table cellpadding="6">${rows}</table></body></html>`,
  );
}
