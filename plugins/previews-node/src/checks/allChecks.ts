import { AnyCheck } from './check';
import { accountChecks } from './rules/accounts';
import { buildChecks } from './rules/build';
import { certificateChecks } from './rules/certificates';
import { cleanupChecks } from './rules/cleanup';
import { edgeChecks } from './rules/edge';
import { expressionChecks } from './rules/expressions';
import { imageChecks } from './rules/images';
import { nameChecks } from './rules/names';
import { networkChecks } from './rules/network';
import { originChecks } from './rules/origins';
import { ownershipChecks } from './rules/ownership';
import { projectChecks } from './rules/projects';
import { repositoryChecks } from './rules/repositories';
import { secretChecks } from './rules/secrets';
import { setChecks } from './rules/sets';
import { workloadChecks } from './rules/workloads';

/** The one list of readiness checks. */
export const allChecks: readonly AnyCheck[] = [
  ...setChecks,
  ...expressionChecks,
  ...nameChecks,
  ...projectChecks,
  ...cleanupChecks,
  ...certificateChecks,
  ...accountChecks,
  ...buildChecks,
  ...secretChecks,
  ...repositoryChecks,
  ...originChecks,
  ...edgeChecks,
  ...imageChecks,
  ...workloadChecks,
  ...networkChecks,
  ...ownershipChecks,
];
