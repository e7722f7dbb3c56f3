/** A domain name in lower case, without a scheme, port, path or wildcard. */
export const domainPattern =
  /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;
