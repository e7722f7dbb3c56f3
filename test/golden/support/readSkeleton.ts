import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const SKELETON = join(__dirname, '../../../templates/onboard-service/skeleton');

/** The files of the template, by their path below its skeleton. */
export function readSkeleton(): { path: string; content: string }[] {
  return readdirSync(SKELETON, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
    .map(path => ({
      path: relative(SKELETON, path).split(sep).join('/'),
      content: readFileSync(path, 'utf8'),
    }));
}
