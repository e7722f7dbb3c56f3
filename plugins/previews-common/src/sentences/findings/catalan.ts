import { SentenceFormat, TimeWords } from '../format';
import { Catalogue } from '../types';

const at: TimeWords = { hour: 'a les', firstHour: 'a la', date: 'el' };

export function catalanFindings(words: {
  stateOf(state: string): string;
}): Catalogue['findings'] {
  return {
    GeneratedSetShrank: ({ applicationSet, lost, before }, format) =>
      `L’ApplicationSet ${applicationSet} ha perdut de cop ${format.number(
        lost,
      )} de ${format.number(
        before,
      )} Applications encara que les seves sol·licituds de fusió són obertes; mentre no tornin, el portal no dona per abandonat res d’aquest conjunt, i qui en té cura pot revisar els filtres i el testimoni del generador.`,
    NameCollision: ({ application, count }, format) =>
      `El nom d’Application ${application} surt de ${format.number(
        count,
      )} sol·licituds de fusió i només una pot tenir entorn; qui té cura de l’ApplicationSet pot posar el projecte i el número de la sol·licitud de fusió al nom.`,
    KeptByGenerator: ({ mergeRequest, state }) =>
      `L’ApplicationSet conserva l’entorn de ${mergeRequest} encara que la sol·licitud de fusió està ${words.stateOf(
        state,
      )}; qui en té cura pot posar pullRequestState a «opened» perquè s’elimini.`,
    WithoutEnvironment: ({ mergeRequest }) =>
      `La sol·licitud de fusió ${mergeRequest} és oberta i seleccionada, però no té cap Application.`,
    WithoutMergeRequest: ({ mergeRequest, since }, format) =>
      `Cap ApplicationSet no vol ja l’entorn de ${mergeRequest}${
        since === undefined ? '' : ` (${format.time(since)})`
      } i el que en queda no s’està esborrant; qui té cura del servei ho pot eliminar.`,
    NamespaceLeft: (
      { namespace, cluster, mergeRequest, since, contents },
      format,
    ) =>
      `El namespace ${namespace} del clúster ${cluster} es va fer per a ${mergeRequest}, que cap ApplicationSet no vol ja${
        since === undefined ? '' : ` (${format.time(since)})`
      }; cap Application no s’hi desplega${contentsOf(
        contents,
        format,
      )}; qui té cura del servei el pot eliminar.`,
    CertificateBudgetSpent: ({ domain, limit, refillAt, wildcard }, format) =>
      `No es pot obtenir cap certificat nou per a ${domain}: els ${format.number(
        limit,
      )} de 7 dies ja s’han fet servir${
        refillAt === undefined
          ? ''
          : ` i el següent serà lliure ${format.when(refillAt, at)}`
      }; ${
        wildcard === undefined
          ? 'qui porta la plataforma pot fer que els entorns comparteixin certificats.'
          : `qui porta la plataforma pot servir els entorns amb un sol certificat per a ${wildcard}.`
      }`,
    CertificateBudgetLow: (
      { domain, left, limit, runsOutAt, wildcard },
      format,
    ) =>
      `Queden ${format.number(left)} de ${format.number(
        limit,
      )} certificats nous per a ${domain}${
        runsOutAt === undefined
          ? ''
          : `, que s’acabaran ${format.when(
              runsOutAt,
              at,
            )} al ritme de la setmana`
      }; ${
        wildcard === undefined
          ? 'qui porta la plataforma pot fer que els entorns comparteixin certificats.'
          : `qui porta la plataforma pot servir els entorns amb un sol certificat per a ${wildcard}.`
      }`,
    NameSetBudgetSpent: ({ names, limit, refillAt }, format) =>
      `El certificat per a ${names} s’ha emès ${format.number(
        limit,
      )} vegades en 7 dies i de moment es denega${
        refillAt === undefined
          ? ''
          : `; el següent serà lliure ${format.when(refillAt, at)}`
      }. Qui té cura del servei pot mirar per què el Certificate o el Secret es torna a crear.`,
    IssuerStaticKey: ({ issuer, cluster }) =>
      `El ${issuer} del clúster ${cluster} s’identifica a AWS amb una clau desada; qui porta el clúster li pot donar un rol amb el compte de servei de cert-manager (auth.kubernetes.serviceAccountRef) i esborrar la clau.`,
    TokenRefused: ({ token, host }) =>
      `${host} no accepta el testimoni ${token}; qui porta la plataforma n’ha de crear un de nou i posar-lo on es fa servir l’antic.`,
    TokenScopeTooWide: ({ token, host, scopes }) =>
      `El testimoni ${token} per a ${host} pot fer més que read_api (${scopes}); qui porta la plataforma el pot substituir per un que només tingui read_api.`,
    TokenExpires: ({ token, host, expiresAt }, format) =>
      expiresAt === undefined
        ? `El testimoni ${token} per a ${host} no caduca mai; qui porta la plataforma el pot substituir per un amb data de caducitat.`
        : `El testimoni ${token} per a ${host} caduca el ${format.date(
            expiresAt,
          )}; qui porta la plataforma l’ha de renovar abans.`,
    TokenNotVerifiable: ({ token, host }) =>
      `No es pot comprovar què pot fer el testimoni ${token} per a ${host} ni quan caduca, perquè no s’ha donat o GitLab no respon; qui administra el portal el pot indicar a previews.checks.tokens.`,
    Unjoined: ({ application, applicationSet }) =>
      `L’Application ${application} de l’ApplicationSet ${applicationSet} no correspon a cap sol·licitud de fusió que el portal conegui; no es toca, i qui té cura del conjunt la pot etiquetar amb previews/project-id i previews/merge-request.`,
    NamespaceMaybeLeft: (
      { namespace, cluster, mergeRequest, since, contents },
      format,
    ) =>
      `El namespace ${namespace} del clúster ${cluster} potser és una resta de ${mergeRequest}, que cap ApplicationSet no vol ja${
        since === undefined ? '' : ` (${format.time(since)})`
      }: en té el nom i res més no diu de qui és; cap Application no s’hi desplega${contentsOf(
        contents,
        format,
      )}; qui administra el clúster sap si es pot esborrar.`,
    ProjectClaimedFromElsewhere: ({ entity, project }) =>
      `L’entitat ${entity} indica el projecte ${project}, que és en un grup diferent del fitxer de l’entitat, i per això no s’hi mostren els entorns; qui administra el portal ho pot permetre a previews.catalog.allow.`,
  };
}

/** How much is in a namespace, where that was read. */
function contentsOf(count: number | undefined, format: SentenceFormat): string {
  return count === undefined
    ? ''
    : ` (càrregues de treball, Pods, rutes i certificats: ${format.number(
        count,
      )})`;
}
