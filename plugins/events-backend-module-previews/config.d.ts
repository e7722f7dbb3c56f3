export interface Config {
  previews?: {
    gitlab?: Array<{
      /** Host as in `integrations.gitlab[].host`, such as `gitlab.example.com`. */
      host: string;
      /**
       * Secrets of webhooks: either the secret token that GitLab sends along, or
       * the signing key (`whsec_…`) that it signs with. Several while one is being
       * replaced. At least one host must have one where this module is installed.
       *
       * @deepVisibility secret
       */
      webhookSecrets?: string[];
    }>;
  };
}
