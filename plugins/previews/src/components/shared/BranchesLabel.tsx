import { makeStyles } from '@material-ui/core/styles';
import { MergeRequest } from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';
import { joinClasses } from './joinClasses';
import { VisuallyHidden } from './VisuallyHidden';

const useStyles = makeStyles(
  {
    root: { display: 'flex', gap: 4, whiteSpace: 'nowrap', minWidth: 0 },
    /** A long name is cut, and the target stays in sight. */
    branch: { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis' },
    target: { flexShrink: 0, maxWidth: '50%' },
  },
  { name: 'PreviewsBranchesLabel' },
);

/** `feat → main`: from which branch into which. */
export function BranchesLabel(props: { mergeRequest: MergeRequest }) {
  const { sourceBranch: source, targetBranch: target } = props.mergeRequest;
  const { t } = useWords();
  const classes = useStyles();
  const text = t('row.branches', { source, target });
  return (
    <span className={classes.root} title={text}>
      <span aria-hidden className={classes.branch}>
        {source}
      </span>
      <span aria-hidden className={joinClasses(classes.branch, classes.target)}>
        → {target}
      </span>
      <VisuallyHidden>{text}</VisuallyHidden>
    </span>
  );
}
