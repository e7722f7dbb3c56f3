import { ComponentType, useState } from 'react';
import ButtonBase from '@material-ui/core/ButtonBase';
import { makeStyles } from '@material-ui/core/styles';
import { SvgIconProps } from '@material-ui/core/SvgIcon';
import CancelIcon from '@material-ui/icons/Cancel';
import CheckCircleIcon from '@material-ui/icons/CheckCircle';
import FlagIcon from '@material-ui/icons/Flag';
import HelpIcon from '@material-ui/icons/Help';
import HourglassEmptyIcon from '@material-ui/icons/HourglassEmpty';
import RadioButtonUncheckedIcon from '@material-ui/icons/RadioButtonUnchecked';
import ReportProblemIcon from '@material-ui/icons/ReportProblem';
import { Preview } from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';
import {
  joinClasses,
  ReasonLine,
  TimeLabel,
  Tone,
  useToneStyles,
  VisuallyHidden,
} from '../shared';
import {
  areSteps,
  isDeciding,
  Step,
  StepId,
  StepState,
  stepToOpen,
  toSteps,
} from './steps';

const icons: Record<StepState, ComponentType<SvgIconProps>> = {
  done: CheckCircleIcon,
  warning: ReportProblemIcon,
  running: HourglassEmptyIcon,
  blocked: CancelIcon,
  notYet: RadioButtonUncheckedIcon,
  unknown: HelpIcon,
  ended: FlagIcon,
};

const tones: Record<StepState, Tone> = {
  done: 'good',
  warning: 'warning',
  running: 'moving',
  blocked: 'bad',
  notYet: 'neutral',
  unknown: 'warning',
  ended: 'neutral',
};

const strong: ReadonlySet<StepState> = new Set<StepState>([
  'running',
  'blocked',
  'warning',
  'unknown',
]);

/** Sizes of a step in pixels; the line between two icons is drawn from them. */
const ICON = 18;
const PADDING = 6;

const useStyles = makeStyles(
  theme => ({
    /** Equal steps in one line, or one step a line where there is no room. */
    list: {
      listStyle: 'none',
      display: 'grid',
      gridAutoFlow: 'column',
      gridAutoColumns: 'minmax(0, 160px)',
      margin: theme.spacing(2, 0, 1),
      padding: 0,
      [theme.breakpoints.down('xs')]: {
        gridAutoFlow: 'row',
        gridAutoColumns: 'auto',
      },
    },
    item: {
      position: 'relative',
      '&:not(:last-child)::after': {
        content: '""',
        position: 'absolute',
        // From icon to icon, at half their height.
        top: PADDING + ICON / 2 - 1,
        left: PADDING + ICON + 4,
        right: 4 - PADDING,
        borderTop: `2px solid ${theme.palette.divider}`,
        pointerEvents: 'none',
        [theme.breakpoints.down('xs')]: { display: 'none' },
      },
    },
    button: {
      width: '100%',
      height: '100%',
      padding: PADDING,
      flexDirection: 'column',
      alignItems: 'flex-start',
      justifyContent: 'flex-start',
      borderRadius: theme.shape.borderRadius,
      textAlign: 'left',
      fontSize: '0.8125rem',
      lineHeight: 1.3,
      '&:hover': { backgroundColor: theme.palette.action.hover },
      '&:focus-visible': { outline: `2px solid ${theme.palette.primary.main}` },
      [theme.breakpoints.down('xs')]: {
        flexDirection: 'row',
        alignItems: 'center',
        gap: theme.spacing(1),
      },
    },
    open: { backgroundColor: theme.palette.action.selected },
    icon: { fontSize: ICON, flexShrink: 0 },
    name: {
      marginTop: 4,
      [theme.breakpoints.down('xs')]: { marginTop: 0 },
    },
    /** What needs looking at stands out; what is done or to come does not. */
    strong: { fontWeight: 600 },
    time: {
      fontSize: '0.75rem',
      color: theme.palette.text.secondary,
      fontVariantNumeric: 'tabular-nums',
      [theme.breakpoints.down('xs')]: { marginLeft: 'auto' },
    },
    detail: {
      margin: theme.spacing(1, 0),
      padding: theme.spacing(1, 1.5),
      borderLeft: '3px solid',
      backgroundColor: theme.palette.background.default,
      overflowWrap: 'anywhere',
    },
    text: { color: theme.palette.text.primary, margin: 0 },
    quiet: {
      color: theme.palette.text.secondary,
      margin: 0,
      fontSize: '0.75rem',
    },
  }),
  { name: 'PreviewsStepper' },
);

