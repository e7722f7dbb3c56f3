import { makeStyles } from '@material-ui/core/styles';
import HourglassEmptyIcon from '@material-ui/icons/HourglassEmpty';
import ReportProblemIcon from '@material-ui/icons/ReportProblem';
import { Preview } from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';
import { joinClasses } from './joinClasses';
import { useToneStyles } from './useToneStyles';

const useStyles = makeStyles(
  {
    root: { display: 'inline-flex', alignItems: 'center', gap: 4 },
    icon: { fontSize: '1rem', flexShrink: 0 },
  },
  { name: 'PreviewsTtlLine' },
);

/**
 * `idle 3 h · kept until 12 Dec`: how long nobody has worked on the merge request,
 * and until when its environment is kept; a warning when that is near. Nothing
 * where it has no time to live.
 */
export function TtlLine(props: {
  preview: Preview;
  /** Only where its end is near, and the sentence of the row does not tell of it. */
  onlyNear?: boolean;
}) {
  const { preview, onlyNear = false } = props;
  const { ttl } = preview;
  const { t, now, elapsed, date, dateTime } = useWords();
  const classes = useStyles();
  const tones = useToneStyles();
  const end = ttl ? Date.parse(ttl.expiresAt) : NaN;
  const isTold =
    preview.reason?.type === 'MergeRequestOpen' &&
    /^Idle/.test(preview.reason.reason);
  if (!ttl || Number.isNaN(end) || (onlyNear && (!ttl.near || isTold))) {
    return null;
  }
  const idle = elapsed(ttl.idleSince);
  const until = date(ttl.expiresAt);
  const Icon = ttl.near ? ReportProblemIcon : HourglassEmptyIcon;
  return (
    <span
      className={joinClasses(
        classes.root,
        tones[ttl.near ? 'warning' : 'neutral'],
      )}
      title={dateTime(ttl.expiresAt)}
    >
      <Icon className={classes.icon} aria-hidden />
      <span>
        {[
          idle && t('ttl.idle', { duration: idle }),
          end < now
            ? t('ttl.ended', { date: until })
            : t('ttl.kept', { date: until }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </span>
  );
}
