import {
  darken,
  getContrastRatio,
  lighten,
  Theme,
} from '@material-ui/core/styles';
import { Phase } from '@previews/backstage-plugin-previews-common';

/** What a colour says; a word and an icon always say it too. */
export type Tone = 'good' | 'moving' | 'warning' | 'bad' | 'neutral';

export const phaseTones: Record<Phase, Tone> = {
  Failed: 'bad',
  Degraded: 'bad',
  Orphaned: 'warning',
  Unknown: 'warning',
  Updating: 'moving',
  Building: 'moving',
  Waiting: 'moving',
  Deploying: 'moving',
  Securing: 'moving',
  TearingDown: 'moving',
  Live: 'good',
  NotSelected: 'neutral',
  Gone: 'neutral',
};

/** WCAG 2 AA for text. */
const LEAST_CONTRAST = 4.5;
const STEP = 0.08;

/**
 * The colour, made darker or lighter until text in it can be read on the
 * background: a portal's status colours are chosen for dots, not for words.
 */
export function legible(color: string, background: string): string {
  const change = getContrastRatio('#000', background) > 10 ? darken : lighten;
  let result = color;
  for (
    let coefficient = STEP;
    coefficient < 1 && getContrastRatio(result, background) < LEAST_CONTRAST;
    coefficient += STEP
  ) {
    result = change(color, coefficient);
  }
  return result;
}

/** The colour of a tone as text on a surface of the theme. */
export function toneColor(theme: Theme, tone: Tone): string {
  const { palette } = theme;
  const colors: Record<Tone, string> = {
    good: palette.success.main,
    moving: palette.info.main,
    warning: palette.warning.main,
    bad: palette.error.main,
    neutral: palette.text.secondary,
  };
  return tone === 'neutral'
    ? colors.neutral
    : legible(colors[tone], palette.background.paper);
}
