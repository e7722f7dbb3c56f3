/**
 * What the texts of cert-manager, of a DNS provider and of an ACME server mean.
 * cert-manager wraps the words of those it calls, and has no codes of its own.
 */

/** Why a Challenge does not get ahead. */
export type ChallengeCause =
  | { cause: 'AccessDenied'; action?: string; zone?: string }
  | { cause: 'CredentialsInvalid'; code: string }
  | { cause: 'ZoneNotFound' }
  | { cause: 'DnsThrottled' }
  | { cause: 'ProviderUnreachable' }
  | { cause: 'Other' };

/** Why an order was refused or came to nothing. */
export type OrderCause =
  | { cause: 'RateLimitedForDomain'; domain?: string }
  | { cause: 'RateLimitedForNames' }
  | { cause: 'RateLimitedForFailures' }
  | { cause: 'RateLimited' }
  | { cause: 'CaaForbids' }
  | { cause: 'IdentifierRejected' }
  | { cause: 'AccountMissing' }
  | { cause: 'Other' };

const CREDENTIALS =
  /\b(SignatureDoesNotMatch|InvalidClientTokenId|UnrecognizedClientException|ExpiredToken(?:Exception)?|InvalidAccessKeyId|InvalidIdentityToken|IncompleteSignature|MissingAuthenticationToken|NoCredentialProviders)\b/;

/** Tells why a DNS provider, or what stands before it, does not do as asked. */
export function challengeCauseOf(text: string): ChallengeCause {
  const credentials = CREDENTIALS.exec(text);
  if (credentials) {
    return { cause: 'CredentialsInvalid', code: credentials[1] };
  }
  if (
    /failed to (?:refresh cached|retrieve) credentials|no EC2 IMDS role|get credentials:/i.test(
      text,
    )
  ) {
    return { cause: 'CredentialsInvalid', code: 'NoCredentials' };
  }
  if (
    /Access ?Denied|not authorized to perform|\bForbidden\b|\b403\b|Authentication error|Unauthorized\b/i.test(
      text,
    )
  ) {
    const action = /not authorized to perform: ([\w-]+:\w+)/.exec(text)?.[1];
    const zone = /hostedzone\/([A-Z0-9]+)/.exec(text)?.[1];
    return {
      cause: 'AccessDenied',
      ...(action && { action }),
      ...(zone && { zone }),
    };
  }
  if (
    /NoSuchHostedZone|zone .{0,300}not found|no (?:hosted |managed )?zones? (?:was |were )?found|found no zones|could not find (?:the )?(?:zone|start of authority|SOA)/i.test(
      text,
    )
  ) {
    return { cause: 'ZoneNotFound' };
  }
  if (
    /Throttling|Rate exceeded|PriorRequestNotComplete|TooManyRequests|too many requests/i.test(
      text,
    )
  ) {
    return { cause: 'DnsThrottled' };
  }
  return isUnreachable(text)
    ? { cause: 'ProviderUnreachable' }
    : { cause: 'Other' };
}

function isUnreachable(text: string): boolean {
  return /i\/o timeout|connection refused|connection reset|no such host|context deadline exceeded|TLS handshake timeout|no route to host|unexpected EOF/i.test(
    text,
  );
}

/** Tells which limit or rule of the certificate authority an order met. */
export function orderCauseOf(text: string): OrderCause {
  if (
    /too many certificates .{0,40}already issued for (?:this )?exact set/i.test(
      text,
    )
  ) {
    return { cause: 'RateLimitedForNames' };
  }
  const domain =
    /too many certificates .{0,40}already issued for:? "?([\w.*-]+)"?/i.exec(
      text,
    );
  if (domain) {
    return { cause: 'RateLimitedForDomain', domain: withoutDot(domain[1]) };
  }
  if (/too many failed authorizations/i.test(text)) {
    return { cause: 'RateLimitedForFailures' };
  }
  if (
    /acme:error:rateLimited|too many new (?:orders|registrations)/i.test(text)
  ) {
    return { cause: 'RateLimited' };
  }
  if (/acme:error:caa\b|\bCAA record/i.test(text)) {
    return { cause: 'CaaForbids' };
  }
  if (/acme:error:(?:rejectedIdentifier|unsupportedIdentifier)/i.test(text)) {
    return { cause: 'IdentifierRejected' };
  }
  return /acme:error:accountDoesNotExist|no account exists/i.test(text)
    ? { cause: 'AccountMissing' }
    : { cause: 'Other' };
}

function withoutDot(name: string): string {
  return name.replace(/\.$/, '');
}

/** The time that an ACME server names in a refusal, in ISO 8601. */
export function retryAfterOf(text: string | undefined): string | undefined {
  const match =
    /retry after (\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z| ?UTC)/i.exec(
      text ?? '',
    );
  const time = match && Date.parse(`${match[1]}T${match[2]}Z`);
  return time ? new Date(time).toISOString() : undefined;
}

/** A waiting that cert-manager tells of itself, before anybody else is asked. */
export function propagationOf(
  text: string | undefined,
): { type: 'DNS-01' | 'HTTP-01'; rest: string } | undefined {
  const match =
    /^Waiting for (DNS-01|HTTP-01) challenge propagation:? ?(.*)$/is.exec(
      text ?? '',
    );
  return match
    ? {
        type: match[1].toUpperCase() as 'DNS-01' | 'HTTP-01',
        rest: match[2],
      }
    : undefined;
}

/** cert-manager keeps what AWS says out of a status; its Events have it. */
export function isRedacted(text: string): boolean {
  return /<redacted|see events and logs/i.test(text);
}

/** A message without the words that cert-manager passes it on with. */
export function coreOf(text: string | undefined): string {
  return (text ?? '')
    .replace(
      /^The certificate request has failed to complete and will be retried: /i,
      '',
    )
    .replace(
      /^Failed to wait for order resource "[^"]*" to become ready: (?:order is in "\w*" state: ?)?/i,
      '',
    )
    .replace(/^Failed to (?:create|finalize) Order: /i, '')
    .replace(
      /^Error (?:presenting|cleaning up|accepting) (?:challenge|authorization): /i,
      '',
    )
    .trim();
}
