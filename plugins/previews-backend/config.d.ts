import { HumanDuration } from '@backstage/types';

export interface Config {
  /** Previews of merge requests. Every key is optional. */
  previews?: {
    /**
     * GitLab instances. Base URLs, subpaths included, come from
     * `integrations.gitlab`, whose hosts are read too.
     */
    gitlab?: Array<{
      /** Host as in `integrations.gitlab[].host`, such as `gitlab.example.com`. */
      host: string;
      /**
       * Token with the scope `read_api`. Absent: the token of the integration,
       * which usually can do more than read.
       *
       * @visibility secret
       */
      token?: string;
      /**
       * Secrets that webhooks of this instance are signed with or carry;
       * several while one is being replaced.
       *
       * @deepVisibility secret
       */
      webhookSecrets?: string[];
    }>;

    /**
     * Clusters. Where this key is absent, those of the Kubernetes plugin are
     * read: `kubernetes.clusterLocatorMethods` of type `config` with the auth
     * provider `serviceAccount`, and `localKubectlProxy`.
     */
    clusters?: Array<
      {
        /** Name, as the annotation `backstage.io/kubernetes-cluster` has it. */
        name: string;
        /**
         * Server URLs and names under which Argo CD knows this cluster, where
         * they differ from its URL.
         */
        argocdDestinations?: string[];
        argocd?: {
          /** Base URL of the UI of the Argo CD in this cluster. */
          webUrl: string;
        };
      } & (
        | {
            /** As the service account of the backend's own pod. */
            inCluster: true;
          }
        | {
            kubeconfig: {
              /** Absent: `KUBECONFIG`, else `~/.kube/config`. */
              file?: string;
              /** Absent: the current context. */
              context?: string;
            };
          }
        | ({
            /** URL of the cluster's API. */
            url: string;
            /** Accept any certificate. */
            skipTLSVerify?: boolean;
          } & (
            | {
                /**
                 * Bearer token.
                 *
                 * @visibility secret
                 */
                token?: string;
              }
            | {
                /** File with a bearer token; it is read again as it is rotated. */
                tokenFile: string;
              }
          ) &
            (
              | {
                  /** Certificate authority, PEM in base64. */
                  caData?: string;
                }
              | {
                  /** File with the certificate authority, PEM. */
                  caFile: string;
                }
            ))
      )
    >;

    schedule?: {
      /** How often GitLab is read. Default 60 seconds. */
      gitlabPoll?: HumanDuration | string;
      /** After how long without a complete reading GitLab is stale. Default 180 seconds. */
      gitlabStaleAfter?: HumanDuration | string;
      /**
       * After how long a silent watch is followed by a new list, and a kind that
       * was not there is looked for again. Default 5 minutes.
       */
      clusterRelistAfter?: HumanDuration | string;
      /** After how long without a word a cluster is stale. Default 10 minutes. */
      clusterStaleAfter?: HumanDuration | string;
      /** How often the catalog is read. Default 60 seconds. */
      catalogPoll?: HumanDuration | string;
      /** How often a zone of DNS is read. Default 5 minutes. */
      dnsPoll?: HumanDuration | string;
      /** After how long without a complete reading a zone is stale. Default 15 minutes. */
      dnsStaleAfter?: HumanDuration | string;
      /** How often the set-up of an entity is checked for readiness. Default 10 minutes. */
      checks?: HumanDuration | string;
    };

    grace?: {
      /**
       * Shortest time that something unwanted may be left before it is called
       * an orphan; twice the requeue time of its set where that is longer.
       * Default 15 minutes.
       */
      minimum?: HumanDuration | string;
    };

    certificates?: {
      /**
       * A Challenge of an ACME issuer, or an issuance, that waits for longer than
       * this counts as blocked. Default 30 minutes.
       */
      challengeBlockedAfter?: HumanDuration | string;
    };

    /** Zones of DNS whose records are looked for once a preview is gone. */
    dns?: {
      /**
       * Hosted zones of Route 53. Credentials come from the chain of the AWS SDK,
       * such as the web identity of the pod; none can be given here.
       */
      route53?: Array<{
        /** Id of the hosted zone. */
        hostedZone: string;
        /** Absent: what the SDK finds, such as `AWS_REGION`. */
        region?: string;
        /** A profile of the AWS configuration files, such as one that assumes a role. */
        profile?: string;
        /** URL of the API, where it is not AWS's own. */
        endpoint?: string;
        /** The `--txt-prefix` of external-dns. */
        txtPrefix?: string;
        /** The `--txt-suffix` of external-dns. */
        txtSuffix?: string;
      }>;
      /**
       * How long external-dns and cert-manager have to take their records away,
       * before those that are there count as left. Default 5 minutes.
       */
      grace?: HumanDuration | string;
    };

    /** How long the timeline of a preview that is gone is kept. Default 180 days. */
    retention?: HumanDuration | string;

    urls?: {
      /**
       * Domains, each with all below it, whose URLs are links besides the hosts
       * of the preview's own routes.
       */
      allowedDomains?: string[];
    };

    /**
     * Visits of the previews' own hosts over HTTPS: who answers, with which
     * certificate, how soon. Off unless it is enabled.
     */
    probe?: {
      /** Default false. */
      enabled?: boolean;
      /** Only hosts that are one of these domains, or lie below, are visited. Needed when enabled. */
      domains?: string[];
      /**
       * Ranges such as `10.0.0.0/8` that are visited although they are not public.
       * Default none.
       */
      allowedNetworks?: string[];
      /** Default 443. */
      port?: number;
      /** How often a host is visited. Default 5 minutes. */
      every?: HumanDuration | string;
      /** Longest time of a visit. Default 10 seconds. */
      timeout?: HumanDuration | string;
      /** Most visits at once. Default 4. */
      concurrency?: number;
      /** File with certificate authorities that are trusted besides those of Node.js, PEM. */
      caFile?: string;
    };

    catalog?: {
      /**
       * `checked` (default): an entity may claim projects that share the
       * top-level group of its own GitLab location, and those of `allow`.
       * `any`: every entity may claim every project.
       */
      projectClaims?: 'checked' | 'any';
      /** In the patterns `*` stands for any text, slashes included. */
      allow?: Array<{
        /** Entities that may claim, such as `component:default/*`. Absent: all. */
        entityRef?: string;
        /** Host of the GitLab instance. Absent: any configured one. */
        host?: string;
        /** Projects that may be claimed, such as `group/*`. */
        project: string;
      }>;
    };

    argocd?: {
      /**
       * Instances of Argo CD that are read by their API, for portals without
       * access to the cluster.
       */
      instances?: Array<{
        /** Unique, and no cluster's. */
        name: string;
        /** Base URL of the Argo CD server. */
        url: string;
        /**
         * Token of an account that may get all Applications and ApplicationSets.
         *
         * @visibility secret
         */
        token?: string;
        /** Accept any certificate. */
        skipTLSVerify?: boolean;
        /**
         * Label selector of the Applications to read. Those of previews have to
         * match: what does not is taken for not there. Default all.
         */
        selector?: string;
      }>;
      /** Base URLs of Argo CD UIs, for clusters that are not named in `clusters`. */
      links?: Array<{
        cluster: string;
        webUrl: string;
      }>;
    };

    /** Limits of ACME servers, default those of Let's Encrypt. */
    acme?: {
      /** New certificates of a registered domain in 7 days. Default 50. */
      certificatesPerDomain?: number;
      /** Certificates of one exact set of names in 7 days. Default 5. */
      certificatesPerNameSet?: number;
      /** Limits that the authority has granted. */
      domains?: Array<{
        /** A registered domain such as `example.com`. */
        domain: string;
        /** New certificates in 7 days. */
        certificates: number;
      }>;
      /**
       * Hosts of ACME directories whose certificates are not counted. Default is
       * the staging server of Let's Encrypt.
       */
      unlimitedServers?: string[];
      /**
       * Refs of the users and groups that are notified when certificates run out.
       * Default is the owners of the previews that have them.
       */
      notify?: string[];
    };

    checks?: {
      /** Tokens whose rights and expiry are checked; they are used for nothing else. */
      tokens?: Array<{
        /** What findings call it. */
        name: string;
        /** A host of `previews.gitlab` or `integrations.gitlab`. */
        host: string;
        /**
         * Without it the token is a finding that says it cannot be verified.
         * @visibility secret
         */
        token?: string;
      }>;
    };

    /**
     * Long-lived environments beside previews, in the order in which a release
     * passes them. Default `dev`, `staging`, `prod`.
     */
    tiers?: Array<{
      /** What the label `previews/tier` says, or what names of Applications end in. */
      name: string;
      /** Names of the Applications that are it, such as `*-production`. */
      applications?: string;
    }>;

    notifications?: {
      /** Whether the owners of an entity are notified of its previews. Default false. */
      enabled?: boolean;
      /** When one fails or is degraded. Default true. */
      failed?: boolean;
      /** When the time to live of one is about to end. Default true. */
      reclaim?: boolean;
    };

    /** How long idle previews are kept whose entities do not say by `previews/ttl`. */
    ttl?: {
      /** Default `never`: as long as the merge request is open. */
      idle?: HumanDuration | string;
      /** How long before the end owners are warned, at most half of the time. Default 1 day. */
      warnBefore?: HumanDuration | string;
    };
  };
}
