import { badRequest } from './request';

/** GitLab leaves out the totals of lists longer than this. */
const TOTALS_LIMIT = 10_000;

/** A page of a list and the headers that describe it. */
export interface Page<T> {
  items: T[];
  headers: Record<string, string>;
}

function positive(query: URLSearchParams, name: string, fallback: number) {
  const text = query.get(name);
  if (text === null || text === '') {
    return fallback;
  }
  const value = Number(text);
  if (!Number.isInteger(value)) {
    throw badRequest(`${name} is invalid`);
  }
  if (value < 1) {
    throw badRequest(`${name} does not have a valid value`);
  }
  return value;
}

/** The page number that a request asks for. */
export function pageNumber(query: URLSearchParams): number {
  return Math.max(1, Number(query.get('page')) || 1);
}

/**
 * Offset pagination. Nothing is remembered between pages: a list that changes while it is read
 * shifts, as in GitLab.
 */
export function paginate<T>(options: {
  items: T[];
  query: URLSearchParams;
  /** URL of the list, without its query. */
  url: string;
}): Page<T> {
  const { items, query, url } = options;
  const page = positive(query, 'page', 1);
  const perPage = Math.min(positive(query, 'per_page', 20), 100);
  const totalPages = Math.max(1, Math.ceil(items.length / perPage));
  const hasNext = page * perPage < items.length;
  const counted = items.length <= TOTALS_LIMIT;

  const link = (number: number, relation: string) => {
    const target = new URLSearchParams(query);
    target.set('page', String(number));
    target.set('per_page', String(perPage));
    return `<${url}?${target}>; rel="${relation}"`;
  };
  const links = [
    ...(page > 1 ? [link(page - 1, 'prev')] : []),
    ...(hasNext ? [link(page + 1, 'next')] : []),
    link(1, 'first'),
    ...(counted ? [link(totalPages, 'last')] : []),
  ];
  return {
    items: items.slice((page - 1) * perPage, page * perPage),
    headers: {
      link: links.join(', '),
      'x-page': String(page),
      'x-per-page': String(perPage),
      'x-prev-page': page > 1 ? String(page - 1) : '',
      'x-next-page': hasNext ? String(page + 1) : '',
      ...(counted && {
        'x-total': String(items.length),
        'x-total-pages': String(totalPages),
      }),
    },
  };
}
