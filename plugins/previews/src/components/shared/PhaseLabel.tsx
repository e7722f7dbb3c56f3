import { ComponentType } from 'react';
import { makeStyles } from '@material-ui/core/styles';
import { SvgIconProps } from '@material-ui/core/SvgIcon';
import BlockIcon from '@material-ui/icons/Block';
import BuildIcon from '@material-ui/icons/Build';
import CheckCircleIcon from '@material-ui/icons/CheckCircle';
import CloudUploadIcon from '@material-ui/icons/CloudUpload';
import DeleteSweepIcon from '@material-ui/icons/DeleteSweep';
import ErrorIcon from '@material-ui/icons/Error';
import HelpIcon from '@material-ui/icons/Help';
import HistoryIcon from '@material-ui/icons/History';
import HourglassEmptyIcon from '@material-ui/icons/HourglassEmpty';
import LinkOffIcon from '@material-ui/icons/LinkOff';
import LockOpenIcon from '@material-ui/icons/LockOpen';
import ReportProblemIcon from '@material-ui/icons/ReportProblem';
import UpdateIcon from '@material-ui/icons/Update';
import { Phase } from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';
import { joinClasses } from './joinClasses';
import { phaseTones } from './tones';
import { useToneStyles } from './useToneStyles';

const icons: Record<Phase, ComponentType<SvgIconProps>> = {
  Failed: ErrorIcon,
  Degraded: ReportProblemIcon,
  Orphaned: LinkOffIcon,
  Unknown: HelpIcon,
  Updating: UpdateIcon,
  Building: BuildIcon,
  Waiting: HourglassEmptyIcon,
  Deploying: CloudUploadIcon,
  Securing: LockOpenIcon,
  TearingDown: DeleteSweepIcon,
  Live: CheckCircleIcon,
  NotSelected: BlockIcon,
  Gone: HistoryIcon,
};

const useStyles = makeStyles(
  {
    root: {
      display: 'inline-flex',
      alignItems: 'flex-start',
      gap: 6,
      fontWeight: 600,
      lineHeight: '20px',
      verticalAlign: 'top',
    },
    // In the middle of the first line, where the words take two.
    icon: { fontSize: 16, flexShrink: 0, marginTop: 2 },
  },
  { name: 'PreviewsPhaseLabel' },
);

/** A phase as an icon, a word and a colour. */
export function PhaseLabel(props: { phase: Phase }) {
  const { t } = useWords();
  const classes = useStyles();
  const tones = useToneStyles();
  // A newer backend may know more phases than this version.
  const known = props.phase in icons;
  const Icon = known ? icons[props.phase] : HelpIcon;
  return (
    <span
      className={joinClasses(
        classes.root,
        tones[known ? phaseTones[props.phase] : 'neutral'],
      )}
    >
      <Icon className={classes.icon} aria-hidden />
      {known ? t(`phase.${props.phase}`) : props.phase}
    </span>
  );
}
