import type { OnboardingInput } from './input';
import { onboardingNames } from './names';

/** What needs rights that the portal does not have, with the commands that do it. */
export function checklist(input: OnboardingInput): string {
  const names = onboardingNames(input);
  const { service, project, gitops, argocdNamespace, token } = input;
  const gitopsId = encodeURIComponent(gitops.project);
  const steps = [
    tokenStep(),
    webhookStep(),
    protectionStep(),
    input.certificate.kind === 'perMergeRequest' && issuerStep(),
    edgeStep(),
    input.pullSecret && pullSecretStep(input.pullSecret),
    firstPreviewStep(),
  ].filter((step): step is string => Boolean(step));

  return `# What is left to do for the previews of ${service}

The portal wrote files; what follows needs rights that it does not have. Each step can be repeated, and ends with a
check. The commands are for bash with \`curl\`, \`jq\` and \`kubectl\`.

\`\`\`sh
GITLAB=${input.gitlabUrl}/api/v4
ARGOCD_WEBHOOK=https://argocd-webhook.${
    input.domain
  }/api/webhook # the ApplicationSet controller's, not the server's
PORTAL_WEBHOOK=https://portal.${input.domain}/api/events/http/previews-gitlab
umask 077 && printf 'PRIVATE-TOKEN: %s' "$(cat)" > gitlab-header # paste a Maintainer's token, then Ctrl-D
api() { curl --fail --silent --show-error --header @gitlab-header "$@"; }
\`\`\`

${steps.map((step, index) => `## ${index + 1}. ${step}`).join('\n')}
Last of all: \`rm gitlab-header\`.
`;

  function tokenStep(): string {
    return `The token of the generator

A bot's token with \`read_api\` and nothing more, until **${token.expiresOn}**. Put it into the secret store
\`${token.secretStore}\` as \`${token.remoteKey}\`, property \`${token.property}\`; then:

\`\`\`sh
kubectl -n ${argocdNamespace} wait externalsecret/${names.tokenSecret} --for=condition=Ready --timeout=2m
kubectl -n ${argocdNamespace} get secret ${names.tokenSecret} -o jsonpath='{.data.token}' | base64 -d |
  sed 's/^/PRIVATE-TOKEN: /' | curl --fail --silent --header @- "$GITLAB/personal_access_tokens/self" |
  jq -e '.active and .scopes == ["read_api"] and .expires_at == "${token.expiresOn}"'
\`\`\`

GitLab sends a reminder to the bot's address only: note the date where somebody reads it.
`;
  }

  function webhookStep(): string {
    return `Both webhooks

One to the ApplicationSet controller, one to the portal; without them changes are noticed by polling only. The secret of
the first is \`webhook.gitlab.secret\` in \`argocd-secret\`, which the controller reads when it starts; that of the second is
one of \`previews.gitlab[].webhookSecrets\`.

\`\`\`sh
read -rs ARGOCD_SECRET && read -rs PORTAL_SECRET
api "$GITLAB/projects/${project.id}/hooks" --json @- <<EOF
{"url": "$ARGOCD_WEBHOOK", "token": "$ARGOCD_SECRET", "push_events": false, "merge_requests_events": true}
EOF
api "$GITLAB/projects/${project.id}/hooks" --json @- <<EOF
{"url": "$PORTAL_WEBHOOK", "token": "$PORTAL_SECRET", "push_events": false, "merge_requests_events": true, "pipeline_events": true}
EOF
api "$GITLAB/projects/${project.id}/hooks" | jq -r '.[] | "\\(.url) \\(.alert_status)"'
\`\`\`
`;
  }

  function protectionStep(): string {
    return `Protected branch and tags

GitLab Free cannot demand approvals, but it can keep everybody from pushing: \`${
      gitops.branch
    }\` of the GitOps repository
changes by merge requests that Maintainers merge, and only they make tags that release.

\`\`\`sh
api -X DELETE "$GITLAB/projects/${gitopsId}/protected_branches/${encodeURIComponent(
      gitops.branch,
    )}" || true
api -X POST "$GITLAB/projects/${gitopsId}/protected_branches" \\
  -d name=${
    gitops.branch
  } -d push_access_level=0 -d merge_access_level=40 -d allow_force_push=false
api -X POST "$GITLAB/projects/${gitopsId}/protected_tags" --data-urlencode 'name=${service}-v*' -d create_access_level=40
api -X POST "$GITLAB/projects/${
      project.id
    }/protected_tags" --data-urlencode 'name=v*' -d create_access_level=40
\`\`\`
${
  // Without a first image there is no Application of prod, and so nothing that a release would change.
  input.packaging === 'helm' && input.tiers.prod
    ? `
A release of prod is a tag of the GitOps repository, and one line that names it:

\`\`\`sh
git tag --annotate ${service}-v1.2.3 --message 'Release 1.2.3' && git push origin ${service}-v1.2.3
# then a merge request that changes spec.source.targetRevision in ${names.argocdFolder}/application-prod.yaml
\`\`\`
`
    : ''
}`;
  }

  function issuerStep(): string {
    const issuer =
      input.certificate.kind === 'perMergeRequest'
        ? input.certificate.issuer
        : '';
    return `The ClusterIssuer

It answers DNS-01 challenges by a role that its ServiceAccount takes on, without a stored key. The first command
prints the role; the second must print nothing.

\`\`\`sh
kubectl get clusterissuer ${issuer} -o json | jq -e '.spec.acme.solvers[].dns01.route53 | {role, auth}'
kubectl get clusterissuer ${issuer} -o json |
  jq -r '.spec.acme.solvers[].dns01.route53 | .accessKeyID, .accessKeyIDSecretRef.name, .secretAccessKeySecretRef.name | values'
kubectl wait clusterissuer/${issuer} --for=condition=Ready --timeout=1m
\`\`\`

Let's Encrypt issues 50 new certificates for a registered domain in 7 days, and each merge request takes one: above
about 40 a week choose the wildcard.
`;
  }

  function edgeStep(): string {
    if (input.route.kind === 'ingress') {
      return `The edge

The class exists, it is not ingress-nginx (retired in March 2026: a Gateway is the way to go), the pods of its controller
are in \`${input.edgeNamespace}\`, whose requests alone the NetworkPolicy admits, and *.preview.${input.domain} leads to them.
Where the second command does not list them, \`kubectl get pods --all-namespaces\` does.

\`\`\`sh
kubectl get ingressclass ${input.route.className} -o jsonpath='{.spec.controller}{"\\n"}'
kubectl -n ${input.edgeNamespace} get pods
getent hosts ${service}-mr-1.preview.${input.domain}
\`\`\`
`;
    }
    const { name, namespace } = input.route;
    const admits =
      input.certificate.kind === 'wildcard'
        ? `.spec.listeners[] | select(.hostname == "*.preview.${input.domain}") | .allowedRoutes.namespaces`
        : '.spec.allowedListeners.namespaces';
    const tiers = (['dev', 'prod'] as const).filter(tier => input.tiers[tier]);
    const tierHosts = tiers.map(tier => names.tierHost(tier)).join(', ');
    return `The Gateway

It belongs to the platform and admits namespaces with the label \`previews/served: "true"\`. The first command
prints that selector; the second, where the name leads.

\`\`\`sh
kubectl -n ${namespace} get gateway ${name} -o json | jq -e '${admits}'
getent hosts ${service}-mr-1.preview.${input.domain}
\`\`\`
${
  input.certificate.kind === 'wildcard' && tiers.length > 0
    ? `
The wildcard of previews does not cover ${tierHosts}: the Gateway needs listeners for these, too.

\`\`\`sh
kubectl -n ${namespace} get gateway ${name} -o json | jq -r '.spec.listeners[].hostname'
\`\`\`
`
    : ''
}`;
  }

  function pullSecretStep(pullSecret: string): string {
    return `The pull secret

Pods pull with \`${pullSecret}\`, which is in no repository: the platform's ClusterExternalSecret puts it into
namespaces with the label \`previews/tier\`. This prints the selector:

\`\`\`sh
kubectl get clusterexternalsecret ${pullSecret} -o jsonpath='{.spec.namespaceSelectors}{"\\n"}'
\`\`\`
`;
  }

  function firstPreviewStep(): string {
    return `The first preview

Open a merge request in ${project.path}${
      input.label ? ` with the label \`${input.label}\`` : ''
    }; within a minute:

\`\`\`sh
kubectl -n ${argocdNamespace} get applicationset ${
      names.applicationSet
    } -o json |
  jq -r '.status.conditions[] | "\\(.type) \\(.status) \\(.message)"'
kubectl -n ${argocdNamespace} get applications -l previews/project-id=${
      project.id
    },previews/merge-request
\`\`\`

Close it, and check that nothing is left: \`kubectl get namespaces -l previews/project-id=${
      project.id
    }\`.
`;
  }
}
