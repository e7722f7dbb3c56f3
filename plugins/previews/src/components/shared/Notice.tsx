import { PropsWithChildren, ReactNode } from 'react';
import Paper from '@material-ui/core/Paper';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';

const useStyles = makeStyles(
  theme => ({
    root: {
      padding: theme.spacing(3),
      display: 'flex',
      gap: theme.spacing(2),
      alignItems: 'flex-start',
    },
    body: { minWidth: 0, flex: 1, maxWidth: 760, overflowWrap: 'anywhere' },
  }),
  { name: 'PreviewsNotice' },
);

/** What is shown in place of rows, with what to do next. */
export function Notice(
  props: PropsWithChildren<{
    icon: ReactNode;
    title: string;
    hint?: string;
    role?: 'alert';
  }>,
) {
  const classes = useStyles();
  return (
    <Paper className={classes.root} variant="outlined" role={props.role}>
      {props.icon}
      <div className={classes.body}>
        <Typography variant="h6" component="h3">
          {props.title}
        </Typography>
        {props.hint && <Typography variant="body2">{props.hint}</Typography>}
        {props.children}
      </div>
    </Paper>
  );
}
