import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { OnboardingRequest } from '../render';

/** The templates of this repository. */
export const templatesFolder = join(__dirname, '../../../../templates');

const DIGEST = `sha256:${'4f'.repeat(32)}`;

/** What a form would hand in for a service with all tiers. */
export const onboardingRequest = {
  service: 'shop',
  project: { id: 42, path: 'web/shop' },
  gitlabUrl: 'https://gitlab.example.com',
  gitops: {
    repositoryUrl: 'https://gitlab.example.com/platform/gitops.git',
    project: 'platform/gitops',
  },
  image: 'registry.example.com/web/shop',
  domain: 'example.com',
  token: {
    secretStore: 'platform',
    remoteKey: 'gitlab/previews',
    expiresOn: '2027-03-01',
  },
  tiers: {
    dev: { image: { tag: 'dev-9e107d9d', digest: DIGEST } },
    prod: {
      image: { tag: 'prod-v1.4.0', digest: DIGEST },
      revision: 'shop-v1.4.0',
    },
  },
} satisfies OnboardingRequest;

/** The skeleton of the template, as the folder that `fetch:plain` makes. */
export function skeletonFiles(): Record<string, string> {
  const root = join(templatesFolder, 'onboard-service/skeleton');
  return Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => {
        const path = join(entry.parentPath, entry.name);
        return [relative(root, path), readFileSync(path, 'utf8')];
      }),
  );
}
