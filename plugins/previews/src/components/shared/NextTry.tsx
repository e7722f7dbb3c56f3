import { secondsBetween, useWords } from '../../words';

/** `next try in 52 min`, and the exact time on hover. */
export function NextTry(props: { time: string }) {
  const { time } = props;
  const { t, now, duration, dateTime } = useWords();
  const ahead = -(secondsBetween(time, now) ?? 0);
  return (
    <time dateTime={time} title={dateTime(time)}>
      {ahead > 0
        ? t('certificates.retry', {
            time: t('time.ahead', { duration: duration(ahead) }),
          })
        : t('certificates.retryDue')}
    </time>
  );
}
