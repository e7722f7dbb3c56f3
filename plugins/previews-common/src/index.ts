/**
 * Types, API client, permissions, annotations and sentences of the previews plugins.
 *
 * @packageDocumentation
 */
export * from './annotations';
export * from './checks';
export * from './findings';
export { projectSlugFromLocation } from './gitLabLocation';
export * from './permissions';
export * from './PreviewsClient';
export * from './reasons';
export * from './sentences';
export * from './sourceNotes';
export { cleanText } from './text';
export * from './timelineEvents';
export * from './timeToLive';
export * from './types';
