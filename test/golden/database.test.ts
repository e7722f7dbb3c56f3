import { execFile, execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import knex, { type Knex } from 'knex';
import { manifestsOf, Onboarding, type Manifest } from './support/onboarding';
import { onboardingCases } from './support/onboardingCases';

const POSTGRES =
  process.env.BACKSTAGE_TEST_DATABASE_POSTGRES18_CONNECTION_STRING;

jest.setTimeout(60_000);

interface Container {
  command: string[];
  args: string[];
  env: { name: string; value: string }[];
}

/** Another preview's user, who has a role in the instance and nothing else. */
const STRANGER = 'preview_mr_42_8_golden';
/** Owns the instance as hosted ones have it owned: not by a superuser. */
const OWNER = { user: 'instance_owner_golden', password: 'owner' };
/** With what a shell, an SQL literal and a placeholder could stumble over. */
const APP_PASSWORD = `it's "$HOME" \\ ; ? -- %I`;

/** The real psql where the machine has it, and what takes its place on those that have not. */
function clients(): { name: string; program?: string }[] {
  const standIn = {
    name: 'what stands in for psql',
    program: `#!/bin/sh\nexec '${process.execPath}' '${join(
      __dirname,
      'support/psql.cjs',
    )}' "$@"\n`,
  };
  try {
    execFileSync('psql', ['--version'], { stdio: 'ignore' });
    return [standIn, { name: 'psql' }];
  } catch {
    return [standIn];
  }
}

describe.each(clients())('the Jobs of a database, by $name', ({ program }) => {
  let folder: string;
  let admin: Knex;
  let url: URL;
  let jobs: Manifest[];
  let name: string;

  const containerOf = (job: string): Container => {
    const { initContainers = [], containers } = jobs.find(
      ({ metadata }) => metadata.name === `shop-${job}`,
    )!.spec.template.spec;
    return [...initContainers, ...containers][0];
  };

  function run(
    job: string,
    secret: Record<string, string> = {},
  ): Promise<{ code: number; stderr: string }> {
    const { command, args, env } = containerOf(job);
    return new Promise(resolve => {
      execFile(
        command[0],
        [...command.slice(1), ...args],
        {
          cwd: folder,
          env: {
            ...Object.fromEntries(env.map(entry => [entry.name, entry.value])),
            HOME: folder,
            NODE_ENV: 'test',
            PATH: `${folder}:${process.env.PATH}`,
            PGHOST: url.hostname,
            PGPORT: url.port,
            PGUSER: OWNER.user,
            PGPASSWORD: OWNER.password,
            PGDATABASE: 'postgres',
            APP_PASSWORD,
            ...secret,
          },
        },
        (error, _, stderr) =>
          resolve({ code: error ? Number(error.code ?? 1) : 0, stderr }),
      );
    });
  }

  function connect(user: string, password: string): Knex {
    return knex({
      client: 'pg',
      // Refusals are what is asked for.
      log: { warn: () => {}, error: () => {} },
      pool: { min: 0, max: 1 },
      connection: {
        host: url.hostname,
        port: Number(url.port),
        user,
        password,
        database: name,
      },
    });
  }

  /** Asks as somebody else than the owner of the instance. */
  async function askAs(
    user: string,
    password: string,
    statement: string,
  ): Promise<Record<string, unknown>[]> {
    const client = connect(user, password);
    try {
      return (await client.raw(statement)).rows;
    } finally {
      await client.destroy();
    }
  }

  const databases = async () =>
    (await admin('pg_database').where({ datname: name })).length;
  const roles = async () =>
    (await admin('pg_roles').where({ rolname: name })).length;

  async function removeAll() {
    await admin.raw('DROP DATABASE IF EXISTS ?? WITH (FORCE)', [name]);
    for (const role of [name, STRANGER, OWNER.user]) {
      await admin.raw('DROP ROLE IF EXISTS ??', [role]);
    }
  }

  beforeAll(async () => {
    if (!POSTGRES) {
      throw new Error(
        'These tests need PostgreSQL: the root test script starts one; by hand run "node scripts/postgres.mjs" and set BACKSTAGE_TEST_DATABASE_POSTGRES18_CONNECTION_STRING',
      );
    }
    url = new URL(POSTGRES);
    admin = knex({ client: 'pg', connection: POSTGRES });
    folder = await mkdtemp(join(tmpdir(), 'previews-database-'));
    if (program) {
      await writeFile(join(folder, 'psql'), program);
      await chmod(join(folder, 'psql'), 0o755);
    }
    const { request } = onboardingCases.find(
      candidate => candidate.name === 'helm gateway wildcard database',
    )!;
    const onboarding = await Onboarding.create(request);
    const { output } = await onboarding.render('preview');
    await onboarding.remove();
    jobs = manifestsOf(output).filter(({ kind }) => kind === 'Job');
    name = containerOf('provision').env[0].value;
  });

  beforeEach(async () => {
    await removeAll();
    await admin.raw(
      `CREATE ROLE ${OWNER.user} LOGIN CREATEDB CREATEROLE PASSWORD '${OWNER.password}'`,
    );
    await admin.raw(`CREATE ROLE ${STRANGER} LOGIN PASSWORD 'stranger'`);
  });

  afterAll(async () => {
    await removeAll();
    await admin.destroy();
    await rm(folder, { recursive: true, force: true });
  });

  it('give a preview a role and a database in which it makes its tables', async () => {
    expect(await run('provision')).toEqual({ code: 0, stderr: '' });
    await askAs(name, APP_PASSWORD, 'CREATE TABLE carts (id integer)');
    expect(await askAs(name, APP_PASSWORD, 'SELECT * FROM carts')).toEqual([]);
  });

  it('grant CONNECT by name, and take it from everybody else', async () => {
    await run('provision');
    const { rows } = await admin.raw(
      `SELECT coalesce(rolname, 'everybody') AS who
         FROM pg_database, aclexplode(datacl) AS acl
         LEFT JOIN pg_roles ON pg_roles.oid = acl.grantee
        WHERE datname = ? AND privilege_type = 'CONNECT'
        ORDER BY who`,
      [name],
    );
    expect(rows).toEqual([{ who: OWNER.user }, { who: name }]);
    await expect(askAs(STRANGER, 'stranger', 'SELECT 1')).rejects.toThrow(
      'permission denied for database',
    );
  });

  it('provision again on each sync: what is in the database stays, and a new password takes effect', async () => {
    await run('provision');
    await askAs(name, APP_PASSWORD, 'CREATE TABLE carts AS SELECT 7 AS id');

    const again = await run('provision', { APP_PASSWORD: 'rotated' });
    expect(again).toEqual({ code: 0, stderr: '' });
    expect(await askAs(name, 'rotated', 'SELECT id FROM carts')).toEqual([
      { id: 7 },
    ]);
    await expect(askAs(name, APP_PASSWORD, 'SELECT 1')).rejects.toThrow(
      'password authentication failed',
    );
  });

  it('finish what a provisioning that was cut off has begun', async () => {
    const { code } = await run('provision', { APP_PASSWORD: 'first' });
    expect(code).toBe(0);
    await admin.raw('DROP DATABASE ??', [name]);

    expect(await run('provision')).toEqual({ code: 0, stderr: '' });
    expect(await databases()).toBe(1);
  });

  it('fail, and with them the sync, where the server refuses', async () => {
    await admin.raw('ALTER ROLE ?? NOCREATEDB', [OWNER.user]);
    const refused = await run('provision');
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain('permission denied to create database');

    const unknown = await run('provision', { PGPASSWORD: 'wrong' });
    expect(unknown.code).not.toBe(0);
    expect(unknown.stderr).toContain('password authentication failed');
  });

  it('fail, and with them the sync, where a key of the Secret is missing', async () => {
    const { command, args } = containerOf('provision');
    const [shell, ...flags] = command;
    const withoutPassword = `unset APP_PASSWORD\n${args[0]}`;
    const failed = await new Promise<{ code: unknown; stderr: string }>(
      resolve => {
        execFile(
          shell,
          [...flags, withoutPassword],
          { env: { PATH: process.env.PATH, NAME: name } },
          (error, _, stderr) => resolve({ code: error?.code, stderr }),
        );
      },
    );
    expect(failed.code).toBeTruthy();
    expect(failed.stderr).toContain('APP_PASSWORD');
    expect(await roles()).toBe(0);
  });

  it('remove the database of a preview while it is in use, its role, and nothing the second time', async () => {
    await run('provision');
    const inUse = connect(name, APP_PASSWORD);
    try {
      await inUse.raw('SELECT 1');
      expect(await run('drop')).toMatchObject({ code: 0 });
    } finally {
      await inUse.destroy();
    }
    expect([await databases(), await roles()]).toEqual([0, 0]);
    expect((await run('drop')).code).toBe(0);
  });
});

describe('the order of a sync with a database', () => {
  const withDatabase = onboardingCases.filter(
    ({ request }) => request.database,
  );

  it.each(withDatabase)(
    'has the Secret before the provisioning, that before the migration, and both before what serves: $name',
    async ({ request }) => {
      const onboarding = await Onboarding.create(request);
      const objects = manifestsOf((await onboarding.render('preview')).output);
      await onboarding.remove();
      const wave = ({ metadata }: Manifest) =>
        Number(metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);
      const wavesOf = (...kinds: string[]) =>
        objects.filter(({ kind }) => kinds.includes(kind)).map(wave);
      const hook = objects.find(
        ({ metadata }) =>
          metadata.annotations?.['argocd.argoproj.io/hook'] === 'Sync',
      )!;

      // A cache that the service brings along has no wave, which is 0: there before the Job, as the Secret is.
      expect(wavesOf('Namespace').every(each => each < 0)).toBe(true);
      expect(wavesOf('ExternalSecret')).toEqual([0]);
      expect(wavesOf('ServiceAccount').every(each => each <= 0)).toBe(true);
      expect(wave(hook)).toBe(1);
      expect(wavesOf('Deployment', 'HTTPRoute', 'Ingress')).toEqual([2, 2]);
      // The migration runs after the provisioning of its own pod, and its failure is the Job's.
      const { containers, initContainers, restartPolicy } =
        hook.spec.template.spec;
      expect(
        [...initContainers, ...containers].map(({ name }: any) => name),
      ).toEqual(['provision', 'migrate']);
      expect(containers[0].command).toEqual(['node', 'migrate.js']);
      expect(restartPolicy).toBe('Never');
    },
  );
});
