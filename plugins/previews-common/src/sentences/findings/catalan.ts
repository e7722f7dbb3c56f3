import { Catalogue } from '../types';

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
    Unjoined: ({ application, applicationSet }) =>
      `L’Application ${application} de l’ApplicationSet ${applicationSet} no correspon a cap sol·licitud de fusió que el portal conegui; no es toca, i qui té cura del conjunt la pot etiquetar amb previews/project-id i previews/merge-request.`,
    ProjectClaimedFromElsewhere: ({ entity, project }) =>
      `L’entitat ${entity} indica el projecte ${project}, que és en un grup diferent del fitxer de l’entitat, i per això no s’hi mostren els entorns; qui administra el portal ho pot permetre a previews.catalog.allow.`,
  };
}
