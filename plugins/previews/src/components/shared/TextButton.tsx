import { PropsWithChildren } from 'react';
import Button from '@material-ui/core/Button';
import { makeStyles } from '@material-ui/core/styles';

const useStyles = makeStyles(
  { button: { textTransform: 'none' } },
  { name: 'PreviewsTextButton' },
);

/** A small button beside text, in the case of its words as the others of the tab. */
export function TextButton(
  props: PropsWithChildren<{ primary?: boolean; onClick(): void }>,
) {
  const { primary = false, onClick, children } = props;
  const classes = useStyles();
  return (
    <Button
      className={classes.button}
      size="small"
      color={primary ? 'primary' : 'default'}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
