import type { OnboardingInput } from './input';
import { onboardingNames } from './names';
import { joinLabels, previewSource } from './sources';
import { toYaml } from './toYaml';

/** The finalizer that makes an Application take its resources along. */
export const RESOURCES_FINALIZER = 'resources-finalizer.argocd.argoproj.io';

/** The ApplicationSet: one Application for each open merge request. */
export function applicationSet(input: OnboardingInput): string {
  const names = onboardingNames(input);
  const value = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: names.applicationSet, namespace: input.argocdNamespace },
    spec: {
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      generators: [
        {
          pullRequest: {
            requeueAfterSeconds: 60,
            gitlab: {
              api: input.gitlabUrl,
              project: String(input.project.id),
              pullRequestState: 'opened',
              ...(input.label && { labels: [input.label] }),
              tokenRef: { secretName: names.tokenSecret, key: 'token' },
            },
          },
        },
      ],
      template: {
        metadata: {
          name: names.preview,
          labels: joinLabels(input),
          finalizers: [RESOURCES_FINALIZER],
        },
        spec: {
          project: names.previewsProject,
          source: previewSource(input),
          destination: { ...input.destination, namespace: names.preview },
          info: [
            {
              name: 'Merge request',
              value: `${input.gitlabUrl}/${input.project.path}/-/merge_requests/{{ .number }}`,
            },
          ],
          revisionHistoryLimit: 3,
          syncPolicy: {
            automated: { prune: true, selfHeal: true },
            retry: {
              limit: 5,
              backoff: { duration: '10s', factor: 2, maxDuration: '3m' },
            },
          },
        },
      },
    },
  };
  const generator = 'spec.generators.0.pullRequest';
  return toYaml({
    value,
    comment: `An environment for each open merge request of ${input.project.path}: when it is merged or closed, it is no\nlonger generated, and its finalizer takes all along that was rendered for it.`,
    notes: {
      'spec.goTemplateOptions':
        'A name that is misspelt is an error, not an empty text in the name of a namespace.',
      [`${generator}.requeueAfterSeconds`]:
        'Only for what the webhook missed; it tells of changes within seconds.',
      [`${generator}.gitlab.project`]:
        'By its number: the webhook never matches a path.',
      [`${generator}.gitlab.pullRequestState`]:
        'Without it closed merge requests would keep their environments.',
      'spec.template.metadata.name':
        'Project and number: neither branches nor services can collide.',
      'spec.template.metadata.labels': 'By these the portal joins the two.',
      'spec.template.metadata.finalizers':
        'Without it the Application would go, and what it made would stay.',
      'spec.template.spec.syncPolicy':
        'No CreateNamespace=true: what Argo CD does not track it does not delete either.',
    },
  });
}
