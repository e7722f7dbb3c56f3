import { PreviewUrl } from '@previews/backstage-plugin-previews-common';
import { ApplicationFact, HttpRouteFact } from '../model';
import { Observed, ObservedNamespace } from './gather';
import { isCoveredBy } from './routes/hosts';
import { attachmentOf, listenersFor } from './routes/listeners';
import { DecisionSettings } from './settings';

const MAX_LABEL = 63;
const MAX_URLS = 20;

/**
 * Addresses of a preview: the hosts of its own routes first, then addresses that
 * Argo CD names. Only what lies on an own route's host or below an allowed domain
 * may be opened; anything but `http:` and `https:` is dropped.
 */
export function previewUrls(
  observed: Observed,
  settings: DecisionSettings,
): PreviewUrl[] {
  return urlsOf(observed, settings);
}

/** Where routes are looked for. */
type RoutedNamespace = Pick<
  ObservedNamespace,
  'cluster' | 'httpRoutes' | 'ingresses'
>;

/** As {@link previewUrls}, of anything that Applications deploy into namespaces. */
export function urlsOf(
  observed: {
    namespaces: readonly RoutedNamespace[];
    applications: readonly { fact: Pick<ApplicationFact, 'externalUrls'> }[];
  },
  settings: DecisionSettings,
): PreviewUrl[] {
  const routes = observed.namespaces.flatMap(routeUrls);
  const ownHosts = new Set(routes.map(({ host }) => host));
  const named = observed.applications.flatMap(({ fact }) =>
    fact.externalUrls.flatMap(url => namedUrl(url)),
  );
  const urls = new Map<string, PreviewUrl>();
  for (const { url, host } of [...routes, ...named]) {
    const allowed =
      ownHosts.has(host) ||
      settings.allowedDomains.some(domain => isBelow(host, domain));
    if (!urls.has(url) && (ownHosts.size === 0 || !isSameAddress(url, urls))) {
      urls.set(url, { url, host, clickable: allowed && isHostValid(host) });
    }
  }
  return [...urls.values()].slice(0, MAX_URLS);
}

/** Hosts that the preview's own routes serve over HTTPS. */
export function secureHosts(
  namespaces: readonly ObservedNamespace[],
): string[] {
  const hosts = namespaces
    .flatMap(routeUrls)
    .flatMap(({ url, host }) =>
      url.startsWith('https:') && isHostValid(host) ? [host] : [],
    );
  return [...new Set(hosts)];
}

type Address = { url: string; host: string };

function routeUrls(namespace: RoutedNamespace): Address[] {
  const fromRoutes = namespace.httpRoutes.flatMap(route =>
    route.hostnames.map(host => ({ host, scheme: schemeOf(route, namespace) })),
  );
  const fromIngresses = namespace.ingresses.flatMap(({ hosts, tls }) =>
    hosts.map(host => ({
      host,
      scheme: tls.some(
        entry =>
          entry.hosts.length === 0 ||
          entry.hosts.some(name => isCoveredBy(name, host)),
      )
        ? 'https'
        : 'http',
    })),
  );
  return [...fromRoutes, ...fromIngresses].flatMap(({ host, scheme }) => {
    const name = host.toLowerCase();
    return /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name)
      ? [{ url: `${scheme}://${name}`, host: name }]
      : [];
  });
}

/** `http` only where every listener of the route that is read speaks it. */
function schemeOf(
  route: HttpRouteFact,
  { cluster }: RoutedNamespace,
): 'http' | 'https' {
  const protocols = route.parentRefs.flatMap(parent => {
    const holder = attachmentOf(cluster, parent)?.holder;
    return holder
      ? listenersFor(route, parent, holder).map(({ protocol }) => protocol)
      : [];
  });
  return protocols.length > 0 &&
    protocols.every(protocol => protocol === 'HTTP')
    ? 'http'
    : 'https';
}

function namedUrl(text: string): Address[] {
  try {
    const url = new URL(text);
    const plain = url.protocol === 'https:' || url.protocol === 'http:';
    return plain && !url.username && !url.password
      ? [{ url: url.href, host: url.hostname.toLowerCase() }]
      : [];
  } catch {
    return [];
  }
}

function isSameAddress(url: string, urls: Map<string, PreviewUrl>): boolean {
  return urls.has(url.replace(/\/$/, ''));
}

/** Whether a host is a domain or lies below it. */
export function isBelow(host: string, domain: string): boolean {
  const name = domain.toLowerCase().replace(/^\*?\./, '');
  return name !== '' && (host === name || host.endsWith(`.${name}`));
}

/** A DNS label has at most 63 characters; a longer one resolves nowhere. */
function isHostValid(host: string): boolean {
  return (
    host.length <= 253 &&
    host
      .split('.')
      .every(label => label.length > 0 && label.length <= MAX_LABEL)
  );
}
