import { CheckCatalogue } from './types';

/** The Spanish sentences of the readiness checks. */
export const spanishChecks: CheckCatalogue = {
  language: 'es',
  checks: {
    FinalizerMissing: {
      problem: ({ object }) =>
        `${object} tiene finalizers sin resources-finalizer.argocd.argoproj.io, y al borrar una Application queda todo lo que había desplegado.`,
      fix: 'Añada resources-finalizer.argocd.argoproj.io a los finalizers de la plantilla.',
    },
    FinalizerImplicit: {
      problem: ({ object }) =>
        `${object} no nombra ningún finalizer y confía en el que añade Argo CD, que desaparece en cuanto alguien pone otro.`,
      fix: 'Escriba resources-finalizer.argocd.argoproj.io en la plantilla.',
    },
    ResourcesPreserved: {
      problem: ({ object }) =>
        `${object} conserva lo que desplegó cuando se borra su Application, y cada solicitud de fusión cerrada deja su entorno.`,
      fix: 'Quite preserveResourcesOnDeletion.',
    },
    NamespaceCreatedBySync: {
      problem: ({ object }) =>
        `${object} hace crear su espacio de nombres con CreateNamespace=true, que Argo CD ni sigue ni borra.`,
      fix: 'Genere el Namespace con el chart o el overlay y quite CreateNamespace=true.',
    },
    NamespaceNotRendered: {
      problem: ({ object, namespace }) =>
        `${object} va al espacio de nombres ${namespace}, que no está entre lo que se genera: o nadie lo crea o nadie lo borra.`,
      fix: 'Genere el Namespace con el chart o el overlay, para que sea de Argo CD.',
    },
    StateUnset: {
      problem: ({ object }) =>
        `${object} toma solicitudes de fusión en cualquier estado, y las fusionadas y cerradas conservan su entorno.`,
      fix: 'Ponga pullRequestState: opened en el generador.',
    },
    StateNotOpened: {
      problem: ({ object, state }) =>
        `${object} toma solicitudes de fusión en estado ${state}, y por tanto ninguna de las que se revisan.`,
      fix: 'Ponga pullRequestState: opened en el generador.',
    },
    ProjectByPath: {
      problem: ({ object, project }) =>
        `${object} nombra su proyecto como ${project}, que nunca es igual al número que llevan los webhooks, y cada cambio espera a la siguiente consulta.`,
      fix: 'Escriba el identificador numérico del proyecto.',
    },
    SevenCharacterTag: {
      problem: ({ object }) =>
        `${object} pide una etiqueta de siete caracteres (head_short_sha_7) y CI_COMMIT_SHORT_SHA tiene ocho: la imagen no se encuentra nunca.`,
      fix: 'Use head_short_sha, que tiene ocho caracteres.',
    },
    TagWithoutCommit: {
      problem: ({ object, name }) =>
        `${object} pone en ${name} un valor que no cambia con el último commit, y lo que se sube no se despliega.`,
      fix: 'Use head_short_sha como etiqueta.',
    },
    MissingKeyTolerated: {
      problem: ({ object }) =>
        `${object} tiene plantillas de Go sin missingkey=error, y una errata acaba como «<no value>» dentro de un nombre en vez de dar un error.`,
      fix: 'Ponga goTemplateOptions: ["missingkey=error"].',
    },
    TemplateKeyUnknown: {
      problem: ({ object, keys }, format) =>
        `${object} usa ${format.list(
          keys,
        )} en su plantilla, que su generador no da.`,
      fix: 'Use los parámetros del generador con la sintaxis que elige goTemplate: {{ .number }} con él, {{number}} sin él.',
    },
    RequeueUnset: {
      problem: ({ object }) =>
        `${object} no dice requeueAfterSeconds, y lo que anunciaba un webhook perdido se nota hasta 30 minutos después.`,
      fix: 'Ponga requeueAfterSeconds: 60 en el generador.',
    },
    RequeueLong: {
      problem: ({ object, seconds }, format) =>
        `${object} pregunta a GitLab cada ${format.duration(
          seconds,
        )}, y lo que anunciaba un webhook perdido espera lo mismo.`,
      fix: 'Ponga requeueAfterSeconds: 60 en el generador.',
    },
    AutomatedSyncOff: {
      problem: ({ object }) =>
        `${object} no se sincroniza por sí solo: los entornos se generan y no se despliegan nunca.`,
      fix: 'Ponga syncPolicy.automated con prune y selfHeal.',
    },
    PruneOff: {
      problem: ({ object }) =>
        `${object} no poda, y lo que un cambio quita sigue en marcha.`,
      fix: 'Ponga syncPolicy.automated.prune: true.',
    },
    SelfHealOff: {
      problem: ({ object }) =>
        `${object} no se repara por sí solo, y lo que se cambia a mano queda distinto de git.`,
      fix: 'Ponga syncPolicy.automated.selfHeal: true.',
    },
    LostRepositoryDeletesAll: {
      problem: ({ object }) =>
        `${object} sigue adelante cuando GitLab responde 404, lo que también hace si el token pierde el acceso: todos los entornos se borran de golpe.`,
      fix: 'Quite continueOnRepoNotFoundError.',
    },
    JoinLabelsMissing: {
      problem: ({ object, labels }, format) =>
        `${object} no etiqueta sus Applications con ${format.list(
          labels,
        )}, y el portal solo encuentra sus solicitudes de fusión por el nombre.`,
      fix: 'Añada las etiquetas previews/project-id y previews/merge-request a la plantilla.',
    },
    WebhookNotSeen: {
      problem: ({ object }) =>
        `No se ha visto ningún webhook del proyecto de ${object}, y cada cambio espera a la siguiente consulta.`,
      fix: 'Añada un webhook de solicitudes de fusión al controlador de ApplicationSets y otro al portal.',
    },
    NameWithoutMergeRequest: {
      problem: ({ object }) =>
        `${object} nombra sus Applications sin el número de la solicitud de fusión, y dos pueden tener el mismo nombre.`,
      fix: 'Ponga el identificador del proyecto y el número en el nombre, como en preview-mr-<project id>-{{ .number }}.',
    },
    NameWithoutProject: {
      problem: ({ object }) =>
        `${object} nombra sus Applications sin el proyecto, y una solicitud de fusión de otro proyecto con el mismo número tiene el mismo nombre.`,
      fix: 'Ponga el identificador del proyecto en el nombre, como en preview-mr-<project id>-{{ .number }}.',
    },
    NamespaceShared: {
      problem: ({ object, namespace }) =>
        `${object} pone varios entornos en el espacio de nombres ${namespace}, donde se pisan y ninguno puede borrarse entero.`,
      fix: 'Dé a cada entorno un espacio de nombres propio, como preview-mr-<project id>-{{ .number }}.',
    },
    NamespaceWithoutProject: {
      problem: ({ object, namespace }) =>
        `${object} tiene el espacio de nombres ${namespace}, que también recibe la solicitud de fusión de otro proyecto con el mismo número.`,
      fix: 'Ponga el identificador del proyecto en el espacio de nombres, como en preview-mr-<project id>-{{ .number }}.',
    },
    NamesCollide: {
      problem: ({ object, others }, format) =>
        `${object} da los mismos nombres que ${format.list(
          others,
        )}, y solo uno tiene sus entornos.`,
      fix: 'Ponga el identificador de cada proyecto en los nombres de su conjunto.',
    },
    BranchUnslugged: {
      problem: ({ object, name }) =>
        `${object} pone una rama tal cual en ${name}, donde no se admiten barras, guiones bajos ni mayúsculas.`,
      fix: 'Use number, o branch_slug donde la rama deba poder leerse.',
    },
    NameTooLong: {
      problem: ({ object, name, length, limit }, format) =>
        `${object} puede dar a ${name} ${format.number(
          length,
        )} caracteres, y se admiten ${format.number(limit)}.`,
      fix: 'Acorte la parte fija y use number en lugar de la rama.',
    },
    DefaultProject: {
      problem: ({ object }) =>
        `${object} pone los entornos en el AppProject default, que normalmente admite todos los espacios de nombres de todos los clústeres.`,
      fix: 'Dé a los entornos un AppProject propio que solo admita sus espacios de nombres.',
    },
    ProjectDestinationsOpen: {
      problem: ({ object }) =>
        `${object} admite cualquier espacio de nombres o cualquier clúster, y una plantilla equivocada llega a dev y a prod.`,
      fix: 'Admita un solo clúster y solo preview-mr-<project id>-*.',
    },
    ProjectSourcesOpen: {
      problem: ({ object }) =>
        `${object} admite cualquier repositorio, y pueden desplegarse manifiestos de cualquiera.`,
      fix: 'Enumere los repositorios desde los que se despliega.',
    },
    ProjectKindsOpen: {
      problem: ({ object }) =>
        `${object} admite todos los tipos de objeto del ámbito del clúster, roles incluidos.`,
      fix: 'Admita solo los tipos que se generan, como Namespace.',
    },
    ProjectReachesOthers: {
      problem: ({ object, destination }) =>
        `${object} admite ${destination}, que también son los entornos de otros servicios.`,
      fix: 'Admita solo preview-mr-<project id>-*, con un AppProject por servicio.',
    },
    ResourceKept: {
      problem: ({ object, annotation }) =>
        `${object} tiene ${annotation}, que lo hace quedarse cuando se borra su entorno.`,
      fix: 'Quite la anotación en los entornos de previsualización.',
    },
    StorageRetained: {
      problem: ({ object, storage }) =>
        `${object} está en ${storage}, que retiene los volúmenes: cada entorno deja uno que sigue costando.`,
      fix: 'Use una clase de almacenamiento con reclaimPolicy: Delete para los entornos.',
    },
    StaticAwsKey: {
      problem: ({ object }) =>
        `${object} se identifica en AWS con una clave guardada, que no caduca y que puede leer quien lea el Secret.`,
      fix: 'Dele un rol con la cuenta de servicio de cert-manager (auth.kubernetes.serviceAccountRef) y borre la clave.',
    },
    WildcardByHttp01: {
      problem: ({ object, host }) =>
        `${object} pide ${host} y su emisor solo tiene HTTP-01, que no demuestra ningún comodín.`,
      fix: 'Añada un solver dns01 al emisor.',
    },
    DnsPolicyOpen: {
      problem: ({ object }) =>
        `${object} deja escribir más registros que los retos de una zona.`,
      fix: 'Limite route53:ChangeResourceRecordSets a la zona y, con una condición, a los registros TXT de nombres _acme-challenge.',
    },
    RoleTrustOpen: {
      problem: ({ object }) =>
        `${object} no fija la audiencia y el sujeto del token, y otras cuentas de servicio pueden tomar el rol.`,
      fix: 'Exija la audiencia sts.amazonaws.com y el sujeto de la cuenta de servicio de cert-manager.',
    },
    KanikoRetired: {
      problem: ({ object }) =>
        `${object} construye con Kaniko, cuyo repositorio está archivado y cuyas imágenes no reciben correcciones.`,
      fix: 'Construya con BuildKit sin root.',
    },
    PrivilegedBuild: {
      problem: ({ object }) =>
        `${object} construye con Docker dentro de Docker, que exige un runner privilegiado: quien puede cambiar el pipeline tiene el nodo.`,
      fix: 'Construya con BuildKit sin root.',
    },
    MergedResultsTag: {
      problem: ({ object }) =>
        `${object} etiqueta la imagen con el commit del pipeline, que en los de resultados fusionados es un commit interno y nunca el que espera Argo CD.`,
      fix: 'Tome los ocho primeros caracteres de ${CI_MERGE_REQUEST_SOURCE_BRANCH_SHA:-$CI_COMMIT_SHA}.',
    },
    ClusterAccessFromCi: {
      problem: ({ object }) =>
        `${object} despliega en el clúster, y cada pipeline tiene una clave de él.`,
      fix: 'Haga que el pipeline solo suba la imagen y que despliegue Argo CD.',
    },
    TokenInPlainText: {
      problem: ({ object }) =>
        `${object} contiene un token o una clave que puede leer quien tenga acceso.`,
      fix: 'Revóquelo y haga referencia a un Secret que llene un ExternalSecret.',
    },
    BranchUnprotected: {
      problem: ({ object, branch }) =>
        `${object} deja cambiar ${branch}, desde la que se despliega, sin solicitud de fusión o sin ningún Maintainer.`,
      fix: 'Proteja la rama: subir nadie, fusionar Maintainers.',
    },
    TagsUnprotected: {
      problem: ({ object }) =>
        `${object} deja crear una etiqueta de versión a quien pueda subir cambios.`,
      fix: 'Proteja las etiquetas v*: solo las crean Maintainers.',
    },
    OriginsDisagree: {
      problem: ({ object, origins }, format) =>
        `${object} y su entorno nombran orígenes distintos (${format.list(
          origins,
        )}), lo que solo se ve como una petición rechazada en el navegador.`,
      fix: 'Saque el origen de la imagen, del chart y de la regla del bucket de una sola entrada de la construcción.',
    },
    IngressNginxRetired: {
      problem: ({ object }) =>
        `${object} depende de ingress-nginx, que no tiene mantenimiento desde marzo de 2026.`,
      fix: 'Pase a la Gateway API con un HTTPRoute para cada entorno.',
    },
    GatewayAdmitsAll: {
      problem: ({ object }) =>
        `${object} admite rutas de cualquier espacio de nombres, y cualquiera de ellos puede tomar cualquier host.`,
      fix: 'Ponga en allowedRoutes.namespaces un selector en el que solo encajen los espacios de nombres de los entornos.',
    },
    LoadBalancerInPreview: {
      problem: ({ object }) =>
        `${object} pide un balanceador para un solo entorno, que cuesta mientras existe.`,
      fix: 'Use type: ClusterIP y una ruta en el Gateway compartido.',
    },
    LoadBalancerHidesClients: {
      problem: ({ object }) =>
        `${object} es un balanceador sin externalTrafficPolicy: Local, y se pierden las direcciones de los clientes.`,
      fix: 'Ponga externalTrafficPolicy: Local.',
    },
    SecretInServedNamespace: {
      problem: ({ object, namespace }) =>
        `${object} está en ${namespace}, donde la entrada de la red puede leer todos los Secrets.`,
      fix: 'Déjelo en el espacio de nombres de las cargas; donde hay rutas solo puede haber una clave para bajar imágenes.',
    },
    SecretInGit: {
      problem: ({ object }) =>
        `${object} tiene sus valores en un fichero, donde puede leerlos quien lea el repositorio.`,
      fix: 'Cambie los valores y use un ExternalSecret o un Secret sellado.',
    },
    ImageTagMutable: {
      problem: ({ object, image }) =>
        `${object} ejecuta ${image}, que mañana puede ser otra imagen.`,
      fix: 'Ponga una etiqueta que no se mueva nunca, o un digest.',
    },
    ImageWithoutDigest: {
      problem: ({ object, image }) =>
        `${object} ejecuta ${image} sin digest, y si la etiqueta se mueve no se despliega lo que se revisó.`,
      fix: 'Añada el digest que da la construcción.',
    },
    PreviewTagForeign: {
      problem: ({ object, image }) =>
        `${object} ejecuta ${image}, cuya etiqueta no es un SHA corto de ocho caracteres, y no se sabe de qué commit es.`,
      fix: 'Use head_short_sha como etiqueta.',
    },
    EnvironmentTagForeign: {
      problem: ({ object, image, environment }) =>
        `${object} ejecuta ${image}, cuya etiqueta no nombra el entorno ${environment} para el que se construyó.`,
      fix: 'Construya la imagen para su entorno y ponga su nombre en la etiqueta.',
    },
    ReadinessProbeMissing: {
      problem: ({ object, containers }, format) =>
        `${object} no tiene readinessProbe en ${format.list(
          containers,
        )}, y el tráfico llega antes de que pueda responderse.`,
      fix: 'Añada una readinessProbe.',
    },
    DisruptionBudgetMissing: {
      problem: ({ object }) =>
        `${object} no tiene PodDisruptionBudget, y al rehacer los nodos pueden pararse todos sus pods a la vez.`,
      fix: 'Añada un PodDisruptionBudget con minAvailable: 1.',
    },
    SingleReplica: {
      problem: ({ object, replicas }, format) =>
        `${object} tiene ${format.number(replicas)} ${format.plural(replicas, {
          one: 'réplica',
          other: 'réplicas',
        })}, y cae cada vez que se mueve un pod.`,
      fix: 'Ejecute al menos dos réplicas fuera de los entornos de previsualización.',
    },
    RootFileSystemWritable: {
      problem: ({ object, containers }, format) =>
        `${object} deja escribir a ${format.list(
          containers,
        )} en el sistema de ficheros raíz.`,
      fix: 'Ponga readOnlyRootFilesystem: true y monte un emptyDir donde escribe.',
    },
    RunsAsRoot: {
      problem: ({ object, containers }, format) =>
        `${object} deja ejecutar ${format.list(containers)} como root.`,
      fix: 'Ponga runAsNonRoot: true.',
    },
    PrivilegedContainer: {
      problem: ({ object, containers }, format) =>
        `${object} ejecuta ${format.list(
          containers,
        )} con privilegios, con los derechos del nodo.`,
      fix: 'Quite privileged: true.',
    },
    ResourcesMissing: {
      problem: ({ object, containers }, format) =>
        `${object} no dice qué recursos hacen falta para ${format.list(
          containers,
        )}: puede dejar sin recursos a sus vecinos y no se sabe cuánto cuesta.`,
      fix: 'Ponga requests de cpu y memory, y un limit de memory.',
    },
    ServiceAccountTokenMounted: {
      problem: ({ object }) => `${object} da a sus pods un token del clúster.`,
      fix: 'Ponga automountServiceAccountToken: false.',
    },
    NetworkPolicyMissing: {
      problem: ({ object }) =>
        `${object} está al alcance de todos los pods del clúster.`,
      fix: 'Añada una NetworkPolicy que solo admita la entrada de la red.',
    },
    NetworkPolicyOpen: {
      problem: ({ object }) => `${object} admite a todos.`,
      fix: 'Admita solo el espacio de nombres de la entrada de la red.',
    },
    TwoOwners: {
      problem: ({ object, managers }, format) =>
        `${object} lo escriben ${format.list(
          managers,
        )}, que se deshacen los cambios el uno al otro.`,
      fix: 'Que Terraform u OpenTofu tenga lo que está fuera del clúster y Argo CD lo que está dentro.',
    },
  },
};
