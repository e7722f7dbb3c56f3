import { ComponentType, useState } from 'react';
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
import { ReasonLine, TimeLabel, Tone, VisuallyHidden } from '../shared';
import { StepList } from './StepList';
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

const useStyles = makeStyles(
  theme => ({
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
      <span aria-hidden>{t(`step.state.${stateKey(step)}`)}</span>
      {elapsedSeconds !== undefined && (
        <>
          <span aria-hidden> · </span>
          {duration(elapsedSeconds)}
        </>
      )}
    </>
  );
}

/** The state in a word; of a merge request that is open it is not done yet. */
function stateKey({ id, state }: Step) {
  return id === 'MergeRequest' && state === 'done' ? 'open' : state;
}

function StepDetail(props: {
  step: Step;
  preview: Preview;
  onShowSources?: () => void;
}) {
  const { step, preview, onShowSources } = props;
  const { t, sentence } = useWords();
  const classes = useStyles();
  const { condition } = step;
  const last = condition?.lastKnown;
  const lastSentence =
    last && condition && sentence({ type: condition.type, ...last });
  return (
    <>
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
    </>
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
  // Undefined: the reader has not chosen yet. Null: the reader has closed all.
  const [chosen, setChosen] = useState<StepId | null>();
  const steps = toSteps(preview, now);
  const openId = chosen === undefined ? stepToOpen(steps) : chosen;
  const open = steps.find(step => step.id === openId);
  if (!areSteps(steps)) {
    return null;
  }
  return (
    <StepList<StepId>
      label={t('step.label')}
      steps={steps.map(step => {
        const isStrong = strong.has(step.state);
        return {
          id: step.id,
          name: t(`step.${step.id}`),
          stateWord: t(`step.state.${stateKey(step)}`),
          icon: icons[step.state],
          tone: tones[step.state],
          strong: isStrong,
          tinted: isStrong || step.state === 'notYet',
          time: <StepTime step={step} />,
        };
      })}
      openId={openId}
      detailId={`previews-step-${preview.id}`}
      onChoose={setChosen}
    >
      {open && (
        <StepDetail
          step={open}
          preview={preview}
          onShowSources={onShowSources}
        />
      )}
    </StepList>
  );
}
