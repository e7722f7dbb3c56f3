import { ReachableSentences } from './types';

export const spanishReachable: ReachableSentences = {
  Answered: ({ host, status }) => `${host} responde al portal con ${status}.`,
  RedirectedAway: ({ host, status, to }) =>
    `${host} responde al portal con ${status} y envía a los visitantes a ${to}.`,
  RedirectLoop: ({ host }) =>
    `${host} se redirige a sí mismo una y otra vez; el responsable del servicio tiene que mirar sus redirecciones.`,
  Http5xx: ({ host, status }) =>
    `${host} responde al portal con ${status}; lea los registros del servicio.`,
  InvalidAnswer: ({ host, error }, format) =>
    `Lo que responde en https://${host} no es HTTP que se pueda leer; tiene que mirarlo el responsable del servicio${format.detail(
      error,
    )}.`,
  TlsMismatch: ({ host, names }, format) =>
    `El certificado que sirve ${host} es para ${
      names.length > 0 ? format.list(names) : 'ningún host'
    }; la ruta o el listener tiene que usar el de ${host}.`,
  TlsExpired: ({ host, notAfter }, format) =>
    `El certificado que sirve ${host} caducó (${format.date(
      notAfter,
    )}); mire si se ha renovado y si el Gateway ya lo usa.`,
  TlsUntrusted: ({ host, issuer, error }, format) =>
    `El portal no confía en el certificado que sirve ${host}${
      issuer === undefined ? '' : `, emitido por ${issuer}`
    }; use un emisor en el que confíen los navegadores, o indique su autoridad en previews.probe.caFile${format.detail(
      error,
    )}.`,
  TlsFailed: ({ host, error }, format) =>
    `${host} no acuerda ninguna conexión TLS; tiene que mirarlo el responsable del listener${format.detail(
      error,
    )}.`,
  Timeout: ({ host }) =>
    `${host} no respondió al portal a tiempo; mire si el portal puede llegar a él y si el servicio se ha quedado colgado.`,
  ConnectionRefused: ({ host }) =>
    `${host} rechaza las conexiones; mire si el Gateway o el balanceador de carga escucha.`,
  ConnectionReset: ({ host }) =>
    `${host} cortó la conexión antes de responder; mire los registros del Gateway y del servicio.`,
  ConnectionFailed: ({ host, error }, format) =>
    `El portal no tiene conexión con ${host}; mire si su red llega hasta él${format.detail(
      error,
    )}.`,
  DnsNotFound: ({ host }) =>
    `${host} no tiene ninguna dirección en el DNS; mire si external-dns creó su registro.`,
  DnsUnavailable: ({ host }) =>
    `El DNS del portal no dijo dónde está ${host}; vuelve a preguntar por sí solo.`,
  NotAllowed: ({ host, address }) =>
    `${host} lleva a ${address}, que el portal no visita si no está en previews.probe.allowedNetworks.`,
  NotProbedYet: ({ host }) =>
    `El portal está a punto de visitar https://${host}.`,
};
