import Drawer from '@material-ui/core/Drawer';
import IconButton from '@material-ui/core/IconButton';
import { makeStyles } from '@material-ui/core/styles';
import CloseIcon from '@material-ui/icons/Close';
import HelpOutlineIcon from '@material-ui/icons/HelpOutline';
import Skeleton from '@material-ui/lab/Skeleton';
import { usePreview } from '../../hooks';
import { useWords } from '../../words';
import { isRefusal, Notice, QueryError, StaleBar, statusOf } from '../shared';
import { DrawerBody } from './DrawerBody';
import { DrawerHeader } from './DrawerHeader';

const TITLE_ID = 'previews-drawer-title';

const useStyles = makeStyles(
  theme => ({
    paper: {
      width: 'min(800px, 100vw)',
      padding: theme.spacing(2, 3),
      [theme.breakpoints.down('xs')]: { padding: theme.spacing(2) },
    },
    close: { alignSelf: 'flex-end' },
  }),
  { name: 'PreviewsDrawer' },
);

function DrawerContent(props: {
  id: string;
  onClose(): void;
  onShowSources?: () => void;
}) {
  const { id, onClose, onShowSources } = props;
  const { t } = useWords();
  const classes = useStyles();
  const { value, error, receivedAt, refetch } = usePreview(id);
  if (value && !isRefusal(error)) {
    return (
      <>
        <DrawerHeader
          preview={value.preview}
          titleId={TITLE_ID}
          onClose={onClose}
        />
        {/* The drawer covers those of the page. */}
        <StaleBar
          sources={value.sources}
          previews={[value.preview]}
          failedSince={error && receivedAt}
        />
        <DrawerBody
          preview={value.preview}
          findings={value.findings}
          onShowSources={onShowSources}
        />
      </>
    );
  }
  return (
    <>
      <IconButton
        size="small"
        className={classes.close}
        aria-label={t('drawer.close')}
        onClick={onClose}
      >
        <CloseIcon />
      </IconButton>
      {!error && (
        <Skeleton variant="rect" height={240} aria-label={t('tab.loading')} />
      )}
      {error && statusOf(error) === 404 && (
        <Notice
          icon={<HelpOutlineIcon aria-hidden />}
          title={t('drawer.notFound')}
          hint={t('drawer.notFoundHint')}
        />
      )}
      {error && statusOf(error) !== 404 && (
        <QueryError error={error} onRetry={refetch} />
      )}
    </>
  );
}

/** Everything about one preview, at the side of the table. Escape closes it. */
export function PreviewDrawer(props: {
  id: string;
  onClose(): void;
  onShowSources?: () => void;
}) {
  const { id, onClose, onShowSources } = props;
  const { t } = useWords();
  const classes = useStyles();
  const showSources =
    onShowSources &&
    (() => {
      // The list of sources is under the drawer.
      onClose();
      onShowSources();
    });
  return (
    <Drawer
      open
      anchor="right"
      onClose={onClose}
      classes={{ paper: classes.paper }}
      PaperProps={
        {
          role: 'dialog',
          'aria-modal': true,
          // The label serves until the title is there.
          'aria-label': t('drawer.label'),
          'aria-labelledby': TITLE_ID,
        } as object
      }
    >
      <DrawerContent
        key={id}
        id={id}
        onClose={onClose}
        onShowSources={showSources}
      />
    </Drawer>
  );
}
