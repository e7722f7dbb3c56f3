import { createHash } from 'node:crypto';

/**
 * Name of a branch that says what is in it: equal files get an equal name, in whatever order they
 * come, and other files another.
 *
 * @returns `previews/<purpose>-<service>-<8 hexadecimal characters>`
 */
export function branchName(options: {
  purpose: 'onboard' | 'promote';
  service: string;
  files: readonly { path: string; content: string }[];
}): string {
  const { purpose, service, files } = options;
  const listed = files
    .map(({ path, content }) => JSON.stringify([path, content]))
    .toSorted()
    .join('\n');
  const hash = createHash('sha256').update(listed).digest('hex');
  return `previews/${purpose}-${service}-${hash.slice(0, 8)}`;
}
