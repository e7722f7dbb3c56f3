import { useWords } from '../../words';
import { TimeLabel } from '../shared';
import { Drift } from './tiers';

/** Who changed what with which tool, and whether it has been put back. */
export function DriftText(props: { drift: Drift }) {
  const { resource, change, restored } = props.drift;
  const { t, relative } = useWords();
  const object = `${resource.kind} ${resource.name}`;
  if (!change) {
    return <>{t('tier.outOfSync', { object })}</>;
  }
  const { manager, fields, restoredAt } = change;
  const back = restoredAt && relative(restoredAt);
  return (
    <>
      {t('tier.byHand', { object, manager })} <TimeLabel time={change.at} />
      {fields.length > 0 && (
        <>
          {' ('}
          {fields.map((field, index) => (
            <span key={field}>
              {index > 0 && ', '}
              <code>{field}</code>
            </span>
          ))}
          )
        </>
      )}
      {'; '}
      {restored && back && t('tier.putBack', { time: back })}
      {restored && !back && t('tier.putBackSome')}
      {!restored && t('tier.notPutBack')}
    </>
  );
}
