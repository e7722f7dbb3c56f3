/**
 * Types, API client, permissions, annotations and sentences of the previews plugins.
 *
 * @packageDocumentation
 */
export * from './permissions';
export * from './reasons';
export * from './types';
