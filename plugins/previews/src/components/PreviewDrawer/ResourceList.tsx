import { ReactNode } from 'react';
import { useListStyles } from './useListStyles';

interface Named {
  cluster: string;
  namespace?: string;
  kind?: string;
  name: string;
}

/** Objects of a kind under their heading; nothing where there are none. */
export function ResourceList<T extends Named>(props: {
  title: string;
  items: readonly T[];
  children(item: T): ReactNode;
}) {
  const { title, items, children } = props;
  const classes = useListStyles();
  if (items.length === 0) {
    return null;
  }
  return (
    <>
      <h4 className={classes.heading}>{title}</h4>
      <ul className={classes.list} aria-label={title}>
        {items.map(item => (
          <li
            key={[item.cluster, item.namespace, item.kind, item.name].join('/')}
            className={classes.item}
          >
            {children(item)}
          </li>
        ))}
      </ul>
    </>
  );
}
