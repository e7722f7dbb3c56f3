import { ComponentType, PropsWithChildren, ReactNode } from 'react';
import ButtonBase from '@material-ui/core/ButtonBase';
import { makeStyles } from '@material-ui/core/styles';
import { SvgIconProps } from '@material-ui/core/SvgIcon';
import { joinClasses, Tone, useToneStyles, VisuallyHidden } from '../shared';

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
      lineHeight: 1.4,
    },
  }),
  { name: 'PreviewsStepList' },
);

/** One step as it is drawn. */
export interface StepItem<Id extends string> {
  id: Id;
  name: string;
  /** In a word what the icon says, for those who do not see it. */
  stateWord: string;
  icon: ComponentType<SvgIconProps>;
  tone: Tone;
  /** What needs looking at stands out. */
  strong: boolean;
  /** The name has the tone too. */
  tinted: boolean;
  time: ReactNode;
}

/**
 * Steps in one line, each of which opens what there is to know of it below. A
 * narrow screen has one step a line.
 */
export function StepList<Id extends string>(
  props: PropsWithChildren<{
    label: string;
    steps: readonly StepItem<Id>[];
    openId: Id | null | undefined;
    detailId: string;
    /** The step that the reader opens, or null when the open one is closed. */
    onChoose(id: Id | null): void;
  }>,
) {
  const { label, steps, openId, detailId, onChoose, children } = props;
  const classes = useStyles();
  const tones = useToneStyles();
  const open = steps.find(step => step.id === openId);
  return (
    <>
      <ol className={classes.list} aria-label={label}>
        {steps.map(step => {
          const Icon = step.icon;
          const isOpen = step === open;
          const tone = tones[step.tone];
          return (
            <li key={step.id} className={classes.item}>
              <ButtonBase
                className={joinClasses(classes.button, isOpen && classes.open)}
                aria-expanded={isOpen}
                aria-controls={isOpen ? detailId : undefined}
                onClick={() => onChoose(isOpen ? null : step.id)}
              >
                <Icon className={joinClasses(classes.icon, tone)} aria-hidden />
                <span
                  className={joinClasses(
                    classes.name,
                    step.strong && classes.strong,
                    step.tinted && tone,
                  )}
                >
                  {step.name}
                  <VisuallyHidden>, {step.stateWord}</VisuallyHidden>
                </span>
                <span className={classes.time}>{step.time}</span>
              </ButtonBase>
            </li>
          );
        })}
      </ol>
      {open && (
        <div
          id={detailId}
          className={joinClasses(classes.detail, tones[open.tone])}
        >
          {children}
        </div>
      )}
    </>
  );
}
