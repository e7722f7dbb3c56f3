import { GitLabHostConfig } from '../../config';
import { DefaultGitLabSource, GitLabSourceOptions } from '../gitlab';
import { ScriptedServer } from './ScriptedServer';

/** A source of the one GitLab that a server plays; it reads only what a test asks for. */
export function createGitLabSource(
  server: ScriptedServer,
  options: Partial<Omit<GitLabSourceOptions, 'config'>> &
    Pick<GitLabSourceOptions, 'logger'> & {
      config?: Partial<GitLabHostConfig>;
    },
): DefaultGitLabSource {
  const { config, ...rest } = options;
  return DefaultGitLabSource.create({
    config: {
      host: 'gitlab.example.com',
      webUrl: server.url,
      apiUrl: `${server.url}/api/v4`,
      token: 'secret-token-value',
      tokenFrom: 'previews',
      webhookSecrets: [],
      ...config,
    },
    schedule: {
      gitlabPollMilliseconds: 3_600_000,
      gitlabStaleAfterMilliseconds: 180_000,
    },
    timeoutMilliseconds: 5_000,
    ...rest,
  });
}
