import { ReachableSentences } from './types';

export const catalanReachable: ReachableSentences = {
  Answered: ({ host, status }) => `${host} respon al portal amb ${status}.`,
  RedirectedAway: ({ host, status, to }) =>
    `${host} respon al portal amb ${status} i envia els visitants a ${to}.`,
  RedirectLoop: ({ host }) =>
    `${host} es redirigeix a si mateix una vegada i una altra; qui té cura del servei n’ha de mirar les redireccions.`,
  Http5xx: ({ host, status }) =>
    `${host} respon al portal amb ${status}; llegiu els registres del servei.`,
  InvalidAnswer: ({ host, error }, format) =>
    `El que respon a https://${host} no és HTTP que es pugui llegir; ho ha de mirar qui té cura del servei${format.detail(
      error,
    )}.`,
  TlsMismatch: ({ host, names }, format) =>
    `El certificat que serveix ${host} és per a ${
      names.length > 0 ? format.list(names) : 'cap nom d’amfitrió'
    }; la ruta o el listener ha de fer servir el de ${host}.`,
  TlsExpired: ({ host, notAfter }, format) =>
    `El certificat que serveix ${host} va caducar (${format.date(
      notAfter,
    )}); mireu si s’ha renovat i si el Gateway ja el fa servir.`,
  TlsUntrusted: ({ host, issuer, error }, format) =>
    `El portal no es refia del certificat que serveix ${host}${
      issuer === undefined ? '' : `, emès per ${issuer}`
    }; feu servir un emissor en què els navegadors confiïn, o poseu la seva autoritat a previews.probe.caFile${format.detail(
      error,
    )}.`,
  TlsFailed: ({ host, error }, format) =>
    `${host} no acorda cap connexió TLS; ho ha de mirar qui té cura del listener${format.detail(
      error,
    )}.`,
  Timeout: ({ host }) =>
    `${host} no ha respost al portal a temps; mireu si el portal hi pot arribar i si el servei s’ha quedat penjat.`,
  ConnectionRefused: ({ host }) =>
    `${host} rebutja les connexions; mireu si el Gateway o l’equilibrador de càrrega escolta.`,
  ConnectionReset: ({ host }) =>
    `${host} ha tallat la connexió abans de respondre; mireu els registres del Gateway i del servei.`,
  ConnectionFailed: ({ host, error }, format) =>
    `El portal no té connexió amb ${host}; mireu si la seva xarxa hi arriba${format.detail(
      error,
    )}.`,
  DnsNotFound: ({ host }) =>
    `${host} no té cap adreça al DNS; mireu si external-dns n’ha creat el registre.`,
  DnsUnavailable: ({ host }) =>
    `El DNS del portal no ha dit on és ${host}; ho torna a preguntar tot sol.`,
  NotAllowed: ({ host, address }) =>
    `${host} porta a ${address}, que el portal no visita si no és a previews.probe.allowedNetworks.`,
  NotProbedYet: ({ host }) =>
    `El portal està a punt de visitar https://${host}.`,
};
