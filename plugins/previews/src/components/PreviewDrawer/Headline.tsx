import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import { Preview } from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';
import {
  commitState,
  PhaseLabel,
  ReasonLine,
  shortSha,
  TtlLine,
} from '../shared';
import { isToldByStep } from './steps';

const useStyles = makeStyles(
  theme => ({
    line: {
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      columnGap: theme.spacing(1),
    },
    reason: {
      color: theme.palette.text.secondary,
      overflowWrap: 'anywhere',
      // Where no step follows, a section does.
      marginBottom: theme.spacing(2),
    },
  }),
  { name: 'PreviewsHeadline' },
);

/** `Live for 2 h on 1a2b3c4d`, and the sentence when it is not plainly live. */
export function Headline(props: {
  preview: Preview;
  onShowSources?: () => void;
}) {
  const { preview, onShowSources } = props;
  const { t, now, elapsed, dateTime } = useWords();
  const classes = useStyles();
  const duration = elapsed(preview.phaseSince);
  const commit = commitState(preview);
  const sha =
    (commit.kind === 'one' && shortSha(commit.sha)) ||
    (commit.kind === 'updating' && shortSha(commit.from)) ||
    undefined;
  return (
    <>
      <Typography component="p" className={classes.line}>
        <PhaseLabel phase={preview.phase} />
        {duration && (
          <span title={dateTime(preview.phaseSince)}>
            {sha
              ? t('drawer.forOn', { duration, commit: sha })
              : t('drawer.for', { duration })}
          </span>
        )}
        <TtlLine preview={preview} />
      </Typography>
      {!isToldByStep(preview, now) && (
        <Typography variant="body2" className={classes.reason}>
          <ReasonLine preview={preview} onShowSources={onShowSources} />
        </Typography>
      )}
    </>
  );
}
