import { PropsWithChildren } from 'react';
import { makeStyles } from '@material-ui/core/styles';

const useStyles = makeStyles(
  {
    root: {
      position: 'absolute',
      width: 1,
      height: 1,
      margin: -1,
      padding: 0,
      overflow: 'hidden',
      clip: 'rect(0 0 0 0)',
      whiteSpace: 'nowrap',
      border: 0,
    },
  },
  { name: 'PreviewsVisuallyHidden' },
);

/** Words that only a screen reader needs, because an icon shows them. */
export function VisuallyHidden(props: PropsWithChildren<{}>) {
  return <span className={useStyles().root}>{props.children}</span>;
}
