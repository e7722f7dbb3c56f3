import { Catalogue } from '../types';

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
    Unjoined: ({ application, applicationSet }) =>
      `L’Application ${application} de l’ApplicationSet ${applicationSet} ne correspond à aucune demande de fusion connue du portail\u00a0; on n’y touche pas, et le responsable de l’ensemble peut lui donner les étiquettes previews/project-id et previews/merge-request.`,
    ProjectClaimedFromElsewhere: ({ entity, project }) =>
      `L’entité ${entity} nomme le projet ${project}, qui est dans un autre groupe que le fichier de l’entité, et ses environnements n’y sont donc pas montrés\u00a0; l’administrateur du portail peut l’autoriser dans previews.catalog.allow.`,
  };
}
