export { addAnnotations, CATALOG_FILE } from './addAnnotations';
export { addInclude, PIPELINE_FILE } from './addInclude';
export { editService, refuseHidden } from './editService';
export type { NewEntity, RepositoryFile } from './editService';
export { findHidingRule } from './ignoreRules';
export type { HidingRule, IgnoreFile } from './ignoreRules';
