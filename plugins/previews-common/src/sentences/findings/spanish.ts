import { SentenceFormat, TimeWords } from '../format';
import { Catalogue } from '../types';

const at: TimeWords = { hour: 'a las', firstHour: 'a la', date: 'el' };

export function spanishFindings(words: {
  stateOf(state: string): string;
}): Catalogue['findings'] {
  return {
    GeneratedSetShrank: ({ applicationSet, lost, before }, format) =>
      `El ApplicationSet ${applicationSet} ha perdido de golpe ${format.number(
        lost,
      )} de ${format.number(
        before,
      )} Applications aunque sus solicitudes de fusión están abiertas; mientras no vuelvan, el portal no da por abandonado nada de este conjunto, y su responsable puede revisar los filtros y el token del generador.`,
    NameCollision: ({ application, count }, format) =>
      `El nombre de Application ${application} sale de ${format.number(
        count,
      )} solicitudes de fusión y solo una puede tener entorno; el responsable del ApplicationSet puede poner el proyecto y el número de la solicitud de fusión en el nombre.`,
    KeptByGenerator: ({ mergeRequest, state }) =>
      `El ApplicationSet conserva el entorno de ${mergeRequest} aunque la solicitud de fusión está ${words.stateOf(
        state,
      )}; su responsable puede poner pullRequestState en «opened» para que se elimine.`,
    WithoutEnvironment: ({ mergeRequest }) =>
      `La solicitud de fusión ${mergeRequest} está abierta y seleccionada, pero no tiene ninguna Application.`,
    WithoutMergeRequest: ({ mergeRequest, since }, format) =>
      `Ningún ApplicationSet quiere ya el entorno de ${mergeRequest}${
        since === undefined ? '' : ` (${format.time(since)})`
      } y lo que queda de él no se está borrando; el responsable del servicio puede eliminarlo.`,
    NamespaceLeft: (
      { namespace, cluster, mergeRequest, since, contents },
      format,
    ) =>
      `El namespace ${namespace} del clúster ${cluster} se creó para ${mergeRequest}, que ningún ApplicationSet quiere ya${
        since === undefined ? '' : ` (${format.time(since)})`
      }; ninguna Application se despliega en él${contentsOf(
        contents,
        format,
      )}; el responsable del servicio puede eliminarlo.`,
    CertificateBudgetSpent: ({ domain, limit, refillAt, wildcard }, format) =>
      `No se puede obtener ningún certificado nuevo para ${domain}: los ${format.number(
        limit,
      )} de 7 días ya se han usado${
        refillAt === undefined
          ? ''
          : ` y el siguiente quedará libre ${format.when(refillAt, at)}`
      }; ${
        wildcard === undefined
          ? 'quien lleva la plataforma puede hacer que los entornos compartan certificados.'
          : `quien lleva la plataforma puede servir los entornos con un solo certificado para ${wildcard}.`
      }`,
    CertificateBudgetLow: (
      { domain, left, limit, runsOutAt, wildcard },
      format,
    ) =>
      `Quedan ${format.number(left)} de ${format.number(
        limit,
      )} certificados nuevos para ${domain}${
        runsOutAt === undefined
          ? ''
          : `, que se acabarán ${format.when(
              runsOutAt,
              at,
            )} al ritmo de la semana`
      }; ${
        wildcard === undefined
          ? 'quien lleva la plataforma puede hacer que los entornos compartan certificados.'
          : `quien lleva la plataforma puede servir los entornos con un solo certificado para ${wildcard}.`
      }`,
    NameSetBudgetSpent: ({ names, limit, refillAt }, format) =>
      `El certificado para ${names} se ha emitido ${format.number(
        limit,
      )} veces en 7 días y por ahora se deniega${
        refillAt === undefined
          ? ''
          : `; el siguiente quedará libre ${format.when(refillAt, at)}`
      }. El responsable del servicio puede mirar por qué el Certificate o el Secret se vuelve a crear.`,
    IssuerStaticKey: ({ issuer, cluster }) =>
      `El ${issuer} del clúster ${cluster} se identifica en AWS con una clave guardada; quien lleva el clúster puede darle un rol con la cuenta de servicio de cert-manager (auth.kubernetes.serviceAccountRef) y borrar la clave.`,
    TokenRefused: ({ token, host }) =>
      `${host} no acepta el token ${token}; quien lleva la plataforma tiene que crear uno nuevo y ponerlo donde se usa el antiguo.`,
    TokenScopeTooWide: ({ token, host, scopes }) =>
      `El token ${token} para ${host} puede hacer más que read_api (${scopes}); quien lleva la plataforma puede sustituirlo por uno que solo tenga read_api.`,
    TokenExpires: ({ token, host, expiresAt }, format) =>
      expiresAt === undefined
        ? `El token ${token} para ${host} no caduca nunca; quien lleva la plataforma puede sustituirlo por uno con fecha de caducidad.`
        : `El token ${token} para ${host} caduca el ${format.date(
            expiresAt,
          )}; quien lleva la plataforma tiene que renovarlo antes.`,
    TokenNotVerifiable: ({ token, host }) =>
      `No se puede comprobar qué puede hacer el token ${token} para ${host} ni cuándo caduca, porque no se ha entregado o GitLab no responde; quien administra el portal puede indicarlo en previews.checks.tokens.`,
    Unjoined: ({ application, applicationSet }) =>
      `La Application ${application} del ApplicationSet ${applicationSet} no corresponde a ninguna solicitud de fusión que el portal conozca; no se toca, y el responsable del conjunto puede etiquetarla con previews/project-id y previews/merge-request.`,
    NamespaceMaybeLeft: (
      { namespace, cluster, mergeRequest, since, contents },
      format,
    ) =>
      `El namespace ${namespace} del clúster ${cluster} puede ser un resto de ${mergeRequest}, que ningún ApplicationSet quiere ya${
        since === undefined ? '' : ` (${format.time(since)})`
      }: tiene su nombre y nada más dice de quién es; ninguna Application se despliega en él${contentsOf(
        contents,
        format,
      )}; quien administra el clúster sabe si se puede borrar.`,
    ProjectClaimedFromElsewhere: ({ entity, project }) =>
      `La entidad ${entity} nombra el proyecto ${project}, que está en un grupo distinto del fichero de la entidad, y por eso no se muestran allí sus entornos; quien administra el portal puede permitirlo en previews.catalog.allow.`,
  };
}

/** How much is in a namespace, where that was read. */
function contentsOf(count: number | undefined, format: SentenceFormat): string {
  return count === undefined
    ? ''
    : ` (cargas de trabajo, Pods, rutas y certificados: ${format.number(
        count,
      )})`;
}
