export { DefaultGitLabSource } from './DefaultGitLabSource';
export type { GitLabSourceOptions } from './options';
