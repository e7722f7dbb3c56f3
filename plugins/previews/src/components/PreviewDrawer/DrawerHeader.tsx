import Button from '@material-ui/core/Button';
import IconButton from '@material-ui/core/IconButton';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import CloseIcon from '@material-ui/icons/Close';
import OpenInNewIcon from '@material-ui/icons/OpenInNew';
import RefreshIcon from '@material-ui/icons/Refresh';
import { Preview } from '@previews/backstage-plugin-previews-common';
import { safeUrl } from '../../links';
import { useWords } from '../../words';
import {
  authorName,
  BranchesLabel,
  DraftBadge,
  mergeRequestName,
  openUrl,
} from '../shared';
import { RefreshOutcome, useRefresh } from './useRefresh';

const useStyles = makeStyles(
  theme => ({
    top: { display: 'flex', alignItems: 'flex-start', gap: theme.spacing(1) },
    title: { flex: 1, minWidth: 0, overflowWrap: 'anywhere' },
    /** Also of a service that is not the page's: whoever may see it may be sent its link. */
    origin: {
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      columnGap: theme.spacing(2),
      fontSize: '0.8125rem',
      color: theme.palette.text.secondary,
      overflowWrap: 'anywhere',
    },
    actions: {
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      gap: theme.spacing(1),
      margin: theme.spacing(1, 0),
    },
    button: { textTransform: 'none' },
    icon: { fontSize: '0.875rem' },
    outcome: { fontSize: '0.8125rem', color: theme.palette.text.secondary },
  }),
  { name: 'PreviewsDrawerHeader' },
);

const outcomes = {
  accepted: 'refreshAccepted',
  tooSoon: 'refreshTooSoon',
  forbidden: 'refreshForbidden',
  failed: 'refreshFailed',
} as const satisfies Record<RefreshOutcome, string>;

function OutLink(props: {
  href: string | undefined;
  label: string;
  text: string;
  primary?: boolean;
}) {
  const { href, label, text, primary = false } = props;
  const classes = useStyles();
  const url = safeUrl(href);
  return url ? (
    <Button
      className={classes.button}
      size="small"
      variant={primary ? 'contained' : 'outlined'}
      color={primary ? 'primary' : 'default'}
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={label}
      endIcon={<OpenInNewIcon className={classes.icon} />}
    >
      {text}
    </Button>
  ) : null;
}

/** Name of the preview, the ways out of the portal, and "look again". */
export function DrawerHeader(props: {
  preview: Preview;
  titleId: string;
  onClose(): void;
}) {
  const { preview, titleId, onClose } = props;
  const { t } = useWords();
  const classes = useStyles();
  const { busy, outcome, refresh } = useRefresh(preview.id);
  const { mergeRequest } = preview;
  const name = mergeRequestName(mergeRequest);
  const author = authorName(mergeRequest.author);
  const application = preview.applications.find(item => safeUrl(item.webUrl));
  return (
    <header>
      <div className={classes.top}>
        <Typography
          id={titleId}
          variant="h6"
          component="h2"
          className={classes.title}
        >
          {name}
        </Typography>
        <IconButton
          size="small"
          aria-label={t('drawer.close')}
          onClick={onClose}
        >
          <CloseIcon />
        </IconButton>
      </div>
      <div className={classes.origin}>
        <DraftBadge mergeRequest={mergeRequest} />
        <span>{mergeRequest.project}</span>
        <span title={t('row.author', { author })}>{author}</span>
        <BranchesLabel mergeRequest={mergeRequest} />
      </div>
      <div className={classes.actions}>
        <OutLink
          primary
          href={openUrl(preview)}
          label={t('drawer.openPreviewLabel', { name })}
          text={t('drawer.openPreview')}
        />
        <OutLink
          href={mergeRequest.webUrl}
          label={t('drawer.gitLabLabel', { name })}
          text={t('drawer.gitLab')}
        />
        <OutLink
          href={application?.webUrl}
          label={t('drawer.argoCdLabel', { name: application?.name ?? '' })}
          text={t('drawer.argoCd')}
        />
        <IconButton
          size="small"
          aria-label={t('drawer.refresh')}
          title={t('drawer.refresh')}
          disabled={busy}
          onClick={refresh}
        >
          <RefreshIcon />
        </IconButton>
        <span role="status" className={classes.outcome}>
          {outcome && t(`drawer.${outcomes[outcome]}`)}
        </span>
      </div>
    </header>
  );
}
