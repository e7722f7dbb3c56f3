import {
  CheckResult,
  checkSeverities,
  CheckSeverity,
  EntityChecks,
} from '@previews/backstage-plugin-previews-common';
import { Translate } from '../../words';
import { Tone } from '../shared';

export const severityTones: Record<CheckSeverity, Tone> = {
  error: 'bad',
  warning: 'warning',
  info: 'neutral',
};

/** A newer backend may know a severity more than this version. */
export function knownSeverity(severity: string): CheckSeverity {
  return checkSeverities.find(known => known === severity) ?? 'warning';
}

/** The worst severity that there is a result of. */
export function worstSeverity({
  counts,
}: EntityChecks): CheckSeverity | undefined {
  return checkSeverities.find(severity => (counts[severity] ?? 0) > 0);
}

/** `1 error, 2 warnings`; undefined where nothing was found. */
export function countsText(
  { counts }: EntityChecks,
  t: Translate,
): string | undefined {
  const texts = checkSeverities.flatMap(severity => {
    const count = counts[severity] ?? 0;
    if (count === 0) {
      return [];
    }
    return count === 1
      ? t(`checks.${severity}.one`)
      : t(`checks.${severity}.many`, { number: String(count) });
  });
  return texts.length > 0 ? texts.join(', ') : undefined;
}

/** `ApplicationSet argocd/shop-previews (edge)`, or the path of a file. */
export function subjectName({ subject }: CheckResult): string {
  const { kind, name, namespace, cluster } = subject;
  if (kind === 'File') {
    return name;
  }
  const object = `${kind} ${namespace ? `${namespace}/` : ''}${name}`;
  return cluster ? `${object} (${cluster})` : object;
}
