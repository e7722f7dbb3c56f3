/**
 * Scaffolder actions that give a service its previews, and what they render.
 *
 * @packageDocumentation
 */
export {
  scaffolderModulePreviews,
  scaffolderModulePreviews as default,
} from './module';
export { addInclude } from './edit';
export * from './render';
