import {
  CheckResult,
  EntityChecks,
} from '@previews/backstage-plugin-previews-common';

const ARN = /\barn:aws[a-z-]*:[^\s'",)\]}]*/g;
/** By itself, or as the first part of the name of a registry. */
const ACCOUNT = /(?<![\w-])\d{12}(?![\w-])/g;

function shortened(text: string): string {
  return text.replace(ARN, 'arn:aws:…').replace(ACCOUNT, '…');
}

function shortenedParam(
  value: CheckResult['params'][string],
): CheckResult['params'][string] {
  if (Array.isArray(value)) {
    return value.map(shortened);
  }
  return typeof value === 'string' ? shortened(value) : value;
}

/** Results of checks for those who may not see numbers of AWS accounts and names in them. */
export function withoutAccounts(checks: EntityChecks): EntityChecks {
  return {
    ...checks,
    results: checks.results.map(result => ({
      ...result,
      evidence: {
        ...result.evidence,
        ...(result.evidence.value !== undefined && {
          value: shortened(result.evidence.value),
        }),
      },
      params: Object.fromEntries(
        Object.entries(result.params).map(([name, value]) => [
          name,
          shortenedParam(value),
        ]),
      ),
      message: shortened(result.message),
      fix: shortened(result.fix),
    })),
  };
}
