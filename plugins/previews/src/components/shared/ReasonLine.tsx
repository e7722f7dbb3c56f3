import { MouseEvent } from 'react';
import { Link as PortalLink } from '@backstage/core-components';
import Link from '@material-ui/core/Link';
import { Preview } from '@previews/backstage-plugin-previews-common';
import { ExternalLink, nextStepOf, useKubernetesTab } from '../../links';
import { useWords } from '../../words';
import { briefReason } from './briefReason';

/** The sentence of a row and where its next step is taken. */
export function ReasonLine(props: {
  preview: Preview;
  /** Where all previews of an ApplicationSet may stand: without what it reports. */
  brief?: boolean;
  onShowSources?: () => void;
}) {
  const { preview, brief = false, onShowSources } = props;
  const { t, sentence } = useWords();
  const kubernetesTab = useKubernetesTab();
  const text = sentence({
    ...(brief ? briefReason(preview.reason) : preview.reason),
    message: preview.message,
  });
  if (!text) {
    return null;
  }
  const next = nextStepOf(preview, { kubernetesTab });
  return (
    <>
      {text}
      {next?.kind === 'url' && (
        <>
          {' '}
          <ExternalLink href={next.url}>
            {/* The arrow never stands on a line of its own. */}
            {t(`next.${next.step}`)}
            {'\u00a0'}↗
          </ExternalLink>
        </>
      )}
      {next?.kind === 'path' && (
        <>
          {' '}
          <PortalLink
            to={next.path}
            variant="inherit"
            underline="always"
            onClick={event => event.stopPropagation()}
            onKeyDown={event => event.stopPropagation()}
          >
            {t(`next.${next.step}`)}
          </PortalLink>
        </>
      )}
      {next?.kind === 'sources' && onShowSources && (
        <>
          {' '}
          <Link
            component="button"
            variant="inherit"
            underline="always"
            onClick={(event: MouseEvent) => {
              event.stopPropagation();
              onShowSources();
            }}
          >
            {t('next.sources')}
          </Link>
        </>
      )}
    </>
  );
}
