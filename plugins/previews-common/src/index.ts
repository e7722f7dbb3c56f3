/**
 * Types, API client, permissions, annotations and sentences of the previews plugins.
 *
 * @packageDocumentation
 */
export * from './annotations';
export { projectSlugFromLocation } from './gitLabLocation';
export * from './permissions';
export * from './PreviewsClient';
export * from './reasons';
export * from './sentences';
export { cleanText } from './text';
export * from './types';
