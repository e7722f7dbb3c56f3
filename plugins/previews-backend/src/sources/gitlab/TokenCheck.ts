import {
  SourceError,
  SourceNote,
  sourceNote,
} from '@previews/backstage-plugin-previews-common';
import { GitLabHostConfig } from '../../config';
import { TokenFact } from '../../model';
import { GitLabClient } from './GitLabClient';
import { toGitLabRequestError } from './GitLabRequestError';

const READ_SCOPES = [
  'read_api',
  'read_registry',
  'read_repository',
  'read_user',
];

/** How long before its end a token is mentioned. */
const EXPIRY_NOTICE = 14 * 24 * 60 * 60 * 1000;

/** What is to be said of a token. */
export interface TokenVerdict {
  notes: SourceNote[];
  error?: Pick<SourceError, 'reason' | 'message'>;
}

/** Judges a token by what it says of itself. */
export function judgeToken(
  token: TokenFact,
  { host, now }: { host: string; now: Date },
): TokenVerdict {
  const source = { kind: 'gitlab', name: host } as const;
  const notes: SourceNote[] = [];
  if (token.scopes.some(scope => !READ_SCOPES.includes(scope))) {
    notes.push(sourceNote({ source, reason: 'TokenCanWrite', params: {} }));
  }
  if (token.expiresOn) {
    const end = Date.parse(`${token.expiresOn}T00:00:00Z`);
    if (end <= now.getTime()) {
      return {
        notes,
        error: { reason: 'TokenExpired', message: 'The token has expired.' },
      };
    }
    if (end - now.getTime() < EXPIRY_NOTICE) {
      notes.push(
        sourceNote({
          source,
          reason: 'TokenExpiresSoon',
          params: { expiresOn: token.expiresOn },
        }),
      );
    }
  }
  if (!token.active) {
    return {
      notes,
      error: { reason: 'TokenRevoked', message: 'The token was revoked.' },
    };
  }
  if (!token.scopes.includes('read_api') && !token.scopes.includes('api')) {
    return {
      notes,
      error: {
        reason: 'ScopeMissing',
        message: 'The token lacks the scope read_api.',
      },
    };
  }
  return { notes };
}

/** What is known of a token before it is asked. */
function configuredNotes(config: GitLabHostConfig): SourceNote[] {
  const source = { kind: 'gitlab', name: config.host } as const;
  switch (config.tokenFrom) {
    case 'integrations':
      return [
        sourceNote({ source, reason: 'TokenOfIntegrations', params: {} }),
      ];
    case 'none':
      return [sourceNote({ source, reason: 'NoToken', params: {} })];
    default:
      return [];
  }
}

/**
 * Asks the token about itself. Failing is no error of the source: old instances
 * cannot answer, and whether the token works shows in the readings.
 */
export async function checkToken(options: {
  config: GitLabHostConfig;
  client: GitLabClient;
  now: Date;
}): Promise<TokenVerdict> {
  const { config, client, now } = options;
  const notes = configuredNotes(config);
  if (!config.token) {
    return { notes };
  }
  try {
    const verdict = judgeToken(await client.token(), {
      host: config.host,
      now,
    });
    return { ...verdict, notes: [...notes, ...verdict.notes] };
  } catch (error) {
    const { reason, message } = toGitLabRequestError(error);
    const tellsOfToken = [
      'TokenInvalid',
      'TokenExpired',
      'TokenRevoked',
    ].includes(reason);
    return { notes, ...(tellsOfToken && { error: { reason, message } }) };
  }
}
