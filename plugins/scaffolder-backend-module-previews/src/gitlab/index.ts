export { connectGitLab, type GitLabConnection } from './connectGitLab';
export { gitLabError, orNone, statusOf } from './gitLabError';
export { plainText } from './plainText';
export { projectOfEntity, type ServiceEntity } from './projectOfEntity';
export { readProject, type GitLabProject } from './readProject';
export {
  formatRepositoryUrl,
  parseRepositoryUrl,
  type RepositoryReference,
} from './repositoryUrl';
