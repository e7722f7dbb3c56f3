import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import * as yauzl from 'yauzl';

/** Writes one file of a zip archive where it can be run. */
export async function extract(options: {
  archive: string;
  entry: string;
  target: string;
}): Promise<void> {
  const { archive, entry: wanted, target } = options;
  await new Promise<void>((resolve, reject) => {
    yauzl.open(archive, { lazyEntries: true }, (openError, file) => {
      if (openError) {
        reject(openError);
        return;
      }
      file.on('error', reject);
      file.on('end', () => reject(new Error(`No ${wanted} in ${archive}`)));
      file.on('entry', entry => {
        if (entry.fileName !== wanted) {
          file.readEntry();
          return;
        }
        file.openReadStream(entry, (readError, stream) => {
          if (readError) {
            reject(readError);
            return;
          }
          pipeline(stream, createWriteStream(target, { mode: 0o755 })).then(
            () => {
              file.close();
              resolve();
            },
            reject,
          );
        });
      });
      file.readEntry();
    });
  });
}
