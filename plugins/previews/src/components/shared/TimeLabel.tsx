import { useWords } from '../../words';

/** How long ago, and the exact time on hover. `form` leaves out the "ago". */
export function TimeLabel(props: { time: string; form?: 'age' | 'relative' }) {
  const { time, form = 'relative' } = props;
  const { elapsed, relative, dateTime } = useWords();
  return (
    <time dateTime={time} title={dateTime(time)}>
      {(form === 'age' ? elapsed(time) : relative(time)) ?? time}
    </time>
  );
}
