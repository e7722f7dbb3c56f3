import { ComponentType, useState } from 'react';
import { makeStyles } from '@material-ui/core/styles';
import { SvgIconProps } from '@material-ui/core/SvgIcon';
import CancelIcon from '@material-ui/icons/Cancel';
import CheckCircleIcon from '@material-ui/icons/CheckCircle';
import HelpIcon from '@material-ui/icons/Help';
import HourglassEmptyIcon from '@material-ui/icons/HourglassEmpty';
import {
  CertificateStep,
  CertificateSummary,
} from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';
import { NextTry, Tone } from '../shared';
import { ChainState, ChainStep, ChainStepId, toChain } from './chainSteps';
import { StepItem, StepList } from './StepList';

const icons: Record<ChainState, ComponentType<SvgIconProps>> = {
  done: CheckCircleIcon,
  waiting: HourglassEmptyIcon,
  blocked: CancelIcon,
  failed: CancelIcon,
  unknown: HelpIcon,
};

const tones: Record<ChainState, Tone> = {
  done: 'good',
  waiting: 'moving',
  blocked: 'bad',
  failed: 'bad',
  unknown: 'warning',
};

const useStyles = makeStyles(
  theme => ({
    sentence: {
      color: theme.palette.text.primary,
      margin: theme.spacing(0, 0, 1),
    },
    retry: {
      color: theme.palette.text.primary,
      margin: theme.spacing(0, 0, 1),
      fontWeight: 600,
      '&::first-letter': { textTransform: 'uppercase' },
    },
    objects: { listStyle: 'none', margin: 0, padding: 0 },
    object: {
      color: theme.palette.text.secondary,
      fontSize: '0.75rem',
      lineHeight: 1.4,
      '& + &': { marginTop: theme.spacing(1) },
    },
    name: { color: theme.palette.text.primary },
  }),
  { name: 'PreviewsCertificateChain' },
);

/** How long the step that decides has lasted, in a word what the others are. */
function ChainTime(props: { step: ChainStep; usualSeconds?: number }) {
  const { step, usualSeconds } = props;
  const { t, clock, duration } = useWords();
  const { state, objects, done, elapsedSeconds } = step;
  if (objects.length > 1) {
    return (
      <>
        {t('chain.doneOf', {
          done: String(done),
          total: String(objects.length),
        })}
      </>
    );
  }
  if (state === 'waiting' && elapsedSeconds !== undefined) {
    return (
      <>
        {usualSeconds === undefined ? (
          <>
            {/* Read out with the name already. */}
            <span aria-hidden>{t('chain.state.waiting')} · </span>
            {clock(elapsedSeconds)}
          </>
        ) : (
          t('step.elapsedOf', {
            elapsed: clock(elapsedSeconds),
            usual: clock(usualSeconds),
          })
        )}
      </>
    );
  }
  return (
    <>
      <span aria-hidden>{t(`chain.state.${state}`)}</span>
      {elapsedSeconds !== undefined && (
        <>
          <span aria-hidden> · </span>
          {duration(elapsedSeconds)}
        </>
      )}
    </>
  );
}

/** One object, in the words of cert-manager. */
function ChainObject(props: { object: CertificateStep }) {
  const { object } = props;
  const { t, relative, dateTime } = useWords();
  const classes = useStyles();
  const { kind, name, host, type, state, since, reason } = object;
  const created = since && relative(since);
  return (
    <li className={classes.object}>
      <span className={classes.name}>
        {kind} {name}
      </span>
      {[host, type, state].filter(Boolean).map(fact => (
        <span key={fact}> · {fact}</span>
      ))}
      {created && (
        <>
          {' · '}
          <time dateTime={since} title={dateTime(since)}>
            {t('chain.created', { time: created })}
          </time>
        </>
      )}
      {reason && (
        <div>{t('chain.says', { name: 'cert-manager', text: reason })}</div>
      )}
    </li>
  );
}

/**
 * What happens on the way to a certificate: Certificate, CertificateRequest, Order
 * and Challenge. The one that waits or fails is open until the reader opens another.
 */
export function CertificateChain(props: {
  certificate: CertificateSummary;
  /** The sentence of the certificate, where it is not told elsewhere. */
  sentence?: string;
  usualSeconds?: number;
  id: string;
}) {
  const { certificate, sentence, usualSeconds, id } = props;
  const { t, now } = useWords();
  const classes = useStyles();
  // Undefined: the reader has not chosen yet. Null: the reader has closed all.
  const [chosen, setChosen] = useState<ChainStepId | null>();
  const steps = toChain(certificate, now);
  const deciding = steps.find(step => step.deciding);
  const openId = chosen === undefined ? deciding?.id : chosen;
  const open = steps.find(step => step.id === openId);

  const item = (step: ChainStep): StepItem<ChainStepId> => ({
    id: step.id,
    name: t(`chain.${step.id}`),
    stateWord: t(`chain.state.${step.state}`),
    icon: icons[step.state],
    // What is above only waits: one step is to be looked at.
    tone:
      step.deciding || step.state === 'done' ? tones[step.state] : 'neutral',
    strong: step.deciding,
    tinted: step.deciding,
    time: (
      <ChainTime
        step={step}
        usualSeconds={step.id === 'Challenge' ? usualSeconds : undefined}
      />
    ),
  });

  return (
    <StepList<ChainStepId>
      label={t('chain.label', { name: certificate.name })}
      steps={steps.map(item)}
      openId={openId}
      detailId={id}
      onChoose={setChosen}
    >
      {open?.deciding && sentence && (
        <p className={classes.sentence}>{sentence}</p>
      )}
      {open?.deciding && certificate.retryAt && (
        <p className={classes.retry}>
          <NextTry time={certificate.retryAt} />
        </p>
      )}
      {open && (
        <ul className={classes.objects}>
          {open.objects.map(object => (
            <ChainObject key={object.name} object={object} />
          ))}
        </ul>
      )}
    </StepList>
  );
}
