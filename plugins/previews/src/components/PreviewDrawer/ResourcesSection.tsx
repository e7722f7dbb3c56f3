import { ReactNode } from 'react';
import {
  ApplicationSummary,
  NamespaceSummary,
  Preview,
  RouteSummary,
  WorkloadSummary,
} from '@previews/backstage-plugin-previews-common';
import { ExternalLink } from '../../links';
import { useWords } from '../../words';
import { healthTone, shortSha, syncTone, useToneStyles } from '../shared';
import { useListStyles } from './useListStyles';

interface Named {
  cluster: string;
  namespace?: string;
  kind?: string;
  name: string;
}

function ResourceList<T extends Named>(props: {
  title: string;
  items: readonly T[];
  children(item: T): ReactNode;
}) {
  const { title, items, children } = props;
  const classes = useListStyles();
  if (items.length === 0) {
    return null;
  }
  return (
    <>
      <h4 className={classes.heading}>{title}</h4>
      <ul className={classes.list} aria-label={title}>
        {items.map(item => (
          <li
            key={[item.cluster, item.namespace, item.kind, item.name].join('/')}
            className={classes.item}
          >
            {children(item)}
          </li>
        ))}
      </ul>
    </>
  );
}

function ApplicationItem(props: { application: ApplicationSummary }) {
  const { application } = props;
  const { t } = useWords();
  const classes = useListStyles();
  const tones = useToneStyles();
  const name = `${application.namespace}/${application.name}`;
  const { destination } = application;
  return (
    <>
      <div className={classes.line}>
        <ExternalLink
          href={application.webUrl}
          label={t('drawer.argoCdLabel', { name })}
        >
          {name}
        </ExternalLink>
        <span className={tones[syncTone(application.sync)]}>
          {application.sync}
        </span>
        <span className={tones[healthTone(application.health)]}>
          {application.health}
        </span>
        {application.revision && (
          <code title={application.revision}>
            {shortSha(application.revision)}
          </code>
        )}
      </div>
      <div className={classes.quiet}>
        {[
          application.applicationSet &&
            `ApplicationSet ${application.applicationSet}`,
          application.project && `AppProject ${application.project}`,
          `→ ${[
            destination.cluster ?? destination.name ?? destination.server,
            destination.namespace,
          ]
            .filter(Boolean)
            .join('/')}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </div>
      {application.operation?.message && (
        <div className={classes.quiet}>
          {application.operation.phase}: {application.operation.message}
        </div>
      )}
    </>
  );
}

function WorkloadItem(props: { workload: WorkloadSummary }) {
  const { workload } = props;
  const { t } = useWords();
  const classes = useListStyles();
  const tones = useToneStyles();
  return (
    <>
      <div className={classes.line}>
        <span>
          {workload.kind} {workload.name}
        </span>
        <span
          className={
            tones[workload.ready >= workload.desired ? 'good' : 'warning']
          }
        >
          {t('resources.ready', {
            ready: String(workload.ready),
            desired: String(workload.desired),
          })}
        </span>
        {workload.reason && <span>{workload.reason}</span>}
      </div>
      <div className={classes.quiet}>{workload.images.join(', ')}</div>
    </>
  );
}

const acceptance = {
  True: { text: 'accepted', tone: 'good' },
  False: { text: 'notAccepted', tone: 'bad' },
  Unknown: { text: 'acceptanceUnknown', tone: 'neutral' },
} as const;

function RouteItem(props: { route: RouteSummary }) {
  const { route } = props;
  const { t } = useWords();
  const classes = useListStyles();
  const tones = useToneStyles();
  const { text, tone } = acceptance[route.accepted] ?? acceptance.Unknown;
  return (
    <>
      <div className={classes.line}>
        <span>
          {route.kind} {route.namespace}/{route.name} →{' '}
          {route.parents.join(', ')}
        </span>
        <span className={tones[tone]}>{t(`resources.${text}`)}</span>
        {route.accepted !== 'True' && route.reason && (
          <span>{route.reason}</span>
        )}
      </div>
      <div className={classes.quiet}>{route.hosts.join(', ')}</div>
    </>
  );
}

function NamespaceItem(props: { namespace: NamespaceSummary }) {
  const { namespace } = props;
  const { t, elapsed } = useWords();
  const classes = useListStyles();
  const terminating = elapsed(namespace.terminatingSince);
  return (
    <div className={classes.line}>
      <span>
        {namespace.cluster}/{namespace.name}
      </span>
      <span className={classes.quiet}>
        {[
          namespace.phase,
          terminating && t('resources.terminating', { duration: terminating }),
          !namespace.own && t('resources.shared'),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </div>
  );
}

/** What was generated for the preview, by kind. */
export function ResourcesSection(props: { preview: Preview }) {
  const { applications, workloads, routes, namespaces } = props.preview;
  const { t } = useWords();
  const classes = useListStyles();
  const all = [applications, workloads, routes, namespaces];
  if (all.every(items => items.length === 0)) {
    return <p className={classes.item}>{t('resources.none')}</p>;
  }
  return (
    <>
      <ResourceList title={t('resources.applications')} items={applications}>
        {application => <ApplicationItem application={application} />}
      </ResourceList>
      <ResourceList title={t('resources.workloads')} items={workloads}>
        {workload => <WorkloadItem workload={workload} />}
      </ResourceList>
      <ResourceList title={t('resources.routes')} items={routes}>
        {route => <RouteItem route={route} />}
      </ResourceList>
      <ResourceList title={t('resources.namespaces')} items={namespaces}>
        {namespace => <NamespaceItem namespace={namespace} />}
      </ResourceList>
    </>
  );
}
