import { DomainBudget } from '@previews/backstage-plugin-previews-common';
import { Found, found } from './found';

/** Domains and sets of names for which certificates run out or have. */
export function certificateBudgetFindings(
  budgets: readonly DomainBudget[],
): Found[] {
  return budgets.flatMap(budget => [
    ...domainFindings(budget),
    ...nameSetFindings(budget),
  ]);
}

function domainFindings({
  state,
  domain,
  server,
  left,
  limit,
  nextRefillAt,
  runsOutAt,
  advisedWildcard,
}: DomainBudget): Found[] {
  const subject = {
    kind: 'Domain',
    name: domain,
    ...(server !== undefined && { host: server }),
  } as const;
  const wildcard = advisedWildcard;
  switch (state) {
    case 'spent':
      return [
        found({
          type: 'CertificateBudgetSpent',
          subject,
          params: { domain, limit, refillAt: nextRefillAt, wildcard },
        }),
      ];
    case 'low':
      return [
        found({
          type: 'CertificateBudgetLow',
          subject,
          params: { domain, left, limit, runsOutAt, wildcard },
        }),
      ];
    default:
      return [];
  }
}

function nameSetFindings({ server, nameSets }: DomainBudget): Found[] {
  return nameSets
    .filter(({ state }) => state === 'spent')
    .map(({ names, limit, nextRefillAt }) => {
      const name = names.join(', ');
      return found({
        type: 'NameSetBudgetSpent',
        subject: {
          kind: 'NameSet',
          name,
          ...(server !== undefined && { host: server }),
        },
        params: { names: name, limit, refillAt: nextRefillAt },
      });
    });
}
