import { CheckCatalogue } from './types';

/**
 * The English sentences of the readiness checks.
 *
 * @public
 */
export const englishChecks: CheckCatalogue = {
  language: 'en',
  checks: {
    FinalizerMissing: {
      problem: ({ object }) =>
        `${object} has finalizers without resources-finalizer.argocd.argoproj.io, so that deleting an Application leaves everything it deployed behind.`,
      fix: 'Add resources-finalizer.argocd.argoproj.io to the finalizers of the template.',
    },
    FinalizerImplicit: {
      problem: ({ object }) =>
        `${object} names no finalizer and relies on the one that Argo CD adds, which is gone as soon as somebody adds another.`,
      fix: 'Write resources-finalizer.argocd.argoproj.io into the template.',
    },
    ResourcesPreserved: {
      problem: ({ object }) =>
        `${object} keeps what it deployed when its Application is deleted, so that every closed merge request leaves its environment behind.`,
      fix: 'Remove preserveResourcesOnDeletion.',
    },
    NamespaceCreatedBySync: {
      problem: ({ object }) =>
        `${object} has its namespace created by CreateNamespace=true, which Argo CD neither tracks nor deletes.`,
      fix: 'Render the Namespace with the chart or the overlay, and remove CreateNamespace=true.',
    },
    NamespaceNotRendered: {
      problem: ({ object, namespace }) =>
        `${object} goes to the namespace ${namespace}, which is not among what is rendered, so that nothing creates it or nothing deletes it.`,
      fix: 'Render the Namespace with the chart or the overlay, so that Argo CD owns it.',
    },
    StateUnset: {
      problem: ({ object }) =>
        `${object} takes merge requests of any state, so that merged and closed ones keep their environments.`,
      fix: 'Set pullRequestState: opened on the generator.',
    },
    StateNotOpened: {
      problem: ({ object, state }) =>
        `${object} takes merge requests that are ${state}, and so none that is under review.`,
      fix: 'Set pullRequestState: opened on the generator.',
    },
    ProjectByPath: {
      problem: ({ object, project }) =>
        `${object} names its project as ${project}, which never equals the number that webhooks carry, so that every change waits for the next poll.`,
      fix: 'Write the numeric project ID.',
    },
    SevenCharacterTag: {
      problem: ({ object }) =>
        `${object} asks for a tag of seven characters (head_short_sha_7) while CI_COMMIT_SHORT_SHA has eight, so that the image is never found.`,
      fix: 'Use head_short_sha, which has eight characters.',
    },
    TagWithoutCommit: {
      problem: ({ object, name }) =>
        `${object} sets ${name} to something that does not change with the head commit, so that a push is not deployed.`,
      fix: 'Use head_short_sha as the tag.',
    },
    MissingKeyTolerated: {
      problem: ({ object }) =>
        `${object} has Go templates without missingkey=error, so that a typing error becomes “<no value>” in a name instead of an error.`,
      fix: 'Set goTemplateOptions: ["missingkey=error"].',
    },
    TemplateKeyUnknown: {
      problem: ({ object, keys }, format) =>
        `${object} uses ${format.list(
          keys,
        )} in its template, which its generator does not give.`,
      fix: 'Use the parameters of the generator in the syntax that goTemplate selects: {{ .number }} with it, {{number}} without.',
    },
    RequeueUnset: {
      problem: ({ object }) =>
        `${object} says no requeueAfterSeconds, so that what a lost webhook announced is noticed after up to 30 minutes.`,
      fix: 'Set requeueAfterSeconds: 60 on the generator.',
    },
    RequeueLong: {
      problem: ({ object, seconds }, format) =>
        `${object} asks GitLab every ${format.duration(
          seconds,
        )}, and what a lost webhook announced waits as long.`,
      fix: 'Set requeueAfterSeconds: 60 on the generator.',
    },
    AutomatedSyncOff: {
      problem: ({ object }) =>
        `${object} does not sync by itself, so that previews are generated and never deployed.`,
      fix: 'Set syncPolicy.automated with prune and selfHeal.',
    },
    PruneOff: {
      problem: ({ object }) =>
        `${object} does not prune, so that what a push removes goes on running.`,
      fix: 'Set syncPolicy.automated.prune: true.',
    },
    SelfHealOff: {
      problem: ({ object }) =>
        `${object} does not heal itself, so that what is changed by hand stays different from git.`,
      fix: 'Set syncPolicy.automated.selfHeal: true.',
    },
    LostRepositoryDeletesAll: {
      problem: ({ object }) =>
        `${object} goes on when GitLab answers 404, which it also does when the token loses its access: all previews are deleted at once.`,
      fix: 'Remove continueOnRepoNotFoundError.',
    },
    JoinLabelsMissing: {
      problem: ({ object, labels }, format) =>
        `${object} does not label its Applications with ${format.list(
          labels,
        )}, so that the portal finds their merge requests by their names alone.`,
      fix: 'Add the labels previews/project-id and previews/merge-request to the template.',
    },
    WebhookNotSeen: {
      problem: ({ object }) =>
        `No webhook of the project of ${object} was seen, so that every change waits for the next poll.`,
      fix: 'Add a merge request webhook to the ApplicationSet controller and one to the portal.',
    },
    NameWithoutMergeRequest: {
      problem: ({ object }) =>
        `${object} names its Applications without the number of the merge request, so that two of them can get one name.`,
      fix: 'Put the project ID and number into the name, as in preview-mr-<project id>-{{ .number }}.',
    },
    NameWithoutProject: {
      problem: ({ object }) =>
        `${object} names its Applications without their project, so that another project’s merge request of the same number gets the same name.`,
      fix: 'Put the project ID into the name, as in preview-mr-<project id>-{{ .number }}.',
    },
    NamespaceShared: {
      problem: ({ object, namespace }) =>
        `${object} puts several previews into the namespace ${namespace}, where they overwrite each other and none can be deleted whole.`,
      fix: 'Give each preview a namespace of its own, as in preview-mr-<project id>-{{ .number }}.',
    },
    NamespaceWithoutProject: {
      problem: ({ object, namespace }) =>
        `${object} has the namespace ${namespace}, which another project’s merge request of the same number gets too.`,
      fix: 'Put the project ID into the namespace, as in preview-mr-<project id>-{{ .number }}.',
    },
    NamesCollide: {
      problem: ({ object, others }, format) =>
        `${object} gives the same names as ${format.list(
          others,
        )}, so that only one of them gets its previews.`,
      fix: 'Put each project’s ID into the names of its set.',
    },
    BranchUnslugged: {
      problem: ({ object, name }) =>
        `${object} puts a branch as it is into ${name}, where slashes, underscores and capitals are not allowed.`,
      fix: 'Use number, or branch_slug where the branch has to be readable.',
    },
    NameTooLong: {
      problem: ({ object, name, length, limit }, format) =>
        `${object} can give ${name} ${format.number(
          length,
        )} characters, of which ${format.number(limit)} are allowed.`,
      fix: 'Shorten the fixed part, and use number instead of the branch.',
    },
    DefaultProject: {
      problem: ({ object }) =>
        `${object} puts previews into the AppProject default, which usually admits every namespace of every cluster.`,
      fix: 'Give previews an AppProject of their own that admits only their namespaces.',
    },
    ProjectDestinationsOpen: {
      problem: ({ object }) =>
        `${object} admits any namespace or any cluster, so that a wrong template reaches dev and prod.`,
      fix: 'Admit one cluster and only preview-mr-<project id>-*.',
    },
    ProjectSourcesOpen: {
      problem: ({ object }) =>
        `${object} admits any repository, so that anybody’s manifests can be deployed.`,
      fix: 'List the repositories that are deployed from.',
    },
    ProjectKindsOpen: {
      problem: ({ object }) =>
        `${object} admits every kind of cluster-scoped object, roles included.`,
      fix: 'Admit only the kinds that are rendered, such as Namespace.',
    },
    ProjectReachesOthers: {
      problem: ({ object, destination }) =>
        `${object} admits ${destination}, which are the previews of other services too.`,
      fix: 'Admit only preview-mr-<project id>-*, with one AppProject per service.',
    },
    ResourceKept: {
      problem: ({ object, annotation }) =>
        `${object} is told by ${annotation} to stay when its preview is deleted.`,
      fix: 'Remove the annotation in previews.',
    },
    StorageRetained: {
      problem: ({ object, storage }) =>
        `${object} is on ${storage}, which retains volumes, so that each preview leaves a volume behind that still costs.`,
      fix: 'Use a storage class with reclaimPolicy: Delete for previews.',
    },
    StaticAwsKey: {
      problem: ({ object }) =>
        `${object} signs in to AWS with a stored key, which does not expire and which everyone can read who can read the Secret.`,
      fix: 'Give it a role by the service account of cert-manager (auth.kubernetes.serviceAccountRef), and delete the key.',
    },
    WildcardByHttp01: {
      problem: ({ object, host }) =>
        `${object} asks for ${host}, and its issuer only has HTTP-01, which proves no wildcard.`,
      fix: 'Add a dns01 solver to the issuer.',
    },
    DnsPolicyOpen: {
      problem: ({ object }) =>
        `${object} lets more records be written than the challenges of one zone.`,
      fix: 'Limit route53:ChangeResourceRecordSets to the zone, and by condition to TXT records of _acme-challenge names.',
    },
    RoleTrustOpen: {
      problem: ({ object }) =>
        `${object} does not pin audience and subject of the token, so that other service accounts can take the role.`,
      fix: 'Require the audience sts.amazonaws.com and the subject of cert-manager’s service account.',
    },
    KanikoRetired: {
      problem: ({ object }) =>
        `${object} builds with Kaniko, whose repository is archived and whose images get no fixes.`,
      fix: 'Build with rootless BuildKit.',
    },
    PrivilegedBuild: {
      problem: ({ object }) =>
        `${object} builds with Docker in Docker, which needs a privileged runner: whoever can change the pipeline has the node.`,
      fix: 'Build with rootless BuildKit.',
    },
    MergedResultsTag: {
      problem: ({ object }) =>
        `${object} tags the image with the commit of the pipeline, which in merged-results pipelines is an internal merge commit and never the head that Argo CD expects.`,
      fix: 'Take the first eight characters of ${CI_MERGE_REQUEST_SOURCE_BRANCH_SHA:-$CI_COMMIT_SHA}.',
    },
    ClusterAccessFromCi: {
      problem: ({ object }) =>
        `${object} deploys to the cluster, so that every pipeline holds a key to it.`,
      fix: 'Let the pipeline push the image only, and Argo CD deploy.',
    },
    TokenInPlainText: {
      problem: ({ object }) =>
        `${object} holds a token or a key that everybody can read who can read it.`,
      fix: 'Revoke it, and refer to a Secret that an ExternalSecret fills.',
    },
    BranchUnprotected: {
      problem: ({ object, branch }) =>
        `${object} lets people change ${branch}, from which is deployed, without a merge request or without a maintainer.`,
      fix: 'Protect the branch: allowed to push no one, allowed to merge Maintainers.',
    },
    TagsUnprotected: {
      problem: ({ object }) =>
        `${object} lets everybody who may push create a release tag.`,
      fix: 'Protect the tags v*: allowed to create Maintainers.',
    },
    OriginsDisagree: {
      problem: ({ object, origins }, format) =>
        `${object} and its neighbours name different origins (${format.list(
          origins,
        )}), which only shows as a refused request in a browser.`,
      fix: 'Derive the origin in image, chart and bucket rule from one build input.',
    },
    IngressNginxRetired: {
      problem: ({ object }) =>
        `${object} relies on ingress-nginx, which has had no maintenance since March 2026.`,
      fix: 'Move to the Gateway API with an HTTPRoute for each preview.',
    },
    GatewayAdmitsAll: {
      problem: ({ object }) =>
        `${object} admits routes of any namespace, so that any namespace can take any host.`,
      fix: 'Set allowedRoutes.namespaces to a selector that only preview namespaces fit.',
    },
    LoadBalancerInPreview: {
      problem: ({ object }) =>
        `${object} orders a load balancer for a single preview, which costs as long as it exists.`,
      fix: 'Use type: ClusterIP and a route on the shared Gateway.',
    },
    LoadBalancerHidesClients: {
      problem: ({ object }) =>
        `${object} is a load balancer without externalTrafficPolicy: Local, so that the addresses of clients are lost.`,
      fix: 'Set externalTrafficPolicy: Local.',
    },
    SecretInServedNamespace: {
      problem: ({ object, namespace }) =>
        `${object} is in ${namespace}, where the edge can read every Secret.`,
      fix: 'Keep it in the namespace of the workloads; only a registry pull key may be where routes are.',
    },
    SecretInGit: {
      problem: ({ object }) =>
        `${object} has its values in a file, where everybody can read them who can read the repository.`,
      fix: 'Replace the values, and use an ExternalSecret or a sealed one.',
    },
    ImageTagMutable: {
      problem: ({ object, image }) =>
        `${object} runs ${image}, which can be another image tomorrow.`,
      fix: 'Name a tag that is never moved, or a digest.',
    },
    ImageWithoutDigest: {
      problem: ({ object, image }) =>
        `${object} runs ${image} without a digest, so that what is deployed is not what was reviewed if the tag is moved.`,
      fix: 'Add the digest that the build reports.',
    },
    PreviewTagForeign: {
      problem: ({ object, image }) =>
        `${object} runs ${image}, whose tag is no short SHA of eight characters, so that nobody can tell which commit it is.`,
      fix: 'Use head_short_sha as the tag.',
    },
    EnvironmentTagForeign: {
      problem: ({ object, image, environment }) =>
        `${object} runs ${image}, whose tag does not name the environment ${environment} that it was built for.`,
      fix: 'Build the image for its environment, and put the environment’s name into the tag.',
    },
    ReadinessProbeMissing: {
      problem: ({ object, containers }, format) =>
        `${object} has no readiness probe in ${format.list(
          containers,
        )}, so that traffic arrives before it can be answered.`,
      fix: 'Add a readinessProbe.',
    },
    DisruptionBudgetMissing: {
      problem: ({ object }) =>
        `${object} has no PodDisruptionBudget, so that rebuilding nodes can stop all of its pods at once.`,
      fix: 'Add a PodDisruptionBudget with minAvailable: 1.',
    },
    SingleReplica: {
      problem: ({ object, replicas }, format) =>
        `${object} has ${format.number(replicas)} ${format.plural(replicas, {
          one: 'replica',
          other: 'replicas',
        })}, so that it is down whenever a pod is moved.`,
      fix: 'Run at least two replicas outside previews.',
    },
    RootFileSystemWritable: {
      problem: ({ object, containers }, format) =>
        `${object} lets ${format.list(
          containers,
        )} write to the root file system.`,
      fix: 'Set readOnlyRootFilesystem: true, and mount an emptyDir where it writes.',
    },
    RunsAsRoot: {
      problem: ({ object, containers }, format) =>
        `${object} lets ${format.list(containers)} run as root.`,
      fix: 'Set runAsNonRoot: true.',
    },
    PrivilegedContainer: {
      problem: ({ object, containers }, format) =>
        `${object} runs ${format.list(
          containers,
        )} privileged, with the rights of the node.`,
      fix: 'Remove privileged: true.',
    },
    ResourcesMissing: {
      problem: ({ object, containers }, format) =>
        `${object} sets no bounds to the resources of ${format.list(
          containers,
        )}, so that its neighbours can starve and its cost is not known.`,
      fix: 'Set requests for cpu and memory, and a limit for memory.',
    },
    ServiceAccountTokenMounted: {
      problem: ({ object }) =>
        `${object} hands a token of the cluster to its pods.`,
      fix: 'Set automountServiceAccountToken: false.',
    },
    NetworkPolicyMissing: {
      problem: ({ object }) =>
        `${object} can be reached by every pod of the cluster.`,
      fix: 'Add a NetworkPolicy that admits only the edge.',
    },
    NetworkPolicyOpen: {
      problem: ({ object }) => `${object} admits everybody.`,
      fix: 'Admit only the namespace of the edge.',
    },
    TwoOwners: {
      problem: ({ object, managers }, format) =>
        `${object} is written by ${format.list(
          managers,
        )}, which undo each other’s changes.`,
      fix: 'Let Terraform or OpenTofu own what is outside the cluster, and Argo CD what is in it.',
    },
  },
};
