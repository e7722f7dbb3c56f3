import { mockCredentials, mockServices } from '@backstage/backend-test-utils';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import { entity } from '../testing/__testUtils__/startApi';
import { CatalogAccess } from './CatalogAccess';

const dev = { credentials: mockCredentials.user('user:default/dev1') };
const reviewer = {
  credentials: mockCredentials.user('user:default/reviewer1'),
};
const web = 'component:default/web';
const api = 'component:default/api';

function create() {
  const whole = catalogServiceMock({
    entities: [entity('web'), entity('api', 'group:default/api')],
  });
  const catalog = catalogServiceMock.mock({
    getEntitiesByRefs: jest.fn(whole.getEntitiesByRefs.bind(whole)),
    getEntities: jest.fn(whole.getEntities.bind(whole)),
  });
  let time = 1_000_000;
  const access = new CatalogAccess({
    catalog,
    auth: mockServices.auth(),
    now: () => time,
  });
  return {
    access,
    catalog,
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

describe('what a caller may read of the catalog', () => {
  it('is asked with their own credentials, and only for what identifies it', async () => {
    const { access, catalog } = create();
    const missing = 'component:default/missing';
    expect([...(await access.readable([web, missing, api], dev))]).toEqual([
      web,
      api,
    ]);
    expect(catalog.getEntitiesByRefs).toHaveBeenCalledWith(
      {
        entityRefs: [web, missing, api],
        fields: ['kind', 'metadata.namespace', 'metadata.name'],
      },
      dev,
    );
  });

  it('is kept for 30 s, entity by entity, also where it is nothing', async () => {
    const { access, catalog, pass } = create();
    await access.readable([web, 'component:default/missing'], dev);
    await access.readable([web, 'component:default/missing'], dev);
    expect(catalog.getEntitiesByRefs).toHaveBeenCalledTimes(1);

    await access.readable([web, api], dev);
    expect(catalog.getEntitiesByRefs.mock.calls[1][0].entityRefs).toEqual([
      api,
    ]);

    pass(30_000);
    await access.readable([web], dev);
    expect(catalog.getEntitiesByRefs).toHaveBeenCalledTimes(3);
  });

  it('is not shared between callers', async () => {
    const { access, catalog } = create();
    await access.readable([web], dev);
    await access.readable([web], reviewer);
    expect(catalog.getEntitiesByRefs.mock.calls.map(call => call[1])).toEqual([
      dev,
      reviewer,
    ]);
  });

  it('is taken back after 30 s when the catalog hides an entity', async () => {
    const { access, catalog, pass } = create();
    expect((await access.readable([web], dev)).size).toBe(1);
    catalog.getEntitiesByRefs.mockResolvedValue({ items: [undefined] });
    pass(30_001);
    expect((await access.readable([web], dev)).size).toBe(0);
  });

  it('is asked in parts when there is much of it', async () => {
    const { access, catalog } = create();
    const many = Array.from(
      { length: 1_200 },
      (_, index) => `component:default/service-${index}`,
    );
    expect([...(await access.readable([...many, web], dev))]).toEqual([web]);
    expect(catalog.getEntitiesByRefs).toHaveBeenCalledTimes(3);
  });

  it('is forgotten for the callers seen longest ago', async () => {
    const { access, catalog } = create();
    await access.readable([web], dev);
    for (let index = 0; index < 500; index += 1) {
      await access.readable([web], {
        credentials: mockCredentials.user(`user:default/other-${index}`),
      });
    }
    expect(catalog.getEntitiesByRefs).toHaveBeenCalledTimes(501);
    await access.readable([web], dev);
    expect(catalog.getEntitiesByRefs).toHaveBeenCalledTimes(502);
  });

  it('is unknown, and not nothing, while the catalog fails; that is not kept', async () => {
    const { access, catalog } = create();
    catalog.getEntitiesByRefs.mockRejectedValueOnce(new Error('down'));
    await expect(access.readable([web], dev)).rejects.toMatchObject({
      name: 'ServiceUnavailableError',
    });
    expect([...(await access.readable([web], dev))]).toEqual([web]);
  });

  it('includes what owners own, kept alike', async () => {
    const { access, catalog, pass } = create();
    const owners = ['group:default/api', 'group:default/none'];
    expect(await access.ownedBy(owners, dev)).toEqual([api]);
    expect(await access.ownedBy([...owners].reverse(), dev)).toEqual([api]);
    expect(catalog.getEntities).toHaveBeenCalledTimes(1);
    pass(30_000);
    await access.ownedBy(owners, dev);
    expect(catalog.getEntities).toHaveBeenCalledTimes(2);
  });

  it('is nothing for no owners and no entities, without asking', async () => {
    const { access, catalog } = create();
    expect(await access.ownedBy([], dev)).toEqual([]);
    expect((await access.readable([], dev)).size).toBe(0);
    expect(catalog.getEntities).not.toHaveBeenCalled();
    expect(catalog.getEntitiesByRefs).not.toHaveBeenCalled();
  });
});
