import { useEffect, useState } from 'react';
import Checkbox from '@material-ui/core/Checkbox';
import FormControlLabel from '@material-ui/core/FormControlLabel';
import MenuItem from '@material-ui/core/MenuItem';
import TextField from '@material-ui/core/TextField';
import { makeStyles } from '@material-ui/core/styles';
import {
  Phase,
  phases,
  PreviewSort,
} from '@previews/backstage-plugin-previews-common';
import { sorts, TabQuery } from '../../hooks';
import { useWords } from '../../words';

/** Typing is over when nothing came for this long. */
const SETTLE_MILLISECONDS = 250;

const useStyles = makeStyles(
  theme => ({
    root: {
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      gap: theme.spacing(1),
      margin: theme.spacing(1, 0),
    },
    search: {
      flex: '1 1 160px',
      maxWidth: 420,
      [theme.breakpoints.down('xs')]: { flexBasis: '100%', maxWidth: 'none' },
    },
    select: {
      minWidth: 120,
      maxWidth: 240,
      [theme.breakpoints.down('xs')]: { flex: '1 1 88px', minWidth: 0 },
    },
    input: { fontSize: '0.875rem' },
    // The page's background is too dark for the theme's secondary text.
    label: { color: theme.palette.text.primary },
    check: { marginRight: 0, marginLeft: 0 },
    checkLabel: { fontSize: '0.875rem' },
  }),
  { name: 'PreviewsFilters' },
);

const sortLabels = {
  attention: 'attention',
  '-attention': 'attentionReversed',
  activity: 'activity',
  '-activity': 'activityReversed',
  created: 'created',
  '-created': 'createdReversed',
  iid: 'iid',
  '-iid': 'iidReversed',
} as const satisfies Record<PreviewSort, string>;

/** Search, phase, author, mine, drafts and order; all of it lives in the address. */
export function Filters(props: {
  query: TabQuery;
  authors: readonly string[];
  /** The reader's own login; "mine" is left out without one. */
  login?: string;
  hiddenDrafts?: number;
  onChange(part: Partial<TabQuery>): void;
}) {
  const { query, authors, login, hiddenDrafts, onChange } = props;
  const { t } = useWords();
  const classes = useStyles();
  // An author from a link stays selectable although no row is theirs.
  const people = [...new Set([...authors, query.author])].filter(Boolean);
  const select = (multiple: boolean, labelId: string) => ({
    select: true,
    size: 'small' as const,
    variant: 'outlined' as const,
    className: classes.select,
    InputProps: { className: classes.input },
    InputLabelProps: { shrink: true, id: labelId, className: classes.label },
    SelectProps: { multiple, displayEmpty: true, labelId },
  });
  return (
    <div role="search" aria-label={t('filter.label')} className={classes.root}>
      <SearchField
        value={query.search}
        onChange={search => onChange({ search })}
      />
      <TextField
        {...select(true, 'previews-filter-phase-label')}
        id="previews-filter-phase"
        label={t('filter.phase')}
        value={query.phases}
        SelectProps={{
          ...select(true, 'previews-filter-phase-label').SelectProps,
          renderValue: value =>
            (value as Phase[]).map(phase => t(`phase.${phase}`)).join(', ') ||
            t('filter.allPhases'),
        }}
        onChange={event =>
          onChange({ phases: event.target.value as unknown as Phase[] })
        }
      >
        {phases.map(phase => (
          <MenuItem key={phase} value={phase} dense>
            {t(`phase.${phase}`)}
          </MenuItem>
        ))}
      </TextField>
      <TextField
        {...select(false, 'previews-filter-author-label')}
        id="previews-filter-author"
        label={t('filter.author')}
        value={query.author}
        onChange={event => onChange({ author: event.target.value })}
      >
        <MenuItem value="" dense>
          {t('filter.allAuthors')}
        </MenuItem>
        {people.map(author => (
          <MenuItem key={author} value={author} dense>
            {author}
          </MenuItem>
        ))}
      </TextField>
      {login && (
        <FormControlLabel
          classes={{ root: classes.check, label: classes.checkLabel }}
          label={t('filter.mine')}
          control={
            <Checkbox
              size="small"
              color="primary"
              checked={query.author === login}
              onChange={event =>
                onChange({ author: event.target.checked ? login : '' })
              }
            />
          }
        />
      )}
      <FormControlLabel
        classes={{ root: classes.check, label: classes.checkLabel }}
        label={
          query.hideDrafts && hiddenDrafts !== undefined
            ? t('filter.hideDraftsCount', { number: String(hiddenDrafts) })
            : t('filter.hideDrafts')
        }
        control={
          <Checkbox
            size="small"
            color="primary"
            checked={query.hideDrafts}
            onChange={event => onChange({ hideDrafts: event.target.checked })}
          />
        }
      />
      <TextField
        {...select(false, 'previews-filter-sort-label')}
        id="previews-filter-sort"
        label={t('filter.sort')}
        value={query.sort}
        onChange={event =>
          onChange({ sort: event.target.value as PreviewSort })
        }
      >
        {sorts.map(sort => (
          <MenuItem key={sort} value={sort} dense>
            {t(`sort.${sortLabels[sort]}`)}
          </MenuItem>
        ))}
      </TextField>
    </div>
  );
}

function SearchField(props: { value: string; onChange(value: string): void }) {
  const { value, onChange } = props;
  const { t } = useWords();
  const classes = useStyles();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) {
      return undefined;
    }
    const timer = setTimeout(() => onChange(text), SETTLE_MILLISECONDS);
    return () => clearTimeout(timer);
    // A new `onChange` must not start the wait again.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [text]);
  return (
    <TextField
      className={classes.search}
      size="small"
      variant="outlined"
      type="search"
      placeholder={t('filter.search')}
      value={text}
      InputProps={{ className: classes.input }}
      inputProps={{ 'aria-label': t('filter.search'), maxLength: 200 }}
      onChange={event => setText(event.target.value)}
    />
  );
}
