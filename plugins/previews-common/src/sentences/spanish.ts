import { spanishCertificates } from './certificates/spanish';
import { spanishFindings } from './findings/spanish';
import { SentenceFormat } from './format';
import { createPhrases, inParentheses } from './phrases';
import { spanishReachable } from './reachable/spanish';
import { Catalogue, UnknownSentences } from './types';

/** GitLab's words for the state of a merge request, which is feminine here. */
const states: Record<string, string> = {
  opened: 'abierta',
  closed: 'cerrada',
  merged: 'fusionada',
  locked: 'bloqueada',
};

function stateOf(state: string): string {
  return Object.hasOwn(states, state) ? states[state] : state;
}

const phrases = createPhrases({
  cluster: 'El clúster',
  dnsZone: 'La zona DNS',
  usually: 'normalmente',
  separator: '; ',
  since: { hour: 'desde las', firstHour: 'desde la', date: 'desde el' },
});
const { nameOf, nameOfId, sinceTime, since, timing } = phrases;

/** Before the time at which something ends. */
const END = { hour: 'a las', firstHour: 'a la', date: 'el' };

function replicas(
  format: SentenceFormat,
  counts: { ready: number; desired: number },
): string {
  const ready = format.number(counts.ready);
  const desired = format.number(counts.desired);
  return format.plural(counts.desired, {
    one: `${ready} de ${desired} réplica lista`,
    other: `${ready} de ${desired} réplicas listas`,
  });
}

function restarts(format: SentenceFormat, count: number): string {
  const number = format.number(count);
  return format.plural(count, {
    one: `${number} reinicio`,
    other: `${number} reinicios`,
  });
}

function applications(format: SentenceFormat, names: string[]): string {
  if (names.length === 0) {
    return 'Una Application';
  }
  return names.length > 1
    ? `Las Applications ${format.list(names)}`
    : `La Application ${format.list(names)}`;
}

function retry(format: SentenceFormat, time: string | undefined): string {
  return time === undefined
    ? 'el portal lo vuelve a intentar por sí solo'
    : `próximo intento: ${format.time(time)}`;
}

const unknown: UnknownSentences = {
  SourceUnavailable: (params, format) =>
    params.since === undefined
      ? `${nameOfId(
          params.source,
        )} no responde; lo que se ve es lo último que se supo.`
      : `${nameOfId(params.source)} no ha respondido${sinceTime(
          format,
          params.since,
        )}; lo que se ve es de ese momento.`,
  NotObserved: ({ what }) =>
    `El portal no lee ${what} y no puede decir más; el entorno no espera por ello.`,
  NotReadYet: ({ source }) =>
    `${nameOfId(
      source,
    )} se está leyendo por primera vez; esto se sabrá cuando la lectura esté completa.`,
  KindForbidden: ({ kind, group, cluster }) =>
    `El clúster ${cluster} no deja que el portal liste ${kind}${inParentheses(
      group,
    )}; quien administra el clúster puede permitirlo en el rol del portal.`,
  ProjectNotReadable: ({ project, status }) =>
    `GitLab no deja que el portal lea el proyecto ${project} (responde ${status}); quien gestiona el token del portal puede darle acceso.`,
  ClusterNotConfigured: ({ destination, application }) =>
    `La Application ${application} se despliega en ${destination}, que no es ninguno de los clústeres del portal; quien administra el portal puede añadirlo.`,
};

