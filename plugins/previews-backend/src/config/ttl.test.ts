import { ConfigReader } from '@backstage/config';
import { JsonObject } from '@backstage/types';
import { readPreviewsConfig } from '.';

function read(ttl: JsonObject) {
  return readPreviewsConfig(
    new ConfigReader({ previews: { ttl } }, 'app-config.yaml'),
  ).ttl;
}

describe('previews.ttl', () => {
  it.each<[string, JsonObject, RegExp]>([
    ['no duration', { idle: 'soon' }, /previews\.ttl\.idle/],
    ['a number', { idle: 7 }, /previews\.ttl\.idle/],
    ['less than a second', { idle: { milliseconds: 10 } }, /a second/],
    ['nothing at all', { idle: 'PT0S' }, /previews\.ttl\.idle.*longer/],
    ['more than can be told', { idle: { days: 100_000 } }, /days, or 'never'/],
    ['no duration before', { warnBefore: 'late' }, /previews\.ttl\.warnBefore/],
    ['another key', { idel: 'P7D' }, /idel/],
  ])('stops the start with the name of the key for %s', (_name, ttl, error) => {
    expect(() => read(ttl)).toThrow(error);
  });

  it('takes every form of a duration', () => {
    for (const idle of ['P7D', '7d', { days: 7 }, { hours: 168 }]) {
      expect(read({ idle }).idleSeconds).toBe(604_800);
    }
  });
});
