import { asObject } from '../objects/values';
import { GitLabRequestError } from './GitLabRequestError';
import { inTurns } from './inTurns';

/** As many items as GitLab puts on a page at most. */
export const PER_PAGE = 100;

/** Pages of one list that are asked for at the same time. */
const PAGES_AT_A_TIME = 4;

/** How often a list that shifts while it is read is read, all in all. */
const MAXIMUM_PASSES = 2;

/** A list is longer than it may be to be worth its calls. */
export class ListTooLongError extends GitLabRequestError {
  constructor(maximumPages: number) {
    super({
      reason: 'UnexpectedAnswer',
      message: `GitLab has a list of more than ${maximumPages} pages.`,
      status: 200,
    });
  }
}

/** The items of a list that was read to its end. */
export interface ListedItems {
  /** In the order of the list; what stood on two pages is in it twice. */
  items: unknown[];
  /** Pages of the list. */
  pages: number;
  /** Whether there are more pages than were read. */
  isCut: boolean;
  /** How many items GitLab says there are; absent when it does not say. */
  total?: number;
}

interface Page {
  items: unknown[];
  next?: number;
  total?: number;
  totalPages?: number;
}

export function notUnderstood(what: string): GitLabRequestError {
  return new GitLabRequestError({
    reason: 'UnexpectedAnswer',
    message: `GitLab answered with something that is no ${what}.`,
    status: 200,
  });
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value)
    ? value
    : undefined;
}

/** One page of a list, as gitbeaker gives it when it shows all of an answer. */
export function toPage(answer: unknown, page: number): Page {
  const data = asObject(answer)?.data;
  if (!Array.isArray(data)) {
    throw notUnderstood('list');
  }
  const info = asObject(asObject(answer)?.paginationInfo);
  const total = countOf(info?.total);
  const totalPages = countOf(info?.totalPages);
  const counts = {
    ...(total !== undefined && { total }),
    ...(totalPages !== undefined && { totalPages }),
  };
  const next = countOf(info?.next);
  if (next !== undefined && next > page) {
    return { items: data, next, ...counts };
  }
  // A proxy may have taken the headers away.
  const isUntold = total === undefined && countOf(info?.perPage) === undefined;
  return isUntold && data.length >= PER_PAGE
    ? { items: data, next: page + 1 }
    : { items: data, ...counts };
}

async function readOnce(
  readPage: (page: number) => Promise<unknown>,
  options: { maximumPages: number; beyond: 'refuse' | 'cut' },
): Promise<{ pages: Page[]; isShifted: boolean; isCut: boolean }> {
  const { maximumPages, beyond } = options;
  const read = async (page: number) => toPage(await readPage(page), page);
  const pages = [await read(1)];
  const { totalPages = 1, total } = pages[0];
  if (totalPages > maximumPages && beyond === 'refuse') {
    throw new ListTooLongError(maximumPages);
  }
  const known = Math.min(totalPages, maximumPages);
  let isFailed = false;
  await inTurns(
    Array.from({ length: Math.max(0, known - 1) }, (_, index) => index + 2),
    async page => {
      try {
        pages[page - 1] = await read(page);
      } catch (error) {
        isFailed = true;
        throw error;
      }
    },
    { atATime: PAGES_AT_A_TIME, isOver: () => isFailed },
  );
  let isCut = false;
  for (
    let next = pages[pages.length - 1].next;
    next !== undefined;
    next = pages[pages.length - 1].next
  ) {
    if (pages.length >= maximumPages) {
      if (beyond === 'refuse') {
        throw new ListTooLongError(maximumPages);
      }
      isCut = true;
      break;
    }
    pages.push(await read(next));
  }
  const isShifted = pages.some(page => page.total !== total);
  return { pages, isShifted, isCut };
}

/**
 * Reads a list page by page, so that a page that fails is noticed. Pages shift
 * while they are read when something leaves the list: then it is read once more,
 * and what either pass has counts.
 *
 * @throws ListTooLongError when there is more than may be read, unless it is to
 *   be cut.
 */
export async function readPages(
  readPage: (page: number) => Promise<unknown>,
  options: { maximumPages: number; beyond?: 'refuse' | 'cut' },
): Promise<ListedItems> {
  const items: unknown[] = [];
  for (let pass = 1; ; pass += 1) {
    const { pages, isShifted, isCut } = await readOnce(readPage, {
      beyond: 'refuse',
      ...options,
    });
    items.push(...pages.flatMap(page => page.items));
    if (!isShifted || pass === MAXIMUM_PASSES) {
      const { total } = pages[pages.length - 1];
      return {
        items,
        pages: pages.length,
        isCut,
        ...(total !== undefined && { total }),
      };
    }
  }
}
