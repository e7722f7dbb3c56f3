import { ProxiedSignInPage } from '@backstage/core-components';
import { createFrontendModule } from '@backstage/frontend-plugin-api';
import { SignInPageBlueprint } from '@backstage/plugin-app-react';

const guestSignInPage = SignInPageBlueprint.make({
  params: {
    loader: async () => props =>
      <ProxiedSignInPage {...props} provider="guest" />,
  },
});

/**
 * Everyone comes in as a guest, without a click: this host app shows the plugins
 * and guards nothing. A portal of one's own has its own sign-in.
 */
export const signInModule = createFrontendModule({
  pluginId: 'app',
  extensions: [guestSignInPage],
});
