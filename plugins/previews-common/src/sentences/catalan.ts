import { catalanCertificates } from './certificates/catalan';
import { catalanFindings } from './findings/catalan';
import { SentenceFormat } from './format';
import { createPhrases, inParentheses } from './phrases';
import { catalanReachable } from './reachable/catalan';
import { Catalogue, UnknownSentences } from './types';

/** GitLab's words for the state of a merge request, which is feminine here. */
const states: Record<string, string> = {
  opened: 'oberta',
  closed: 'tancada',
  merged: 'fusionada',
  locked: 'bloquejada',
};

function stateOf(state: string): string {
  return Object.hasOwn(states, state) ? states[state] : state;
}

const phrases = createPhrases({
  cluster: 'El clúster',
  dnsZone: 'La zona DNS',
  usually: 'normalment',
  separator: '; ',
  since: { hour: 'des de les', firstHour: 'des de la', date: 'des del' },
});
const { nameOf, nameOfId, sinceTime, since, timing } = phrases;

/** Before the time at which something ends. */
const END = { hour: 'a les', firstHour: 'a la', date: 'el' };

function replicas(
  format: SentenceFormat,
  counts: { ready: number; desired: number },
): string {
  const ready = format.number(counts.ready);
  const desired = format.number(counts.desired);
  return format.plural(counts.desired, {
    one: `${ready} de ${desired} rèplica a punt`,
    other: `${ready} de ${desired} rèpliques a punt`,
  });
}

function restarts(format: SentenceFormat, count: number): string {
  const number = format.number(count);
  return format.plural(count, {
    one: `${number} reinici`,
    other: `${number} reinicis`,
  });
}

function applications(format: SentenceFormat, names: string[]): string {
  if (names.length === 0) {
    return 'Una Application';
  }
  return names.length > 1
    ? `Les Applications ${format.list(names)}`
    : `L’Application ${format.list(names)}`;
}

function retry(format: SentenceFormat, time: string | undefined): string {
  return time === undefined
    ? 'el portal ho torna a provar tot sol'
    : `proper intent: ${format.time(time)}`;
}

const unknown: UnknownSentences = {
  SourceUnavailable: (params, format) =>
    params.since === undefined
      ? `${nameOfId(
          params.source,
        )} no respon; el que es veu és l’últim que se’n sabia.`
      : `${nameOfId(params.source)} no ha respost${sinceTime(
          format,
          params.since,
        )}; el que es veu és d’aquell moment.`,
  NotObserved: ({ what }) =>
    `El portal no llegeix ${what} i per això no en pot dir més; l’entorn no hi espera.`,
  NotReadYet: ({ source }) =>
    `${nameOfId(
      source,
    )} es llegeix per primera vegada; això se sabrà quan la lectura sigui completa.`,
  KindForbidden: ({ kind, group, cluster }) =>
    `El clúster ${cluster} no deixa que el portal llisti ${kind}${inParentheses(
      group,
    )}; qui administra el clúster ho pot permetre al rol del portal.`,
  ProjectNotReadable: ({ project, status }) =>
    `GitLab no deixa que el portal llegeixi el projecte ${project} (respon ${status}); qui gestiona el testimoni d’accés del portal pot donar-li accés.`,
  ClusterNotConfigured: ({ destination, application }) =>
    `L’Application ${application} es desplega a ${destination}, que no és cap dels clústers del portal; qui administra el portal l’hi pot afegir.`,
};

