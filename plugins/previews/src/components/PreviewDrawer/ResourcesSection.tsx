import {
  ApplicationSummary,
  NamespaceSummary,
  Phase,
  Preview,
  WorkloadSummary,
} from '@previews/backstage-plugin-previews-common';
import { ExternalLink } from '../../links';
import { useWords } from '../../words';
import { applicationTones, shortSha, useToneStyles } from '../shared';
import { ResourceList } from './ResourceList';
import { useListStyles } from './useListStyles';

function ApplicationItem(props: {
  application: ApplicationSummary;
  phase: Phase;
}) {
  const { application, phase } = props;
  const { t } = useWords();
  const classes = useListStyles();
  const tones = useToneStyles();
  const name = `${application.namespace}/${application.name}`;
  const { destination } = application;
  const { sync, health } = applicationTones(application, phase);
  return (
    <>
      <div className={classes.line}>
        <ExternalLink
          href={application.webUrl}
          label={t('drawer.argoCdLabel', { name })}
        >
          {name}
        </ExternalLink>
        <span className={tones[sync]}>{application.sync}</span>
        <span className={tones[health]}>{application.health}</span>
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

/** What was generated for the preview, by kind; certificates and routes have sections of their own. */
export function ResourcesSection(props: { preview: Preview }) {
  const { applications, workloads, namespaces, phase } = props.preview;
  const { t } = useWords();
  const classes = useListStyles();
  const all = [applications, workloads, namespaces];
  if (all.every(items => items.length === 0)) {
    return <p className={classes.item}>{t('resources.none')}</p>;
  }
  return (
    <>
      <ResourceList title={t('resources.applications')} items={applications}>
        {application => (
          <ApplicationItem application={application} phase={phase} />
        )}
      </ResourceList>
      <ResourceList title={t('resources.workloads')} items={workloads}>
        {workload => <WorkloadItem workload={workload} />}
      </ResourceList>
      <ResourceList title={t('resources.namespaces')} items={namespaces}>
        {namespace => <NamespaceItem namespace={namespace} />}
      </ResourceList>
    </>
  );
}
