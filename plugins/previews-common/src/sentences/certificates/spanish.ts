import { SentenceFormat } from '../format';
import { inParentheses } from '../phrases';
import { CertificatePhrases, CertificateSentences } from './types';

function forHosts(format: SentenceFormat, hosts: string[]): string {
  return hosts.length > 0 ? ` para ${format.list(hosts)}` : '';
}

function nextTry(
  format: SentenceFormat,
  retryAt: string | undefined,
  attempts?: number,
): string {
  const count =
    attempts === undefined
      ? undefined
      : format.plural(attempts, {
          one: `${format.number(attempts)} intento`,
          other: `${format.number(attempts)} intentos`,
        });
  const next =
    retryAt === undefined
      ? undefined
      : `próximo intento: ${format.time(retryAt)}`;
  return inParentheses(
    [count, next].filter(part => part !== undefined).join('; '),
  );
}

function until(format: SentenceFormat, notAfter: string | undefined): string {
  return notAfter === undefined ? '' : ` hasta el ${format.date(notAfter)}`;
}

/** The Spanish sentences of certificates. */
export function spanishCertificates({
  timing,
  since,
}: CertificatePhrases): CertificateSentences {
  return {
    Ready: ({ certificate, notAfter, issuer }, format) =>
      `El Certificate ${certificate} es válido${until(format, notAfter)}${
        issuer === undefined ? '' : `, emitido por ${issuer}`
      }.`,
    RenewalFailing: ({ certificate, notAfter, error, retryAt }, format) =>
      `El Certificate ${certificate} es válido${until(
        format,
        notAfter,
      )} pero no se puede renovar${nextTry(
        format,
        retryAt,
      )}; quien administra la plataforma tiene que eliminar la causa antes de que caduque${format.detail(
        error,
      )}.`,
    RenewalOverdue: ({ certificate, renewalTime, notAfter }, format) =>
      `El Certificate ${certificate} es válido${until(
        format,
        notAfter,
      )} y debería haberse renovado el ${format.date(
        renewalTime,
      )}; quien administra la plataforma tiene que mirar si cert-manager funciona.`,
    Issuing: ({ certificate, hosts, since: start, usualSeconds }, format) =>
      `El Certificate ${certificate} se está emitiendo${forHosts(
        format,
        hosts,
      )}${timing(format, { start, usualSeconds })}.`,
    CertificateMissing: ({ certificate, host, server }) =>
      `${server} espera a que cert-manager cree el Certificate ${certificate} para ${host}.`,
    SecretMissing: ({ certificate, secret }) =>
      `El Secret ${secret} del Certificate ${certificate} ha desaparecido; cert-manager lo emite de nuevo.`,
    ApprovalPending: ({ certificate, request }) =>
      `El CertificateRequest ${request} del Certificate ${certificate} espera una aprobación; puede darla quien administra la plataforma.`,
    ChallengeQueued: ({ certificate, host, since: start }, format) =>
      `El Challenge de ${host} espera a que cert-manager lo tome, que trabaja en unos cuantos a la vez${inParentheses(
        format.elapsed(start),
      )}; después se puede emitir el Certificate ${certificate}.`,
    ChallengePending: (
      { certificate, host, since: start, usualSeconds },
      format,
    ) =>
      `La autoridad de certificación comprueba que ${host} es nuestro, para el Certificate ${certificate}${timing(
        format,
        { start, usualSeconds },
      )}.`,
    DnsNotPropagated: (
      { certificate, host, since: start, usualSeconds },
      format,
    ) =>
      `El registro DNS que demuestra ${host} para el Certificate ${certificate} está escrito y todavía no se ve en todas partes${timing(
        format,
        { start, usualSeconds },
      )}.`,
    HttpNotReached: ({ certificate, host, error }, format) =>
      `La dirección de ${host} no responde por HTTP a cert-manager, que la tiene que comprobar para el Certificate ${certificate}; tiene que llevar al clúster${format.detail(
        error,
      )}.`,
    DnsThrottled: ({ certificate, host }) =>
      `El proveedor de DNS frena el registro de ${host}; el Certificate ${certificate} llega más tarde por sí solo.`,
    ProviderUnreachable: ({ certificate, host, error }, format) =>
      `No responde lo que tiene que demostrar ${host} para el Certificate ${certificate}; cert-manager lo vuelve a intentar${format.detail(
        error,
      )}.`,
    PropagationStuck: ({ certificate, host, since: start }, format) =>
      `El registro DNS de ${host} está escrito, pero el resolvedor de cert-manager no lo ve${since(
        format,
        start,
      )}; quien administra la plataforma tiene que mirar la delegación de la zona, o el Certificate ${certificate} no llegará nunca.`,
    ChallengeStuck: ({ certificate, host, since: start, error }, format) =>
      `El Challenge de ${host} del Certificate ${certificate} está esperando${since(
        format,
        start,
      )}; quien administra la plataforma tiene que mirar cert-manager${format.detail(
        error,
      )}.`,
    IssuanceStuck: ({ certificate, hosts, since: start }, format) =>
      `El Certificate ${certificate} espera a ser emitido${forHosts(
        format,
        hosts,
      )}${since(
        format,
        start,
      )}; quien administra la plataforma tiene que mirar cert-manager.`,
    ChallengeFailed: ({ certificate, host, error, retryAt }, format) =>
      `La autoridad de certificación no ha podido comprobar ${host} para el Certificate ${certificate}${nextTry(
        format,
        retryAt,
      )}; quien administra la plataforma tiene que corregir su DNS o su ruta${format.detail(
        error,
      )}.`,
    ChallengeError: ({ certificate, host, error }, format) =>
      `El Challenge de ${host} del Certificate ${certificate} encuentra un error que tiene que eliminar quien administra la plataforma${format.detail(
        error,
      )}.`,
    AccessDenied: ({ certificate, host, action, zone }) =>
      `El proveedor de DNS no deja que cert-manager escriba el registro de ${host}${inParentheses(
        [action, zone].filter(part => part !== undefined).join(', '),
      )}; quien administra la plataforma lo tiene que permitir y entonces se emite el Certificate ${certificate}.`,
    CredentialsInvalid: ({ certificate, host, code }) =>
      `El proveedor de DNS no acepta las credenciales de cert-manager para ${host} (${code}); quien administra la plataforma tiene que corregir las del emisor y entonces se emite el Certificate ${certificate}.`,
    ZoneNotFound: ({ certificate, host }) =>
      `Con las credenciales de cert-manager no se encuentra ninguna zona DNS para ${host}; corrija el nombre, o pida a quien administra la plataforma que añada la zona al emisor del Certificate ${certificate}.`,
    NoSolver: ({ certificate, hosts, issuer }, format) =>
      `El emisor${
        issuer === undefined ? '' : ` ${issuer}`
      } del Certificate ${certificate} no tiene ningún solver${forHosts(
        format,
        hosts,
      )}; quien administra la plataforma tiene que añadirlo.`,
    RateLimitedForDomain: ({ certificate, domain, retryAt }, format) =>
      `La autoridad de certificación ha emitido esta semana demasiados certificados${
        domain === undefined ? '' : ` para ${domain}`
      } y rechaza el Certificate ${certificate}${nextTry(
        format,
        retryAt,
      )}; con un certificado comodín para todos los entornos no hace falta uno propio.`,
    RateLimitedForNames: ({ certificate, hosts, retryAt }, format) =>
      `La autoridad de certificación ha emitido demasiadas veces esta semana el Certificate ${certificate}${forHosts(
        format,
        hosts,
      )}${nextTry(
        format,
        retryAt,
      )}; no vuelva a crear el entorno hasta entonces, o dele otro nombre de host.`,
    RateLimitedForFailures: ({ certificate, hosts, retryAt }, format) =>
      `La autoridad de certificación rechaza el Certificate ${certificate} tras demasiadas comprobaciones fallidas${forHosts(
        format,
        hosts,
      )}${nextTry(
        format,
        retryAt,
      )}; quien administra la plataforma tiene que eliminar antes la causa.`,
    RateLimited: ({ certificate, error, retryAt }, format) =>
      `La autoridad de certificación limita los pedidos de esta plataforma y rechaza el Certificate ${certificate}${nextTry(
        format,
        retryAt,
      )}; se emite más tarde sin que nadie haga nada${format.detail(error)}.`,
    OrderExpired: ({ certificate, order, retryAt }, format) =>
      `La Order ${order} del Certificate ${certificate} caducó antes de quedar demostrada${nextTry(
        format,
        retryAt,
      )}; quien administra la plataforma tiene que ver qué frenó sus Challenges.`,
    OrderFailed: ({ certificate, hosts, error, retryAt }, format) =>
      `La autoridad de certificación rechaza el pedido del Certificate ${certificate}${forHosts(
        format,
        hosts,
      )}${nextTry(
        format,
        retryAt,
      )}; quien administra la plataforma tiene que eliminar la causa${format.detail(
        error,
      )}.`,
    AccountMissing: ({ certificate, issuer }) =>
      `La autoridad de certificación no conoce la cuenta del emisor${
        issuer === undefined ? '' : ` ${issuer}`
      } y el Certificate ${certificate} no se puede emitir; quien administra la plataforma la tiene que registrar de nuevo.`,
    IdentifierRejected: ({ certificate, hosts, error }, format) =>
      `La autoridad de certificación no emite nada${forHosts(
        format,
        hosts,
      )}, que es lo que pide el Certificate ${certificate}; dé al entorno otro nombre de host${format.detail(
        error,
      )}.`,
    CaaForbids: ({ certificate, hosts }, format) =>
      `Un registro CAA del DNS prohíbe a esta autoridad de certificación emitir el Certificate ${certificate}${forHosts(
        format,
        hosts,
      )}; lo puede permitir el responsable del dominio.`,
    RequestDenied: ({ certificate, error }, format) =>
      `Una política del clúster ha denegado la petición del Certificate ${certificate}; corrija sus nombres, o pida a quien administra la plataforma que los permita${format.detail(
        error,
      )}.`,
    RequestInvalid: ({ certificate, error }, format) =>
      `La petición del Certificate ${certificate} no es válida; el responsable de los manifiestos tiene que corregir el Certificate${format.detail(
        error,
      )}.`,
    IssuerNotFound: ({ certificate, issuer }) =>
      `El Certificate ${certificate} pide el ${issuer}, que no existe; corrija el nombre, o pida a quien administra la plataforma que lo añada.`,
    IssuerNotReady: ({ certificate, issuer, error }, format) =>
      `El ${issuer} no está listo y el Certificate ${certificate} no se puede emitir; tiene que mirarlo quien administra la plataforma${format.detail(
        error,
      )}.`,
    SecretConflict: ({ certificate, secret, others }, format) =>
      `El Certificate ${certificate} escribe el Secret ${secret}${
        others.length > 0 ? ` igual que ${format.list(others)}` : ''
      }, y cada uno deshace lo del otro; el responsable de los manifiestos le tiene que dar un Secret propio.`,
    IssuanceFailed: (
      { certificate, hosts, error, attempts, retryAt },
      format,
    ) =>
      `El Certificate ${certificate} no se ha podido emitir${forHosts(
        format,
        hosts,
      )}${nextTry(
        format,
        retryAt,
        attempts,
      )}; cert-manager lo vuelve a intentar más tarde, y quien administra la plataforma puede eliminar la causa${format.detail(
        error,
      )}.`,
    BackingOff: ({ certificate, attempts, retryAt }, format) =>
      `El Certificate ${certificate} no se ha podido emitir, y cert-manager espera antes de volver a intentarlo${nextTry(
        format,
        retryAt,
        attempts,
      )}; quien administra la plataforma puede ver el motivo en su CertificateRequest.`,
    Expired: ({ certificate, notAfter, error, retryAt }, format) =>
      `El Certificate ${certificate} ${
        notAfter === undefined
          ? 'ha caducado'
          : `caducó el ${format.date(notAfter)}`
      }${nextTry(
        format,
        retryAt,
      )}; cert-manager debería haberlo renovado y tiene que mirarlo quien administra la plataforma${format.detail(
        error,
      )}.`,
    NotCovered: ({ certificate, host, server, hosts }, format) =>
      `${server} sirve ${host} con el Certificate ${certificate}, que solo es válido${
        hosts.length > 0 ? forHosts(format, hosts) : ' para otros nombres'
      }; dé al entorno un nombre que cubra, o pida al responsable de los manifiestos que añada un certificado.`,
  };
}
