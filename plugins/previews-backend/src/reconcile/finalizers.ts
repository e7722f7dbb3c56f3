/** How many of something a namespace's condition says are left. */
export interface Remainder {
  name: string;
  count: number;
}

/**
 * Finalizers by which cert-manager takes a Challenge's record back: of today and of
 * older versions, whose objects may still be there.
 */
export const CHALLENGE_FINALIZERS: readonly string[] = [
  'acme.cert-manager.io/finalizer',
  'finalizer.acme.cert-manager.io',
];

/**
 * What holds a namespace, by the messages of its conditions, such as
 * `…remaining: x.example.com/f in 1 resource instances, y in 2 resource instances`
 * and `…remaining: challenges.acme.cert-manager.io has 1 resource instances`.
 */
export function remaindersOf(message: string): Remainder[] {
  // Names hold no spaces, so that a hostile text costs no more than its length.
  return [
    ...message.matchAll(
      /([^\s,:]{1,320}) (?:in|has) (\d{1,9}) resource instances/g,
    ),
  ].map(([, name, count]) => ({
    name: name.replace(/\.$/, ''),
    count: Number(count),
  }));
}
