import { makeStyles } from '@material-ui/core/styles';
import {
  ApplicationSummary,
  Phase,
} from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';
import { useToneStyles } from './useToneStyles';
import { applicationTones, worstApplication } from './worst';

const useStyles = makeStyles(
  theme => ({
    quiet: { color: theme.palette.text.secondary },
    more: { color: theme.palette.text.secondary, fontSize: '0.75rem' },
  }),
  { name: 'PreviewsArgoCdLabel' },
);

/** Nothing is awaited in these phases when there is no Application. */
const withoutApplication: ReadonlySet<Phase> = new Set<Phase>([
  'NotSelected',
  'TearingDown',
  'Orphaned',
  'Unknown',
  'Gone',
]);

/** Sync and health in Argo CD's own words. */
export function ArgoCdLabel(props: {
  applications: readonly ApplicationSummary[];
  phase: Phase;
}) {
  const { applications, phase } = props;
  const { t } = useWords();
  const classes = useStyles();
  const tones = useToneStyles();
  const application = worstApplication(applications);
  if (!application) {
    return withoutApplication.has(phase) ? null : (
      <span className={classes.quiet}>{t('argo.waiting')}</span>
    );
  }
  const { sync, health } = applicationTones(application, phase);
  const more = applications.length - 1;
  return (
    <>
      <div className={tones[sync]}>{application.sync}</div>
      <div className={tones[health]}>{application.health}</div>
      {more > 0 && (
        <div className={classes.more}>
          {t('argo.more', { number: String(more) })}
        </div>
      )}
    </>
  );
}
