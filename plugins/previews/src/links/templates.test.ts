import { Entity } from '@backstage/catalog-model';
import {
  filledIn,
  onboardingAnswers,
  parseTemplateName,
  promotionAnswers,
} from './templates';

const shop: Entity = {
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'Component',
  metadata: { name: 'shop', namespace: 'default' },
  spec: { owner: 'team' },
};

const pin = {
  line: 'newTag',
  repository: 'group/platform/gitops',
  host: 'gitlab.example.com',
  path: 'services/shop/kustomize/overlays/prod/kustomization.yaml',
  branch: 'main',
} as const;

describe('answers of the onboarding form', () => {
  it('are what the entity tells', () => {
    expect(onboardingAnswers(shop)).toEqual({
      entity: 'component:default/shop',
      service: 'shop',
      owner: 'group:default/team',
    });
  });

  it('take the owner that the catalog has resolved', () => {
    const relations = [{ type: 'ownedBy', targetRef: 'group:other/team' }];
    expect(onboardingAnswers({ ...shop, relations }).owner).toBe(
      'group:other/team',
    );
  });

  it.each([
    ['of no owner', undefined],
    ['of an empty one', ''],
    ['of what is no reference', ':'],
    ['of another type', ['team']],
  ])('leave the owner open in the case %s', (_, owner) => {
    const entity = { ...shop, spec: { owner } } as Entity;
    expect(onboardingAnswers(entity)).not.toHaveProperty('owner');
  });

  it.each(['Shop', 'shop.web', 'preview-shop', 'shop_web'])(
    'leave the name open for %s, which objects cannot have',
    name => {
      const entity = { ...shop, metadata: { ...shop.metadata, name } };
      expect(onboardingAnswers(entity)).not.toHaveProperty('service');
    },
  );
});

describe('answers of the promotion form', () => {
  it('are what a release changes, and what to', () => {
    expect(promotionAnswers(shop, { pin }, 'v1.41.0')).toEqual({
      entity: 'component:default/shop',
      service: 'shop',
      line: 'newTag',
      path: pin.path,
      gitopsRepository: 'gitlab.example.com?owner=group%2Fplatform&repo=gitops',
      gitopsBranch: 'main',
      value: 'v1.41.0',
    });
  });

  it('leave open what is not known', () => {
    const { line, host } = pin;
    expect(
      promotionAnswers(shop, { pin: { line, host, repository: 'gitops' } }),
    ).toEqual({
      entity: 'component:default/shop',
      service: 'shop',
      line: 'newTag',
    });
  });

  it('are none where it is not known what a release changes', () => {
    expect(promotionAnswers(shop, {})).toBeUndefined();
  });
});

describe('the address of a form', () => {
  it('carries answers as the scaffolder reads them, whatever is in them', () => {
    const answers = { service: 'a&b#c"?', owner: '</script>' };
    const url = new URL(filledIn('/create', answers), 'https://portal');
    expect(JSON.parse(url.searchParams.get('formData') ?? '')).toEqual(answers);
    expect(url.hash).toBe('');
  });

  it.each([
    ['default/onboard-service', 'default', 'onboard-service'],
    ['onboard-service', undefined, undefined],
    ['a/b/c', undefined, undefined],
    ['', undefined, undefined],
  ])('of %s has the namespace %s', (value, namespace, templateName) => {
    expect(parseTemplateName(value)).toEqual(
      namespace && { namespace, templateName },
    );
  });
});
