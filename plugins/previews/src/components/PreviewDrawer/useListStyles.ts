import { makeStyles } from '@material-ui/core/styles';

/** Lists of the drawer's sections. */
export const useListStyles = makeStyles(
  theme => ({
    list: { listStyle: 'none', margin: 0, padding: 0 },
    addresses: {
      listStyle: 'none',
      margin: theme.spacing(1, 0),
      padding: 0,
    },
    item: {
      padding: theme.spacing(0.5, 0),
      fontSize: '0.8125rem',
      lineHeight: 1.4,
      overflowWrap: 'anywhere',
    },
    line: {
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      columnGap: theme.spacing(1),
    },
    quiet: { color: theme.palette.text.secondary },
    heading: {
      margin: theme.spacing(1, 0, 0),
      fontSize: '0.75rem',
      fontWeight: 600,
      color: theme.palette.text.secondary,
    },
  }),
  { name: 'PreviewsList' },
);
