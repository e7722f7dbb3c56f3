import { KeyboardEvent, memo } from 'react';
import TableBody from '@material-ui/core/TableBody';
import TableCell from '@material-ui/core/TableCell';
import TableRow from '@material-ui/core/TableRow';
import { Preview } from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';
import {
  AgeLabel,
  ArgoCdLabel,
  CertificateLabel,
  CommitLabel,
  joinClasses,
  OpenAction,
  PhaseLabel,
  ReasonLine,
  sourceNameOfId,
  TtlLine,
} from '../shared';
import { columns } from './columns';
import { MergeRequestLabel } from './MergeRequestLabel';
import { staleCells } from './staleCells';
import { useRowStyles } from './useRowStyles';

/** What can be done from a row. */
export interface RowActions {
  onOpen(id: string): void;
  onShowSources(): void;
}

/** Enter on the row itself, not on a link inside it. */
export function opensRow(event: KeyboardEvent): boolean {
  return event.key === 'Enter' && event.target === event.currentTarget;
}

/**
 * One preview: a row of cells and, unless it is plainly live, the sentence under
 * them. Both are in one `tbody`, because they are one row to the reader.
 */
export const PreviewRow = memo((props: RowActions & { preview: Preview }) => {
  const { preview, onOpen, onShowSources } = props;
  const { t } = useWords();
  const classes = useRowStyles();
  const stale = staleCells(preview);
  const isNear = preview.ttl?.near === true;
  const hasReason = Boolean(preview.reason || preview.message) || isNear;
  const reasonId = `previews-reason-${preview.id}`;
  const open = () => onOpen(preview.id);

  const cell = (source?: string, extra?: string) => ({
    className: joinClasses(
      classes.cell,
      hasReason && classes.open,
      source && classes.dimmed,
      extra,
    ),
    title: source && t('row.lastKnown', { source: sourceNameOfId(source) }),
  });

  return (
    <TableBody className={classes.group}>
      <TableRow
        className={classes.row}
        tabIndex={0}
        aria-describedby={hasReason ? reasonId : undefined}
        onClick={open}
        onKeyDown={event => opensRow(event) && open()}
      >
        <TableCell {...cell()}>
          <PhaseLabel phase={preview.phase} />
        </TableCell>
        <TableCell {...cell(stale.mergeRequest)}>
          <MergeRequestLabel
            mergeRequest={preview.mergeRequest}
            previewId={preview.id}
            withBranches
            onOpen={open}
          />
        </TableCell>
        <TableCell {...cell()}>
          <OpenAction preview={preview} onWhy={open} />
        </TableCell>
        <TableCell {...cell(stale.commit)}>
          <CommitLabel preview={preview} />
        </TableCell>
        <TableCell {...cell(stale.certificate)}>
          <CertificateLabel certificates={preview.certificates} />
        </TableCell>
        <TableCell {...cell(stale.argoCd)}>
          <ArgoCdLabel
            applications={preview.applications}
            phase={preview.phase}
          />
        </TableCell>
        <TableCell {...cell(undefined, classes.right)}>
          <AgeLabel preview={preview} />
        </TableCell>
      </TableRow>
      {hasReason && (
        <TableRow className={classes.row} onClick={open}>
          <TableCell className={classes.under} />
          <TableCell
            id={reasonId}
            className={classes.reason}
            colSpan={columns.length - 1}
          >
            <ReasonLine brief preview={preview} onShowSources={onShowSources} />{' '}
            <TtlLine preview={preview} onlyNear />
          </TableCell>
        </TableRow>
      )}
    </TableBody>
  );
});
