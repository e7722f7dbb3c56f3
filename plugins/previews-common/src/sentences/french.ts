import { frenchCertificates } from './certificates/french';
import { frenchFindings } from './findings/french';
import { SentenceFormat } from './format';
import { createPhrases, inParentheses } from './phrases';
import { frenchReachable } from './reachable/french';
import { Catalogue, UnknownSentences } from './types';

/** GitLab's words for the state of a merge request, which is feminine here. */
const states: Record<string, string> = {
  opened: 'ouverte',
  closed: 'fermée',
  merged: 'fusionnée',
  locked: 'verrouillée',
};

function stateOf(state: string): string {
  return Object.hasOwn(states, state) ? states[state] : state;
}

const phrases = createPhrases({
  cluster: 'Le cluster',
  dnsZone: 'La zone DNS',
  usually: 'd’habitude',
  separator: '\u00a0; ',
  since: { hour: 'depuis', firstHour: 'depuis', date: 'depuis le' },
});
const { nameOf, nameOfId, sinceTime, since, timing } = phrases;

/** Before the time at which something ends. */
const END = { hour: 'à', firstHour: 'à', date: 'le' };

function replicas(
  format: SentenceFormat,
  counts: { ready: number; desired: number },
): string {
  const ready = format.number(counts.ready);
  const desired = format.number(counts.desired);
  return format.plural(counts.ready, {
    one: `${ready} réplica prêt sur ${desired}`,
    other: `${ready} réplicas prêts sur ${desired}`,
  });
}

function restarts(format: SentenceFormat, count: number): string {
  const number = format.number(count);
  return format.plural(count, {
    one: `${number} redémarrage`,
    other: `${number} redémarrages`,
  });
}

function applications(format: SentenceFormat, names: string[]): string {
  if (names.length === 0) {
    return 'Une Application';
  }
  return names.length > 1
    ? `Les Applications ${format.list(names)}`
    : `L’Application ${format.list(names)}`;
}

function retry(format: SentenceFormat, time: string | undefined): string {
  return time === undefined
    ? 'le portail réessaie de lui-même'
    : `prochain essai${format.detail(format.time(time))}`;
}

const unknown: UnknownSentences = {
  SourceUnavailable: (params, format) =>
    params.since === undefined
      ? `${nameOfId(
          params.source,
        )} ne répond pas\u00a0; ce qui s’affiche est le dernier état connu.`
      : `${nameOfId(params.source)} n’a pas répondu${sinceTime(
          format,
          params.since,
        )}\u00a0; ce qui s’affiche date de ce moment-là.`,
  NotObserved: ({ what }) =>
    `Le portail ne lit pas ${what} et ne peut donc pas en dire plus\u00a0; l’environnement ne l’attend pas.`,
  NotReadYet: ({ source }) =>
    `${nameOfId(
      source,
    )} est en cours de première lecture\u00a0; la réponse sera connue dès qu’elle sera complète.`,
  KindForbidden: ({ kind, group, cluster }) =>
    `Le cluster ${cluster} ne laisse pas le portail lister ${kind}${inParentheses(
      group,
    )}\u00a0; qui administre le cluster peut l’autoriser dans le rôle du portail.`,
  ProjectNotReadable: ({ project, status }) =>
    `GitLab ne laisse pas le portail lire le projet ${project} (il répond ${status})\u00a0; qui gère le jeton du portail peut lui en donner l’accès.`,
  ClusterNotConfigured: ({ destination, application }) =>
    `L’Application ${application} se déploie sur ${destination}, qui n’est aucun des clusters du portail\u00a0; qui administre le portail peut l’ajouter.`,
};

