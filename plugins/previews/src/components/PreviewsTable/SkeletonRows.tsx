import TableBody from '@material-ui/core/TableBody';
import TableCell from '@material-ui/core/TableCell';
import TableRow from '@material-ui/core/TableRow';
import Skeleton from '@material-ui/lab/Skeleton';
import { columns } from './columns';
import { useRowStyles } from './useRowStyles';

const ROWS = Array.from({ length: 6 }, (_, index) => `skeleton-${index}`);

/** Rows of the height that the real ones will have, so that nothing jumps. */
export function SkeletonRows() {
  const classes = useRowStyles();
  return (
    <TableBody aria-hidden>
      {ROWS.map(row => (
        <TableRow key={row}>
          {columns.map(column => (
            <TableCell key={column.id} className={classes.cell}>
              <Skeleton variant="text" height={40} />
            </TableCell>
          ))}
        </TableRow>
      ))}
    </TableBody>
  );
}
