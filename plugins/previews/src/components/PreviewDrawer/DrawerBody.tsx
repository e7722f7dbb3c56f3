import { Finding, Preview } from '@previews/backstage-plugin-previews-common';
import { ExternalLink } from '../../links';
import { useWords } from '../../words';
import { addressNote, FindingBars, openUrl } from '../shared';
import { CertificateSection } from './CertificateSection';
import { useCertificateGlance } from './useCertificateGlance';
import { ConditionsSection } from './ConditionsSection';
import { Headline } from './Headline';
import { ResourcesSection } from './ResourcesSection';
import { RouteSection } from './RouteSection';
import { Section } from './Section';
import { Stepper } from './Stepper';
import { TimelineSection } from './TimelineSection';
import { useListStyles } from './useListStyles';

/** Changes with each change that the timeline tells of. */
function versionOf(preview: Preview): string {
  const { conditions, furtherConditions = [], mergeRequest } = preview;
  return [
    preview.activityAt,
    preview.phaseSince,
    mergeRequest.headSha,
    mergeRequest.approvedAt,
    ...[...conditions, ...furtherConditions].map(({ since }) => since),
  ].join(' ');
}

/** Every address, also those that may not become a link; none is one while nothing serves. */
function Addresses(props: { preview: Preview }) {
  const { urls } = props.preview;
  const { t } = useWords();
  const classes = useListStyles();
  if (urls.length === 0) {
    return null;
  }
  const opens = openUrl(props.preview) !== undefined;
  return (
    <ul className={classes.addresses} aria-label={t('drawer.addresses')}>
      {urls.map(url => (
        <li key={url.url} className={classes.item}>
          <ExternalLink
            href={opens && url.clickable ? url.url : undefined}
            title={addressNote(url, t)}
          >
            {url.url}
          </ExternalLink>
          {!url.clickable && (
            <div className={classes.quiet}>{addressNote(url, t)}.</div>
          )}
        </li>
      ))}
    </ul>
  );
}

/** All that is known of one preview. */
export function DrawerBody(props: {
  preview: Preview;
  findings: readonly Finding[];
  onShowSources?: () => void;
}) {
  const { preview, findings, onShowSources } = props;
  const { t } = useWords();
  const certificateGlance = useCertificateGlance(preview.certificates);
  const id = `previews-drawer-${preview.id}`;
  return (
    <>
      <FindingBars findings={findings} />
      <Headline preview={preview} onShowSources={onShowSources} />
      <Stepper preview={preview} onShowSources={onShowSources} />
      <Addresses preview={preview} />
      <Section id={`${id}-conditions`} title={t('drawer.conditions')}>
        <ConditionsSection
          conditions={preview.conditions}
          furtherConditions={preview.furtherConditions}
        />
      </Section>
      <Section
        id={`${id}-certificate`}
        title={t('drawer.certificate')}
        glance={certificateGlance}
        defaultOpen={preview.reason?.type === 'CertificateReady'}
      >
        <CertificateSection preview={preview} id={`${id}-chain`} />
      </Section>
      <Section
        id={`${id}-route`}
        title={t('drawer.route')}
        glance={preview.routes
          .map(({ name, parents }) =>
            [name, parents.join(', ')].filter(Boolean).join(' → '),
          )
          .join(' · ')}
        defaultOpen={['RouteAccepted', 'Reachable'].includes(
          preview.reason?.type ?? '',
        )}
      >
        <RouteSection preview={preview} />
      </Section>
      <Section
        id={`${id}-resources`}
        title={t('drawer.resources')}
        glance={preview.workloads
          .map(({ name, ready, desired }) => `${name} ${ready}/${desired}`)
          .join(' · ')}
      >
        <ResourcesSection preview={preview} />
      </Section>
      <Section
        id={`${id}-timeline`}
        title={t('drawer.timeline')}
        defaultOpen={preview.phase === 'Gone'}
      >
        <TimelineSection previewId={preview.id} version={versionOf(preview)} />
      </Section>
    </>
  );
}
