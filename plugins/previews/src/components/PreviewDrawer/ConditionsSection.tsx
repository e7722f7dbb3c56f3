import Table from '@material-ui/core/Table';
import TableBody from '@material-ui/core/TableBody';
import TableCell from '@material-ui/core/TableCell';
import TableHead from '@material-ui/core/TableHead';
import TableRow from '@material-ui/core/TableRow';
import { makeStyles } from '@material-ui/core/styles';
import {
  Condition,
  FurtherCondition,
} from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';
import { joinClasses, TimeLabel } from '../shared';

const useStyles = makeStyles(
  {
    scroll: { overflowX: 'auto' },
    cell: {
      padding: '4px 12px 4px 0',
      verticalAlign: 'top',
      fontSize: '0.8125rem',
      lineHeight: 1.35,
      whiteSpace: 'nowrap',
    },
    sentence: {
      minWidth: 220,
      whiteSpace: 'normal',
      overflowWrap: 'anywhere',
    },
  },
  { name: 'PreviewsConditions' },
);

function ConditionRow(props: {
  condition: Pick<Condition, 'status' | 'reason' | 'since'>;
  title: string;
  sentence: string | undefined;
}) {
  const { condition, title, sentence } = props;
  const classes = useStyles();
  return (
    <TableRow>
      <TableCell className={classes.cell} component="th" scope="row">
        {title}
      </TableCell>
      <TableCell className={classes.cell}>{condition.status}</TableCell>
      <TableCell className={classes.cell}>{condition.reason}</TableCell>
      <TableCell className={joinClasses(classes.cell, classes.sentence)}>
        {sentence}
      </TableCell>
      <TableCell className={classes.cell}>
        <TimeLabel time={condition.since} />
      </TableCell>
    </TableRow>
  );
}

/** Every condition as the API gives it, with its sentence; those of modules last. */
export function ConditionsSection(props: {
  conditions: readonly Condition[];
  furtherConditions?: readonly FurtherCondition[];
}) {
  const { conditions, furtherConditions = [] } = props;
  const { t, sentence, furtherSentence, title } = useWords();
  const classes = useStyles();
  const heads = ['type', 'status', 'reason', 'sentence', 'since'] as const;
  return (
    <div className={classes.scroll}>
      <Table size="small" aria-label={t('drawer.conditions')}>
        <TableHead>
          <TableRow>
            {heads.map(head => (
              <TableCell key={head} className={classes.cell} scope="col">
                {t(`conditions.${head}`)}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {conditions.map(condition => (
            <ConditionRow
              key={condition.type}
              condition={condition}
              title={condition.type}
              sentence={sentence(condition)}
            />
          ))}
          {furtherConditions.map(condition => (
            <ConditionRow
              key={`further ${condition.type}`}
              condition={condition}
              title={title(condition)}
              sentence={furtherSentence(condition)}
            />
          ))}
        </TableBody>
      </Table>
    </div>
  );
}
