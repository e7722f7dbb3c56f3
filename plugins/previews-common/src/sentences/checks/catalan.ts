import { CheckCatalogue } from './types';

/** The Catalan sentences of the readiness checks. */
export const catalanChecks: CheckCatalogue = {
  language: 'ca',
  checks: {
    FinalizerMissing: {
      problem: ({ object }) =>
        `${object} té finalizers sense resources-finalizer.argocd.argoproj.io, i en esborrar una Application queda tot el que havia desplegat.`,
      fix: 'Afegiu resources-finalizer.argocd.argoproj.io als finalizers de la plantilla.',
    },
    FinalizerImplicit: {
      problem: ({ object }) =>
        `${object} no anomena cap finalizer i confia en el que afegeix Argo CD, que desapareix quan algú n’hi posa un altre.`,
      fix: 'Escriviu resources-finalizer.argocd.argoproj.io a la plantilla.',
    },
    ResourcesPreserved: {
      problem: ({ object }) =>
        `${object} conserva el que ha desplegat quan s’esborra l’Application, i cada sol·licitud de fusió tancada deixa el seu entorn.`,
      fix: 'Traieu preserveResourcesOnDeletion.',
    },
    NamespaceCreatedBySync: {
      problem: ({ object }) =>
        `${object} fa crear l’espai de noms amb CreateNamespace=true, que Argo CD ni segueix ni esborra.`,
      fix: 'Genereu el Namespace amb el chart o l’overlay i traieu CreateNamespace=true.',
    },
    NamespaceNotRendered: {
      problem: ({ object, namespace }) =>
        `${object} va a l’espai de noms ${namespace}, que no és entre el que es genera: o ningú no el crea o ningú no l’esborra.`,
      fix: 'Genereu el Namespace amb el chart o l’overlay, perquè sigui d’Argo CD.',
    },
    StateUnset: {
      problem: ({ object }) =>
        `${object} agafa sol·licituds de fusió en qualsevol estat, i les fusionades i tancades conserven l’entorn.`,
      fix: 'Poseu pullRequestState: opened al generador.',
    },
    StateNotOpened: {
      problem: ({ object, state }) =>
        `${object} agafa sol·licituds de fusió en estat ${state}, i per tant cap de les que es revisen.`,
      fix: 'Poseu pullRequestState: opened al generador.',
    },
    ProjectByPath: {
      problem: ({ object, project }) =>
        `${object} anomena el projecte com a ${project}, que mai no és igual al número que porten els webhooks, i cada canvi espera la consulta següent.`,
      fix: 'Escriviu l’identificador numèric del projecte.',
    },
    SevenCharacterTag: {
      problem: ({ object }) =>
        `${object} demana una etiqueta de set caràcters (head_short_sha_7) i CI_COMMIT_SHORT_SHA en té vuit: la imatge no es troba mai.`,
      fix: 'Feu servir head_short_sha, que té vuit caràcters.',
    },
    TagWithoutCommit: {
      problem: ({ object, name }) =>
        `${object} posa a ${name} un valor que no canvia amb l’últim commit, i el que es puja no es desplega.`,
      fix: 'Feu servir head_short_sha com a etiqueta.',
    },
    MissingKeyTolerated: {
      problem: ({ object }) =>
        `${object} té plantilles de Go sense missingkey=error, i un error d’escriptura acaba com a «<no value>» dins d’un nom en lloc de donar un error.`,
      fix: 'Poseu goTemplateOptions: ["missingkey=error"].',
    },
    TemplateKeyUnknown: {
      problem: ({ object, keys }, format) =>
        `${object} fa servir ${format.list(
          keys,
        )} a la plantilla, que el seu generador no dona.`,
      fix: 'Feu servir els paràmetres del generador amb la sintaxi que tria goTemplate: {{ .number }} amb ell, {{number}} sense.',
    },
    RequeueUnset: {
      problem: ({ object }) =>
        `${object} no diu requeueAfterSeconds, i el que anunciava un webhook perdut es nota fins a 30 minuts després.`,
      fix: 'Poseu requeueAfterSeconds: 60 al generador.',
    },
    RequeueLong: {
      problem: ({ object, seconds }, format) =>
        `${object} pregunta a GitLab cada ${format.duration(
          seconds,
        )}, i el que anunciava un webhook perdut s’espera el mateix temps.`,
      fix: 'Poseu requeueAfterSeconds: 60 al generador.',
    },
    AutomatedSyncOff: {
      problem: ({ object }) =>
        `${object} no se sincronitza tot sol: els entorns es generen i no es despleguen mai.`,
      fix: 'Poseu syncPolicy.automated amb prune i selfHeal.',
    },
    PruneOff: {
      problem: ({ object }) =>
        `${object} no poda, i el que un canvi treu continua en marxa.`,
      fix: 'Poseu syncPolicy.automated.prune: true.',
    },
    SelfHealOff: {
      problem: ({ object }) =>
        `${object} no es repara tot sol, i el que es canvia a mà queda diferent de git.`,
      fix: 'Poseu syncPolicy.automated.selfHeal: true.',
    },
    LostRepositoryDeletesAll: {
      problem: ({ object }) =>
        `${object} continua quan GitLab respon 404, cosa que també fa quan el testimoni perd l’accés: tots els entorns s’esborren de cop.`,
      fix: 'Traieu continueOnRepoNotFoundError.',
    },
    JoinLabelsMissing: {
      problem: ({ object, labels }, format) =>
        `${object} no etiqueta les Applications amb ${format.list(
          labels,
        )}, i el portal només en troba les sol·licituds de fusió pel nom.`,
      fix: 'Afegiu les etiquetes previews/project-id i previews/merge-request a la plantilla.',
    },
    WebhookNotSeen: {
      problem: ({ object }) =>
        `No s’ha vist cap webhook del projecte de ${object}, i cada canvi espera la consulta següent.`,
      fix: 'Afegiu un webhook de sol·licituds de fusió cap al controlador d’ApplicationSets i un altre cap al portal.',
    },
    NameWithoutMergeRequest: {
      problem: ({ object }) =>
        `${object} anomena les Applications sense el número de la sol·licitud de fusió, i dues poden tenir el mateix nom.`,
      fix: 'Poseu l’identificador del projecte i el número al nom, com a preview-mr-<project id>-{{ .number }}.',
    },
    NameWithoutProject: {
      problem: ({ object }) =>
        `${object} anomena les Applications sense el projecte, i una sol·licitud de fusió d’un altre projecte amb el mateix número té el mateix nom.`,
      fix: 'Poseu l’identificador del projecte al nom, com a preview-mr-<project id>-{{ .number }}.',
    },
    NamespaceShared: {
      problem: ({ object, namespace }) =>
        `${object} posa diversos entorns a l’espai de noms ${namespace}, on es trepitgen i cap no es pot esborrar sencer.`,
      fix: 'Doneu a cada entorn un espai de noms propi, com a preview-mr-<project id>-{{ .number }}.',
    },
    NamespaceWithoutProject: {
      problem: ({ object, namespace }) =>
        `${object} té l’espai de noms ${namespace}, que també rep la sol·licitud de fusió d’un altre projecte amb el mateix número.`,
      fix: 'Poseu l’identificador del projecte a l’espai de noms, com a preview-mr-<project id>-{{ .number }}.',
    },
    NamesCollide: {
      problem: ({ object, others }, format) =>
        `${object} dona els mateixos noms que ${format.list(
          others,
        )}, i només un té els seus entorns.`,
      fix: 'Poseu l’identificador de cada projecte als noms del seu conjunt.',
    },
    BranchUnslugged: {
      problem: ({ object, name }) =>
        `${object} posa una branca tal com és a ${name}, on no s’admeten barres, guions baixos ni majúscules.`,
      fix: 'Feu servir number, o branch_slug on la branca s’hagi de poder llegir.',
    },
    NameTooLong: {
      problem: ({ object, name, length, limit }, format) =>
        `${object} pot donar a ${name} ${format.number(
          length,
        )} caràcters, i se n’admeten ${format.number(limit)}.`,
      fix: 'Escurceu la part fixa i feu servir number en lloc de la branca.',
    },
    DefaultProject: {
      problem: ({ object }) =>
        `${object} posa els entorns a l’AppProject default, que normalment admet tots els espais de noms de tots els clústers.`,
      fix: 'Doneu als entorns un AppProject propi que només admeti els seus espais de noms.',
    },
    ProjectDestinationsOpen: {
      problem: ({ object }) =>
        `${object} admet qualsevol espai de noms o qualsevol clúster, i una plantilla equivocada arriba a dev i a prod.`,
      fix: 'Admeteu un sol clúster i només preview-mr-<project id>-*.',
    },
    ProjectSourcesOpen: {
      problem: ({ object }) =>
        `${object} admet qualsevol repositori, i s’hi poden desplegar manifests de qualsevol.`,
      fix: 'Llisteu els repositoris des d’on es desplega.',
    },
    ProjectKindsOpen: {
      problem: ({ object }) =>
        `${object} admet tots els tipus d’objecte de l’àmbit del clúster, rols inclosos.`,
      fix: 'Admeteu només els tipus que es generen, com ara Namespace.',
    },
    ProjectReachesOthers: {
      problem: ({ object, destination }) =>
        `${object} admet ${destination}, que també són els entorns d’altres serveis.`,
      fix: 'Admeteu només preview-mr-<project id>-*, amb un AppProject per servei.',
    },
    ResourceKept: {
      problem: ({ object, annotation }) =>
        `${object} té ${annotation}, que el fa quedar quan s’esborra l’entorn.`,
      fix: 'Traieu l’anotació en els entorns de previsualització.',
    },
    StorageRetained: {
      problem: ({ object, storage }) =>
        `${object} és a ${storage}, que reté els volums: cada entorn en deixa un que continua costant.`,
      fix: 'Feu servir una classe d’emmagatzematge amb reclaimPolicy: Delete per als entorns.',
    },
    StaticAwsKey: {
      problem: ({ object }) =>
        `${object} s’identifica a AWS amb una clau desada, que no caduca i que pot llegir tothom que llegeixi el Secret.`,
      fix: 'Doneu-li un rol amb el compte de servei de cert-manager (auth.kubernetes.serviceAccountRef) i esborreu la clau.',
    },
    WildcardByHttp01: {
      problem: ({ object, host }) =>
        `${object} demana ${host} i el seu emissor només té HTTP-01, que no demostra cap comodí.`,
      fix: 'Afegiu un solver dns01 a l’emissor.',
    },
    DnsPolicyOpen: {
      problem: ({ object }) =>
        `${object} deixa escriure més registres que els reptes d’una zona.`,
      fix: 'Limiteu route53:ChangeResourceRecordSets a la zona i, amb una condició, als registres TXT de noms _acme-challenge.',
    },
    RoleTrustOpen: {
      problem: ({ object }) =>
        `${object} no fixa l’audiència i el subjecte del testimoni, i altres comptes de servei poden prendre el rol.`,
      fix: 'Exigiu l’audiència sts.amazonaws.com i el subjecte del compte de servei de cert-manager.',
    },
    KanikoRetired: {
      problem: ({ object }) =>
        `${object} construeix amb Kaniko, que té el repositori arxivat i les imatges sense correccions.`,
      fix: 'Construïu amb BuildKit sense root.',
    },
    PrivilegedBuild: {
      problem: ({ object }) =>
        `${object} construeix amb Docker dins de Docker, que vol un runner privilegiat: qui pot canviar la pipeline té el node.`,
      fix: 'Construïu amb BuildKit sense root.',
    },
    MergedResultsTag: {
      problem: ({ object }) =>
        `${object} etiqueta la imatge amb el commit de la pipeline, que en les de resultats fusionats és un commit intern i mai el que Argo CD espera.`,
      fix: 'Agafeu els vuit primers caràcters de ${CI_MERGE_REQUEST_SOURCE_BRANCH_SHA:-$CI_COMMIT_SHA}.',
    },
    ClusterAccessFromCi: {
      problem: ({ object }) =>
        `${object} desplega al clúster, i cada pipeline en té una clau.`,
      fix: 'Feu que la pipeline només pugi la imatge i que desplegui Argo CD.',
    },
    TokenInPlainText: {
      problem: ({ object }) =>
        `${object} conté un testimoni o una clau que pot llegir tothom que hi tingui accés.`,
      fix: 'Revoqueu-lo i feu referència a un Secret que ompli un ExternalSecret.',
    },
    BranchUnprotected: {
      problem: ({ object, branch }) =>
        `${object} deixa canviar ${branch}, des d’on es desplega, sense sol·licitud de fusió o sense cap Maintainer.`,
      fix: 'Protegiu la branca: pujar-hi ningú, fusionar-hi Maintainers.',
    },
    TagsUnprotected: {
      problem: ({ object }) =>
        `${object} deixa crear una etiqueta de versió a tothom que hi pot pujar.`,
      fix: 'Protegiu les etiquetes v*: només les creen Maintainers.',
    },
    OriginsDisagree: {
      problem: ({ object, origins }, format) =>
        `${object} i el seu voltant anomenen orígens diferents (${format.list(
          origins,
        )}), cosa que només es veu com una petició refusada al navegador.`,
      fix: 'Traieu l’origen de la imatge, del chart i de la regla del bucket d’una sola entrada de la construcció.',
    },
    IngressNginxRetired: {
      problem: ({ object }) =>
        `${object} depèn d’ingress-nginx, que no té manteniment des del març del 2026.`,
      fix: 'Passeu a la Gateway API amb un HTTPRoute per a cada entorn.',
    },
    GatewayAdmitsAll: {
      problem: ({ object }) =>
        `${object} admet rutes de qualsevol espai de noms, i qualsevol d’ells pot agafar qualsevol host.`,
      fix: 'Poseu a allowedRoutes.namespaces un selector on només encaixin els espais de noms dels entorns.',
    },
    LoadBalancerInPreview: {
      problem: ({ object }) =>
        `${object} demana un balancejador per a un sol entorn, que costa mentre existeix.`,
      fix: 'Feu servir type: ClusterIP i una ruta al Gateway compartit.',
    },
    LoadBalancerHidesClients: {
      problem: ({ object }) =>
        `${object} és un balancejador sense externalTrafficPolicy: Local, i es perden les adreces dels clients.`,
      fix: 'Poseu externalTrafficPolicy: Local.',
    },
    SecretInServedNamespace: {
      problem: ({ object, namespace }) =>
        `${object} és a ${namespace}, on l’entrada de la xarxa pot llegir tots els Secrets.`,
      fix: 'Deixeu-lo a l’espai de noms de les càrregues; on hi ha rutes només hi pot haver una clau per baixar imatges.',
    },
    SecretInGit: {
      problem: ({ object }) =>
        `${object} té els valors en un fitxer, on els pot llegir tothom que llegeixi el repositori.`,
      fix: 'Canvieu els valors i feu servir un ExternalSecret o un Secret segellat.',
    },
    ImageTagMutable: {
      problem: ({ object, image }) =>
        `${object} executa ${image}, que demà pot ser una altra imatge.`,
      fix: 'Poseu una etiqueta que no es mogui mai, o un digest.',
    },
    ImageWithoutDigest: {
      problem: ({ object, image }) =>
        `${object} executa ${image} sense digest, i si l’etiqueta es mou no es desplega el que s’havia revisat.`,
      fix: 'Afegiu el digest que dona la construcció.',
    },
    PreviewTagForeign: {
      problem: ({ object, image }) =>
        `${object} executa ${image}, que no té com a etiqueta un SHA curt de vuit caràcters, i no se sap de quin commit és.`,
      fix: 'Feu servir head_short_sha com a etiqueta.',
    },
    EnvironmentTagForeign: {
      problem: ({ object, image, environment }) =>
        `${object} executa ${image}, que no té a l’etiqueta l’entorn ${environment} per al qual es va construir.`,
      fix: 'Construïu la imatge per al seu entorn i poseu-ne el nom a l’etiqueta.',
    },
    ReadinessProbeMissing: {
      problem: ({ object, containers }, format) =>
        `${object} no té readinessProbe a ${format.list(
          containers,
        )}, i el trànsit arriba abans que s’hi pugui respondre.`,
      fix: 'Afegiu una readinessProbe.',
    },
    DisruptionBudgetMissing: {
      problem: ({ object }) =>
        `${object} no té cap PodDisruptionBudget, i en refer els nodes es poden aturar tots els pods alhora.`,
      fix: 'Afegiu un PodDisruptionBudget amb minAvailable: 1.',
    },
    SingleReplica: {
      problem: ({ object, replicas }, format) =>
        `${object} té ${format.number(replicas)} ${format.plural(replicas, {
          one: 'rèplica',
          other: 'rèpliques',
        })}, i cau cada vegada que es mou un pod.`,
      fix: 'Feu anar almenys dues rèpliques fora dels entorns de previsualització.',
    },
    RootFileSystemWritable: {
      problem: ({ object, containers }, format) =>
        `${object} deixa escriure ${format.list(
          containers,
        )} al sistema de fitxers arrel.`,
      fix: 'Poseu readOnlyRootFilesystem: true i munteu un emptyDir on escriu.',
    },
    RunsAsRoot: {
      problem: ({ object, containers }, format) =>
        `${object} deixa executar ${format.list(containers)} com a root.`,
      fix: 'Poseu runAsNonRoot: true.',
    },
    PrivilegedContainer: {
      problem: ({ object, containers }, format) =>
        `${object} executa ${format.list(
          containers,
        )} amb privilegis, amb els drets del node.`,
      fix: 'Traieu privileged: true.',
    },
    ResourcesMissing: {
      problem: ({ object, containers }, format) =>
        `${object} no diu quins recursos calen per a ${format.list(
          containers,
        )}: pot deixar els veïns sense recursos i no se’n sap el cost.`,
      fix: 'Poseu requests de cpu i memory, i un limit de memory.',
    },
    ServiceAccountTokenMounted: {
      problem: ({ object }) =>
        `${object} dona als pods un testimoni del clúster.`,
      fix: 'Poseu automountServiceAccountToken: false.',
    },
    NetworkPolicyMissing: {
      problem: ({ object }) =>
        `${object} és a l’abast de tots els pods del clúster.`,
      fix: 'Afegiu una NetworkPolicy que només admeti l’entrada de la xarxa.',
    },
    NetworkPolicyOpen: {
      problem: ({ object }) => `${object} admet tothom.`,
      fix: 'Admeteu només l’espai de noms de l’entrada de la xarxa.',
    },
    TwoOwners: {
      problem: ({ object, managers }, format) =>
        `${object} és escrit per ${format.list(
          managers,
        )}, que es desfan els canvis l’un a l’altre.`,
      fix: 'Que Terraform o OpenTofu tingui el que és fora del clúster i Argo CD el que hi ha dins.',
    },
  },
};
