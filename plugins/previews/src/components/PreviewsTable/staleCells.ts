import {
  ConditionType,
  Preview,
} from '@previews/backstage-plugin-previews-common';
import { unreadSource } from '../shared';

/** Which cells of a row show the last known state: the id of the source of each. */
export interface StaleCells {
  mergeRequest?: string;
  commit?: string;
  certificate?: string;
  argoCd?: string;
}

/** What each cell rests on. */
const basis: Readonly<Record<keyof StaleCells, readonly ConditionType[]>> = {
  mergeRequest: ['MergeRequestOpen'],
  // The head is GitLab's, what runs is that of the pods or of the Application.
  commit: ['MergeRequestOpen', 'Synced', 'Available'],
  certificate: ['CertificateReady'],
  argoCd: ['ApplicationGenerated', 'Synced'],
};

/**
 * The cells that rest on what is not read. A source may be read but for one kind,
 * so that `preview.stale` alone does not tell them.
 */
export function staleCells(preview: Preview): StaleCells {
  const sourceOfCell = (types: readonly ConditionType[]) =>
    preview.conditions
      .filter(({ type }) => types.includes(type))
      .map(condition => unreadSource(condition, preview))
      .find(source => source !== undefined && preview.stale.includes(source));
  return {
    mergeRequest: sourceOfCell(basis.mergeRequest),
    commit: sourceOfCell(basis.commit),
    certificate: sourceOfCell(basis.certificate),
    argoCd: sourceOfCell(basis.argoCd),
  };
}
