import { Catalogue } from '../types';

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
    Unjoined: ({ application, applicationSet }) =>
      `La Application ${application} del ApplicationSet ${applicationSet} no corresponde a ninguna solicitud de fusión que el portal conozca; no se toca, y el responsable del conjunto puede etiquetarla con previews/project-id y previews/merge-request.`,
    ProjectClaimedFromElsewhere: ({ entity, project }) =>
      `La entidad ${entity} nombra el proyecto ${project}, que está en un grupo distinto del fichero de la entidad, y por eso no se muestran allí sus entornos; quien administra el portal puede permitirlo en previews.catalog.allow.`,
  };
}
