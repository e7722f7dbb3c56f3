/**
 * Whether what is known was asked for after this was: answers need not come in the
 * order in which they were asked for. A time that a clock had which was set back since
 * says nothing.
 *
 * @param options.known - ISO: when what is known was asked for.
 * @param options.askedAt - ISO.
 */
export function isOvertaken(options: {
  known: string | undefined;
  askedAt: string;
  now: Date;
}): boolean {
  const known = Date.parse(options.known ?? '');
  return known > Date.parse(options.askedAt) && known <= options.now.getTime();
}
