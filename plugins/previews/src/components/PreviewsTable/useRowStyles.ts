import { makeStyles } from '@material-ui/core/styles';

/** Every cell's first line is this high, so that all of them share a baseline. */
const LINE = '20px';

export const useRowStyles = makeStyles(
  theme => ({
    /** What is one row to the reader: one background, and one border. */
    group: {
      cursor: 'pointer',
      '&:hover': { backgroundColor: theme.palette.action.hover },
      // The row that has the focus may be one of two.
      '&:focus-visible, &:has(> tr:focus-visible)': {
        outline: `2px solid ${theme.palette.primary.main}`,
        outlineOffset: -2,
      },
      '& > tr:focus-visible': { outline: 'none' },
    },
    /** The theme stripes every other row; here two rows are one to the reader. */
    row: { '&&': { backgroundColor: 'transparent' } },
    cell: {
      padding: '6px 8px',
      verticalAlign: 'top',
      lineHeight: LINE,
      fontSize: '0.8125rem',
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      borderTop: `1px solid ${theme.palette.divider}`,
      borderBottom: 'none',
      '&:first-child': { paddingLeft: 16 },
      '&:last-child': { paddingRight: 16 },
    },
    /** The line below belongs to the same row. */
    open: { paddingBottom: 2 },
    reason: {
      padding: '0 16px 8px 8px',
      borderBottom: 'none',
      fontSize: '0.8125rem',
      lineHeight: 1.4,
      color: theme.palette.text.secondary,
      overflowWrap: 'anywhere',
    },
    under: { padding: 0, borderBottom: 'none' },
    right: { textAlign: 'right', whiteSpace: 'nowrap' },
    /** Last known: quieter, never emptied, and still readable. */
    dimmed: {
      '&, & *': { color: `${theme.palette.text.secondary} !important` },
      '& svg': { opacity: 0.6 },
      fontStyle: 'italic',
    },
  }),
  { name: 'PreviewsRow' },
);
