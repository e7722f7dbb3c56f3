import { ConfigReader } from '@backstage/config';
import { JsonObject } from '@backstage/types';
import { readPreviewsConfig } from '.';

function read(templates: JsonObject) {
  return () =>
    readPreviewsConfig(new ConfigReader({ previews: { templates } }));
}

describe('previews.templates', () => {
  it('takes a template by namespace and name, and a page', () => {
    expect(
      read({
        onboard: 'default/onboard-service',
        promote: 'platform/release',
        docsUrl: 'https://docs.example.com/previews',
      }),
    ).not.toThrow();
  });

  it.each([
    ['an unknown key', { onboarding: 'default/x' }, 'templates.onboarding'],
    ['a name without a namespace', { onboard: 'x' }, 'templates.onboard'],
    ['a reference', { promote: 'template:default/x' }, 'templates.promote'],
    ['no URL', { docsUrl: 'docs.example.com' }, 'templates.docsUrl'],
    ['another scheme', { docsUrl: 'file:///docs' }, 'templates.docsUrl'],
  ])('names the key of %s', (_, templates, key) => {
    expect(read(templates)).toThrow(key);
  });
});
