/** One GitLab instance that may be called. No other one ever is. */
export interface GitLabHostConfig {
  /** Lower case, with the port if any. */
  host: string;
  /** Origin with subpath and without a trailing slash. */
  webUrl: string;
  /** Base of the REST API, without a trailing slash. */
  apiUrl: string;
  token?: string;
  /**
   * Where the token comes from. One of `integrations` usually can do more than
   * read, which the source's state mentions.
   */
  tokenFrom: 'previews' | 'integrations' | 'none';
  /** Several while one is being replaced. */
  webhookSecrets: string[];
}

/** How a cluster's API is reached. */
export type ClusterAccess =
  /** As the service account of the pod; its token file is read again. */
  | { type: 'inCluster' }
  /** Absent file: `KUBECONFIG`, else `~/.kube/config`; absent context: the current one. */
  | { type: 'kubeconfig'; file?: string; context?: string }
  | {
      type: 'url';
      url: string;
      token?: string;
      /** Read again, since such tokens are rotated. */
      tokenFile?: string;
      /** PEM in base64, as a kubeconfig has it. */
      caData?: string;
      caFile?: string;
      skipTlsVerify: boolean;
    };

/** One cluster that is read. */
export interface ClusterConfig {
  name: string;
  access: ClusterAccess;
  /** Server URLs and names under which Argo CD knows this cluster. */
  argocdDestinations: string[];
}

/** One Argo CD whose API is read instead of the cluster it runs in. */
export interface ArgocdInstanceConfig {
  /** Also stands for the cluster, so no cluster has the same name. */
  name: string;
  /** Base of the server and of its UI, without a trailing slash. */
  url: string;
  token?: string;
  skipTlsVerify: boolean;
  /** Label selector of the Applications that are read; all where absent. */
  selector?: string;
}

/** A cluster that another plugin is configured for in a way this one cannot use. */
export interface UnsupportedClusterConfig {
  name: string;
  /** English sentence that says what to do. */
  message: string;
}

/** All in milliseconds. */
export interface ScheduleConfig {
  gitlabPollMilliseconds: number;
  gitlabStaleAfterMilliseconds: number;
  /** A watch without a word for this long is not trusted any more. */
  clusterRelistAfterMilliseconds: number;
  clusterStaleAfterMilliseconds: number;
  catalogPollMilliseconds: number;
  /** From the end of one reading of a zone of DNS to the next. */
  dnsPollMilliseconds: number;
  dnsStaleAfterMilliseconds: number;
  /** How often the set-up of an entity is checked. */
  checksMilliseconds: number;
}

/** A long-lived environment by the words that name it. */
export interface TierConfig {
  name: string;
  /** Names of Applications that are it, with `*` for anything. */
  applications?: string;
}

/** One hosted zone of Route 53. Credentials come from the chain of the AWS SDK. */
export interface Route53ZoneConfig {
  /** Its id, without `/hostedzone/`. */
  hostedZone: string;
  /** Absent: what the SDK finds, such as `AWS_REGION`. */
  region?: string;
  /** A profile of the AWS configuration files. */
  profile?: string;
  /** Instead of AWS's own, without a trailing slash. */
  endpoint?: string;
  /** How external-dns names its TXT records; lower case, empty where there is nothing. */
  affixes: { prefix: string; suffix: string };
}

export interface DnsConfig {
  /** Empty when no zone is read. */
  route53: Route53ZoneConfig[];
  /** How long external-dns has to take records away. */
  graceMilliseconds: number;
}

/**
 * A claim that is allowed although the project is not in the group of the
 * entity's own location. `*` in a pattern stands for any text, slashes included.
 */
export interface AllowedClaim {
  /** Pattern of entity references such as `component:default/*`; absent: any. */
  entityRef?: string;
  /** Host of the GitLab instance; absent: any configured one. */
  host?: string;
  /** Pattern of full project paths such as `group/*`. */
  project: string;
}

export interface CatalogConfig {
  /**
   * `checked`: an entity may claim projects of its own group and those of
   * `allow`. `any`: every entity may claim every project.
   */
  projectClaims: 'checked' | 'any';
  allow: AllowedClaim[];
}

/** A range of addresses. */
export interface AllowedNetwork {
  address: string;
  /** Bits of the address that are the same for all. */
  prefix: number;
  family: 'ipv4' | 'ipv6';
}

/** How the hosts of previews are visited. */
export interface ProbeConfig {
  /** Lower case, at least one; a domain stands for itself and everything below it. */
  domains: string[];
  /** Visited although they are not public. */
  allowedNetworks: AllowedNetwork[];
  port: number;
  everyMilliseconds: number;
  /** Of one visit as a whole. */
  timeoutMilliseconds: number;
  /** Most visits at once. */
  concurrency: number;
  /** Trusted besides those that Node.js trusts, in PEM. */
  caCertificates: string[];
}

/** Limits of ACME servers; absent ones are those of Let's Encrypt. */
export interface AcmeConfig {
  /** New certificates of a registered domain in 7 days. */
  certificatesPerDomain?: number;
  /** Certificates of one exact set of names in 7 days. */
  certificatesPerNameSet?: number;
  /** Limits that an authority has granted. */
  domains: { domain: string; certificates: number }[];
  /** Hosts of ACME directories that are not counted. */
  unlimitedServers?: string[];
  /** Refs of those who are notified; empty for the owners of the previews. */
  notify: string[];
}

/** A token of GitLab that is checked and used for nothing else. */
export interface NamedTokenConfig {
  name: string;
  /** One of the configured hosts. */
  host: string;
  /** Absent where it was not handed over. */
  token?: string;
}

/** How long idle previews are kept whose entities do not say. */
export interface TtlConfig {
  idleSeconds: number | 'never';
  /** How long before the end owners are warned. */
  warnBeforeSeconds: number;
}

export interface NotificationsConfig {
  /** Whether there are any. */
  enabled: boolean;
  /** Whether owners are notified when a preview fails or is degraded. */
  failed: boolean;
  /** Whether owners are notified when the time to live of a preview is about to end. */
  reclaim: boolean;
}

/** Everything that `previews` and the keys of other plugins say, checked. */
export interface PreviewsConfig {
  /** Empty when no GitLab is configured. */
  gitlab: GitLabHostConfig[];
  /** Empty when no cluster is configured. */
  clusters: ClusterConfig[];
  unsupportedClusters: UnsupportedClusterConfig[];
  schedule: ScheduleConfig;
  grace: {
    /** Shortest time that something unwanted may be left before it is an orphan. */
    minimumMilliseconds: number;
  };
  certificates: {
    /** A Challenge, or an issuance, that waits longer counts as blocked. */
    challengeBlockedAfterMilliseconds: number;
  };
  dns: DnsConfig;
  /** How long transitions of a preview that is gone are kept. */
  retentionMilliseconds: number;
  urls: {
    /** Lower case; a domain stands for itself and everything below it. */
    allowedDomains: string[];
  };
  catalog: CatalogConfig;
  acme: AcmeConfig;
  checks: { tokens: NamedTokenConfig[] };
  /** In the order in which a release passes them. */
  tiers: TierConfig[];
  /** Undefined when no host is visited. */
  probe?: ProbeConfig;
  argocd: {
    /** Base URL of the Argo CD UI by the name of the cluster it runs in, or its own name. */
    webUrls: Record<string, string>;
    /** Empty when no Argo CD is read by its API. */
    instances: ArgocdInstanceConfig[];
  };
  ttl: TtlConfig;
  notifications: NotificationsConfig;
}