/** The Spanish sentences. */
export const spanish: Catalogue = {
  language: 'es',
  conditions: {
    MergeRequestOpen: {
      Opened: () => 'La solicitud de fusión está abierta.',
      Locked: () =>
        'La solicitud de fusión está bloqueada mientras GitLab la fusiona; cuenta como abierta.',
      SourceBranchDeleted: ({ branch }, format) =>
        `La rama de origen ${format.quote(
          branch,
        )} se ha borrado y la solicitud de fusión sigue abierta; su autor puede volver a subir la rama o cerrar la solicitud.`,
      IdleNearEnd: ({ idleSince, expiresAt }, format) =>
        `Nadie ha trabajado en la solicitud de fusión${since(
          format,
          idleSince,
        )}; el tiempo de vida de su entorno termina ${format.when(
          expiresAt,
          END,
        )}. Un push o un comentario lo conserva.`,
      IdlePastEnd: ({ idleSince, expiresAt }, format) =>
        `Nadie ha trabajado en la solicitud de fusión${since(
          format,
          idleSince,
        )}; el tiempo de vida de su entorno terminó ${format.when(
          expiresAt,
          END,
        )}. Un push o un comentario lo conserva.`,
      Merged: ({ at }, format) =>
        `La solicitud de fusión se ha fusionado${inParentheses(
          at && format.time(at),
        )}; su entorno se elimina salvo que un ApplicationSet lo conserve.`,
      Closed: ({ at }, format) =>
        `La solicitud de fusión se ha cerrado${inParentheses(
          at && format.time(at),
        )}; su entorno se elimina salvo que un ApplicationSet lo conserve.`,
      Deleted: () =>
        'La solicitud de fusión ya no existe en GitLab; su entorno se elimina.',
      ...unknown,
    },
    Selected: {
      Selected: ({ applicationSets }, format) => {
        if (applicationSets.length === 0) {
          return 'Un ApplicationSet genera un entorno para la solicitud de fusión.';
        }
        return applicationSets.length > 1
          ? `Los ApplicationSets ${format.list(
              applicationSets,
            )} generan un entorno para la solicitud de fusión.`
          : `El ApplicationSet ${format.list(
              applicationSets,
            )} genera un entorno para la solicitud de fusión.`;
      },
      KeptByGenerator: ({ applicationSet, state }) =>
        `El ApplicationSet ${applicationSet} conserva el entorno aunque la solicitud de fusión está ${stateOf(
          state,
        )}; su responsable puede poner pullRequestState en «opened» para que se elimine.`,
      LabelMissing: ({ applicationSet, labels }, format) =>
        labels.length === 0
          ? `El ApplicationSet ${applicationSet} solo toma solicitudes de fusión con una etiqueta que esta no tiene.`
          : `El ApplicationSet ${applicationSet} solo toma solicitudes de fusión con ${format.plural(
              labels.length,
              { one: 'la etiqueta', other: 'las etiquetas' },
            )} ${format.list(labels.map(format.quote))}; ${format.plural(
              labels.length,
              { one: 'añádala', other: 'añádalas' },
            )} para tener un entorno.`,
      BranchFiltered: ({ applicationSet, pattern, branch }, format) =>
        `El ApplicationSet ${applicationSet} solo toma ramas de origen que encajan con ${format.quote(
          pattern,
        )}, y ${format.quote(
          branch,
        )} no encaja; pueden cambiarlo otro nombre de rama o el responsable del ApplicationSet.`,
      TitleFiltered: ({ applicationSet, pattern }, format) =>
        `El ApplicationSet ${applicationSet} solo toma solicitudes de fusión con un título que encaja con ${format.quote(
          pattern,
        )}; cambie el título para tener un entorno.`,
      TargetFiltered: ({ applicationSet, pattern, branch }, format) =>
        `El ApplicationSet ${applicationSet} solo toma ramas de destino que encajan con ${format.quote(
          pattern,
        )}, y ${format.quote(
          branch,
        )} no encaja; pueden cambiarlo otra rama de destino o el responsable del ApplicationSet.`,
      SelectorExcluded: ({ applicationSet, requirement }, format) =>
        `El ApplicationSet ${applicationSet} solo toma solicitudes de fusión que cumplen ${format.quote(
          requirement,
        )} de su selector, y esta no lo cumple; puede cambiarlo el responsable del ApplicationSet.`,
      StateExcluded: ({ applicationSet, state }) =>
        `El ApplicationSet ${applicationSet} deja fuera las solicitudes de fusión en estado «${stateOf(
          state,
        )}», y por eso esta no tiene entorno.`,
      MergeRequestDeleted: () =>
        'La solicitud de fusión se ha eliminado, y ningún ApplicationSet la toma.',
      NoApplicationSet: ({ project }) =>
        `Ningún ApplicationSet genera entornos para el proyecto ${project}; el responsable del servicio puede añadir uno.`,
      ...unknown,
    },
    ImageBuilt: {
      ImagePulled: ({ tag }) =>
        `La imagen ${tag} está construida; un pod la ha descargado.`,
      TagInRegistry: ({ tag }) =>
        `La imagen ${tag} está construida y en el registro.`,
      PipelineRunning: ({ tag, pipeline, startedAt, usualSeconds }, format) =>
        `El pipeline #${pipeline} está construyendo la imagen ${tag}${timing(
          format,
          { start: startedAt, usualSeconds },
        )}.`,
      PipelineManual: ({ tag, pipeline }) =>
        `El pipeline #${pipeline} espera a que alguien lo inicie a mano; hasta entonces no hay imagen ${tag}.`,
      PipelineFailed: ({ tag, pipeline }) =>
        `El pipeline #${pipeline} ha fallado antes de que hubiera imagen ${tag}; el autor de la solicitud de fusión puede leer el registro y reintentarlo o subir una corrección.`,
      PipelineCanceled: ({ tag, pipeline }) =>
        `El pipeline #${pipeline} se ha cancelado y no hay imagen ${tag}; vuelva a iniciarlo para tener un entorno de este commit.`,
      PipelineSkipped: ({ tag, pipeline }) =>
        `El pipeline #${pipeline} se ha omitido y no hay imagen ${tag}; inicie un pipeline de la rama para tener un entorno de este commit.`,
      NoPipeline: ({ tag, sha }, format) =>
        `Aún no hay ningún pipeline del commit ${format.shortSha(
          sha,
        )} y por eso no hay imagen ${tag}; si no empieza ninguno por sí solo, inicie uno desde la solicitud de fusión.`,
      TagMissing: ({ tag, pipeline }) =>
        pipeline === undefined
          ? `El registro no tiene la imagen ${tag}; el responsable del pipeline puede comprobar que suba esa etiqueta.`
          : `El pipeline #${pipeline} ha terminado bien, pero el registro no tiene la imagen ${tag}; el responsable del pipeline puede comprobar que suba esa etiqueta.`,
      TagLengthDiffers: ({ tag, near }, format) =>
        `El registro no tiene la imagen ${tag}${
          near.length > 0
            ? `, solo ${format.list(near)} del mismo commit`
            : ', solo una del mismo commit con otra etiqueta'
        }; el pipeline y el ApplicationSet tienen que acortar el commit a la misma longitud.`,
      RegistryNotRead: ({ tag, status }) =>
        `No se ha podido leer el registro${
          status === undefined ? '' : ` (responde ${status})`
        } y no se sabe si la imagen ${tag} está construida.`,
      PipelineNotTold: ({ tag, pipeline }) =>
        `El pipeline #${pipeline} es de un resultado fusionado y el portal no puede leer de qué commit, así que no se sabe si la imagen ${tag} está construida; el token del portal necesita acceso al repositorio.`,
      HeadUnknown: ({ branch }, format) =>
        `GitLab no dice cuál es el último commit de ${format.quote(
          branch,
        )} y no se sabe qué imagen esperar.`,
      ...unknown,
    },
    ApplicationGenerated: {
      Generated: ({ applications: names }, format) =>
        `${applications(format, names)} ${
          names.length > 1 ? 'están generadas' : 'está generada'
        }.`,
      NotPolledYet: ({ applicationSet, requeueAfterSeconds }, format) =>
        `El ApplicationSet ${applicationSet} aún no ha generado la Application; consulta GitLab cada ${format.duration(
          requeueAfterSeconds,
        )}.`,
      GeneratorError: ({ applicationSet, error }, format) =>
        `El ApplicationSet ${applicationSet} no crea, actualiza ni borra nada mientras informe de un error, que su responsable tiene que corregir si persiste${format.detail(
          error,
        )}.`,
      ValidationError: ({ applicationSet, error }, format) =>
        `Argo CD rechaza lo que el ApplicationSet ${applicationSet} genera para la solicitud de fusión, y su responsable tiene que corregirlo${format.detail(
          error,
        )}.`,
      FrozenByGenerator: ({ applicationSet, error }, format) =>
        `La Application está generada, pero el ApplicationSet ${applicationSet} no actualiza nada y los commits nuevos no llegan mientras informe de un error, que su responsable tiene que corregir si persiste${format.detail(
          error,
        )}.`,
      NameCollision: ({ name, other }) =>
        `El nombre de Application ${name} es también el de ${other} y solo uno de los dos tiene entorno; el responsable del ApplicationSet puede poner el número de la solicitud de fusión en el nombre.`,
      Deleting: ({ application, since: start }, format) =>
        `La Application ${application} se está borrando${since(
          format,
          start,
        )}; se vuelve a generar cuando ya no está.`,
      ...unknown,
    },
    Synced: {
      Synced: ({ revision }, format) =>
        revision === undefined
          ? 'La Application está Synced.'
          : `La Application está Synced con ${format.shortSha(revision)}.`,
      SyncRunning: ({ application, startedAt }, format) =>
        `Argo CD está sincronizando la Application ${application}${timing(
          format,
          { start: startedAt },
        )}.`,
      NeverSynced: ({ application }) =>
        `La Application ${application} no se ha sincronizado nunca; Argo CD lo hace por sí solo si la sincronización automática está activa, y si no alguien tiene que iniciarla allí.`,
      OldCommit: ({ application, wanted, expected, error }, format) =>
        `La Application ${application} todavía pide ${format.shortSha(
          wanted,
        )} en lugar de ${format.shortSha(expected)}; ${
          error === undefined
            ? 'su ApplicationSet la actualiza la próxima vez que consulta GitLab'
            : `su ApplicationSet no la actualiza mientras informe de un error, que su responsable tiene que corregir si persiste${format.detail(
                error,
              )}`
        }.`,
      OldCommitKept: (
        { application, applicationSet, wanted, expected },
        format,
      ) =>
        `La Application ${application} pide ${format.shortSha(
          wanted,
        )} en lugar de ${format.shortSha(
          expected,
        )}, y su ApplicationSet ${applicationSet} está configurado para no actualizar ninguna; su responsable puede cambiar applicationsSync.`,
      OutOfSync: ({ application, resources }, format) =>
        `La Application ${application} está OutOfSync${inParentheses(
          format.list(resources),
        )}; Argo CD aplica la diferencia en la próxima sincronización.`,
      SyncFailed: ({ application, error, resources }, format) =>
        `La sincronización de la Application ${application} ha fallado${inParentheses(
          format.list(resources),
        )}; el responsable de sus manifiestos tiene que corregirlos${format.detail(
          error,
        )}.`,
      HookFailed: ({ application, hook, error }, format) =>
        `El hook ${hook} ha fallado y ha detenido la sincronización de la Application ${application}; su responsable tiene que corregirlo${format.detail(
          error,
        )}.`,
      ComparisonError: ({ application, error, resources }, format) =>
        `Argo CD no puede comparar la Application ${application} con su origen${inParentheses(
          format.list(resources),
        )} y no sincroniza nada hasta que se corrijan los manifiestos o el repositorio${format.detail(
          error,
        )}.`,
      CommitNotInProject: ({ application, sha, project }, format) =>
        `El commit ${format.shortSha(
          sha,
        )} de la bifurcación no está en ${project}, que es lo que lee la Application ${application}; para tener un entorno hace falta una rama en ese mismo proyecto.`,
      InvalidSpec: ({ application, error }, format) =>
        `Argo CD rechaza la especificación de la Application ${application}; el responsable de su ApplicationSet tiene que corregirla${format.detail(
          error,
        )}.`,
      ...unknown,
    },
    Available: {
      Available: (params, format) => `${replicas(format, params)}.`,
      Healthy: ({ application }) =>
        `Argo CD da la Application ${application} por Healthy; el portal no lee sus cargas de trabajo.`,
      NoWorkloads: ({ application }) =>
        `La Application ${application} no tiene cargas de trabajo que haya que esperar.`,
      WaitingForImage: ({ image, workload, since: start }, format) =>
        `${workload} espera la imagen ${image}${since(
          format,
          start,
        )}; arranca cuando el pipeline la haya subido.`,
      PullRetried: ({ image, workload, since: start }, format) =>
        `${workload} espera la imagen ${image}${since(
          format,
          start,
        )}; ya está construida, y el clúster la descarga en el próximo intento.`,
      Progressing: ({ workload, ready, desired }, format) =>
        `${workload} está arrancando: ${replicas(format, { ready, desired })}.`,
      Missing: ({ application }) =>
        `Hay recursos de la Application ${application} que aún no están en el clúster; Argo CD los crea en la próxima sincronización.`,
      Asleep: ({ workload }) =>
        `${workload} está escalado a cero; el entorno vuelve a responder cuando se escale.`,
      ImageNotFound: ({ image, workload }) =>
        `${workload} no puede arrancar porque el registro no tiene la imagen ${image}; el responsable del pipeline puede comprobar que haya subido esa etiqueta.`,
      PullDenied: ({ image, workload }) =>
        `${workload} no puede arrancar porque el registro le niega la imagen ${image}; el responsable del namespace tiene que darle un secreto de descarga.`,
      InvalidImageName: ({ image, container }, format) =>
        `El contenedor ${container} no puede arrancar porque ${format.quote(
          image,
        )} no es un nombre de imagen válido; el responsable de los manifiestos tiene que corregirlo.`,
      CrashLoop: ({ container, workload, restarts: count, exitCode }, format) =>
        `El contenedor ${container} de ${workload} falla una y otra vez (${
          exitCode === undefined ? '' : `código de salida ${exitCode}, `
        }${restarts(format, count)}); sus registros dicen por qué.`,
      OutOfMemory: ({ container, workload, restarts: count }, format) =>
        `El contenedor ${container} de ${workload} se detiene porque usa más memoria que su límite (${restarts(
          format,
          count,
        )}); suba el límite o haga que use menos.`,
      ContainerConfigError: ({ container, workload, error }, format) =>
        `El contenedor ${container} de ${workload} no se puede crear con su configuración, a menudo porque falta un Secret o un ConfigMap; el responsable de los manifiestos tiene que corregirla${format.detail(
          error,
        )}.`,
      Unschedulable: ({ workload, error }, format) =>
        `Ningún nodo acepta los pods de ${workload}; pida menos recursos, o que quien administra el clúster haga sitio${format.detail(
          error,
        )}.`,
      ReplicaFailure: ({ workload, error }, format) =>
        `El clúster no deja crear los pods de ${workload}, a menudo por una cuota o una política; tiene que mirarlo el responsable de los manifiestos o quien administra el clúster${format.detail(
          error,
        )}.`,
      ProgressDeadlineExceeded: ({ workload, ready, desired }, format) =>
        `${workload} no ha estado listo a tiempo (${replicas(format, {
          ready,
          desired,
        })}); los registros de sus pods dicen por qué.`,
      Degraded: ({ application, error }, format) =>
        `Argo CD da la Application ${application} por Degraded y muestra allí qué recurso es la causa${format.detail(
          error,
        )}.`,
      Suspended: ({ application }) =>
        `La Application ${application} está Suspended; continúa cuando alguien la reanuda en Argo CD.`,
      ...unknown,
    },
    CertificateReady: {
      ...spanishCertificates(phrases),
      ...unknown,
    },
    RouteAccepted: {
      Accepted: ({ route, parents }, format) =>
        parents.length === 0
          ? `${route} está aceptada.`
          : `${route} está aceptada por ${format.list(parents)}.`,
      AcceptedByOneParent: ({ route, parent, refusedBy }) =>
        `${parent} acepta ${route} pero ${refusedBy} la rechaza; al entorno solo se llega por ${parent}.`,
      AcceptedByRetired: ({ route, className }) =>
        `${route} la sirve ingress-nginx${
          className === undefined ? '' : ` (clase ${className})`
        }, que ya no se mantiene; quien administra la plataforma tiene que pasarla a la Gateway API, con un HTTPRoute para cada entorno.`,
      IngressPending: ({ route, className }) =>
        `${route} espera a que le dé una dirección el controlador de ${
          className === undefined ? 'su clase' : `la clase ${className}`
        }.`,
      ListenerPending: ({ route, parent, listener }) =>
        `${route} espera a que esté programado el listener ${listener} de ${parent}.`,
      BackendsUnavailable: ({ route, error }, format) =>
        `${route} está aceptada, pero detrás no hay ningún pod listo y responde 503${format.detail(
          error,
        )}.`,
      GatewayMissing: ({ route, parent }) =>
        `${route} pide ${parent}, que no existe; el responsable de los manifiestos tiene que corregir sus parentRefs.`,
      GatewayNotProgrammed: ({ route, parent, error }, format) =>
        `${parent} no está programado y ${route} no sirve nada; tiene que mirarlo su responsable${format.detail(
          error,
        )}.`,
      ListenersNotAdmitted: ({ route, parent, gateway }) =>
        `${gateway} no admite los listeners de ${parent} y ${route} no sirve nada; el responsable de ${gateway} puede admitir su namespace (allowedListeners).`,
      ListenerConflicted: ({ route, parent, listener }) =>
        `El listener ${listener} de ${parent} está en conflicto con otro y ${route} no sirve nada; el responsable de ${parent} le tiene que dar un puerto o un host propio.`,
      ListenerCertificateInvalid: (
        { route, parent, listener, error },
        format,
      ) =>
        `El listener ${listener} de ${parent} no puede usar su certificado y ${route} no sirve nada; el responsable de ${parent} tiene que mirar sus certificateRefs${format.detail(
          error,
        )}.`,
      Pending: ({ route }) =>
        `${route} espera a que el controlador de su Gateway la acepte.`,
      NotAllowedByListeners: ({ route, parent, allowed }) =>
        `Los listeners de ${parent} no permiten ${route}${inParentheses(
          allowed === undefined ? undefined : `allowedRoutes: ${allowed}`,
        )}; el responsable de ${parent} puede permitir las rutas de su namespace.`,
      NoMatchingHost: ({ route, parent, hosts }, format) =>
        `Ningún listener de ${parent} sirve ${
          hosts.length > 0 ? format.list(hosts) : 'el nombre de host'
        }, que es lo que pide ${route}; corrija el nombre, o pida al responsable de ${parent} que añada un listener.`,
      NoMatchingParent: ({ route, parent }) =>
        `${route} pide ${parent}, que no tiene ningún listener que encaje; el responsable de los manifiestos tiene que corregir sus parentRefs.`,
      BackendNotFound: ({ route, error }, format) =>
        `${route} lleva a un Service que no existe; el responsable de los manifiestos tiene que corregir sus backendRefs${format.detail(
          error,
        )}.`,
      ReferenceNotPermitted: ({ route, error }, format) =>
        `${route} hace referencia a un objeto de otro namespace, cuyo responsable tiene que permitirlo con un ReferenceGrant${format.detail(
          error,
        )}.`,
      ListenerNotProgrammed: ({ route, parent, listener }) =>
        `El listener ${listener} de ${parent} no está programado y ${route} no sirve nada; tiene que mirarlo el responsable de ${parent}.`,
      NotAccepted: ({ route, parent, code, error }, format) =>
        `${parent} no acepta ${route} (${code}), y el responsable de los manifiestos tiene que corregirlo${format.detail(
          error,
        )}.`,
      ...unknown,
    },
    Reachable: {
      ...spanishReachable,
      ...unknown,
    },
    CleanedUp: {
      NothingLeft: () => 'No queda nada del entorno.',
      ApplicationLeft: ({ applications: names, everySeconds }, format) =>
        `${applications(format, names)} todavía ${
          names.length > 1 ? 'existen' : 'existe'
        }; el ApplicationSet elimina lo que ya no genera la próxima vez que consulta GitLab${
          everySeconds === undefined
            ? ''
            : `, cosa que hace cada ${format.duration(everySeconds)}`
        }.`,
      ApplicationKept: ({ application, applicationSet }) =>
        `La Application ${application} todavía existe${
          applicationSet === undefined
            ? ' y ya no pertenece a ningún ApplicationSet'
            : `, y su ApplicationSet ${applicationSet} está configurado para no borrar ninguna (applicationsSync)`
        }; alguien tiene que borrarla.`,
      FrozenByGenerator: ({ application, applicationSet, error }, format) =>
        `La Application ${application} permanece porque el ApplicationSet ${applicationSet} no borra nada mientras informe de un error, que su responsable tiene que corregir si persiste${format.detail(
          error,
        )}.`,
      ApplicationDeleting: ({ application, since: start }, format) =>
        `La Application ${application} se está borrando${since(
          format,
          start,
        )}; Argo CD elimina primero sus recursos.`,
      OperationBlocksDeletion: ({ application, since: start }, format) =>
        `La Application ${application} se está borrando${since(
          format,
          start,
        )} y no puede desaparecer mientras hay una sincronización en marcha; alguien puede detenerla en Argo CD.`,
      ApplicationDeletionStuck: (
        { application, since: start, finalizers, error },
        format,
      ) =>
        `El borrado de la Application ${application} está atascado${since(
          format,
          start,
        )}${
          finalizers.length > 0
            ? `, retenido por ${format.list(finalizers)}`
            : ''
        }; tiene que mirarlo quien administra Argo CD${format.detail(error)}.`,
      NamespaceTerminating: ({ namespace, since: start }, format) =>
        `El namespace ${namespace} se está eliminando${since(
          format,
          start,
        )}; desaparece cuando no queda nada en él.`,
      NamespaceStuck: ({ namespace, since: start }, format) =>
        `El namespace ${namespace} se está eliminando${since(
          format,
          start,
        )}, y ninguna de sus condiciones dice qué lo bloquea; quien administra el clúster puede ver qué queda en él.`,
      FinalizerStuck: (
        { namespace, since: start, error, finalizers = [], resources = [] },
        format,
      ) =>
        `La eliminación del namespace ${namespace} está atascada${since(
          format,
          start,
        )}${inParentheses(
          [finalizers, resources]
            .filter(held => held.length > 0)
            .map(held => format.list(held))
            .join('; '),
        )}; quien administra el clúster tiene que liberar lo que la retiene${format.detail(
          error,
        )}.`,
      ChallengeFinalizerStuck: (
        { namespace, since: start, finalizer, count, error },
        format,
      ) =>
        `El namespace ${namespace} está atascado en su terminación${since(
          format,
          start,
        )}: ${format.plural(count, {
          one: `${format.number(count)} Challenge conserva`,
          other: `${format.number(count)} Challenges conservan`,
        })} el finalizer ${finalizer}, ya que cert-manager no puede quitar el registro DNS; quien administra la plataforma le tiene que volver a dar acceso o quitar el finalizer${format.detail(
          error,
        )}.`,
      NamespaceLeft: ({ namespace }) =>
        `El namespace ${namespace} todavía existe; si se queda, tiene que borrarlo quien administra el clúster.`,
      ResourcesLeft: ({ namespace, resources }, format) =>
        resources.length === 0
          ? `En el namespace ${namespace} quedan recursos; si se quedan, tiene que borrarlos quien administra el clúster.`
          : `En el namespace ${namespace} quedan ${format.list(
              resources,
            )}; lo que no desaparezca tiene que borrarlo quien administra el clúster.`,
      DnsRecordsLeaving: ({ hosts }, format) =>
        `Todo lo demás ya no está; se comprueba que tampoco estén los registros DNS${
          hosts.length > 0 ? ` de ${format.list(hosts)}` : ''
        }, de lo que external-dns se encarga en pocos minutos.`,
      DnsRecordLeft: ({ unowned = [], owned = [] }, format) =>
        `Quedan registros en el DNS${[
          ...(unowned.length > 0
            ? [
                `${format.list(
                  unowned,
                )} sin registro de propiedad, de modo que ningún external-dns los elimina`,
              ]
            : []),
          ...(owned.length > 0
            ? [`${format.list(owned)}, que su propietario no ha eliminado`]
            : []),
        ]
          .map((part, index) => `${index === 0 ? ': ' : '; '}${part}`)
          .join('')}; quien gestiona la zona tiene que eliminarlos.`,
      ...unknown,
    },
  },
  problems: {
    Malformed: ({ annotation, value, expected }, format) =>
      `La anotación ${annotation} es ${format.quote(
        value,
      )} y debería tener la forma ${format.quote(
        expected,
      )}; el responsable de la entidad puede corregirla.`,
    UnknownHost: ({ annotation, host }) =>
      `La anotación ${annotation} lleva al GitLab ${host}, que no está configurado; corrija la anotación, o pida a quien administra el portal que lo añada.`,
    ProjectNotFound: ({ annotation, project, host }) =>
      `La anotación ${annotation} nombra el proyecto ${project}, que GitLab ${host} no tiene o no muestra al portal; corrija la anotación, o pida acceso a quien gestiona el token del portal.`,
    ProjectClaimedFromElsewhere: ({ annotation, project }) =>
      `La anotación ${annotation} nombra el proyecto ${project}, que está en un grupo distinto del fichero de la entidad, y por eso no se muestran sus entornos; quien administra el portal puede permitirlo en previews.catalog.allow.`,
    ApplicationSetNotFound: ({ annotation, applicationSet }) =>
      `La anotación ${annotation} nombra el ApplicationSet ${applicationSet}, que no está en ningún clúster de los que lee el portal; el responsable de la entidad puede corregirla.`,
  },
  sourceErrors: {
    Unreachable: (params, format) =>
      `${nameOf(params.source)} es inaccesible${since(
        format,
        params.since,
      )}${inParentheses(params.subject)}; ${retry(format, params.retryAt)}.`,
    TimedOut: (params, format) =>
      `${nameOf(params.source)} no responde a tiempo${since(
        format,
        params.since,
      )}${inParentheses(params.subject)}; ${retry(format, params.retryAt)}.`,
    RateLimited: (params, format) =>
      `${nameOf(params.source)} limita las llamadas del portal${since(
        format,
        params.since,
      )}${inParentheses(params.subject)}; ${retry(format, params.retryAt)}.`,
    TokenInvalid: ({ source, since: start }, format) =>
      `${nameOf(source)} no acepta el token del portal${since(
        format,
        start,
      )}; quien administra el portal tiene que poner uno válido.`,
    TokenExpired: ({ source, since: start }, format) =>
      `${nameOf(source)} rechaza el token del portal porque ha caducado${since(
        format,
        start,
      )}; quien administra el portal tiene que renovarlo.`,
    TokenRevoked: ({ source, since: start }, format) =>
      `${nameOf(
        source,
      )} rechaza el token del portal porque se ha revocado${since(
        format,
        start,
      )}; quien administra el portal tiene que poner uno nuevo.`,
    ScopeMissing: ({ source, subject }) =>
      `${nameOf(
        source,
      )} pide un alcance que le falta al token del portal${inParentheses(
        subject,
      )}; quien administra el portal tiene que poner uno con read_api.`,
    Forbidden: ({ source, subject, since: start }, format) =>
      `${nameOf(source)} no deja que el portal lea ${
        subject ?? 'lo que necesita'
      }${since(format, start)}; puede permitirlo quien gestiona sus accesos.`,
    NotFound: ({ source, subject, since: start }, format) =>
      `${nameOf(source)} no muestra ${
        subject ?? 'lo que se le pide'
      } al portal${since(
        format,
        start,
      )}; no existe allí, o el portal no puede verlo.`,
    ServerError: (params, format) =>
      `${nameOf(params.source)} responde con un error propio${since(
        format,
        params.since,
      )}${inParentheses(params.subject)}; ${retry(format, params.retryAt)}.`,
    UnexpectedAnswer: ({ source, subject, since: start }, format) =>
      `${nameOf(source)} responde con algo que el portal no entiende${since(
        format,
        start,
      )}${inParentheses(
        subject,
      )}; quien administra el portal puede comprobar su dirección y su versión.`,
    NotConfigured: ({ source, subject }) =>
      `${nameOf(source)} no está configurado del todo${inParentheses(
        subject,
      )}; quien administra el portal tiene que completarlo.`,
  },
  sourceNotes: {
    TokenCanWrite: ({ source }) =>
      `El token del portal para ${source.name} puede hacer más que leer; basta uno con el ámbito read_api.`,
    TokenExpiresSoon: ({ source, expiresOn }, format) =>
      `El token del portal para ${source.name} caduca el ${format.date(
        expiresOn,
      )}; quien administra el portal tiene que renovarlo antes.`,
    TokenOfIntegrations: ({ source }) =>
      `Para ${source.name} se usa el token de integrations.gitlab, que normalmente puede hacer más que leer; previews.gitlab[].token admite uno propio.`,
    ApprovalsRefused: ({ source, projects }, format) =>
      `${source.name} no da las aprobaciones de ${format.plural(projects, {
        one: `${format.number(projects)} proyecto`,
        other: `${format.number(projects)} proyectos`,
      })}; el tiempo de revisión no los cuenta.`,
    NoToken: ({ source }) =>
      `No hay ningún token para ${source.name}; solo se pueden leer los proyectos públicos.`,
  },
  events: {
    HeadChanged: ({ commit }, format) =>
      `El último commit de la solicitud de fusión es ahora ${format.shortSha(
        commit,
      )}.`,
    ApplicationRecreated: ({ application }) =>
      `La Application ${application} se ha vuelto a crear.`,
    Approved: ({ at }, format) =>
      `La solicitud de fusión se ha aprobado por primera vez (${format.time(
        at,
      )}).`,
    ApprovalsGone: () =>
      'La solicitud de fusión ya no tiene ninguna aprobación vigente.',
    PhaseReached: ({ phase }) => `La fase del entorno es ${phase}.`,
  },
  findings: spanishFindings({ stateOf }),
};
