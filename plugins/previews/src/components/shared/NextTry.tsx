import { secondsBetween, useWords } from '../../words';

/** `next try in 53 min`, and the exact time on hover. */
export function NextTry(props: { time: string }) {
  const { time } = props;
  const { t, now, ahead, dateTime } = useWords();
  const seconds = -(secondsBetween(time, now) ?? 0);
  return (
    <time dateTime={time} title={dateTime(time)}>
      {seconds > 0
        ? t('certificates.retry', { time: ahead(seconds) })
        : t('certificates.retryDue')}
    </time>
  );
}
