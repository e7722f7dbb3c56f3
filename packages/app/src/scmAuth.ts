import {
  ApiBlueprint,
  createApiRef,
  createFrontendModule,
} from '@backstage/frontend-plugin-api';

/** Credentials of a person for a repository's host, as far as forms of templates ask for them. */
interface ScmAuth {
  getCredentials(options: {
    url: string;
  }): Promise<{ token: string; headers: Record<string, string> }>;
}

/** By its id, the same as `scmAuthApiRef` of `@backstage/integration-react`. */
const scmAuthApiRef = createApiRef<ScmAuth>({ id: 'core.scmauth' });

const nobodySignsIn: ScmAuth = {
  getCredentials: async () => ({ token: '', headers: {} }),
};

/**
 * Nobody can sign in to the simulated GitLab, and a form that asks for it would show an error for each host. With
 * no token of a person, templates use the portal's own. A portal whose people sign in to GitLab
 * leaves this module out.
 */
export const scmAuthModule = createFrontendModule({
  pluginId: 'app',
  extensions: [
    ApiBlueprint.make({
      name: 'scm-auth',
      params: defineParams =>
        defineParams({
          api: scmAuthApiRef,
          deps: {},
          factory: () => nobodySignsIn,
        }),
    }),
  ],
});