/** The French sentences. */
export const french: Catalogue = {
  language: 'fr',
  conditions: {
    MergeRequestOpen: {
      Opened: () => 'La demande de fusion est ouverte.',
      Locked: () =>
        'La demande de fusion est verrouillée pendant que GitLab la fusionne\u00a0; elle compte comme ouverte.',
      SourceBranchDeleted: ({ branch }, format) =>
        `La branche source ${format.quote(
          branch,
        )} est supprimée alors que la demande de fusion est encore ouverte\u00a0; son auteur peut pousser à nouveau la branche ou fermer la demande.`,
      IdleNearEnd: ({ idleSince, expiresAt }, format) =>
        `Personne n’a travaillé sur la demande de fusion${since(
          format,
          idleSince,
        )}\u00a0; la durée de vie de son environnement se termine ${format.when(
          expiresAt,
          END,
        )}. Un push ou un commentaire le garde.`,
      IdlePastEnd: ({ idleSince, expiresAt }, format) =>
        `Personne n’a travaillé sur la demande de fusion${since(
          format,
          idleSince,
        )}\u00a0; la durée de vie de son environnement s’est terminée ${format.when(
          expiresAt,
          END,
        )}. Un push ou un commentaire le garde.`,
      Merged: ({ at }, format) =>
        `La demande de fusion a été fusionnée${inParentheses(
          at && format.time(at),
        )}\u00a0; son environnement est supprimé, sauf si un ApplicationSet le garde.`,
      Closed: ({ at }, format) =>
        `La demande de fusion a été fermée${inParentheses(
          at && format.time(at),
        )}\u00a0; son environnement est supprimé, sauf si un ApplicationSet le garde.`,
      Deleted: () =>
        'La demande de fusion n’existe plus dans GitLab\u00a0; son environnement est supprimé.',
      ...unknown,
    },
    Selected: {
      Selected: ({ applicationSets }, format) => {
        if (applicationSets.length === 0) {
          return 'Un ApplicationSet génère un environnement pour la demande de fusion.';
        }
        return applicationSets.length > 1
          ? `Les ApplicationSets ${format.list(
              applicationSets,
            )} génèrent un environnement pour la demande de fusion.`
          : `L’ApplicationSet ${format.list(
              applicationSets,
            )} génère un environnement pour la demande de fusion.`;
      },
      KeptByGenerator: ({ applicationSet, state }, format) =>
        `L’ApplicationSet ${applicationSet} garde l’environnement alors que la demande de fusion est ${stateOf(
          state,
        )}\u00a0; son responsable peut mettre pullRequestState à ${format.quote(
          'opened',
        )} pour qu’il soit supprimé.`,
      LabelMissing: ({ applicationSet, labels }, format) =>
        labels.length === 0
          ? `L’ApplicationSet ${applicationSet} ne prend que les demandes de fusion qui portent un label que celle-ci n’a pas.`
          : `L’ApplicationSet ${applicationSet} ne prend que les demandes de fusion qui portent ${format.plural(
              labels.length,
              { one: 'le label', other: 'les labels' },
            )} ${format.list(labels.map(format.quote))}\u00a0; ${format.plural(
              labels.length,
              { one: 'ajoutez-le', other: 'ajoutez-les' },
            )} pour obtenir un environnement.`,
      BranchFiltered: ({ applicationSet, pattern, branch }, format) =>
        `L’ApplicationSet ${applicationSet} ne prend que les branches source qui correspondent à ${format.quote(
          pattern,
        )}, et ${format.quote(
          branch,
        )} n’y correspond pas\u00a0; un autre nom de branche, ou le responsable de l’ApplicationSet, peut y remédier.`,
      TitleFiltered: ({ applicationSet, pattern }, format) =>
        `L’ApplicationSet ${applicationSet} ne prend que les demandes de fusion dont le titre correspond à ${format.quote(
          pattern,
        )}\u00a0; changez le titre pour obtenir un environnement.`,
      TargetFiltered: ({ applicationSet, pattern, branch }, format) =>
        `L’ApplicationSet ${applicationSet} ne prend que les branches cibles qui correspondent à ${format.quote(
          pattern,
        )}, et ${format.quote(
          branch,
        )} n’y correspond pas\u00a0; une autre branche cible, ou le responsable de l’ApplicationSet, peut y remédier.`,
      SelectorExcluded: ({ applicationSet, requirement }, format) =>
        `L’ApplicationSet ${applicationSet} ne prend que les demandes de fusion qui remplissent ${format.quote(
          requirement,
        )} de son sélecteur, et celle-ci ne le fait pas\u00a0; le responsable de l’ApplicationSet peut y remédier.`,
      StateExcluded: ({ applicationSet, state }, format) =>
        `L’ApplicationSet ${applicationSet} écarte les demandes de fusion à l’état ${format.quote(
          stateOf(state),
        )}, et celle-ci n’a donc pas d’environnement.`,
      MergeRequestDeleted: () =>
        'La demande de fusion a été supprimée ; aucun ApplicationSet ne la prend en compte.',
      NoApplicationSet: ({ project }) =>
        `Aucun ApplicationSet ne génère d’environnements pour le projet ${project}\u00a0; le responsable du service peut en ajouter un.`,
      ...unknown,
    },
    ImageBuilt: {
      ImagePulled: ({ tag }) =>
        `L’image ${tag} est construite\u00a0; un pod l’a téléchargée.`,
      TagInRegistry: ({ tag }) =>
        `L’image ${tag} est construite et se trouve dans le registre.`,
      PipelineRunning: ({ tag, pipeline, startedAt, usualSeconds }, format) =>
        `Le pipeline #${pipeline} construit l’image ${tag}${timing(format, {
          start: startedAt,
          usualSeconds,
        })}.`,
      PipelineManual: ({ tag, pipeline }) =>
        `Le pipeline #${pipeline} attend que quelqu’un le lance à la main\u00a0; d’ici là, l’image ${tag} n’existe pas.`,
      PipelineFailed: ({ tag, pipeline }) =>
        `Le pipeline #${pipeline} a échoué avant que l’image ${tag} existe\u00a0; l’auteur de la demande de fusion peut en lire le journal, puis le relancer ou pousser une correction.`,
      PipelineCanceled: ({ tag, pipeline }) =>
        `Le pipeline #${pipeline} a été annulé et l’image ${tag} n’existe pas\u00a0; relancez-le pour obtenir un environnement de ce commit.`,
      PipelineSkipped: ({ tag, pipeline }) =>
        `Le pipeline #${pipeline} a été ignoré et l’image ${tag} n’existe pas\u00a0; lancez un pipeline de la branche pour obtenir un environnement de ce commit.`,
      NoPipeline: ({ tag, sha }, format) =>
        `Aucun pipeline n’a encore tourné pour le commit ${format.shortSha(
          sha,
        )} et l’image ${tag} n’existe donc pas\u00a0; si aucun ne démarre de lui-même, lancez-en un depuis la demande de fusion.`,
      TagMissing: ({ tag, pipeline }) =>
        pipeline === undefined
          ? `Le registre n’a pas l’image ${tag}\u00a0; le responsable du pipeline peut vérifier qu’il pousse ce tag.`
          : `Le pipeline #${pipeline} a réussi, mais le registre n’a pas l’image ${tag}\u00a0; le responsable du pipeline peut vérifier qu’il pousse ce tag.`,
      TagLengthDiffers: ({ tag, near }, format) =>
        `Le registre n’a pas l’image ${tag}${
          near.length > 0
            ? `, seulement ${format.list(near)} du même commit`
            : ', seulement une du même commit avec un autre tag'
        }\u00a0; le pipeline et l’ApplicationSet doivent raccourcir le commit à la même longueur.`,
      RegistryNotRead: ({ tag, status }) =>
        `Le registre n’a pas pu être lu${
          status === undefined ? '' : ` (il répond ${status})`
        }, et on ne sait donc pas si l’image ${tag} est construite.`,
      PipelineNotTold: ({ tag, pipeline }) =>
        `Le pipeline #${pipeline} est celui d’un résultat fusionné, et le portail ne peut pas lire de quel commit\u00a0; on ne sait donc pas si l’image ${tag} est construite. Le jeton du portail doit avoir accès au dépôt.`,
      HeadUnknown: ({ branch }, format) =>
        `GitLab ne nomme aucun commit en tête de ${format.quote(
          branch,
        )}, et on ne sait donc pas quelle image attendre.`,
      ...unknown,
    },
    ApplicationGenerated: {
      Generated: ({ applications: names }, format) =>
        `${applications(format, names)} ${
          names.length > 1 ? 'sont générées' : 'est générée'
        }.`,
      NotPolledYet: ({ applicationSet, requeueAfterSeconds }, format) =>
        `L’ApplicationSet ${applicationSet} n’a pas encore généré l’Application\u00a0; il consulte GitLab toutes les ${format.duration(
          requeueAfterSeconds,
        )}.`,
      GeneratorError: ({ applicationSet, error }, format) =>
        `L’ApplicationSet ${applicationSet} ne crée, ne modifie et ne supprime rien tant qu’il signale une erreur, que son responsable doit corriger si elle dure${format.detail(
          error,
        )}.`,
      ValidationError: ({ applicationSet, error }, format) =>
        `Argo CD refuse ce que l’ApplicationSet ${applicationSet} génère pour la demande de fusion, et son responsable doit le corriger${format.detail(
          error,
        )}.`,
      FrozenByGenerator: ({ applicationSet, error }, format) =>
        `L’Application est générée, mais l’ApplicationSet ${applicationSet} ne modifie rien, et les nouveaux commits n’arrivent pas tant qu’il signale une erreur, que son responsable doit corriger si elle dure${format.detail(
          error,
        )}.`,
      NameCollision: ({ name, other }) =>
        `Le nom d’Application ${name} est aussi celui de ${other}, et un seul des deux a donc un environnement\u00a0; le responsable de l’ApplicationSet peut mettre le numéro de la demande de fusion dans le nom.`,
      Deleting: ({ application, since: start }, format) =>
        `L’Application ${application} est en cours de suppression${since(
          format,
          start,
        )}\u00a0; elle est générée à nouveau une fois disparue.`,
      ...unknown,
    },
    Synced: {
      Synced: ({ revision }, format) =>
        revision === undefined
          ? 'L’Application est Synced.'
          : `L’Application est Synced sur ${format.shortSha(revision)}.`,
      SyncRunning: ({ application, startedAt }, format) =>
        `Argo CD synchronise l’Application ${application}${timing(format, {
          start: startedAt,
        })}.`,
      NeverSynced: ({ application }) =>
        `L’Application ${application} n’a jamais été synchronisée\u00a0; Argo CD le fait de lui-même si la synchronisation automatique est active, sinon quelqu’un doit la lancer là-bas.`,
      OldCommit: ({ application, wanted, expected, error }, format) =>
        `L’Application ${application} demande encore ${format.shortSha(
          wanted,
        )} au lieu de ${format.shortSha(expected)}\u00a0; ${
          error === undefined
            ? 'son ApplicationSet la met à jour à sa prochaine consultation de GitLab'
            : `son ApplicationSet ne la met pas à jour tant qu’il signale une erreur, que son responsable doit corriger si elle dure${format.detail(
                error,
              )}`
        }.`,
      OldCommitKept: (
        { application, applicationSet, wanted, expected },
        format,
      ) =>
        `L’Application ${application} demande ${format.shortSha(
          wanted,
        )} au lieu de ${format.shortSha(
          expected,
        )}, et son ApplicationSet ${applicationSet} est réglé pour n’en mettre aucune à jour\u00a0; son responsable peut changer applicationsSync.`,
      OutOfSync: ({ application, resources }, format) =>
        `L’Application ${application} est OutOfSync${inParentheses(
          format.list(resources),
        )}\u00a0; Argo CD applique la différence à la prochaine synchronisation.`,
      SyncFailed: ({ application, error, resources }, format) =>
        `La synchronisation de l’Application ${application} a échoué${inParentheses(
          format.list(resources),
        )}\u00a0; le responsable de ses manifestes doit les corriger${format.detail(
          error,
        )}.`,
      HookFailed: ({ application, hook, error }, format) =>
        `Le hook ${hook} a échoué et a arrêté la synchronisation de l’Application ${application}\u00a0; son responsable doit le corriger${format.detail(
          error,
        )}.`,
      ComparisonError: ({ application, error, resources }, format) =>
        `Argo CD ne peut pas comparer l’Application ${application} à sa source${inParentheses(
          format.list(resources),
        )} et ne synchronise rien tant que les manifestes ou le dépôt ne sont pas corrigés${format.detail(
          error,
        )}.`,
      CommitNotInProject: ({ application, sha, project }, format) =>
        `Le commit ${format.shortSha(
          sha,
        )} du fork n’est pas dans ${project}, que lit l’Application ${application}\u00a0; un environnement demande une branche dans ce projet même.`,
      InvalidSpec: ({ application, error }, format) =>
        `Argo CD refuse la spécification de l’Application ${application}\u00a0; le responsable de son ApplicationSet doit la corriger${format.detail(
          error,
        )}.`,
      ...unknown,
    },
    Available: {
      Available: (params, format) => `${replicas(format, params)}.`,
      Healthy: ({ application }) =>
        `Argo CD donne l’Application ${application} pour Healthy\u00a0; le portail n’en lit pas les charges de travail.`,
      NoWorkloads: ({ application }) =>
        `L’Application ${application} n’a pas de charge de travail à attendre.`,
      WaitingForImage: ({ image, workload, since: start }, format) =>
        `${workload} attend l’image ${image}${since(
          format,
          start,
        )}\u00a0; il démarre dès que le pipeline l’a poussée.`,
      PullRetried: ({ image, workload, since: start }, format) =>
        `${workload} attend l’image ${image}${since(
          format,
          start,
        )}\u00a0; elle est construite, et le cluster la télécharge à sa prochaine tentative.`,
      Progressing: ({ workload, ready, desired }, format) =>
        `${workload} démarre, avec ${replicas(format, { ready, desired })}.`,
      Missing: ({ application }) =>
        `Des ressources de l’Application ${application} ne sont pas encore dans le cluster\u00a0; Argo CD les crée à la prochaine synchronisation.`,
      Asleep: ({ workload }) =>
        `${workload} est réduit à zéro\u00a0; l’environnement répond à nouveau dès qu’il est relancé.`,
      ImageNotFound: ({ image, workload }) =>
        `${workload} ne peut pas démarrer parce que le registre n’a pas l’image ${image}\u00a0; le responsable du pipeline peut vérifier qu’il a poussé ce tag.`,
      PullDenied: ({ image, workload }) =>
        `${workload} ne peut pas démarrer parce que le registre lui refuse l’image ${image}\u00a0; le responsable du namespace doit lui donner un secret de téléchargement.`,
      InvalidImageName: ({ image, container }, format) =>
        `Le conteneur ${container} ne peut pas démarrer parce que ${format.quote(
          image,
        )} n’est pas un nom d’image valide\u00a0; le responsable des manifestes doit le corriger.`,
      CrashLoop: ({ container, workload, restarts: count, exitCode }, format) =>
        `Le conteneur ${container} de ${workload} plante sans cesse (${
          exitCode === undefined ? '' : `code de sortie ${exitCode}, `
        }${restarts(format, count)})\u00a0; ses journaux disent pourquoi.`,
      OutOfMemory: ({ container, workload, restarts: count }, format) =>
        `Le conteneur ${container} de ${workload} est arrêté parce qu’il dépasse sa limite de mémoire (${restarts(
          format,
          count,
        )})\u00a0; relevez la limite ou réduisez sa consommation.`,
      ContainerConfigError: ({ container, workload, error }, format) =>
        `Le conteneur ${container} de ${workload} ne peut pas être créé avec sa configuration, souvent faute d’un Secret ou d’un ConfigMap\u00a0; le responsable des manifestes doit la corriger${format.detail(
          error,
        )}.`,
      Unschedulable: ({ workload, error }, format) =>
        `Aucun nœud n’accepte les pods de ${workload}\u00a0; demandez moins de ressources, ou que l’administrateur du cluster fasse de la place${format.detail(
          error,
        )}.`,
      ReplicaFailure: ({ workload, error }, format) =>
        `Le cluster refuse de créer les pods de ${workload}, souvent à cause d’un quota ou d’une règle\u00a0; au responsable des manifestes ou à l’administrateur du cluster d’y regarder${format.detail(
          error,
        )}.`,
      ProgressDeadlineExceeded: ({ workload, ready, desired }, format) =>
        `${workload} n’a pas été prêt à temps (${replicas(format, {
          ready,
          desired,
        })})\u00a0; les journaux de ses pods disent pourquoi.`,
      Degraded: ({ application, error }, format) =>
        `Argo CD donne l’Application ${application} pour Degraded et y montre quelle ressource est en cause${format.detail(
          error,
        )}.`,
      Suspended: ({ application }) =>
        `L’Application ${application} est Suspended\u00a0; elle continue quand quelqu’un la reprend dans Argo CD.`,
      ...unknown,
    },
    CertificateReady: {
      ...frenchCertificates(phrases),
      ...unknown,
    },
    RouteAccepted: {
      Accepted: ({ route, parents }, format) =>
        parents.length === 0
          ? `${route} est acceptée.`
          : `${route} est acceptée par ${format.list(parents)}.`,
      AcceptedByOneParent: ({ route, parent, refusedBy }) =>
        `${parent} accepte ${route} mais ${refusedBy} la refuse\u00a0; l’environnement n’est accessible que par ${parent}.`,
      AcceptedByRetired: ({ route, className }) =>
        `${route} est servie par ingress-nginx${
          className === undefined ? '' : ` (classe ${className})`
        }, qui n’est plus maintenu\u00a0; l’administrateur de la plateforme doit la passer à la Gateway API, avec une HTTPRoute par environnement.`,
      IngressPending: ({ route, className }) =>
        `${route} attend une adresse du contrôleur de ${
          className === undefined ? 'sa classe' : `la classe ${className}`
        }.`,
      ListenerPending: ({ route, parent, listener }) =>
        `${route} attend que le listener ${listener} de ${parent} soit programmé.`,
      BackendsUnavailable: ({ route, error }, format) =>
        `${route} est acceptée, mais aucun pod n’est prêt derrière elle, et elle répond 503${format.detail(
          error,
        )}.`,
      GatewayMissing: ({ route, parent }) =>
        `${route} demande ${parent}, qui n’existe pas\u00a0; le responsable des manifestes doit en corriger les parentRefs.`,
      GatewayNotProgrammed: ({ route, parent, error }, format) =>
        `${parent} n’est pas programmé, et ${route} ne sert donc rien\u00a0; son responsable doit y regarder${format.detail(
          error,
        )}.`,
      ListenersNotAdmitted: ({ route, parent, gateway }) =>
        `${gateway} n’admet pas les listeners de ${parent}, et ${route} ne sert donc rien\u00a0; le responsable de ${gateway} peut admettre son namespace (allowedListeners).`,
      ListenerConflicted: ({ route, parent, listener }) =>
        `Le listener ${listener} de ${parent} est en conflit avec un autre, et ${route} ne sert donc rien\u00a0; le responsable de ${parent} doit lui donner un port ou un hôte à lui.`,
      ListenerCertificateInvalid: (
        { route, parent, listener, error },
        format,
      ) =>
        `Le listener ${listener} de ${parent} ne peut pas utiliser son certificat, et ${route} ne sert donc rien\u00a0; le responsable de ${parent} doit regarder ses certificateRefs${format.detail(
          error,
        )}.`,
      Pending: ({ route }) =>
        `${route} attend que le contrôleur de son Gateway l’accepte.`,
      NotAllowedByListeners: ({ route, parent, allowed }) =>
        `Les listeners de ${parent} n’admettent pas ${route}${inParentheses(
          allowed === undefined ? undefined : `allowedRoutes: ${allowed}`,
        )}\u00a0; le responsable de ${parent} peut admettre les routes de son namespace.`,
      NoMatchingHost: ({ route, parent, hosts }, format) =>
        `Aucun listener de ${parent} ne sert ${
          hosts.length > 0 ? format.list(hosts) : 'le nom d’hôte'
        }, que demande ${route}\u00a0; corrigez le nom, ou demandez au responsable de ${parent} d’ajouter un listener.`,
      NoMatchingParent: ({ route, parent }) =>
        `${route} demande ${parent}, qui n’a pas de listener qui convienne\u00a0; le responsable des manifestes doit en corriger les parentRefs.`,
      BackendNotFound: ({ route, error }, format) =>
        `${route} mène à un Service qui n’existe pas\u00a0; le responsable des manifestes doit en corriger les backendRefs${format.detail(
          error,
        )}.`,
      ReferenceNotPermitted: ({ route, error }, format) =>
        `${route} renvoie à un objet d’un autre namespace, dont le responsable doit le permettre par un ReferenceGrant${format.detail(
          error,
        )}.`,
      ListenerNotProgrammed: ({ route, parent, listener }) =>
        `Le listener ${listener} de ${parent} n’est pas programmé, et ${route} ne sert donc rien\u00a0; le responsable de ${parent} doit y regarder.`,
      NotAccepted: ({ route, parent, code, error }, format) =>
        `${parent} n’accepte pas ${route} (${code}), et le responsable des manifestes doit le corriger${format.detail(
          error,
        )}.`,
      ...unknown,
    },
    Reachable: {
      ...frenchReachable,
      ...unknown,
    },
    CleanedUp: {
      NothingLeft: () => 'Il ne reste rien de l’environnement.',
      ApplicationLeft: ({ applications: names, everySeconds }, format) =>
        `${applications(format, names)} ${
          names.length > 1 ? 'existent' : 'existe'
        } encore\u00a0; l’ApplicationSet supprime ce qu’il ne génère plus à sa prochaine consultation de GitLab${
          everySeconds === undefined
            ? ''
            : `, qui a lieu à intervalles de ${format.duration(everySeconds)}`
        }.`,
      ApplicationKept: ({ application, applicationSet }) =>
        `L’Application ${application} existe encore${
          applicationSet === undefined
            ? ' et n’appartient plus à aucun ApplicationSet'
            : `, et son ApplicationSet ${applicationSet} est réglé pour n’en supprimer aucune (applicationsSync)`
        }\u00a0; quelqu’un doit la supprimer.`,
      FrozenByGenerator: ({ application, applicationSet, error }, format) =>
        `L’Application ${application} reste, car l’ApplicationSet ${applicationSet} ne supprime rien tant qu’il signale une erreur, que son responsable doit corriger si elle dure${format.detail(
          error,
        )}.`,
      ApplicationDeleting: ({ application, since: start }, format) =>
        `L’Application ${application} est en cours de suppression${since(
          format,
          start,
        )}\u00a0; Argo CD en supprime d’abord les ressources.`,
      OperationBlocksDeletion: ({ application, since: start }, format) =>
        `L’Application ${application} est en cours de suppression${since(
          format,
          start,
        )} et ne peut pas disparaître pendant une synchronisation\u00a0; quelqu’un peut l’arrêter dans Argo CD.`,
      ApplicationDeletionStuck: (
        { application, since: start, finalizers, error },
        format,
      ) =>
        `La suppression de l’Application ${application} est bloquée${since(
          format,
          start,
        )}${
          finalizers.length > 0
            ? `, retenue par ${format.list(finalizers)}`
            : ''
        }\u00a0; l’administrateur d’Argo CD doit y regarder${format.detail(
          error,
        )}.`,
      NamespaceTerminating: ({ namespace, since: start }, format) =>
        `Le namespace ${namespace} est en cours de suppression${since(
          format,
          start,
        )}\u00a0; il disparaît quand il ne contient plus rien.`,
      NamespaceStuck: ({ namespace, since: start }, format) =>
        `Le namespace ${namespace} est en cours de suppression${since(
          format,
          start,
        )}, et aucune de ses conditions ne dit ce qui la bloque\u00a0; l’administrateur du cluster peut voir ce qu’il contient encore.`,
      FinalizerStuck: (
        { namespace, since: start, error, finalizers = [], resources = [] },
        format,
      ) =>
        `La suppression du namespace ${namespace} est bloquée${since(
          format,
          start,
        )}${inParentheses(
          [finalizers, resources]
            .filter(held => held.length > 0)
            .map(held => format.list(held))
            .join('; '),
        )}\u00a0; l’administrateur du cluster doit libérer ce qui la retient${format.detail(
          error,
        )}.`,
      ChallengeFinalizerStuck: (
        { namespace, since: start, finalizer, count, error },
        format,
      ) =>
        `La terminaison du namespace ${namespace} est bloquée${since(
          format,
          start,
        )}, car ${format.plural(count, {
          one: `${format.number(count)} Challenge garde`,
          other: `${format.number(count)} Challenges gardent`,
        })} le finalizer ${finalizer} et cert-manager ne peut pas retirer l’enregistrement DNS\u00a0; l’administrateur de la plateforme doit lui rendre l’accès ou retirer le finalizer${format.detail(
          error,
        )}.`,
      NamespaceLeft: ({ namespace }) =>
        `Le namespace ${namespace} existe encore\u00a0; s’il reste, l’administrateur du cluster doit le supprimer.`,
      ResourcesLeft: ({ namespace, resources }, format) =>
        resources.length === 0
          ? `Il reste des ressources dans le namespace ${namespace}\u00a0; si elles restent, l’administrateur du cluster doit les supprimer.`
          : `Dans le namespace ${namespace}, il reste ${format.list(
              resources,
            )}\u00a0; l’administrateur du cluster doit supprimer ce qui ne disparaît pas.`,
      DnsRecordsLeaving: ({ hosts }, format) =>
        `Tout le reste a disparu ; on vérifie que les enregistrements DNS${
          hosts.length > 0 ? ` de ${format.list(hosts)}` : ''
        } ont disparu aussi, ce dont external-dns se charge en quelques minutes.`,
      DnsRecordLeft: ({ unowned = [], owned = [] }, format) =>
        `Il reste des enregistrements dans le DNS${[
          ...(unowned.length > 0
            ? [
                `${format.list(
                  unowned,
                )} sans enregistrement de propriété, si bien qu’aucun external-dns ne les supprime`,
              ]
            : []),
          ...(owned.length > 0
            ? [`${format.list(owned)}, que leur propriétaire n’a pas supprimés`]
            : []),
        ]
          .map((part, index) => `${index === 0 ? ' : ' : ' ; '}${part}`)
          .join('')} ; la personne qui gère la zone doit les supprimer.`,
      ...unknown,
    },
  },
  problems: {
    Malformed: ({ annotation, value, expected }, format) =>
      `L’annotation ${annotation} vaut ${format.quote(
        value,
      )} mais doit être de la forme ${format.quote(
        expected,
      )}\u00a0; le responsable de l’entité peut la corriger.`,
    UnknownHost: ({ annotation, host }) =>
      `L’annotation ${annotation} mène au GitLab ${host}, qui n’est pas configuré\u00a0; corrigez l’annotation, ou demandez à l’administrateur du portail de l’ajouter.`,
    ProjectNotFound: ({ annotation, project, host }) =>
      `L’annotation ${annotation} nomme le projet ${project}, que GitLab ${host} n’a pas ou ne montre pas au portail\u00a0; corrigez l’annotation, ou demandez l’accès à qui gère le jeton du portail.`,
    ProjectClaimedFromElsewhere: ({ annotation, project }) =>
      `L’annotation ${annotation} nomme le projet ${project}, qui est dans un autre groupe que le fichier de l’entité, et ses environnements ne sont donc pas montrés\u00a0; l’administrateur du portail peut l’autoriser dans previews.catalog.allow.`,
    ApplicationSetNotFound: ({ annotation, applicationSet }) =>
      `L’annotation ${annotation} nomme l’ApplicationSet ${applicationSet}, qui n’est dans aucun cluster lu par le portail\u00a0; le responsable de l’entité peut la corriger.`,
  },
  sourceErrors: {
    Unreachable: (params, format) =>
      `${nameOf(params.source)} est injoignable${since(
        format,
        params.since,
      )}${inParentheses(params.subject)}\u00a0; ${retry(
        format,
        params.retryAt,
      )}.`,
    TimedOut: (params, format) =>
      `${nameOf(params.source)} ne répond pas à temps${since(
        format,
        params.since,
      )}${inParentheses(params.subject)}\u00a0; ${retry(
        format,
        params.retryAt,
      )}.`,
    RateLimited: (params, format) =>
      `${nameOf(params.source)} limite les appels du portail${since(
        format,
        params.since,
      )}${inParentheses(params.subject)}\u00a0; ${retry(
        format,
        params.retryAt,
      )}.`,
    TokenInvalid: ({ source, since: start }, format) =>
      `${nameOf(source)} n’accepte pas le jeton du portail${since(
        format,
        start,
      )}\u00a0; l’administrateur du portail doit en mettre un valide.`,
    TokenExpired: ({ source, since: start }, format) =>
      `${nameOf(source)} refuse le jeton du portail, qui a expiré${since(
        format,
        start,
      )}\u00a0; l’administrateur du portail doit le renouveler.`,
    TokenRevoked: ({ source, since: start }, format) =>
      `${nameOf(source)} refuse le jeton du portail, qui est révoqué${since(
        format,
        start,
      )}\u00a0; l’administrateur du portail doit en mettre un nouveau.`,
    ScopeMissing: ({ source, subject }) =>
      `${nameOf(
        source,
      )} demande une portée qui manque au jeton du portail${inParentheses(
        subject,
      )}\u00a0; l’administrateur du portail doit en mettre un avec read_api.`,
    Forbidden: ({ source, subject, since: start }, format) =>
      `${nameOf(source)} ne laisse pas le portail lire ${
        subject ?? 'ce qu’il lui faut'
      }${since(format, start)}\u00a0; qui en gère les accès peut l’autoriser.`,
    NotFound: ({ source, subject, since: start }, format) =>
      `${nameOf(source)} ne montre pas ${
        subject ?? 'ce qui est demandé'
      } au portail${since(
        format,
        start,
      )}\u00a0; cela n’y existe pas, ou le portail ne peut pas le voir.`,
    ServerError: (params, format) =>
      `${nameOf(params.source)} répond par une erreur interne${since(
        format,
        params.since,
      )}${inParentheses(params.subject)}\u00a0; ${retry(
        format,
        params.retryAt,
      )}.`,
    UnexpectedAnswer: ({ source, subject, since: start }, format) =>
      `${nameOf(
        source,
      )} répond par quelque chose que le portail ne comprend pas${since(
        format,
        start,
      )}${inParentheses(
        subject,
      )}\u00a0; l’administrateur du portail peut en vérifier l’adresse et la version.`,
    NotConfigured: ({ source, subject }) =>
      `${nameOf(source)} n’est pas entièrement configuré${inParentheses(
        subject,
      )}\u00a0; l’administrateur du portail doit compléter la configuration.`,
  },
  sourceNotes: {
    TokenCanWrite: ({ source }) =>
      `Le jeton du portail pour ${source.name} peut faire plus que lire\u00a0; un jeton de portée read_api suffit.`,
    TokenExpiresSoon: ({ source, expiresOn }, format) =>
      `Le jeton du portail pour ${source.name} expire le ${format.date(
        expiresOn,
      )}\u00a0; l’administrateur du portail doit le renouveler avant.`,
    TokenOfIntegrations: ({ source }) =>
      `Pour ${source.name}, le jeton d’integrations.gitlab est utilisé, qui peut souvent faire plus que lire\u00a0; previews.gitlab[].token en accepte un à part.`,
    ApprovalsRefused: ({ source, projects }, format) =>
      `${source.name} ne donne pas les approbations ${format.plural(projects, {
        one: `d’${format.number(projects)} projet`,
        other: `de ${format.number(projects)} projets`,
      })}\u00a0; le délai de revue ne les compte pas.`,
    NoToken: ({ source }) =>
      `Il n’y a pas de jeton pour ${source.name}\u00a0; seuls les projets publics peuvent être lus.`,
  },
  events: {
    HeadChanged: ({ commit }, format) =>
      `Le dernier commit de la demande de fusion est maintenant ${format.shortSha(
        commit,
      )}.`,
    ApplicationRecreated: ({ application }) =>
      `L’Application ${application} a été recréée.`,
    Approved: ({ at }, format) =>
      `La demande de fusion a été approuvée pour la première fois (${format.time(
        at,
      )}).`,
    ApprovalsGone: () =>
      'La demande de fusion n’a plus aucune approbation en vigueur.',
    PhaseReached: ({ phase }) => `La phase de l’environnement est ${phase}.`,
  },
  findings: frenchFindings({ stateOf }),
};
