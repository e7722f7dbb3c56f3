import { useEffect, useState } from 'react';
import { Entity } from '@backstage/catalog-model';
import { identityApiRef, useApi } from '@backstage/core-plugin-api';
import { catalogApiRef } from '@backstage/plugin-catalog-react';

/**
 * The GitLab login that a user entity carries: annotation `<host>/user-login` of
 * the instance, else `gitlab.com/user-login`. The catalog's GitLab organization
 * provider writes the address of the user's page there; people write the login.
 */
export function gitLabLoginOf(
  user: Entity,
  host: string | undefined,
): string | undefined {
  const annotations = user.metadata.annotations ?? {};
  const value = (
    (host && annotations[`${host}/user-login`]) ||
    annotations['gitlab.com/user-login'] ||
    ''
  ).trim();
  return value.replace(/\/+$/, '').split('/').pop() || undefined;
}

/** The signed-in user's login at a GitLab host; undefined when it is not known. */
export function useOwnGitLabLogin(host: string | undefined) {
  const identity = useApi(identityApiRef);
  const catalog = useApi(catalogApiRef);
  const [user, setUser] = useState<Entity>();
  useEffect(() => {
    let current = true;
    identity
      .getBackstageIdentity()
      .then(({ userEntityRef }) => catalog.getEntityByRef(userEntityRef))
      .then(
        entity => current && setUser(entity),
        // Guests have no entity; without one "mine" has no meaning and is hidden.
        () => current && setUser(undefined),
      );
    return () => {
      current = false;
    };
  }, [identity, catalog]);
  return user && gitLabLoginOf(user, host);
}
