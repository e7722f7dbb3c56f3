/** Whether a listener for a host takes another one; its `*` stands for any number of labels. */
export function isHostOfListener(listener: string, host: string): boolean {
  const [a, b] = [normalHost(listener), normalHost(host)];
  return a === b || (a.startsWith('*.') && b.endsWith(a.slice(1)));
}

/** Whether a certificate's name covers a host; the `*` of a certificate stands for one label. */
export function isCoveredBy(name: string, host: string): boolean {
  const [a, b] = [normalHost(name), normalHost(host)];
  const dot = b.indexOf('.');
  return (
    a === b ||
    (a.startsWith('*.') &&
      !b.startsWith('*.') &&
      dot > 0 &&
      b.slice(dot) === a.slice(1))
  );
}

function normalHost(host: string): string {
  const lower = host.toLowerCase();
  return lower.endsWith('.') ? lower.slice(0, -1) : lower;
}
