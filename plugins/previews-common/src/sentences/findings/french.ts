import { SentenceFormat, TimeWords } from '../format';
import { Catalogue } from '../types';

const at: TimeWords = { hour: 'à', firstHour: 'à', date: 'le' };

export function frenchFindings(words: {
  stateOf(state: string): string;
}): Catalogue['findings'] {
  return {
    GeneratedSetShrank: ({ applicationSet, lost, before }, format) =>
      `L’ApplicationSet ${applicationSet} a perdu d’un coup ${format.number(
        lost,
      )} de ses ${format.number(
        before,
      )} Applications alors que leurs demandes de fusion sont ouvertes\u00a0; tant qu’elles ne sont pas revenues, le portail ne tient rien de cet ensemble pour abandonné, et son responsable peut vérifier les filtres et le jeton du générateur.`,
    NameCollision: ({ application, count }, format) =>
      `Le nom d’Application ${application} vient de ${format.number(
        count,
      )} demandes de fusion, et une seule peut donc avoir un environnement\u00a0; le responsable de l’ApplicationSet peut mettre le projet et le numéro de la demande de fusion dans le nom.`,
    KeptByGenerator: ({ mergeRequest, state }, format) =>
      `L’ApplicationSet garde l’environnement de ${mergeRequest} alors que la demande de fusion est ${words.stateOf(
        state,
      )}\u00a0; son responsable peut mettre pullRequestState à ${format.quote(
        'opened',
      )} pour qu’il soit supprimé.`,
    WithoutEnvironment: ({ mergeRequest }) =>
      `La demande de fusion ${mergeRequest} est ouverte et sélectionnée mais n’a pas d’Application.`,
    WithoutMergeRequest: ({ mergeRequest, since }, format) =>
      `Aucun ApplicationSet ne veut plus de l’environnement de ${mergeRequest}${
        since === undefined ? '' : ` (${format.time(since)})`
      }, et ce qu’il en reste n’est pas en cours de suppression\u00a0; le responsable du service peut l’enlever.`,
    NamespaceLeft: (
      { namespace, cluster, mergeRequest, since, contents },
      format,
    ) =>
      `Le namespace ${namespace} du cluster ${cluster} a été créé pour ${mergeRequest}, dont aucun ApplicationSet ne veut plus${
        since === undefined ? '' : ` (${format.time(since)})`
      }\u00a0; aucune Application ne s’y déploie${contentsOf(
        contents,
        format,
      )}\u00a0; le responsable du service peut l’enlever.`,
    CertificateBudgetSpent: ({ domain, limit, refillAt, wildcard }, format) =>
      `Aucun nouveau certificat ne peut être obtenu pour ${domain}\u00a0: les ${format.number(
        limit,
      )} de 7 jours sont utilisés${
        refillAt === undefined
          ? ''
          : ` et le prochain sera libre ${format.when(refillAt, at)}`
      }\u00a0; ${
        wildcard === undefined
          ? 'le responsable de la plateforme peut faire partager des certificats aux environnements.'
          : `le responsable de la plateforme peut servir les environnements avec un seul certificat pour ${wildcard}.`
      }`,
    CertificateBudgetLow: (
      { domain, left, limit, runsOutAt, wildcard },
      format,
    ) =>
      `Il reste ${format.number(left)} nouveaux certificats sur ${format.number(
        limit,
      )} pour ${domain}${
        runsOutAt === undefined
          ? ''
          : `, épuisés ${format.when(runsOutAt, at)} au rythme de la semaine`
      }\u00a0; ${
        wildcard === undefined
          ? 'le responsable de la plateforme peut faire partager des certificats aux environnements.'
          : `le responsable de la plateforme peut servir les environnements avec un seul certificat pour ${wildcard}.`
      }`,
    NameSetBudgetSpent: ({ names, limit, refillAt }, format) =>
      `Le certificat pour ${names} a été émis ${format.number(
        limit,
      )} fois en 7 jours et est refusé pour l’instant${
        refillAt === undefined
          ? ''
          : `\u00a0; le prochain sera libre ${format.when(refillAt, at)}`
      }. Le responsable du service peut chercher pourquoi son Certificate ou son Secret est recréé.`,
    IssuerStaticKey: ({ issuer, cluster }) =>
      `Le ${issuer} du cluster ${cluster} s’identifie auprès d’AWS avec une clé enregistrée\u00a0; le responsable du cluster peut lui donner un rôle par le compte de service de cert-manager (auth.kubernetes.serviceAccountRef) et supprimer la clé.`,
    TokenRefused: ({ token, host }) =>
      `${host} n’accepte pas le jeton ${token}\u00a0; le responsable de la plateforme doit en créer un nouveau et le mettre là où l’ancien sert.`,
    TokenScopeTooWide: ({ token, host, scopes }) =>
      `Le jeton ${token} pour ${host} peut faire plus que read_api (${scopes})\u00a0; le responsable de la plateforme peut le remplacer par un jeton qui n’a que read_api.`,
    TokenExpires: ({ token, host, expiresAt }, format) =>
      expiresAt === undefined
        ? `Le jeton ${token} pour ${host} n’expire jamais\u00a0; le responsable de la plateforme peut le remplacer par un jeton qui a une date d’expiration.`
        : `Le jeton ${token} pour ${host} expire le ${format.date(
            expiresAt,
          )}\u00a0; le responsable de la plateforme doit le renouveler avant.`,
    TokenNotVerifiable: ({ token, host }) =>
      `On ne peut pas vérifier ce que le jeton ${token} pour ${host} peut faire ni quand il expire, car il n’a pas été confié ou GitLab ne répond pas\u00a0; l’administrateur du portail peut l’indiquer dans previews.checks.tokens.`,
    Unjoined: ({ application, applicationSet }) =>
      `L’Application ${application} de l’ApplicationSet ${applicationSet} ne correspond à aucune demande de fusion connue du portail\u00a0; on n’y touche pas, et le responsable de l’ensemble peut lui donner les étiquettes previews/project-id et previews/merge-request.`,
    NamespaceMaybeLeft: (
      { namespace, cluster, mergeRequest, since, contents },
      format,
    ) =>
      `Le namespace ${namespace} du cluster ${cluster} est peut-être un reste de ${mergeRequest}, dont aucun ApplicationSet ne veut plus${
        since === undefined ? '' : ` (${format.time(since)})`
      }\u00a0: il en a le nom et rien d’autre ne dit à qui il est\u00a0; aucune Application ne s’y déploie${contentsOf(
        contents,
        format,
      )}\u00a0; l’administrateur du cluster sait s’il peut être supprimé.`,
    ProjectClaimedFromElsewhere: ({ entity, project }) =>
      `L’entité ${entity} nomme le projet ${project}, qui est dans un autre groupe que le fichier de l’entité, et ses environnements n’y sont donc pas montrés\u00a0; l’administrateur du portail peut l’autoriser dans previews.catalog.allow.`,
  };
}

/** How much is in a namespace, where that was read. */
function contentsOf(count: number | undefined, format: SentenceFormat): string {
  return count === undefined
    ? ''
    : ` (charges de travail, Pods, routes et certificats\u00a0: ${format.number(
        count,
      )})`;
}
