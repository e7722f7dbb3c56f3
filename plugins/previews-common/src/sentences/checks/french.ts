import { CheckCatalogue } from './types';

/** The French sentences of the readiness checks. */
export const frenchChecks: CheckCatalogue = {
  language: 'fr',
  checks: {
    FinalizerMissing: {
      problem: ({ object }) =>
        `${object} a des finalizers sans resources-finalizer.argocd.argoproj.io, et supprimer une Application laisse tout ce qu’elle a déployé.`,
      fix: 'Ajoutez resources-finalizer.argocd.argoproj.io aux finalizers du modèle.',
    },
    FinalizerImplicit: {
      problem: ({ object }) =>
        `${object} ne nomme aucun finalizer et compte sur celui qu’ajoute Argo CD, qui disparaît dès que quelqu’un en met un autre.`,
      fix: 'Écrivez resources-finalizer.argocd.argoproj.io dans le modèle.',
    },
    ResourcesPreserved: {
      problem: ({ object }) =>
        `${object} garde ce qu’il a déployé quand son Application est supprimée, et chaque demande de fusion fermée laisse son environnement.`,
      fix: 'Retirez preserveResourcesOnDeletion.',
    },
    NamespaceCreatedBySync: {
      problem: ({ object }) =>
        `${object} fait créer son espace de noms par CreateNamespace=true, qu’Argo CD ne suit ni ne supprime.`,
      fix: 'Faites produire le Namespace par le chart ou l’overlay, et retirez CreateNamespace=true.',
    },
    NamespaceNotRendered: {
      problem: ({ object, namespace }) =>
        `${object} va dans l’espace de noms ${namespace}, absent de ce qui est rendu\u00a0: personne ne le crée, ou personne ne le supprime.`,
      fix: 'Faites produire le Namespace par le chart ou l’overlay, pour qu’il appartienne à Argo CD.',
    },
    StateUnset: {
      problem: ({ object }) =>
        `${object} prend les demandes de fusion dans n’importe quel état, et celles qui sont fusionnées ou fermées gardent leur environnement.`,
      fix: 'Mettez pullRequestState: opened dans le générateur.',
    },
    StateNotOpened: {
      problem: ({ object, state }) =>
        `${object} prend les demandes de fusion dans l’état ${state}, donc aucune de celles qui sont en revue.`,
      fix: 'Mettez pullRequestState: opened dans le générateur.',
    },
    ProjectByPath: {
      problem: ({ object, project }) =>
        `${object} nomme son projet ${project}, qui n’est jamais égal au numéro que portent les webhooks, et chaque changement attend l’interrogation suivante.`,
      fix: 'Écrivez l’identifiant numérique du projet.',
    },
    SevenCharacterTag: {
      problem: ({ object }) =>
        `${object} demande un tag de sept caractères (head_short_sha_7) alors que CI_COMMIT_SHORT_SHA en a huit\u00a0: l’image n’est jamais trouvée.`,
      fix: 'Utilisez head_short_sha, qui a huit caractères.',
    },
    TagWithoutCommit: {
      problem: ({ object, name }) =>
        `${object} donne à ${name} une valeur qui ne change pas avec le dernier commit, et ce qui est poussé n’est pas déployé.`,
      fix: 'Utilisez head_short_sha comme tag.',
    },
    MissingKeyTolerated: {
      problem: ({ object }) =>
        `${object} a des modèles Go sans missingkey=error, et une faute de frappe devient «\u00a0<no value>\u00a0» dans un nom au lieu d’une erreur.`,
      fix: 'Mettez goTemplateOptions: ["missingkey=error"].',
    },
    TemplateKeyUnknown: {
      problem: ({ object, keys }, format) =>
        `${object} utilise dans son modèle ${format.list(
          keys,
        )}, que son générateur ne donne pas.`,
      fix: 'Utilisez les paramètres du générateur dans la syntaxe que choisit goTemplate\u00a0: {{ .number }} avec lui, {{number}} sans lui.',
    },
    RequeueUnset: {
      problem: ({ object }) =>
        `${object} n’indique pas requeueAfterSeconds, et ce qu’annonçait un webhook perdu se remarque jusqu’à 30 minutes plus tard.`,
      fix: 'Mettez requeueAfterSeconds: 60 dans le générateur.',
    },
    RequeueLong: {
      problem: ({ object, seconds }, format) =>
        `${object} interroge GitLab toutes les ${format.duration(
          seconds,
        )}, et ce qu’annonçait un webhook perdu attend aussi longtemps.`,
      fix: 'Mettez requeueAfterSeconds: 60 dans le générateur.',
    },
    AutomatedSyncOff: {
      problem: ({ object }) =>
        `${object} ne se synchronise pas tout seul\u00a0: les environnements sont générés et jamais déployés.`,
      fix: 'Mettez syncPolicy.automated avec prune et selfHeal.',
    },
    PruneOff: {
      problem: ({ object }) =>
        `${object} n’élague pas, et ce qu’un changement enlève continue de tourner.`,
      fix: 'Mettez syncPolicy.automated.prune: true.',
    },
    SelfHealOff: {
      problem: ({ object }) =>
        `${object} ne se répare pas tout seul, et ce qui est changé à la main reste différent de git.`,
      fix: 'Mettez syncPolicy.automated.selfHeal: true.',
    },
    LostRepositoryDeletesAll: {
      problem: ({ object }) =>
        `${object} continue quand GitLab répond 404, ce qu’il fait aussi quand le jeton perd son accès\u00a0: tous les environnements sont supprimés d’un coup.`,
      fix: 'Retirez continueOnRepoNotFoundError.',
    },
    JoinLabelsMissing: {
      problem: ({ object, labels }, format) =>
        `${object} ne donne pas à ses Applications les étiquettes ${format.list(
          labels,
        )}, et le portail ne trouve leurs demandes de fusion que par leur nom.`,
      fix: 'Ajoutez les étiquettes previews/project-id et previews/merge-request au modèle.',
    },
    WebhookNotSeen: {
      problem: ({ object }) =>
        `Aucun webhook du projet de ${object} n’a été vu, et chaque changement attend l’interrogation suivante.`,
      fix: 'Ajoutez un webhook de demandes de fusion vers le contrôleur d’ApplicationSets et un autre vers le portail.',
    },
    NameWithoutMergeRequest: {
      problem: ({ object }) =>
        `${object} nomme ses Applications sans le numéro de la demande de fusion, et deux d’entre elles peuvent avoir le même nom.`,
      fix: 'Mettez l’identifiant du projet et le numéro dans le nom, comme preview-mr-<project id>-{{ .number }}.',
    },
    NameWithoutProject: {
      problem: ({ object }) =>
        `${object} nomme ses Applications sans leur projet, et la demande de fusion de même numéro d’un autre projet a le même nom.`,
      fix: 'Mettez l’identifiant du projet dans le nom, comme preview-mr-<project id>-{{ .number }}.',
    },
    NamespaceShared: {
      problem: ({ object, namespace }) =>
        `${object} met plusieurs environnements dans l’espace de noms ${namespace}, où ils s’écrasent et dont aucun ne peut être supprimé entier.`,
      fix: 'Donnez à chaque environnement son propre espace de noms, comme preview-mr-<project id>-{{ .number }}.',
    },
    NamespaceWithoutProject: {
      problem: ({ object, namespace }) =>
        `${object} a l’espace de noms ${namespace}, que reçoit aussi la demande de fusion de même numéro d’un autre projet.`,
      fix: 'Mettez l’identifiant du projet dans l’espace de noms, comme preview-mr-<project id>-{{ .number }}.',
    },
    NamesCollide: {
      problem: ({ object, others }, format) =>
        `${object} donne les mêmes noms que ${format.list(
          others,
        )}, et un seul obtient ses environnements.`,
      fix: 'Mettez l’identifiant de chaque projet dans les noms de son ensemble.',
    },
    BranchUnslugged: {
      problem: ({ object, name }) =>
        `${object} met une branche telle quelle dans ${name}, où les barres obliques, les tirets bas et les majuscules sont interdits.`,
      fix: 'Utilisez number, ou branch_slug là où la branche doit être lisible.',
    },
    NameTooLong: {
      problem: ({ object, name, length, limit }, format) =>
        `${object} peut donner à ${name} ${format.number(
          length,
        )} caractères, alors que ${format.number(limit)} sont permis.`,
      fix: 'Raccourcissez la partie fixe et utilisez number au lieu de la branche.',
    },
    DefaultProject: {
      problem: ({ object }) =>
        `${object} met les environnements dans l’AppProject default, qui admet en général tous les espaces de noms de tous les clusters.`,
      fix: 'Donnez aux environnements leur propre AppProject, qui n’admet que leurs espaces de noms.',
    },
    ProjectDestinationsOpen: {
      problem: ({ object }) =>
        `${object} admet n’importe quel espace de noms ou n’importe quel cluster, et un modèle faux atteint dev et prod.`,
      fix: 'N’admettez qu’un cluster et que preview-mr-<project id>-*.',
    },
    ProjectSourcesOpen: {
      problem: ({ object }) =>
        `${object} admet n’importe quel dépôt, et les manifestes de n’importe qui peuvent être déployés.`,
      fix: 'Énumérez les dépôts depuis lesquels on déploie.',
    },
    ProjectKindsOpen: {
      problem: ({ object }) =>
        `${object} admet tous les types d’objet de la portée du cluster, rôles compris.`,
      fix: 'N’admettez que les types qui sont rendus, comme Namespace.',
    },
    ProjectReachesOthers: {
      problem: ({ object, destination }) =>
        `${object} admet ${destination}, qui sont aussi les environnements d’autres services.`,
      fix: 'N’admettez que preview-mr-<project id>-*, avec un AppProject par service.',
    },
    ResourceKept: {
      problem: ({ object, annotation }) =>
        `${object} porte ${annotation}, qui le fait rester quand son environnement est supprimé.`,
      fix: 'Retirez l’annotation dans les environnements de prévisualisation.',
    },
    StorageRetained: {
      problem: ({ object, storage }) =>
        `${object} est sur ${storage}, qui retient les volumes\u00a0: chaque environnement en laisse un qui continue de coûter.`,
      fix: 'Utilisez pour les environnements une classe de stockage avec reclaimPolicy: Delete.',
    },
    StaticAwsKey: {
      problem: ({ object }) =>
        `${object} s’identifie auprès d’AWS avec une clé enregistrée, qui n’expire pas et que peut lire quiconque lit le Secret.`,
      fix: 'Donnez-lui un rôle par le compte de service de cert-manager (auth.kubernetes.serviceAccountRef), et supprimez la clé.',
    },
    WildcardByHttp01: {
      problem: ({ object, host }) =>
        `${object} demande ${host}, et son émetteur n’a que HTTP-01, qui ne prouve aucun certificat générique.`,
      fix: 'Ajoutez un solver dns01 à l’émetteur.',
    },
    DnsPolicyOpen: {
      problem: ({ object }) =>
        `${object} laisse écrire plus d’enregistrements que les défis d’une zone.`,
      fix: 'Limitez route53:ChangeResourceRecordSets à la zone et, par une condition, aux enregistrements TXT des noms _acme-challenge.',
    },
    RoleTrustOpen: {
      problem: ({ object }) =>
        `${object} ne fixe pas l’audience et le sujet du jeton, et d’autres comptes de service peuvent prendre le rôle.`,
      fix: 'Exigez l’audience sts.amazonaws.com et le sujet du compte de service de cert-manager.',
    },
    KanikoRetired: {
      problem: ({ object }) =>
        `${object} construit avec Kaniko, dont le dépôt est archivé et dont les images ne reçoivent plus de corrections.`,
      fix: 'Construisez avec BuildKit sans root.',
    },
    PrivilegedBuild: {
      problem: ({ object }) =>
        `${object} construit avec Docker dans Docker, qui exige un runner privilégié\u00a0: qui peut changer le pipeline tient le nœud.`,
      fix: 'Construisez avec BuildKit sans root.',
    },
    MergedResultsTag: {
      problem: ({ object }) =>
        `${object} nomme l’image d’après le commit du pipeline, qui dans les pipelines de résultats fusionnés est un commit interne et jamais celui qu’attend Argo CD.`,
      fix: 'Prenez les huit premiers caractères de ${CI_MERGE_REQUEST_SOURCE_BRANCH_SHA:-$CI_COMMIT_SHA}.',
    },
    ClusterAccessFromCi: {
      problem: ({ object }) =>
        `${object} déploie dans le cluster, et chaque pipeline en détient une clé.`,
      fix: 'Laissez le pipeline pousser l’image seulement, et Argo CD déployer.',
    },
    TokenInPlainText: {
      problem: ({ object }) =>
        `${object} contient un jeton ou une clé que peut lire quiconque y a accès.`,
      fix: 'Révoquez-le, et renvoyez à un Secret que remplit un ExternalSecret.',
    },
    BranchUnprotected: {
      problem: ({ object, branch }) =>
        `${object} laisse changer ${branch}, d’où l’on déploie, sans demande de fusion ou sans Maintainer.`,
      fix: 'Protégez la branche\u00a0: pousser personne, fusionner Maintainers.',
    },
    TagsUnprotected: {
      problem: ({ object }) =>
        `${object} laisse créer un tag de version à quiconque peut pousser.`,
      fix: 'Protégez les tags v*\u00a0: seuls les Maintainers les créent.',
    },
    OriginsDisagree: {
      problem: ({ object, origins }, format) =>
        `${object} et ce qui l’entoure nomment des origines différentes (${format.list(
          origins,
        )}), ce qui ne se voit que comme une requête refusée dans un navigateur.`,
      fix: 'Tirez l’origine de l’image, du chart et de la règle du bucket d’une seule entrée de build.',
    },
    IngressNginxRetired: {
      problem: ({ object }) =>
        `${object} dépend d’ingress-nginx, qui n’est plus maintenu depuis mars 2026.`,
      fix: 'Passez à la Gateway API avec une HTTPRoute par environnement.',
    },
    GatewayAdmitsAll: {
      problem: ({ object }) =>
        `${object} admet les routes de n’importe quel espace de noms, et chacun d’eux peut prendre n’importe quel hôte.`,
      fix: 'Mettez dans allowedRoutes.namespaces un sélecteur auquel seuls les espaces de noms des environnements répondent.',
    },
    LoadBalancerInPreview: {
      problem: ({ object }) =>
        `${object} commande un répartiteur de charge pour un seul environnement, qui coûte tant qu’il existe.`,
      fix: 'Utilisez type: ClusterIP et une route sur le Gateway partagé.',
    },
    LoadBalancerHidesClients: {
      problem: ({ object }) =>
        `${object} est un répartiteur de charge sans externalTrafficPolicy: Local, et les adresses des clients sont perdues.`,
      fix: 'Mettez externalTrafficPolicy: Local.',
    },
    SecretInServedNamespace: {
      problem: ({ object, namespace }) =>
        `${object} est dans ${namespace}, où la périphérie peut lire tous les Secrets.`,
      fix: 'Gardez-le dans l’espace de noms des charges\u00a0; là où sont les routes, seule une clé de pull du registre est admise.',
    },
    SecretInGit: {
      problem: ({ object }) =>
        `${object} a ses valeurs dans un fichier, où peut les lire quiconque lit le dépôt.`,
      fix: 'Remplacez les valeurs, et utilisez un ExternalSecret ou un Secret scellé.',
    },
    ImageTagMutable: {
      problem: ({ object, image }) =>
        `${object} exécute ${image}, qui peut être une autre image demain.`,
      fix: 'Nommez un tag qui n’est jamais déplacé, ou un digest.',
    },
    ImageWithoutDigest: {
      problem: ({ object, image }) =>
        `${object} exécute ${image} sans digest, et si le tag est déplacé on ne déploie pas ce qui a été relu.`,
      fix: 'Ajoutez le digest que donne le build.',
    },
    PreviewTagForeign: {
      problem: ({ object, image }) =>
        `${object} exécute ${image}, dont le tag n’est pas un SHA court de huit caractères, et nul ne sait de quel commit il s’agit.`,
      fix: 'Utilisez head_short_sha comme tag.',
    },
    EnvironmentTagForeign: {
      problem: ({ object, image, environment }) =>
        `${object} exécute ${image}, dont le tag ne nomme pas l’environnement ${environment} pour lequel elle a été construite.`,
      fix: 'Construisez l’image pour son environnement, et mettez-en le nom dans le tag.',
    },
    ReadinessProbeMissing: {
      problem: ({ object, containers }, format) =>
        `${object} n’a pas de readinessProbe dans ${format.list(
          containers,
        )}, et le trafic arrive avant que l’on puisse répondre.`,
      fix: 'Ajoutez une readinessProbe.',
    },
    DisruptionBudgetMissing: {
      problem: ({ object }) =>
        `${object} n’a pas de PodDisruptionBudget, et reconstruire les nœuds peut arrêter tous ses pods à la fois.`,
      fix: 'Ajoutez un PodDisruptionBudget avec minAvailable: 1.',
    },
    SingleReplica: {
      problem: ({ object, replicas }, format) =>
        `${object} a ${format.number(replicas)} ${format.plural(replicas, {
          one: 'réplica',
          other: 'réplicas',
        })}, et tombe chaque fois qu’un pod est déplacé.`,
      fix: 'Faites tourner au moins deux réplicas hors des environnements de prévisualisation.',
    },
    RootFileSystemWritable: {
      problem: ({ object, containers }, format) =>
        `${object} laisse ${format.list(
          containers,
        )} écrire dans le système de fichiers racine.`,
      fix: 'Mettez readOnlyRootFilesystem: true, et montez un emptyDir là où il écrit.',
    },
    RunsAsRoot: {
      problem: ({ object, containers }, format) =>
        `${object} laisse ${format.list(containers)} tourner en root.`,
      fix: 'Mettez runAsNonRoot: true.',
    },
    PrivilegedContainer: {
      problem: ({ object, containers }, format) =>
        `${object} exécute ${format.list(
          containers,
        )} avec des privilèges, avec les droits du nœud.`,
      fix: 'Retirez privileged: true.',
    },
    ResourcesMissing: {
      problem: ({ object, containers }, format) =>
        `${object} ne dit pas ce qu’il faut à ${format.list(
          containers,
        )}\u00a0: ses voisins peuvent manquer de ressources, et son coût n’est pas connu.`,
      fix: 'Mettez des requests de cpu et de memory, et une limit de memory.',
    },
    ServiceAccountTokenMounted: {
      problem: ({ object }) =>
        `${object} donne à ses pods un jeton du cluster.`,
      fix: 'Mettez automountServiceAccountToken: false.',
    },
    NetworkPolicyMissing: {
      problem: ({ object }) =>
        `${object} est à la portée de tous les pods du cluster.`,
      fix: 'Ajoutez une NetworkPolicy qui n’admet que la périphérie.',
    },
    NetworkPolicyOpen: {
      problem: ({ object }) => `${object} admet tout le monde.`,
      fix: 'N’admettez que l’espace de noms de la périphérie.',
    },
    TwoOwners: {
      problem: ({ object, managers }, format) =>
        `${object} est écrit par ${format.list(
          managers,
        )}, qui défont leurs changements l’un à l’autre.`,
      fix: 'Laissez à Terraform ou OpenTofu ce qui est hors du cluster, et à Argo CD ce qui est dedans.',
    },
  },
};
