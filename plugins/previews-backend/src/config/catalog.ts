import { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';
import { assertKnownKeys, checkedHost } from './checks';
import { AllowedClaim, CatalogConfig } from './types';

/** Reads `previews.catalog`. */
export function readCatalogConfig(config: Config | undefined): CatalogConfig {
  if (!config) {
    return { projectClaims: 'checked', allow: [] };
  }
  assertKnownKeys(config, {
    at: 'previews.catalog',
    known: ['allow', 'projectClaims'],
  });
  const projectClaims = config.getOptionalString('projectClaims') ?? 'checked';
  if (projectClaims !== 'checked' && projectClaims !== 'any') {
    throw new InputError(
      `Config value at 'previews.catalog.projectClaims' must be 'checked' or 'any'`,
    );
  }
  const allow = (config.getOptionalConfigArray('allow') ?? []).map(
    (entry, index): AllowedClaim => {
      const at = `previews.catalog.allow[${index}]`;
      assertKnownKeys(entry, { at, known: ['entityRef', 'host', 'project'] });
      const entityRef = entry
        .getOptionalString('entityRef')
        ?.toLocaleLowerCase('en-US');
      if (
        entityRef !== undefined &&
        !/^[^:/]+:[^:/]+\/[^:/]+$|^\*$/.test(entityRef)
      ) {
        throw new InputError(
          `Config value at '${at}.entityRef' must be a full reference such as 'component:default/*'`,
        );
      }
      const host = entry.getOptionalString('host');
      const project = entry.getString('project');
      if (/^\/|\/$|\/\/|:/.test(project)) {
        throw new InputError(
          `Config value at '${at}.project' must be a project path such as 'group/*', without a host`,
        );
      }
      return {
        ...(entityRef && { entityRef }),
        ...(host && { host: checkedHost(host, { at: `${at}.host` }) }),
        project,
      };
    },
  );
  return { projectClaims, allow };
}

/** Whether the text fits a pattern in which `*` stands for any text. */
function fits(pattern: string, text: string): boolean {
  const [first, ...rest] = pattern.toLocaleLowerCase('en-US').split('*');
  const subject = text.toLocaleLowerCase('en-US');
  if (rest.length === 0) {
    return subject === first;
  }
  if (!subject.startsWith(first)) {
    return false;
  }
  const last = rest.pop()!;
  let position = first.length;
  for (const part of rest) {
    const found = subject.indexOf(part, position);
    if (found < 0) {
      return false;
    }
    position = found + part.length;
  }
  return subject.length - last.length >= position && subject.endsWith(last);
}

/** Whether `previews.catalog.allow` has an entry for this claim. */
export function isClaimAllowed(
  allow: readonly AllowedClaim[],
  claim: { entityRef: string; host: string; projectPath: string },
): boolean {
  return allow.some(
    entry =>
      (entry.entityRef === undefined ||
        fits(entry.entityRef, claim.entityRef)) &&
      (entry.host === undefined || entry.host === claim.host) &&
      fits(entry.project, claim.projectPath),
  );
}
