export { DefaultGitLabSource } from './DefaultGitLabSource';
export {
  NamedTokensSource,
  type NamedTokensSourceOptions,
} from './NamedTokensSource';
export type { GitLabSourceOptions } from './options';
