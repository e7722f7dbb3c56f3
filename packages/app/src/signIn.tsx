import { SignInPage } from '@backstage/core-components';
import { createFrontendModule } from '@backstage/frontend-plugin-api';
import { SignInPageBlueprint } from '@backstage/plugin-app-react';

const guestSignInPage = SignInPageBlueprint.make({
  params: {
    loader: async () => props => (
      <SignInPage {...props} providers={['guest']} auto />
    ),
  },
});

/** Everyone is a guest in this host app; a portal of one's own has its own sign-in. */
export const signInModule = createFrontendModule({
  pluginId: 'app',
  extensions: [guestSignInPage],
});
