import { makeStyles } from '@material-ui/core/styles';
import ArrowForwardIcon from '@material-ui/icons/ArrowForward';
import CheckIcon from '@material-ui/icons/Check';
import {
  MergeRequest,
  Preview,
} from '@previews/backstage-plugin-previews-common';
import { commitUrl, ExternalLink } from '../../links';
import { useWords } from '../../words';
import { commitState, shortSha } from './commitState';
import { useToneStyles } from './useToneStyles';
import { VisuallyHidden } from './VisuallyHidden';

const useStyles = makeStyles(
  theme => ({
    sha: {
      fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
      fontSize: '0.8125rem',
      display: 'inline-block',
      maxWidth: '100%',
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
      verticalAlign: 'bottom',
    },
    line: { display: 'flex', alignItems: 'center', gap: 4, minWidth: 0 },
    icon: { fontSize: '1rem', flexShrink: 0 },
    quiet: { color: theme.palette.text.secondary },
  }),
  { name: 'PreviewsCommitLabel' },
);

function Sha(props: { mergeRequest: MergeRequest; value: string }) {
  const { mergeRequest, value } = props;
  const { t } = useWords();
  const classes = useStyles();
  const short = shortSha(value);
  return (
    <ExternalLink
      href={commitUrl(mergeRequest, value)}
      label={t('commit.label', { sha: short })}
      title={value}
      className={classes.sha}
    >
      {short}
    </ExternalLink>
  );
}

/** The commit that runs, and the one that follows it. */
export function CommitLabel(props: { preview: Preview }) {
  const { preview } = props;
  const { mergeRequest } = preview;
  const { t } = useWords();
  const classes = useStyles();
  const tones = useToneStyles();
  const state = commitState(preview);
  switch (state.kind) {
    case 'unknown':
      return (
        <span className={classes.quiet} title={t('commit.unknownHint')}>
          {t('commit.unknown')}
        </span>
      );
    case 'one':
      return (
        <span className={classes.line}>
          <Sha mergeRequest={mergeRequest} value={state.sha} />
          {state.current && (
            <span className={tones.good} title={t('commit.current')}>
              <CheckIcon className={classes.icon} aria-hidden />
              <VisuallyHidden>{t('commit.current')}</VisuallyHidden>
            </span>
          )}
        </span>
      );
    case 'updating':
      return (
        <span
          title={t('commit.updating', {
            from: shortSha(state.from),
            to: shortSha(state.to),
          })}
        >
          <span className={classes.line}>
            <Sha mergeRequest={mergeRequest} value={state.from} />
            <ArrowForwardIcon className={classes.icon} aria-hidden />
          </span>
          <span className={classes.line}>
            <Sha mergeRequest={mergeRequest} value={state.to} />
          </span>
        </span>
      );
    default:
      return null;
  }
}