/** The Catalan sentences. */
export const catalan: Catalogue = {
  language: 'ca',
  conditions: {
    MergeRequestOpen: {
      Opened: () => 'La sol·licitud de fusió és oberta.',
      Locked: () =>
        'La sol·licitud de fusió està bloquejada mentre GitLab la fusiona; es compta com a oberta.',
      SourceBranchDeleted: ({ branch }, format) =>
        `La branca d’origen ${format.quote(
          branch,
        )} s’ha esborrat i la sol·licitud de fusió encara és oberta; qui n’és l’autor pot tornar a pujar la branca o tancar la sol·licitud.`,
      IdleNearEnd: ({ idleSince, expiresAt }, format) =>
        `Ningú no ha treballat en la sol·licitud de fusió${since(
          format,
          idleSince,
        )}; el temps de vida de l’entorn s’acaba ${format.when(
          expiresAt,
          END,
        )}. Un push o un comentari el conserva.`,
      IdlePastEnd: ({ idleSince, expiresAt }, format) =>
        `Ningú no ha treballat en la sol·licitud de fusió${since(
          format,
          idleSince,
        )}; el temps de vida de l’entorn es va acabar ${format.when(
          expiresAt,
          END,
        )}. Un push o un comentari el conserva.`,
      Merged: ({ at }, format) =>
        `La sol·licitud de fusió s’ha fusionat${inParentheses(
          at && format.time(at),
        )}; l’entorn s’elimina si cap ApplicationSet no el conserva.`,
      Closed: ({ at }, format) =>
        `La sol·licitud de fusió s’ha tancat${inParentheses(
          at && format.time(at),
        )}; l’entorn s’elimina si cap ApplicationSet no el conserva.`,
      Deleted: () =>
        'La sol·licitud de fusió ja no existeix a GitLab; l’entorn s’elimina.',
      ...unknown,
    },
    Selected: {
      Selected: ({ applicationSets }, format) => {
        if (applicationSets.length === 0) {
          return 'Un ApplicationSet genera un entorn per a la sol·licitud de fusió.';
        }
        return applicationSets.length > 1
          ? `Els ApplicationSets ${format.list(
              applicationSets,
            )} generen un entorn per a la sol·licitud de fusió.`
          : `L’ApplicationSet ${format.list(
              applicationSets,
            )} genera un entorn per a la sol·licitud de fusió.`;
      },
      KeptByGenerator: ({ applicationSet, state }) =>
        `L’ApplicationSet ${applicationSet} conserva l’entorn encara que la sol·licitud de fusió està ${stateOf(
          state,
        )}; qui en té cura pot posar pullRequestState a «opened» perquè s’elimini.`,
      LabelMissing: ({ applicationSet, labels }, format) =>
        labels.length === 0
          ? `L’ApplicationSet ${applicationSet} només agafa sol·licituds de fusió amb una etiqueta que aquesta no té.`
          : `L’ApplicationSet ${applicationSet} només agafa sol·licituds de fusió amb ${format.plural(
              labels.length,
              { one: 'l’etiqueta', other: 'les etiquetes' },
            )} ${format.list(labels.map(format.quote))}; ${format.plural(
              labels.length,
              { one: 'afegiu-la', other: 'afegiu-les' },
            )} per tenir un entorn.`,
      BranchFiltered: ({ applicationSet, pattern, branch }, format) =>
        `L’ApplicationSet ${applicationSet} només agafa branques d’origen que encaixen amb ${format.quote(
          pattern,
        )}, i ${format.quote(
          branch,
        )} no hi encaixa; ho poden canviar un altre nom de branca o qui té cura de l’ApplicationSet.`,
      TitleFiltered: ({ applicationSet, pattern }, format) =>
        `L’ApplicationSet ${applicationSet} només agafa sol·licituds de fusió amb un títol que encaixa amb ${format.quote(
          pattern,
        )}; canvieu el títol per tenir un entorn.`,
      TargetFiltered: ({ applicationSet, pattern, branch }, format) =>
        `L’ApplicationSet ${applicationSet} només agafa branques de destinació que encaixen amb ${format.quote(
          pattern,
        )}, i ${format.quote(
          branch,
        )} no hi encaixa; ho poden canviar una altra branca de destinació o qui té cura de l’ApplicationSet.`,
      SelectorExcluded: ({ applicationSet, requirement }, format) =>
        `L’ApplicationSet ${applicationSet} només agafa sol·licituds de fusió que compleixen ${format.quote(
          requirement,
        )} del seu selector, i aquesta no ho compleix; ho pot canviar qui té cura de l’ApplicationSet.`,
      StateExcluded: ({ applicationSet, state }) =>
        `L’ApplicationSet ${applicationSet} deixa fora les sol·licituds de fusió en estat «${stateOf(
          state,
        )}», i per això aquesta no té entorn.`,
      MergeRequestDeleted: () =>
        'La sol·licitud de fusió s’ha suprimit, i cap ApplicationSet no l’agafa.',
      NoApplicationSet: ({ project }) =>
        `Cap ApplicationSet no genera entorns per al projecte ${project}; qui té cura del servei en pot afegir un.`,
      ...unknown,
    },
    ImageBuilt: {
      ImagePulled: ({ tag }) =>
        `La imatge ${tag} està construïda; un pod l’ha baixada.`,
      TagInRegistry: ({ tag }) =>
        `La imatge ${tag} està construïda i és al registre.`,
      PipelineRunning: ({ tag, pipeline, startedAt, usualSeconds }, format) =>
        `El pipeline #${pipeline} està construint la imatge ${tag}${timing(
          format,
          { start: startedAt, usualSeconds },
        )}.`,
      PipelineManual: ({ tag, pipeline }) =>
        `El pipeline #${pipeline} espera que algú l’engegui a mà; fins llavors no hi ha la imatge ${tag}.`,
      PipelineFailed: ({ tag, pipeline }) =>
        `El pipeline #${pipeline} ha fallat abans que hi hagués la imatge ${tag}; l’autor de la sol·licitud de fusió en pot llegir el registre i tornar-lo a provar o pujar una correcció.`,
      PipelineCanceled: ({ tag, pipeline }) =>
        `El pipeline #${pipeline} s’ha cancel·lat i no hi ha la imatge ${tag}; torneu-lo a engegar per tenir un entorn d’aquest commit.`,
      PipelineSkipped: ({ tag, pipeline }) =>
        `El pipeline #${pipeline} s’ha omès i no hi ha la imatge ${tag}; engegueu un pipeline de la branca per tenir un entorn d’aquest commit.`,
      NoPipeline: ({ tag, sha }, format) =>
        `Encara no hi ha cap pipeline del commit ${format.shortSha(
          sha,
        )} i per això no hi ha la imatge ${tag}; si no n’arrenca cap tot sol, engegueu-ne un des de la sol·licitud de fusió.`,
      TagMissing: ({ tag, pipeline }) =>
        pipeline === undefined
          ? `Al registre no hi ha la imatge ${tag}; qui té cura del pipeline pot comprovar que pugi aquesta etiqueta.`
          : `El pipeline #${pipeline} ha acabat bé, però al registre no hi ha la imatge ${tag}; qui té cura del pipeline pot comprovar que pugi aquesta etiqueta.`,
      TagLengthDiffers: ({ tag, near }, format) =>
        `Al registre no hi ha la imatge ${tag}${
          near.length > 0
            ? `, només ${format.list(near)} del mateix commit`
            : ', només una del mateix commit amb una altra etiqueta'
        }; el pipeline i l’ApplicationSet han d’escurçar el commit a la mateixa llargada.`,
      RegistryNotRead: ({ tag, status }) =>
        `No s’ha pogut llegir el registre${
          status === undefined ? '' : ` (respon ${status})`
        } i no se sap si la imatge ${tag} està construïda.`,
      PipelineNotTold: ({ tag, pipeline }) =>
        `El pipeline #${pipeline} és d’un resultat fusionat i el portal no pot llegir de quin commit, de manera que no se sap si la imatge ${tag} està construïda; el token del portal necessita accés al repositori.`,
      HeadUnknown: ({ branch }, format) =>
        `GitLab no diu quin és l’últim commit de ${format.quote(
          branch,
        )} i no se sap quina imatge cal esperar.`,
      ...unknown,
    },
    ApplicationGenerated: {
      Generated: ({ applications: names }, format) =>
        `${applications(format, names)} ${
          names.length > 1 ? 'estan generades' : 'està generada'
        }.`,
      NotPolledYet: ({ applicationSet, requeueAfterSeconds }, format) =>
        `L’ApplicationSet ${applicationSet} encara no ha generat l’Application; mira GitLab cada ${format.duration(
          requeueAfterSeconds,
        )}.`,
      GeneratorError: ({ applicationSet, error }, format) =>
        `L’ApplicationSet ${applicationSet} no crea, actualitza ni esborra res mentre notifiqui un error, que qui en té cura ha de corregir si dura${format.detail(
          error,
        )}.`,
      ValidationError: ({ applicationSet, error }, format) =>
        `Argo CD rebutja el que l’ApplicationSet ${applicationSet} genera per a la sol·licitud de fusió, i qui en té cura ho ha de corregir${format.detail(
          error,
        )}.`,
      FrozenByGenerator: ({ applicationSet, error }, format) =>
        `L’Application és generada, però l’ApplicationSet ${applicationSet} no actualitza res i els commits nous no hi arriben mentre notifiqui un error, que qui en té cura ha de corregir si dura${format.detail(
          error,
        )}.`,
      NameCollision: ({ name, other }) =>
        `El nom d’Application ${name} també és el de ${other} i només un dels dos té entorn; qui té cura de l’ApplicationSet pot posar el número de la sol·licitud de fusió al nom.`,
      Deleting: ({ application, since: start }, format) =>
        `L’Application ${application} s’està esborrant${since(
          format,
          start,
        )}; es torna a generar quan ja no hi és.`,
      ...unknown,
    },
    Synced: {
      Synced: ({ revision }, format) =>
        revision === undefined
          ? 'L’Application està Synced.'
          : `L’Application està Synced amb ${format.shortSha(revision)}.`,
      SyncRunning: ({ application, startedAt }, format) =>
        `Argo CD està sincronitzant l’Application ${application}${timing(
          format,
          { start: startedAt },
        )}.`,
      NeverSynced: ({ application }) =>
        `L’Application ${application} no s’ha sincronitzat mai; Argo CD ho fa tot sol si té la sincronització automàtica, i si no algú ho ha d’engegar allà.`,
      OldCommit: ({ application, wanted, expected, error }, format) =>
        `L’Application ${application} encara demana ${format.shortSha(
          wanted,
        )} en lloc de ${format.shortSha(expected)}; ${
          error === undefined
            ? 'el seu ApplicationSet l’actualitza la propera vegada que mira GitLab'
            : `el seu ApplicationSet no l’actualitza mentre notifiqui un error, que qui en té cura ha de corregir si dura${format.detail(
                error,
              )}`
        }.`,
      OldCommitKept: (
        { application, applicationSet, wanted, expected },
        format,
      ) =>
        `L’Application ${application} demana ${format.shortSha(
          wanted,
        )} en lloc de ${format.shortSha(
          expected,
        )}, i el seu ApplicationSet ${applicationSet} està configurat per no actualitzar-ne cap; qui en té cura pot canviar applicationsSync.`,
      OutOfSync: ({ application, resources }, format) =>
        `L’Application ${application} està OutOfSync${inParentheses(
          format.list(resources),
        )}; Argo CD aplica la diferència a la propera sincronització.`,
      SyncFailed: ({ application, error, resources }, format) =>
        `La sincronització de l’Application ${application} ha fallat${inParentheses(
          format.list(resources),
        )}; qui té cura dels seus manifests els ha de corregir${format.detail(
          error,
        )}.`,
      HookFailed: ({ application, hook, error }, format) =>
        `El hook ${hook} ha fallat i ha aturat la sincronització de l’Application ${application}; qui en té cura l’ha de corregir${format.detail(
          error,
        )}.`,
      ComparisonError: ({ application, error, resources }, format) =>
        `Argo CD no pot comparar l’Application ${application} amb el seu origen${inParentheses(
          format.list(resources),
        )} i no sincronitza res fins que es corregeixin els manifests o el repositori${format.detail(
          error,
        )}.`,
      CommitNotInProject: ({ application, sha, project }, format) =>
        `El commit ${format.shortSha(
          sha,
        )} de la bifurcació no és a ${project}, que és el que llegeix l’Application ${application}; per tenir un entorn cal una branca en aquest mateix projecte.`,
      InvalidSpec: ({ application, error }, format) =>
        `Argo CD rebutja l’especificació de l’Application ${application}; qui té cura del seu ApplicationSet l’ha de corregir${format.detail(
          error,
        )}.`,
      ...unknown,
    },
    Available: {
      Available: (params, format) => `${replicas(format, params)}.`,
      Healthy: ({ application }) =>
        `Argo CD diu que l’Application ${application} està Healthy; el portal no en llegeix les càrregues de treball.`,
      NoWorkloads: ({ application }) =>
        `L’Application ${application} no té càrregues de treball que calgui esperar.`,
      WaitingForImage: ({ image, workload, since: start }, format) =>
        `${workload} espera la imatge ${image}${since(
          format,
          start,
        )}; arrenca quan el pipeline l’hagi pujada.`,
      PullRetried: ({ image, workload, since: start }, format) =>
        `${workload} espera la imatge ${image}${since(
          format,
          start,
        )}; ja és construïda, i el clúster la baixa al proper intent.`,
      Progressing: ({ workload, ready, desired }, format) =>
        `${workload} està arrencant: ${replicas(format, { ready, desired })}.`,
      Missing: ({ application }) =>
        `Encara hi ha recursos de l’Application ${application} que no són al clúster; Argo CD els crea a la propera sincronització.`,
      Asleep: ({ workload }) =>
        `${workload} està escalat a zero; l’entorn torna a respondre quan s’escali.`,
      ImageNotFound: ({ image, workload }) =>
        `${workload} no pot arrencar perquè al registre no hi ha la imatge ${image}; qui té cura del pipeline pot comprovar que hagi pujat aquesta etiqueta.`,
      PullDenied: ({ image, workload }) =>
        `${workload} no pot arrencar perquè el registre li nega la imatge ${image}; qui té cura del namespace li ha de donar un secret de descàrrega.`,
      InvalidImageName: ({ image, container }, format) =>
        `El contenidor ${container} no pot arrencar perquè ${format.quote(
          image,
        )} no és un nom d’imatge vàlid; qui té cura dels manifests l’ha de corregir.`,
      CrashLoop: ({ container, workload, restarts: count, exitCode }, format) =>
        `El contenidor ${container} de ${workload} peta una vegada i una altra (${
          exitCode === undefined ? '' : `codi de sortida ${exitCode}, `
        }${restarts(format, count)}); els seus registres diuen per què.`,
      OutOfMemory: ({ container, workload, restarts: count }, format) =>
        `El contenidor ${container} de ${workload} s’atura perquè fa servir més memòria que el seu límit (${restarts(
          format,
          count,
        )}); apugeu el límit o feu que en gasti menys.`,
      ContainerConfigError: ({ container, workload, error }, format) =>
        `El contenidor ${container} de ${workload} no es pot crear amb la seva configuració, sovint perquè falta un Secret o un ConfigMap; qui té cura dels manifests l’ha de corregir${format.detail(
          error,
        )}.`,
      Unschedulable: ({ workload, error }, format) =>
        `Cap node no accepta els pods de ${workload}; demaneu menys recursos o que qui administra el clúster hi faci lloc${format.detail(
          error,
        )}.`,
      ReplicaFailure: ({ workload, error }, format) =>
        `El clúster no deixa crear els pods de ${workload}, sovint per una quota o una política; ho ha de mirar qui té cura dels manifests o qui administra el clúster${format.detail(
          error,
        )}.`,
      ProgressDeadlineExceeded: ({ workload, ready, desired }, format) =>
        `${workload} no ha estat a punt a temps (${replicas(format, {
          ready,
          desired,
        })}); els registres dels seus pods diuen per què.`,
      Degraded: ({ application, error }, format) =>
        `Argo CD diu que l’Application ${application} està Degraded i hi mostra quin dels recursos n’és la causa${format.detail(
          error,
        )}.`,
      Suspended: ({ application }) =>
        `L’Application ${application} està Suspended; continua quan algú la reprèn a Argo CD.`,
      ...unknown,
    },
    CertificateReady: {
      ...catalanCertificates(phrases),
      ...unknown,
    },
    RouteAccepted: {
      Accepted: ({ route, parents }, format) =>
        parents.length === 0
          ? `${route} està acceptada.`
          : `${route} està acceptada per ${format.list(parents)}.`,
      AcceptedByOneParent: ({ route, parent, refusedBy }) =>
        `${parent} accepta ${route} però ${refusedBy} la rebutja; a l’entorn només s’hi arriba per ${parent}.`,
      AcceptedByRetired: ({ route, className }) =>
        `${route} la serveix ingress-nginx${
          className === undefined ? '' : ` (classe ${className})`
        }, que ja no es manté; qui administra la plataforma l’ha de passar a la Gateway API, amb un HTTPRoute per a cada entorn.`,
      IngressPending: ({ route, className }) =>
        `${route} espera que li doni una adreça el controlador de ${
          className === undefined ? 'la seva classe' : `la classe ${className}`
        }.`,
      ListenerPending: ({ route, parent, listener }) =>
        `${route} espera que estigui programat el listener ${listener} de ${parent}.`,
      BackendsUnavailable: ({ route, error }, format) =>
        `${route} està acceptada, però al darrere no hi ha cap pod a punt i respon 503${format.detail(
          error,
        )}.`,
      GatewayMissing: ({ route, parent }) =>
        `${route} demana ${parent}, que no existeix; qui té cura dels manifests n’ha de corregir els parentRefs.`,
      GatewayNotProgrammed: ({ route, parent, error }, format) =>
        `${parent} no està programat i ${route} no serveix res; ho ha de mirar qui en té cura${format.detail(
          error,
        )}.`,
      ListenersNotAdmitted: ({ route, parent, gateway }) =>
        `${gateway} no admet els listeners de ${parent} i ${route} no serveix res; qui té cura de ${gateway} pot admetre’n el namespace (allowedListeners).`,
      ListenerConflicted: ({ route, parent, listener }) =>
        `El listener ${listener} de ${parent} està en conflicte amb un altre i ${route} no serveix res; qui té cura de ${parent} li ha de donar un port o un nom propi.`,
      ListenerCertificateInvalid: (
        { route, parent, listener, error },
        format,
      ) =>
        `El listener ${listener} de ${parent} no pot fer servir el seu certificat i ${route} no serveix res; qui té cura de ${parent} n’ha de mirar els certificateRefs${format.detail(
          error,
        )}.`,
      Pending: ({ route }) =>
        `${route} espera que el controlador del seu Gateway l’accepti.`,
      NotAllowedByListeners: ({ route, parent, allowed }) =>
        `Els listeners de ${parent} no permeten ${route}${inParentheses(
          allowed === undefined ? undefined : `allowedRoutes: ${allowed}`,
        )}; qui té cura de ${parent} pot permetre les rutes del seu namespace.`,
      NoMatchingHost: ({ route, parent, hosts }, format) =>
        `Cap listener de ${parent} no serveix ${
          hosts.length > 0 ? format.list(hosts) : 'el nom d’amfitrió'
        }, que és el que demana ${route}; corregiu el nom o demaneu a qui té cura de ${parent} que hi afegeixi un listener.`,
      NoMatchingParent: ({ route, parent }) =>
        `${route} demana ${parent}, que no té cap listener que hi encaixi; qui té cura dels manifests n’ha de corregir els parentRefs.`,
      BackendNotFound: ({ route, error }, format) =>
        `${route} porta a un Service que no existeix; qui té cura dels manifests n’ha de corregir els backendRefs${format.detail(
          error,
        )}.`,
      ReferenceNotPermitted: ({ route, error }, format) =>
        `${route} fa referència a un objecte d’un altre namespace, i qui en té cura ho ha de permetre amb un ReferenceGrant${format.detail(
          error,
        )}.`,
      ListenerNotProgrammed: ({ route, parent, listener }) =>
        `El listener ${listener} de ${parent} no està programat i ${route} no serveix res; ho ha de mirar qui té cura de ${parent}.`,
      NotAccepted: ({ route, parent, code, error }, format) =>
        `${parent} no accepta ${route} (${code}), i qui té cura dels manifests ho ha de corregir${format.detail(
          error,
        )}.`,
      ...unknown,
    },
    Reachable: {
      ...catalanReachable,
      ...unknown,
    },
    CleanedUp: {
      NothingLeft: () => 'De l’entorn no en queda res.',
      ApplicationLeft: ({ applications: names, everySeconds }, format) =>
        `${applications(format, names)} encara ${
          names.length > 1 ? 'existeixen' : 'existeix'
        }; l’ApplicationSet elimina el que ja no genera la propera vegada que mira GitLab${
          everySeconds === undefined
            ? ''
            : `, cosa que fa cada ${format.duration(everySeconds)}`
        }.`,
      ApplicationKept: ({ application, applicationSet }) =>
        `L’Application ${application} encara existeix${
          applicationSet === undefined
            ? ' i ja no pertany a cap ApplicationSet'
            : `, i el seu ApplicationSet ${applicationSet} està configurat per no esborrar-ne cap (applicationsSync)`
        }; algú l’ha d’esborrar.`,
      FrozenByGenerator: ({ application, applicationSet, error }, format) =>
        `L’Application ${application} es queda perquè l’ApplicationSet ${applicationSet} no esborra res mentre notifiqui un error, que qui en té cura ha de corregir si dura${format.detail(
          error,
        )}.`,
      ApplicationDeleting: ({ application, since: start }, format) =>
        `L’Application ${application} s’està esborrant${since(
          format,
          start,
        )}; Argo CD n’elimina primer els recursos.`,
      OperationBlocksDeletion: ({ application, since: start }, format) =>
        `L’Application ${application} s’està esborrant${since(
          format,
          start,
        )} i no pot acabar mentre hi ha una sincronització en marxa; algú la pot aturar a Argo CD.`,
      ApplicationDeletionStuck: (
        { application, since: start, finalizers, error },
        format,
      ) =>
        `L’esborrament de l’Application ${application} està encallat${since(
          format,
          start,
        )}${
          finalizers.length > 0
            ? `, retingut per ${format.list(finalizers)}`
            : ''
        }; ho ha de mirar qui administra Argo CD${format.detail(error)}.`,
      NamespaceTerminating: ({ namespace, since: start }, format) =>
        `El namespace ${namespace} s’està eliminant${since(
          format,
          start,
        )}; desapareix quan no hi quedi res.`,
      NamespaceStuck: ({ namespace, since: start }, format) =>
        `El namespace ${namespace} s’està eliminant${since(
          format,
          start,
        )}, i cap de les seves condicions diu què el bloqueja; qui administra el clúster pot veure què hi queda.`,
      FinalizerStuck: (
        { namespace, since: start, error, finalizers = [], resources = [] },
        format,
      ) =>
        `L’eliminació del namespace ${namespace} està encallada${since(
          format,
          start,
        )}${inParentheses(
          [finalizers, resources]
            .filter(held => held.length > 0)
            .map(held => format.list(held))
            .join('; '),
        )}; qui administra el clúster ha d’alliberar el que la reté${format.detail(
          error,
        )}.`,
      ChallengeFinalizerStuck: (
        { namespace, since: start, finalizer, count, error },
        format,
      ) =>
        `El namespace ${namespace} està encallat en la seva terminació${since(
          format,
          start,
        )}: ${format.plural(count, {
          one: `${format.number(count)} Challenge conserva`,
          other: `${format.number(count)} Challenges conserven`,
        })} el finalizer ${finalizer}, ja que cert-manager no pot treure el registre DNS; qui administra la plataforma li ha de tornar a donar accés o treure el finalizer${format.detail(
          error,
        )}.`,
      NamespaceLeft: ({ namespace }) =>
        `El namespace ${namespace} encara existeix; si s’hi queda, l’ha d’esborrar qui administra el clúster.`,
      ResourcesLeft: ({ namespace, resources }, format) =>
        resources.length === 0
          ? `Al namespace ${namespace} queden recursos; si s’hi queden, els ha d’esborrar qui administra el clúster.`
          : `Al namespace ${namespace} queden ${format.list(
              resources,
            )}; el que s’hi quedi ho ha d’esborrar qui administra el clúster.`,
      DnsRecordsLeaving: ({ hosts }, format) =>
        `Tota la resta ja no hi és; es comprova que tampoc no hi siguin els registres DNS${
          hosts.length > 0 ? ` de ${format.list(hosts)}` : ''
        }, de què external-dns s’encarrega en pocs minuts.`,
      DnsRecordLeft: ({ unowned = [], owned = [] }, format) =>
        `Queden registres al DNS${[
          ...(unowned.length > 0
            ? [
                `${format.list(
                  unowned,
                )} sense registre de propietat, de manera que cap external-dns no els elimina`,
              ]
            : []),
          ...(owned.length > 0
            ? [`${format.list(owned)}, que el seu propietari no ha eliminat`]
            : []),
        ]
          .map((part, index) => `${index === 0 ? ': ' : '; '}${part}`)
          .join('')}; qui gestiona la zona els ha d’eliminar.`,
      ...unknown,
    },
  },
  problems: {
    Malformed: ({ annotation, value, expected }, format) =>
      `L’anotació ${annotation} és ${format.quote(
        value,
      )} i hauria de ser de la forma ${format.quote(
        expected,
      )}; qui té cura de l’entitat la pot corregir.`,
    UnknownHost: ({ annotation, host }) =>
      `L’anotació ${annotation} porta al GitLab ${host}, que no està configurat; corregiu l’anotació o demaneu a qui administra el portal que l’hi afegeixi.`,
    ProjectNotFound: ({ annotation, project, host }) =>
      `L’anotació ${annotation} indica el projecte ${project}, que GitLab ${host} no té o no mostra al portal; corregiu l’anotació o demaneu accés a qui gestiona el testimoni d’accés del portal.`,
    ProjectClaimedFromElsewhere: ({ annotation, project }) =>
      `L’anotació ${annotation} indica el projecte ${project}, que és en un grup diferent del fitxer de l’entitat, i per això no se’n mostren els entorns; qui administra el portal ho pot permetre a previews.catalog.allow.`,
    ApplicationSetNotFound: ({ annotation, applicationSet }) =>
      `L’anotació ${annotation} indica l’ApplicationSet ${applicationSet}, que no és a cap clúster dels que llegeix el portal; qui té cura de l’entitat la pot corregir.`,
  },
  sourceErrors: {
    Unreachable: (params, format) =>
      `${nameOf(params.source)} és inaccessible${since(
        format,
        params.since,
      )}${inParentheses(params.subject)}; ${retry(format, params.retryAt)}.`,
    TimedOut: (params, format) =>
      `${nameOf(params.source)} no respon a temps${since(
        format,
        params.since,
      )}${inParentheses(params.subject)}; ${retry(format, params.retryAt)}.`,
    RateLimited: (params, format) =>
      `${nameOf(params.source)} limita les crides del portal${since(
        format,
        params.since,
      )}${inParentheses(params.subject)}; ${retry(format, params.retryAt)}.`,
    TokenInvalid: ({ source, since: start }, format) =>
      `${nameOf(source)} no accepta el testimoni d’accés del portal${since(
        format,
        start,
      )}; qui administra el portal n’ha de posar un de vàlid.`,
    TokenExpired: ({ source, since: start }, format) =>
      `${nameOf(
        source,
      )} rebutja el testimoni d’accés del portal perquè ha caducat${since(
        format,
        start,
      )}; qui administra el portal l’ha de renovar.`,
    TokenRevoked: ({ source, since: start }, format) =>
      `${nameOf(
        source,
      )} rebutja el testimoni d’accés del portal perquè s’ha revocat${since(
        format,
        start,
      )}; qui administra el portal n’ha de posar un de nou.`,
    ScopeMissing: ({ source, subject }) =>
      `${nameOf(
        source,
      )} troba a faltar un àmbit al testimoni d’accés del portal${inParentheses(
        subject,
      )}; qui administra el portal n’ha de posar un amb read_api.`,
    Forbidden: ({ source, subject, since: start }, format) =>
      `${nameOf(source)} no deixa que el portal llegeixi ${
        subject ?? 'el que necessita'
      }${since(format, start)}; ho pot permetre qui en gestiona l’accés.`,
    NotFound: ({ source, subject, since: start }, format) =>
      `${nameOf(source)} no mostra ${
        subject ?? 'el que se li demana'
      } al portal${since(
        format,
        start,
      )}; no hi existeix, o el portal no ho pot veure.`,
    ServerError: (params, format) =>
      `${nameOf(params.source)} respon amb un error seu${since(
        format,
        params.since,
      )}${inParentheses(params.subject)}; ${retry(format, params.retryAt)}.`,
    UnexpectedAnswer: ({ source, subject, since: start }, format) =>
      `${nameOf(source)} respon amb una cosa que el portal no entén${since(
        format,
        start,
      )}${inParentheses(
        subject,
      )}; qui administra el portal en pot comprovar l’adreça i la versió.`,
    NotConfigured: ({ source, subject }) =>
      `${nameOf(source)} no està configurat del tot${inParentheses(
        subject,
      )}; qui administra el portal ho ha de completar.`,
  },
  sourceNotes: {
    TokenCanWrite: ({ source }) =>
      `El testimoni d’accés del portal per a ${source.name} pot fer més que llegir; n’hi ha prou amb un amb l’àmbit read_api.`,
    TokenExpiresSoon: ({ source, expiresOn }, format) =>
      `El testimoni d’accés del portal per a ${
        source.name
      } caduca el ${format.date(
        expiresOn,
      )}; qui administra el portal l’ha de renovar abans.`,
    TokenOfIntegrations: ({ source }) =>
      `Per a ${source.name} es fa servir el testimoni d’accés d’integrations.gitlab, que normalment pot fer més que llegir; previews.gitlab[].token n’admet un de propi.`,
    ApprovalsRefused: ({ source, projects }, format) =>
      `${source.name} no dóna les aprovacions ${format.plural(projects, {
        one: `d’${format.number(projects)} projecte`,
        other: `de ${format.number(projects)} projectes`,
      })}; el temps de revisió no els compta.`,
    NoToken: ({ source }) =>
      `No hi ha cap testimoni d’accés per a ${source.name}; només es poden llegir els projectes públics.`,
  },
  events: {
    HeadChanged: ({ commit }, format) =>
      `L’últim commit de la sol·licitud de fusió ara és ${format.shortSha(
        commit,
      )}.`,
    ApplicationRecreated: ({ application }) =>
      `L’Application ${application} s’ha tornat a crear.`,
    Approved: ({ at }, format) =>
      `La sol·licitud de fusió s’ha aprovat per primera vegada (${format.time(
        at,
      )}).`,
    ApprovalsGone: () =>
      'La sol·licitud de fusió ja no té cap aprovació vigent.',
    PhaseReached: ({ phase }) => `La fase de l’entorn és ${phase}.`,
  },
  findings: catalanFindings({ stateOf }),
};
