import { createApp } from '@backstage/frontend-defaults';
import { scmAuthModule } from './scmAuth';
import { signInModule } from './signIn';

/** Plugins are discovered from this package's dependencies; `app.packages` in the configuration says so. */
export const app = createApp({
  features: [signInModule, scmAuthModule],
}).createRoot();