/** How long it took or lasts, and in a word what the icon says. */
function StepTime(props: { step: Step }) {
  const { step } = props;
  const { t, clock, duration } = useWords();
  const { state, tookSeconds, elapsedSeconds, usualSeconds } = step;
  if (tookSeconds !== undefined) {
    return (
      <>
        <span aria-hidden>{clock(tookSeconds)}</span>
        <VisuallyHidden>
          {t('step.took', { duration: clock(tookSeconds) })}
        </VisuallyHidden>
      </>
    );
  }
  if (state === 'running' && elapsedSeconds !== undefined) {
    const elapsed = clock(elapsedSeconds);
    return (
      <>
        {usualSeconds === undefined ? (
          <>
            {/* Read out with the name already. */}
            <span aria-hidden>{t('step.state.running')} · </span>
            {elapsed}
          </>
        ) : (
          t('step.elapsedOf', { elapsed, usual: clock(usualSeconds) })
        )}
      </>
    );
  }
  return (
    <>
      {/* Read out with the name already. */}
      <span aria-hidden>{t(`step.state.${state}`)}</span>
      {elapsedSeconds !== undefined && (
        <>
          <span aria-hidden> · </span>
          {duration(elapsedSeconds)}
        </>
      )}
    </>
  );
}

function StepDetail(props: {
  step: Step;
  id: string;
  preview: Preview;
  onShowSources?: () => void;
}) {
  const { step, id, preview, onShowSources } = props;
  const { t, sentence } = useWords();
  const classes = useStyles();
  const toneClasses = useToneStyles();
  const { condition } = step;
  const last = condition?.lastKnown;
  const lastSentence =
    last && condition && sentence({ type: condition.type, ...last });
  return (
    <div
      id={id}
      className={joinClasses(classes.detail, toneClasses[tones[step.state]])}
    >
      <p className={classes.text}>
        {isDeciding(preview, step) ? (
          <ReasonLine preview={preview} onShowSources={onShowSources} />
        ) : (
          (condition && sentence(condition)) ?? t('step.notYetHint')
        )}
      </p>
      {lastSentence && (
        <p className={classes.quiet}>
          {t('step.lastKnown', { sentence: lastSentence })}
        </p>
      )}
      {condition && (
        <p className={classes.quiet}>
          <TimeLabel time={condition.since} />
        </p>
      )}
    </div>
  );
}

/**
 * What is done, what runs and for how long, what is blocked and why, and what is
 * still to come. The first blocked step is open until the reader opens another.
 */
export function Stepper(props: {
  preview: Preview;
  onShowSources?: () => void;
}) {
  const { preview, onShowSources } = props;
  const { t, now } = useWords();
  const classes = useStyles();
  const toneClasses = useToneStyles();
  // Undefined: the reader has not chosen yet. Null: the reader has closed all.
  const [chosen, setChosen] = useState<StepId | null>();
  const steps = toSteps(preview, now);
  const openId = chosen === undefined ? stepToOpen(steps) : chosen;
  const open = steps.find(step => step.id === openId);
  const detailId = `previews-step-${preview.id}`;
  if (!areSteps(steps)) {
    return null;
  }
  return (
    <>
      <ol className={classes.list} aria-label={t('step.label')}>
        {steps.map(step => {
          const Icon = icons[step.state];
          const isOpen = step.id === openId;
          const isStrong = strong.has(step.state);
          const tone = toneClasses[tones[step.state]];
          return (
            <li key={step.id} className={classes.item}>
              <ButtonBase
                className={joinClasses(classes.button, isOpen && classes.open)}
                aria-expanded={isOpen}
                aria-controls={isOpen ? detailId : undefined}
                onClick={() => setChosen(isOpen ? null : step.id)}
              >
                <Icon className={joinClasses(classes.icon, tone)} aria-hidden />
                <span
                  className={joinClasses(
                    classes.name,
                    isStrong && classes.strong,
                    (isStrong || step.state === 'notYet') && tone,
                  )}
                >
                  {t(`step.${step.id}`)}
                  <VisuallyHidden>
                    , {t(`step.state.${step.state}`)}
                  </VisuallyHidden>
                </span>
                <span className={classes.time}>
                  <StepTime step={step} />
                </span>
              </ButtonBase>
            </li>
          );
        })}
      </ol>
      {open && (
        <StepDetail
          id={detailId}
          step={open}
          preview={preview}
          onShowSources={onShowSources}
        />
      )}
    </>
  );
}
