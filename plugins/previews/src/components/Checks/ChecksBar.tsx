import { useState } from 'react';
import Button from '@material-ui/core/Button';
import Paper from '@material-ui/core/Paper';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import ExpandLessIcon from '@material-ui/icons/ExpandLess';
import ExpandMoreIcon from '@material-ui/icons/ExpandMore';
import { EntityChecks } from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';
import { sourceNameOfId, useToneStyles } from '../shared';
import { countsText, severityTones, worstSeverity } from './checks';
import { ChecksList, severityIcons } from './ChecksList';

/** There is one on a page. */
const LIST_ID = 'previews-checks';

const useStyles = makeStyles(
  theme => ({
    root: { marginBottom: theme.spacing(1) },
    button: {
      padding: '0 4px',
      marginLeft: -4,
      textTransform: 'none',
      textAlign: 'left',
      fontWeight: 'inherit',
      lineHeight: '24px',
    },
    list: {
      padding: theme.spacing(0.5, 2, 1.5),
      marginTop: theme.spacing(0.5),
    },
  }),
  { name: 'PreviewsChecksBar' },
);

/**
 * `Set-up: 1 error, 2 warnings`, which opens the list. Nothing where all is well
 * and everything could be looked at.
 */
export function ChecksBar(props: { checks: EntityChecks | undefined }) {
  const { checks } = props;
  const { t } = useWords();
  const classes = useStyles();
  const tones = useToneStyles();
  const [open, setOpen] = useState(false);
  const counted = checks && countsText(checks, t);
  if (!checks || (!counted && checks.incomplete.length === 0)) {
    return null;
  }
  const severity = worstSeverity(checks);
  if (!counted || !severity) {
    return (
      <Typography variant="body2" className={classes.root}>
        {t('checks.unchecked', {
          sources: checks.incomplete.map(sourceNameOfId).join(', '),
        })}
      </Typography>
    );
  }
  const Icon = severityIcons[severity];
  return (
    <div className={classes.root}>
      <Button
        size="small"
        className={classes.button}
        aria-expanded={open}
        aria-controls={open ? LIST_ID : undefined}
        startIcon={
          <Icon className={tones[severityTones[severity]]} aria-hidden />
        }
        endIcon={
          open ? <ExpandLessIcon aria-hidden /> : <ExpandMoreIcon aria-hidden />
        }
        onClick={() => setOpen(!open)}
      >
        {t('checks.setUp', { counts: counted })}
      </Button>
      {open && (
        <Paper id={LIST_ID} variant="outlined" className={classes.list}>
          <ChecksList checks={checks} />
        </Paper>
      )}
    </div>
  );
}
