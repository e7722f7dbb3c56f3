export { commitUrl, pipelineUrl, projectUrl } from './gitLab';
export { ExternalLink } from './ExternalLink';
export { KubernetesTabProvider, useKubernetesTab } from './KubernetesTab';
export { nextStepOf } from './nextStep';
export type { NextStepTarget } from './nextStep';
export { safeUrl } from './safeUrl';
export { TemplatesProvider, useTemplates } from './TemplatesProvider';
