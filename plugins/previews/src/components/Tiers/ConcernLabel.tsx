import { ComponentType } from 'react';
import { makeStyles } from '@material-ui/core/styles';
import { SvgIconProps } from '@material-ui/core/SvgIcon';
import CheckCircleIcon from '@material-ui/icons/CheckCircle';
import ErrorIcon from '@material-ui/icons/Error';
import HelpIcon from '@material-ui/icons/Help';
import ReportProblemIcon from '@material-ui/icons/ReportProblem';
import UpdateIcon from '@material-ui/icons/Update';
import { joinClasses, Tone, useToneStyles } from '../shared';

const icons: Record<Tone, ComponentType<SvgIconProps>> = {
  good: CheckCircleIcon,
  moving: UpdateIcon,
  warning: ReportProblemIcon,
  bad: ErrorIcon,
  neutral: HelpIcon,
};

const useStyles = makeStyles(
  {
    root: {
      display: 'inline-flex',
      alignItems: 'center',
      gap: 4,
      fontWeight: 600,
    },
    icon: { fontSize: '1rem', flexShrink: 0 },
  },
  { name: 'PreviewsConcernLabel' },
);

/** Sync or health in Argo CD's own word, with an icon. */
export function ConcernLabel(props: { word: string; tone: Tone }) {
  const { word, tone } = props;
  const classes = useStyles();
  const tones = useToneStyles();
  const Icon = icons[tone];
  return (
    <span className={joinClasses(classes.root, tones[tone])}>
      <Icon className={classes.icon} aria-hidden />
      {word}
    </span>
  );
}
