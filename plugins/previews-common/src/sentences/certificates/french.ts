import { SentenceFormat } from '../format';
import { inParentheses } from '../phrases';
import { CertificatePhrases, CertificateSentences } from './types';

function forHosts(format: SentenceFormat, hosts: string[]): string {
  return hosts.length > 0 ? ` pour ${format.list(hosts)}` : '';
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
          one: `${format.number(attempts)} tentative`,
          other: `${format.number(attempts)} tentatives`,
        });
  const next =
    retryAt === undefined
      ? undefined
      : `prochain essai${format.detail(format.time(retryAt))}`;
  return inParentheses(
    [count, next].filter(part => part !== undefined).join('\u00a0; '),
  );
}

function until(format: SentenceFormat, notAfter: string | undefined): string {
  return notAfter === undefined ? '' : ` jusqu’au ${format.date(notAfter)}`;
}

/** The French sentences of certificates. */
export function frenchCertificates({
  timing,
  since,
}: CertificatePhrases): CertificateSentences {
  return {
    Ready: ({ certificate, notAfter, issuer }, format) =>
      `Le Certificate ${certificate} est valide${until(format, notAfter)}${
        issuer === undefined ? '' : `, émis par ${issuer}`
      }.`,
    RenewalFailing: ({ certificate, notAfter, error, retryAt }, format) =>
      `Le Certificate ${certificate} est valide${until(
        format,
        notAfter,
      )} mais ne peut pas être renouvelé${nextTry(
        format,
        retryAt,
      )}\u00a0; l’administrateur de la plateforme doit en supprimer la cause avant sa fin${format.detail(
        error,
      )}.`,
    RenewalOverdue: ({ certificate, renewalTime, notAfter }, format) =>
      `Le Certificate ${certificate} est valide${until(
        format,
        notAfter,
      )} et aurait dû être renouvelé le ${format.date(
        renewalTime,
      )}\u00a0; l’administrateur de la plateforme doit voir si cert-manager fonctionne.`,
    Issuing: ({ certificate, hosts, since: start, usualSeconds }, format) =>
      `Le Certificate ${certificate} est en cours d’émission${forHosts(
        format,
        hosts,
      )}${timing(format, { start, usualSeconds })}.`,
    CertificateMissing: ({ certificate, host, server }) =>
      `${server} attend que cert-manager crée le Certificate ${certificate} pour ${host}.`,
    SecretMissing: ({ certificate, secret }) =>
      `Le Secret ${secret} du Certificate ${certificate} a disparu\u00a0; cert-manager l’émet à nouveau.`,
    ApprovalPending: ({ certificate, request }) =>
      `Le CertificateRequest ${request} du Certificate ${certificate} attend une approbation\u00a0; l’administrateur de la plateforme peut la donner.`,
    ChallengeQueued: ({ certificate, host, since: start }, format) =>
      `Le Challenge de ${host} attend que cert-manager le prenne, qui n’en traite que quelques-uns à la fois${inParentheses(
        format.elapsed(start),
      )}\u00a0; ensuite le Certificate ${certificate} peut être émis.`,
    ChallengePending: (
      { certificate, host, since: start, usualSeconds },
      format,
    ) =>
      `L’autorité de certification vérifie que ${host} est à nous, pour le Certificate ${certificate}${timing(
        format,
        { start, usualSeconds },
      )}.`,
    DnsNotPropagated: (
      { certificate, host, since: start, usualSeconds },
      format,
    ) =>
      `L’enregistrement DNS qui prouve ${host} pour le Certificate ${certificate} est écrit et n’est pas encore vu partout${timing(
        format,
        { start, usualSeconds },
      )}.`,
    HttpNotReached: ({ certificate, host, error }, format) =>
      `L’adresse de ${host} ne répond pas en HTTP à cert-manager, qui doit la vérifier pour le Certificate ${certificate}\u00a0; elle doit mener au cluster${format.detail(
        error,
      )}.`,
    DnsThrottled: ({ certificate, host }) =>
      `Le fournisseur DNS ralentit l’enregistrement de ${host}\u00a0; le Certificate ${certificate} arrive plus tard de lui-même.`,
    ProviderUnreachable: ({ certificate, host, error }, format) =>
      `Ce qui doit prouver ${host} pour le Certificate ${certificate} ne répond pas\u00a0; cert-manager réessaie${format.detail(
        error,
      )}.`,
    PropagationStuck: ({ certificate, host, since: start }, format) =>
      `L’enregistrement DNS de ${host} est écrit, mais le résolveur de cert-manager ne le voit pas${since(
        format,
        start,
      )}\u00a0; l’administrateur de la plateforme doit regarder la délégation de la zone, sinon le Certificate ${certificate} n’arrivera jamais.`,
    ChallengeStuck: ({ certificate, host, since: start, error }, format) =>
      `Le Challenge de ${host} du Certificate ${certificate} attend${since(
        format,
        start,
      )}\u00a0; l’administrateur de la plateforme doit regarder cert-manager${format.detail(
        error,
      )}.`,
    IssuanceStuck: ({ certificate, hosts, since: start }, format) =>
      `Le Certificate ${certificate} attend d’être émis${forHosts(
        format,
        hosts,
      )}${since(
        format,
        start,
      )}\u00a0; l’administrateur de la plateforme doit regarder cert-manager.`,
    ChallengeFailed: ({ certificate, host, error, retryAt }, format) =>
      `L’autorité de certification n’a pas pu vérifier ${host} pour le Certificate ${certificate}${nextTry(
        format,
        retryAt,
      )}\u00a0; l’administrateur de la plateforme doit en corriger le DNS ou la route${format.detail(
        error,
      )}.`,
    ChallengeError: ({ certificate, host, error }, format) =>
      `Le Challenge de ${host} du Certificate ${certificate} rencontre une erreur que l’administrateur de la plateforme doit supprimer${format.detail(
        error,
      )}.`,
    AccessDenied: ({ certificate, host, action, zone }) =>
      `Le fournisseur DNS ne laisse pas cert-manager écrire l’enregistrement de ${host}${inParentheses(
        [action, zone].filter(part => part !== undefined).join(', '),
      )}\u00a0; l’administrateur de la plateforme doit le permettre, puis le Certificate ${certificate} est émis.`,
    CredentialsInvalid: ({ certificate, host, code }) =>
      `Le fournisseur DNS n’accepte pas les identifiants de cert-manager pour ${host} (${code})\u00a0; l’administrateur de la plateforme doit corriger ceux de l’émetteur, puis le Certificate ${certificate} est émis.`,
    ZoneNotFound: ({ certificate, host }) =>
      `Les identifiants de cert-manager ne trouvent aucune zone DNS pour ${host}\u00a0; corrigez le nom, ou demandez à l’administrateur de la plateforme d’ajouter la zone à l’émetteur du Certificate ${certificate}.`,
    NoSolver: ({ certificate, hosts, issuer }, format) =>
      `L’émetteur${
        issuer === undefined ? '' : ` ${issuer}`
      } du Certificate ${certificate} n’a pas de solver${forHosts(
        format,
        hosts,
      )}\u00a0; l’administrateur de la plateforme doit en ajouter un.`,
    RateLimitedForDomain: ({ certificate, domain, retryAt }, format) =>
      `L’autorité de certification a émis trop de certificats cette semaine${
        domain === undefined ? '' : ` pour ${domain}`
      } et refuse le Certificate ${certificate}${nextTry(
        format,
        retryAt,
      )}\u00a0; avec un certificat générique pour tous les environnements, aucun n’a besoin du sien.`,
    RateLimitedForNames: ({ certificate, hosts, retryAt }, format) =>
      `L’autorité de certification a émis trop souvent cette semaine le Certificate ${certificate}${forHosts(
        format,
        hosts,
      )}${nextTry(
        format,
        retryAt,
      )}\u00a0; ne recréez pas l’environnement d’ici là, ou donnez-lui un autre nom d’hôte.`,
    RateLimitedForFailures: ({ certificate, hosts, retryAt }, format) =>
      `L’autorité de certification refuse le Certificate ${certificate} après trop de vérifications manquées${forHosts(
        format,
        hosts,
      )}${nextTry(
        format,
        retryAt,
      )}\u00a0; l’administrateur de la plateforme doit d’abord en supprimer la cause.`,
    RateLimited: ({ certificate, error, retryAt }, format) =>
      `L’autorité de certification limite les commandes de cette plateforme et refuse le Certificate ${certificate}${nextTry(
        format,
        retryAt,
      )}\u00a0; il est émis plus tard sans que personne n’agisse${format.detail(
        error,
      )}.`,
    OrderExpired: ({ certificate, order, retryAt }, format) =>
      `L’Order ${order} du Certificate ${certificate} a expiré avant d’être prouvée${nextTry(
        format,
        retryAt,
      )}\u00a0; l’administrateur de la plateforme doit voir ce qui a retenu ses Challenges.`,
    OrderFailed: ({ certificate, hosts, error, retryAt }, format) =>
      `L’autorité de certification refuse la commande du Certificate ${certificate}${forHosts(
        format,
        hosts,
      )}${nextTry(
        format,
        retryAt,
      )}\u00a0; l’administrateur de la plateforme doit en supprimer la cause${format.detail(
        error,
      )}.`,
    AccountMissing: ({ certificate, issuer }) =>
      `L’autorité de certification ne connaît pas le compte de l’émetteur${
        issuer === undefined ? '' : ` ${issuer}`
      }, et le Certificate ${certificate} ne peut pas être émis\u00a0; l’administrateur de la plateforme doit l’enregistrer à nouveau.`,
    IdentifierRejected: ({ certificate, hosts, error }, format) =>
      `L’autorité de certification n’émet rien${forHosts(
        format,
        hosts,
      )}, que demande le Certificate ${certificate}\u00a0; donnez à l’environnement un autre nom d’hôte${format.detail(
        error,
      )}.`,
    CaaForbids: ({ certificate, hosts }, format) =>
      `Un enregistrement CAA du DNS interdit à cette autorité de certification d’émettre le Certificate ${certificate}${forHosts(
        format,
        hosts,
      )}\u00a0; le responsable du domaine peut le permettre.`,
    RequestDenied: ({ certificate, error }, format) =>
      `Une règle du cluster a refusé la demande du Certificate ${certificate}\u00a0; corrigez ses noms, ou demandez à l’administrateur de la plateforme de les permettre${format.detail(
        error,
      )}.`,
    RequestInvalid: ({ certificate, error }, format) =>
      `La demande du Certificate ${certificate} n’est pas valide\u00a0; le responsable des manifestes doit corriger le Certificate${format.detail(
        error,
      )}.`,
    IssuerNotFound: ({ certificate, issuer }) =>
      `Le Certificate ${certificate} demande le ${issuer}, qui n’existe pas\u00a0; corrigez le nom, ou demandez à l’administrateur de la plateforme de l’ajouter.`,
    IssuerNotReady: ({ certificate, issuer, error }, format) =>
      `Le ${issuer} n’est pas prêt, et le Certificate ${certificate} ne peut pas être émis\u00a0; l’administrateur de la plateforme doit y regarder${format.detail(
        error,
      )}.`,
    SecretConflict: ({ certificate, secret, others }, format) =>
      `Le Certificate ${certificate} écrit le Secret ${secret}${
        others.length > 0 ? ` comme ${format.list(others)}` : ''
      }, et chacun défait ce que fait l’autre\u00a0; le responsable des manifestes doit lui donner un Secret à lui.`,
    IssuanceFailed: (
      { certificate, hosts, error, attempts, retryAt },
      format,
    ) =>
      `Le Certificate ${certificate} n’a pas pu être émis${forHosts(
        format,
        hosts,
      )}${nextTry(
        format,
        retryAt,
        attempts,
      )}\u00a0; cert-manager réessaie plus tard, et l’administrateur de la plateforme peut en supprimer la cause${format.detail(
        error,
      )}.`,
    BackingOff: ({ certificate, attempts, retryAt }, format) =>
      `Le Certificate ${certificate} n’a pas pu être émis, et cert-manager attend avant de réessayer${nextTry(
        format,
        retryAt,
        attempts,
      )}\u00a0; l’administrateur de la plateforme peut voir pourquoi dans son CertificateRequest.`,
    Expired: ({ certificate, notAfter, error, retryAt }, format) =>
      `Le Certificate ${certificate} a expiré${
        notAfter === undefined ? '' : ` le ${format.date(notAfter)}`
      }${nextTry(
        format,
        retryAt,
      )}\u00a0; cert-manager aurait dû le renouveler, et l’administrateur de la plateforme doit y regarder${format.detail(
        error,
      )}.`,
    NotCovered: ({ certificate, host, server, hosts }, format) =>
      `${server} sert ${host} avec le Certificate ${certificate}, qui n’est valide que${
        hosts.length > 0 ? forHosts(format, hosts) : ' pour d’autres noms'
      }\u00a0; donnez à l’environnement un nom qu’il couvre, ou demandez au responsable des manifestes d’ajouter un certificat.`,
  };
}
