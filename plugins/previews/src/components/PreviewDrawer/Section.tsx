import { PropsWithChildren, useState } from 'react';
import Accordion from '@material-ui/core/Accordion';
import AccordionDetails from '@material-ui/core/AccordionDetails';
import AccordionSummary from '@material-ui/core/AccordionSummary';
import { makeStyles } from '@material-ui/core/styles';
import ExpandMoreIcon from '@material-ui/icons/ExpandMore';

const useStyles = makeStyles(
  theme => ({
    root: {
      boxShadow: 'none',
      borderTop: `1px solid ${theme.palette.divider}`,
      backgroundColor: 'transparent',
      '&::before': { display: 'none' },
      margin: '0 !important',
    },
    summary: {
      padding: 0,
      minHeight: '40px !important',
    },
    content: {
      margin: '8px 0 !important',
      gap: theme.spacing(1),
      minWidth: 0,
      alignItems: 'baseline',
    },
    title: { margin: 0, fontSize: '0.875rem', fontWeight: 600, flexShrink: 0 },
    glance: {
      color: theme.palette.text.secondary,
      fontSize: '0.8125rem',
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
    },
    details: { padding: theme.spacing(0, 0, 2), display: 'block' },
  }),
  { name: 'PreviewsSection' },
);

/** A section that opens; what is in it is built only then. */
export function Section(
  props: PropsWithChildren<{
    id: string;
    title: string;
    /** What there is to know without opening it; gone while it is open. */
    glance?: string;
    defaultOpen?: boolean;
  }>,
) {
  const { id, title, glance, defaultOpen = false, children } = props;
  const classes = useStyles();
  const [open, setOpen] = useState(defaultOpen);
  return (
    <Accordion
      square
      className={classes.root}
      expanded={open}
      onChange={(_, expanded) => setOpen(expanded)}
      TransitionProps={{ unmountOnExit: true, timeout: 0 }}
    >
      <AccordionSummary
        classes={{ root: classes.summary, content: classes.content }}
        expandIcon={<ExpandMoreIcon />}
        id={`${id}-head`}
        aria-controls={`${id}-body`}
      >
        <h3 className={classes.title}>{title}</h3>
        {/* What is open tells it itself. */}
        {glance && !open && <span className={classes.glance}>{glance}</span>}
      </AccordionSummary>
      <AccordionDetails className={classes.details}>
        {children}
      </AccordionDetails>
    </Accordion>
  );
}
