export { runReadinessChecks } from './runReadinessChecks';
export type {
  CheckContext,
  CheckedEnvironment,
  CheckedFile,
  CheckedManifest,
  CheckedRepository,
  CheckInput,
  ManifestSource,
} from './types';
