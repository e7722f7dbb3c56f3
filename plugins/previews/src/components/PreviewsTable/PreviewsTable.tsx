import Paper from '@material-ui/core/Paper';
import Table from '@material-ui/core/Table';
import TableCell from '@material-ui/core/TableCell';
import TableContainer from '@material-ui/core/TableContainer';
import TableHead from '@material-ui/core/TableHead';
import TableRow from '@material-ui/core/TableRow';
import TableSortLabel from '@material-ui/core/TableSortLabel';
import { makeStyles } from '@material-ui/core/styles';
import useMediaQuery from '@material-ui/core/useMediaQuery';
import Skeleton from '@material-ui/lab/Skeleton';
import {
  Preview,
  PreviewSort,
} from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';
import { joinClasses } from '../shared';
import { Column, columns } from './columns';
import { NarrowList } from './NarrowList';
import { PreviewRow, RowActions } from './PreviewRow';
import { SkeletonRows } from './SkeletonRows';

/** The portal's sidebar leaves too little for seven columns on a narrower screen. */
export const narrowScreen = '(max-width: 1099.95px)';

const useStyles = makeStyles(
  theme => ({
    container: { maxHeight: 'calc(100vh - 120px)' },
    table: { tableLayout: 'fixed', minWidth: 840 },
    head: {
      padding: '6px 8px',
      backgroundColor: theme.palette.background.paper,
      fontSize: '0.75rem',
      lineHeight: 1.5,
      whiteSpace: 'nowrap',
      fontWeight: 600,
      color: theme.palette.text.secondary,
      '&:first-child': { paddingLeft: 16 },
      '&:last-child': { paddingRight: 16 },
    },
    right: { textAlign: 'right' },
    /** Keeps the word, and not the arrow, at the edge. */
    reversed: { flexDirection: 'row-reverse' },
    changing: { opacity: 0.7 },
  }),
  { name: 'PreviewsTable' },
);

function directionOf(column: Column, sort: PreviewSort) {
  if (column.sort?.ascending === sort) {
    return 'ascending';
  }
  return column.sort?.descending === sort ? 'descending' : undefined;
}

function HeadCell(props: {
  column: Column;
  sort: PreviewSort;
  onSort(sort: PreviewSort): void;
}) {
  const { column, sort, onSort } = props;
  const { t } = useWords();
  const classes = useStyles();
  const direction = directionOf(column, sort);
  const label = t(`column.${column.id}`);
  const { sort: orders } = column;
  const isLast = column.id === 'age';
  return (
    <TableCell
      className={joinClasses(classes.head, isLast && classes.right)}
      style={{ width: column.width }}
      scope="col"
      aria-sort={orders && (direction ?? 'none')}
    >
      {orders ? (
        <TableSortLabel
          classes={{ root: joinClasses(isLast && classes.reversed) }}
          active={direction !== undefined}
          direction={direction === 'descending' ? 'desc' : 'asc'}
          onClick={() =>
            onSort(
              direction === 'ascending' ? orders.descending : orders.ascending,
            )
          }
        >
          {label}
        </TableSortLabel>
      ) : (
        label
      )}
    </TableCell>
  );
}

/**
 * The previews as a dense table, or as two-line rows on a narrow screen.
 * Undefined `previews` are still being loaded.
 */
export function PreviewsTable(
  props: RowActions & {
    previews?: readonly Preview[];
    sort: PreviewSort;
    /** Rows are those of the query before. */
    changing: boolean;
    onSort(sort: PreviewSort): void;
  },
) {
  const { previews, sort, changing, onSort, onOpen, onShowSources } = props;
  const { t } = useWords();
  const classes = useStyles();
  const narrow = useMediaQuery(narrowScreen);
  const label = previews ? t('tab.title') : t('tab.loading');

  if (narrow) {
    return (
      <Paper
        variant="outlined"
        className={joinClasses(changing && classes.changing)}
      >
        {previews ? (
          <NarrowList
            previews={previews}
            label={label}
            onOpen={onOpen}
            onShowSources={onShowSources}
          />
        ) : (
          <Skeleton variant="rect" height={320} aria-label={label} />
        )}
      </Paper>
    );
  }
  return (
    <TableContainer
      component={Paper}
      className={joinClasses(
        classes.container,
        changing && Boolean(previews) && classes.changing,
      )}
    >
      <Table
        stickyHeader
        size="small"
        className={classes.table}
        aria-label={label}
        aria-busy={changing}
      >
        <TableHead>
          <TableRow>
            {columns.map(column => (
              <HeadCell
                key={column.id}
                column={column}
                sort={sort}
                onSort={onSort}
              />
            ))}
          </TableRow>
        </TableHead>
        {previews ? (
          previews.map(preview => (
            <PreviewRow
              key={preview.id}
              preview={preview}
              onOpen={onOpen}
              onShowSources={onShowSources}
            />
          ))
        ) : (
          <SkeletonRows />
        )}
      </Table>
    </TableContainer>
  );
}
