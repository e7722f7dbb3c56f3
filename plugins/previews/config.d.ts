export interface Config {
  previews?: {
    /** Where the tab leads to for a new service, and for a release. */
    templates?: {
      /**
       * Template that onboards a service, as `namespace/name`; default is
       * `default/onboard-service`.
       *
       * @visibility frontend
       */
      onboard?: string;
      /**
       * Template that promotes a release, as `namespace/name`; default is
       * `default/promote-release`.
       *
       * @visibility frontend
       */
      promote?: string;
      /**
       * Page that explains how a service gets previews, for portals without a
       * scaffolder.
       *
       * @visibility frontend
       */
      docsUrl?: string;
    };
  };
}
