import { ReachableSentences } from './types';

export const frenchReachable: ReachableSentences = {
  Answered: ({ host, status }) => `${host} répond ${status} au portail.`,
  RedirectedAway: ({ host, status, to }) =>
    `${host} répond ${status} au portail et renvoie les visiteurs vers ${to}.`,
  RedirectLoop: ({ host }) =>
    `${host} se redirige vers lui-même sans fin\u00a0; le responsable du service doit en regarder les redirections.`,
  Http5xx: ({ host, status }) =>
    `${host} répond ${status} au portail\u00a0; lisez les journaux du service.`,
  InvalidAnswer: ({ host, error }, format) =>
    `Ce qui répond à https://${host} n’est pas du HTTP lisible\u00a0; le responsable du service doit y regarder${format.detail(
      error,
    )}.`,
  TlsMismatch: ({ host, names }, format) =>
    `Le certificat que sert ${host} est pour ${
      names.length > 0 ? format.list(names) : 'aucun hôte'
    }\u00a0; la route ou le listener doit utiliser celui de ${host}.`,
  TlsExpired: ({ host, notAfter }, format) =>
    `Le certificat que sert ${host} a expiré (${format.date(
      notAfter,
    )})\u00a0; voyez s’il a été renouvelé et si le Gateway l’a pris en compte.`,
  TlsUntrusted: ({ host, issuer, error }, format) =>
    `Le portail ne fait pas confiance au certificat que sert ${host}${
      issuer === undefined ? '' : `, émis par ${issuer}`
    }\u00a0; utilisez un émetteur reconnu par les navigateurs, ou indiquez son autorité dans previews.probe.caFile${format.detail(
      error,
    )}.`,
  TlsFailed: ({ host, error }, format) =>
    `${host} ne négocie aucune connexion TLS\u00a0; le responsable du listener doit y regarder${format.detail(
      error,
    )}.`,
  Timeout: ({ host }) =>
    `${host} n’a pas répondu au portail à temps\u00a0; voyez si le portail peut l’atteindre et si le service est bloqué.`,
  ConnectionRefused: ({ host }) =>
    `${host} refuse les connexions\u00a0; voyez si le Gateway ou le répartiteur de charge écoute.`,
  ConnectionReset: ({ host }) =>
    `${host} a coupé la connexion avant de répondre\u00a0; voyez les journaux du Gateway et du service.`,
  ConnectionFailed: ({ host, error }, format) =>
    `Le portail n’a pas de connexion vers ${host}\u00a0; voyez si son réseau y mène${format.detail(
      error,
    )}.`,
  DnsNotFound: ({ host }) =>
    `${host} n’a pas d’adresse dans le DNS\u00a0; voyez si external-dns a créé son enregistrement.`,
  DnsUnavailable: ({ host }) =>
    `Le DNS du portail n’a pas dit où est ${host}\u00a0; il redemande de lui-même.`,
  NotAllowed: ({ host, address }) =>
    `${host} mène à ${address}, que le portail ne visite que si previews.probe.allowedNetworks le contient.`,
  NotProbedYet: ({ host }) =>
    `Le portail est sur le point de visiter https://${host}.`,
};
