import Typography from '@material-ui/core/Typography';
import { Phase, phases } from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';

/** What serves comes first, then what needs looking at, then what is on its way. */
const order: readonly Phase[] = [
  'Live',
  ...phases.filter(phase => phase !== 'Live'),
];

/** `9 live · 1 building · 1 failed`; changes are announced. */
export function CountsLine(props: {
  counts: Partial<Record<Phase, number>> | undefined;
}) {
  const { counts } = props;
  const { t } = useWords();
  const parts = order
    .filter(phase => (counts?.[phase] ?? 0) > 0)
    .map(phase => t(`count.${phase}`, { number: String(counts?.[phase]) }))
    // A count and its word stay on one line.
    .map(part => part.replaceAll(' ', '\u00a0'));
  return (
    <Typography variant="body1" component="p" role="status" aria-live="polite">
      {counts && (parts.length > 0 ? parts.join(' · ') : t('count.none'))}
      {/* Keeps the line's height while nothing is known. */}
      {!counts && '\u00a0'}
    </Typography>
  );
}
