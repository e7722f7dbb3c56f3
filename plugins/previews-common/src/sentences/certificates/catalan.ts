import { SentenceFormat } from '../format';
import { inParentheses } from '../phrases';
import { CertificatePhrases, CertificateSentences } from './types';

function forHosts(format: SentenceFormat, hosts: string[]): string {
  return hosts.length > 0 ? ` per a ${format.list(hosts)}` : '';
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
          one: `${format.number(attempts)} intent`,
          other: `${format.number(attempts)} intents`,
        });
  const next =
    retryAt === undefined
      ? undefined
      : `proper intent: ${format.time(retryAt)}`;
  return inParentheses(
    [count, next].filter(part => part !== undefined).join('; '),
  );
}

function until(format: SentenceFormat, notAfter: string | undefined): string {
  return notAfter === undefined
    ? ''
    : `, amb data de venciment ${format.date(notAfter)}`;
}

/** The Catalan sentences of certificates. */
export function catalanCertificates({
  timing,
  since,
}: CertificatePhrases): CertificateSentences {
  return {
    Ready: ({ certificate, notAfter, issuer }, format) =>
      `El Certificate ${certificate} és vàlid${until(format, notAfter)}${
        issuer === undefined ? '' : `, emès per ${issuer}`
      }.`,
    RenewalFailing: ({ certificate, notAfter, error, retryAt }, format) =>
      `El Certificate ${certificate} és vàlid${until(
        format,
        notAfter,
      )}, però no es pot renovar${nextTry(
        format,
        retryAt,
      )}; qui administra la plataforma n’ha de treure la causa abans que venci${format.detail(
        error,
      )}.`,
    RenewalOverdue: ({ certificate, renewalTime, notAfter }, format) =>
      `El Certificate ${certificate} és vàlid${until(
        format,
        notAfter,
      )}, i s’hauria d’haver renovat (${format.date(
        renewalTime,
      )}); qui administra la plataforma ha de mirar si cert-manager funciona.`,
    Issuing: ({ certificate, hosts, since: start, usualSeconds }, format) =>
      `El Certificate ${certificate} s’està emetent${forHosts(
        format,
        hosts,
      )}${timing(format, { start, usualSeconds })}.`,
    CertificateMissing: ({ certificate, host, server }) =>
      `${server} espera que cert-manager creï el Certificate ${certificate} per a ${host}.`,
    SecretMissing: ({ certificate, secret }) =>
      `El Secret ${secret} del Certificate ${certificate} ha desaparegut; cert-manager el torna a emetre.`,
    ApprovalPending: ({ certificate, request }) =>
      `El CertificateRequest ${request} del Certificate ${certificate} espera una aprovació; la pot donar qui administra la plataforma.`,
    ChallengeQueued: ({ certificate, host, since: start }, format) =>
      `El Challenge de ${host} espera que cert-manager l’agafi, que en treballa uns quants alhora${inParentheses(
        format.elapsed(start),
      )}; després es podrà emetre el Certificate ${certificate}.`,
    ChallengePending: (
      { certificate, host, since: start, usualSeconds },
      format,
    ) =>
      `L’autoritat de certificació comprova que ${host} és nostre, per al Certificate ${certificate}${timing(
        format,
        { start, usualSeconds },
      )}.`,
    DnsNotPropagated: (
      { certificate, host, since: start, usualSeconds },
      format,
    ) =>
      `El registre DNS que demostra ${host} per al Certificate ${certificate} està escrit i encara no es veu pertot${timing(
        format,
        { start, usualSeconds },
      )}.`,
    HttpNotReached: ({ certificate, host, error }, format) =>
      `L’adreça de ${host} no respon per HTTP a cert-manager, que l’ha de comprovar per al Certificate ${certificate}; ha de portar al clúster${format.detail(
        error,
      )}.`,
    DnsThrottled: ({ certificate, host }) =>
      `El proveïdor de DNS frena el registre de ${host}; el Certificate ${certificate} arriba més tard tot sol.`,
    ProviderUnreachable: ({ certificate, host, error }, format) =>
      `No respon el que ha de demostrar ${host} per al Certificate ${certificate}; cert-manager ho torna a provar${format.detail(
        error,
      )}.`,
    PropagationStuck: ({ certificate, host, since: start }, format) =>
      `El registre DNS de ${host} està escrit, però el resolutor de cert-manager no el veu${since(
        format,
        start,
      )}; qui administra la plataforma ha de mirar la delegació de la zona, o el Certificate ${certificate} no arribarà mai.`,
    ChallengeStuck: ({ certificate, host, since: start, error }, format) =>
      `El Challenge de ${host} del Certificate ${certificate} s’està esperant${since(
        format,
        start,
      )}; qui administra la plataforma ha de mirar cert-manager${format.detail(
        error,
      )}.`,
    IssuanceStuck: ({ certificate, hosts, since: start }, format) =>
      `El Certificate ${certificate} espera que l’emetin${forHosts(
        format,
        hosts,
      )}${since(
        format,
        start,
      )}; qui administra la plataforma ha de mirar cert-manager.`,
    ChallengeFailed: ({ certificate, host, error, retryAt }, format) =>
      `L’autoritat de certificació no ha pogut comprovar ${host} per al Certificate ${certificate}${nextTry(
        format,
        retryAt,
      )}; qui administra la plataforma n’ha de corregir el DNS o la ruta${format.detail(
        error,
      )}.`,
    ChallengeError: ({ certificate, host, error }, format) =>
      `El Challenge de ${host} del Certificate ${certificate} troba un error que ha de treure qui administra la plataforma${format.detail(
        error,
      )}.`,
    AccessDenied: ({ certificate, host, action, zone }) =>
      `El proveïdor de DNS no deixa que cert-manager escrigui el registre de ${host}${inParentheses(
        [action, zone].filter(part => part !== undefined).join(', '),
      )}; qui administra la plataforma ho ha de permetre i llavors s’emet el Certificate ${certificate}.`,
    CredentialsInvalid: ({ certificate, host, code }) =>
      `El proveïdor de DNS no accepta les credencials de cert-manager per a ${host} (${code}); qui administra la plataforma ha de corregir les de l’emissor i llavors s’emet el Certificate ${certificate}.`,
    ZoneNotFound: ({ certificate, host }) =>
      `Amb les credencials de cert-manager no es troba cap zona DNS per a ${host}; corregiu el nom, o demaneu a qui administra la plataforma que afegeixi la zona a l’emissor del Certificate ${certificate}.`,
    NoSolver: ({ certificate, hosts, issuer }, format) =>
      `L’emissor${
        issuer === undefined ? '' : ` ${issuer}`
      } del Certificate ${certificate} no té cap solver${forHosts(
        format,
        hosts,
      )}; qui administra la plataforma n’ha d’afegir un.`,
    RateLimitedForDomain: ({ certificate, domain, retryAt }, format) =>
      `L’autoritat de certificació ha emès aquesta setmana massa certificats${
        domain === undefined ? '' : ` per a ${domain}`
      } i rebutja el Certificate ${certificate}${nextTry(
        format,
        retryAt,
      )}; amb un certificat comodí per a tots els entorns no en cal cap de propi.`,
    RateLimitedForNames: ({ certificate, hosts, retryAt }, format) =>
      `L’autoritat de certificació ha emès massa vegades aquesta setmana el Certificate ${certificate}${forHosts(
        format,
        hosts,
      )}${nextTry(
        format,
        retryAt,
      )}; no torneu a crear l’entorn fins llavors, o doneu-li un altre nom d’amfitrió.`,
    RateLimitedForFailures: ({ certificate, hosts, retryAt }, format) =>
      `L’autoritat de certificació rebutja el Certificate ${certificate} després de massa comprovacions fallides${forHosts(
        format,
        hosts,
      )}${nextTry(
        format,
        retryAt,
      )}; qui administra la plataforma n’ha de treure abans la causa.`,
    RateLimited: ({ certificate, error, retryAt }, format) =>
      `L’autoritat de certificació limita les comandes d’aquesta plataforma i rebutja el Certificate ${certificate}${nextTry(
        format,
        retryAt,
      )}; s’emet més tard sense que ningú faci res${format.detail(error)}.`,
    OrderExpired: ({ certificate, order, retryAt }, format) =>
      `L’Order ${order} del Certificate ${certificate} ha vençut abans de quedar demostrada${nextTry(
        format,
        retryAt,
      )}; qui administra la plataforma ha de veure què en va frenar els Challenges.`,
    OrderFailed: ({ certificate, hosts, error, retryAt }, format) =>
      `L’autoritat de certificació rebutja la comanda del Certificate ${certificate}${forHosts(
        format,
        hosts,
      )}${nextTry(
        format,
        retryAt,
      )}; qui administra la plataforma n’ha de treure la causa${format.detail(
        error,
      )}.`,
    AccountMissing: ({ certificate, issuer }) =>
      `L’autoritat de certificació no coneix el compte de l’emissor${
        issuer === undefined ? '' : ` ${issuer}`
      } i el Certificate ${certificate} no es pot emetre; qui administra la plataforma l’ha de tornar a registrar.`,
    IdentifierRejected: ({ certificate, hosts, error }, format) =>
      `L’autoritat de certificació no emet res${forHosts(
        format,
        hosts,
      )}, que és el que demana el Certificate ${certificate}; doneu a l’entorn un altre nom d’amfitrió${format.detail(
        error,
      )}.`,
    CaaForbids: ({ certificate, hosts }, format) =>
      `Un registre CAA del DNS prohibeix a aquesta autoritat de certificació emetre el Certificate ${certificate}${forHosts(
        format,
        hosts,
      )}; ho pot permetre qui té cura del domini.`,
    RequestDenied: ({ certificate, error }, format) =>
      `Una política del clúster ha denegat la petició del Certificate ${certificate}; corregiu-ne els noms, o demaneu a qui administra la plataforma que els permeti${format.detail(
        error,
      )}.`,
    RequestInvalid: ({ certificate, error }, format) =>
      `La petició del Certificate ${certificate} no és vàlida; qui té cura dels manifests ha de corregir el Certificate${format.detail(
        error,
      )}.`,
    IssuerNotFound: ({ certificate, issuer }) =>
      `El Certificate ${certificate} demana el ${issuer}, que no existeix; corregiu el nom, o demaneu a qui administra la plataforma que l’afegeixi.`,
    IssuerNotReady: ({ certificate, issuer, error }, format) =>
      `El ${issuer} no està a punt i el Certificate ${certificate} no es pot emetre; ho ha de mirar qui administra la plataforma${format.detail(
        error,
      )}.`,
    SecretConflict: ({ certificate, secret, others }, format) =>
      `El Certificate ${certificate} escriu el Secret ${secret}${
        others.length > 0 ? ` igual que ${format.list(others)}` : ''
      }, i cadascun desfà el que fa l’altre; qui té cura dels manifests li ha de donar un Secret propi.`,
    IssuanceFailed: (
      { certificate, hosts, error, attempts, retryAt },
      format,
    ) =>
      `El Certificate ${certificate} no s’ha pogut emetre${forHosts(
        format,
        hosts,
      )}${nextTry(
        format,
        retryAt,
        attempts,
      )}; cert-manager ho torna a provar més tard, i qui administra la plataforma en pot treure la causa${format.detail(
        error,
      )}.`,
    BackingOff: ({ certificate, attempts, retryAt }, format) =>
      `El Certificate ${certificate} no s’ha pogut emetre, i cert-manager s’espera abans de tornar-ho a provar${nextTry(
        format,
        retryAt,
        attempts,
      )}; qui administra la plataforma en pot veure el motiu al seu CertificateRequest.`,
    Expired: ({ certificate, notAfter, error, retryAt }, format) =>
      `El Certificate ${certificate} ha vençut${inParentheses(
        notAfter === undefined ? undefined : format.date(notAfter),
      )}${nextTry(
        format,
        retryAt,
      )}; cert-manager l’hauria d’haver renovat i ho ha de mirar qui administra la plataforma${format.detail(
        error,
      )}.`,
    NotCovered: ({ certificate, host, server, hosts }, format) =>
      `${server} serveix ${host} amb el Certificate ${certificate}, que només és vàlid${
        hosts.length > 0 ? forHosts(format, hosts) : ' per a altres noms'
      }; doneu a l’entorn un nom que cobreixi, o demaneu a qui té cura dels manifests que hi afegeixi un certificat.`,
  };
}
