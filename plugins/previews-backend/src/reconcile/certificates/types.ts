import {
  AcmeEventFact,
  CertificateFact,
  CertificateRequestFact,
  ChallengeFact,
  ClusterReading,
  IssuerFact,
  OrderFact,
} from '../../model';

/** What came of a Certificate, down to where the issuance stands now. */
export interface CertificateChain {
  request?: CertificateRequestFact;
  order?: OrderFact;
  challenges: readonly ChallengeFact[];
  /** Warnings of the order and of its challenges. */
  events: readonly AcmeEventFact[];
  issuer?: IssuerFact;
}

/** A Certificate that matters to a preview, with all that it is diagnosed from. */
export interface ObservedCertificate {
  cluster: ClusterReading;
  fact: CertificateFact;
  /** Of the preview itself; else it serves others as well. */
  own: boolean;
  chain: CertificateChain;
  /** Names of other Certificates that write the same Secret. */
  rivals: readonly string[];
}

/** A Secret that serves a host, with the Certificates that are to fill it. */
export interface ServedSecret {
  namespace: string;
  name: string;
  certificates: readonly ObservedCertificate[];
}

/** Where a host of the preview is served with TLS. */
export interface TlsEndpoint {
  cluster: ClusterReading;
  host: string;
  /** What ends the TLS, such as `Gateway gateways/public (https)` or `Ingress shop`. */
  server: string;
  /** Asks cert-manager for the Certificates of its Secrets, by an annotation. */
  asksForCertificate: boolean;
  /** Empty where nothing tells which certificate serves. */
  secrets: readonly ServedSecret[];
}

/** All about TLS that is known of one preview. */
export interface ObservedTls {
  /** Own ones first; none twice. */
  certificates: readonly ObservedCertificate[];
  endpoints: readonly TlsEndpoint[];
}
