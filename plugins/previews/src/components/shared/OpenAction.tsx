import { MouseEvent } from 'react';
import Button from '@material-ui/core/Button';
import { makeStyles } from '@material-ui/core/styles';
import OpenInNewIcon from '@material-ui/icons/OpenInNew';
import { Phase, Preview } from '@previews/backstage-plugin-previews-common';
import { safeUrl } from '../../links';
import { useWords } from '../../words';
import { addressNote } from './addressNote';
import { mergeRequestName } from './names';

const useStyles = makeStyles(
  theme => ({
    button: {
      // As high as a line of the row, whose text it stands beside.
      padding: '0 8px',
      margin: '-1px 0',
      lineHeight: '20px',
      minWidth: 0,
      whiteSpace: 'nowrap',
      textTransform: 'none',
    },
    icon: { fontSize: '0.875rem' },
    quiet: {
      color: theme.palette.text.secondary,
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      display: 'block',
    },
  }),
  { name: 'PreviewsOpenAction' },
);

/** Something serves in these phases, if only an older commit. */
const serving: ReadonlySet<Phase> = new Set<Phase>([
  'Live',
  'Updating',
  'Degraded',
  'Orphaned',
]);

const instead = {
  Building: 'building',
  Waiting: 'waiting',
  Deploying: 'deploying',
  Securing: 'securing',
  TearingDown: 'tearingDown',
  Gone: 'gone',
  NotSelected: 'noPreview',
  Unknown: 'unknown',
} as const satisfies Partial<Record<Phase, string>>;

function stop(event: MouseEvent) {
  event.stopPropagation();
}

function isServing(preview: Preview): boolean {
  return serving.has(preview.phase);
}

/** Where the preview can be opened; undefined while nothing serves and when it has no safe link. */
export function openUrl(preview: Preview): string | undefined {
  return isServing(preview)
    ? preview.urls
        .filter(url => url.clickable)
        .map(url => safeUrl(url.url))
        .find(Boolean)
    : undefined;
}

/** The one link a reviewer wants, or the reason there is none. */
export function OpenAction(props: { preview: Preview; onWhy(): void }) {
  const { preview, onWhy } = props;
  const { t } = useWords();
  const classes = useStyles();
  const name = mergeRequestName(preview.mergeRequest);
  if (isServing(preview)) {
    const href = openUrl(preview);
    if (href) {
      return (
        <Button
          className={classes.button}
          size="small"
          variant="outlined"
          color="primary"
          href={href}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={t('open.label', { name })}
          title={href}
          endIcon={<OpenInNewIcon className={classes.icon} />}
          onClick={stop}
        >
          {t('open.open')}
        </Button>
      );
    }
    const [url] = preview.urls;
    return url ? (
      <span className={classes.quiet} title={addressNote(url, t)}>
        {url.host || url.url}
      </span>
    ) : (
      <span className={classes.quiet}>{t('open.noAddress')}</span>
    );
  }
  if (preview.phase === 'Failed') {
    return (
      <Button
        className={classes.button}
        size="small"
        variant="outlined"
        aria-label={t('open.whyLabel', { name })}
        onClick={event => {
          stop(event);
          onWhy();
        }}
      >
        {t('open.why')}
      </Button>
    );
  }
  const key = Object.hasOwn(instead, preview.phase)
    ? instead[preview.phase as keyof typeof instead]
    : 'unknown';
  return <span className={classes.quiet}>{t(`open.${key}`)}</span>;
}
