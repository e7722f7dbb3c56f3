/** The largest object of a cluster has about 1.5 MiB; longer lines are no events. */
const MAXIMUM_LINE = 32 * 1024 * 1024;

/** The non-empty lines of a stream; one that the stream breaks off in is left out. */
export async function* readLines(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const text = decoder.decode(chunk, { stream: true });
    let from = 0;
    for (
      let end = text.indexOf('\n');
      end >= 0;
      end = text.indexOf('\n', from)
    ) {
      const line = [...parts, text.slice(from, end)].join('');
      parts = [];
      length = 0;
      from = end + 1;
      if (line.trim() !== '') {
        yield line;
      }
    }
    if (from < text.length) {
      parts.push(text.slice(from));
      length += text.length - from;
      if (length > MAXIMUM_LINE) {
        throw new SyntaxError('line too long');
      }
    }
  }
}
