import { MouseEvent } from 'react';
import Link from '@material-ui/core/Link';
import { makeStyles } from '@material-ui/core/styles';
import { Link as RouterLink, useLocation } from 'react-router-dom';
import { MergeRequest } from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';
import {
  AuthorLabel,
  Badge,
  BranchesLabel,
  DraftBadge,
  mergeRequestName,
  mergeRequestTitle,
} from '../shared';

const useStyles = makeStyles(
  theme => ({
    main: { display: 'flex', alignItems: 'center', gap: 8 },
    title: {
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
      minWidth: 0,
      color: theme.palette.text.primary,
    },
    iid: { fontWeight: 600 },
    branches: { color: theme.palette.text.secondary, fontSize: '0.75rem' },
  }),
  { name: 'PreviewsMergeRequestLabel' },
);

/** Where the drawer of a preview is, for links that can be sent to others. */
function useDrawerAddress(id: string): string {
  const { search } = useLocation();
  const params = new URLSearchParams(search);
  params.set('preview', id);
  return `?${params}`;
}

/** Number, title, badges, author and branches of a merge request. */
export function MergeRequestLabel(props: {
  mergeRequest: MergeRequest;
  previewId: string;
  withBranches: boolean;
  onOpen(): void;
}) {
  const { mergeRequest, previewId, withBranches, onOpen } = props;
  const { t } = useWords();
  const classes = useStyles();
  const title = mergeRequestTitle(mergeRequest);
  return (
    <>
      <div className={classes.main}>
        <Link
          component={RouterLink}
          to={useDrawerAddress(previewId)}
          // The row is the tab stop; the link is for pointers and screen readers.
          tabIndex={-1}
          className={classes.title}
          title={title}
          aria-label={t('row.details', {
            name: mergeRequestName(mergeRequest),
          })}
          onClick={(event: MouseEvent) => {
            event.stopPropagation();
            if (!event.metaKey && !event.ctrlKey && !event.shiftKey) {
              event.preventDefault();
              onOpen();
            }
          }}
        >
          <span className={classes.iid}>!{mergeRequest.iid}</span> {title}
        </Link>
        <DraftBadge mergeRequest={mergeRequest} />
        {mergeRequest.fork && (
          <Badge title={t('row.forkHint')}>{t('row.fork')}</Badge>
        )}
        <AuthorLabel author={mergeRequest.author} />
      </div>
      {withBranches && (
        <div className={classes.branches}>
          <BranchesLabel mergeRequest={mergeRequest} />
        </div>
      )}
    </>
  );
}
