import { makeStyles } from '@material-ui/core/styles';
import { toneColor } from './tones';

/** One class per tone, named as the tone. */
export const useToneStyles = makeStyles(
  theme => ({
    good: { color: toneColor(theme, 'good') },
    moving: { color: toneColor(theme, 'moving') },
    warning: { color: toneColor(theme, 'warning') },
    bad: { color: toneColor(theme, 'bad') },
    neutral: { color: toneColor(theme, 'neutral') },
  }),
  { name: 'PreviewsTone' },
);
