// As much of psql as the chart's Job asks for, on a real server, for machines without psql: statements that
// end with a semicolon, \gexec, \connect, and variables as :'literal', :"identifier" and :plain.
const { readFileSync } = require('node:fs');
const knex = require('knex');

const variables = new Map();
for (const argument of process.argv.slice(2)) {
  const set = /^--set=([^=]+)=(.*)$/s.exec(argument);
  if (set) {
    variables.set(set[1], set[2]);
  } else if (argument !== '--no-psqlrc') {
    throw new Error(`No argument ${argument}`);
  }
}

function valueOf(name) {
  if (!variables.has(name)) {
    throw new Error(`No variable ${name}`);
  }
  return variables.get(name);
}

function fillIn(text) {
  return text
    .replace(/:'(\w+)'/g, (_, name) => `'${valueOf(name).replace(/'/g, "''")}'`)
    .replace(
      /:"(\w+)"/g,
      (_, name) => `"${valueOf(name).replace(/"/g, '""')}"`,
    );
}

function connect(database) {
  return knex({
    client: 'pg',
    pool: { min: 1, max: 1 },
    connection: {
      host: process.env.PGHOST,
      port: Number(process.env.PGPORT),
      user: process.env.PGUSER,
      password: process.env.PGPASSWORD,
      database,
    },
  });
}

let server = connect(process.env.PGDATABASE);

/** Without bindings, so that a question mark in a password stays one. */
async function query(text) {
  const connection = await server.client.acquireConnection();
  try {
    return await connection.query(text);
  } finally {
    await server.client.releaseConnection(connection);
  }
}

async function run() {
  let statement = '';
  for (const line of readFileSync(0, 'utf8').split('\n')) {
    const connected = /^\\connect :(\w+)$/.exec(line);
    if (connected) {
      await server.destroy();
      server = connect(valueOf(connected[1]));
    } else if (!line.startsWith('--')) {
      statement += `${line}\n`;
    }
    if (/\\gexec\s*$/.test(statement)) {
      const { rows } = await query(
        fillIn(statement.replace(/\\gexec\s*$/, '')),
      );
      for (const cell of rows.flatMap(row => Object.values(row))) {
        await query(cell);
      }
      statement = '';
    } else if (/;\s*$/.test(statement)) {
      await query(fillIn(statement));
      statement = '';
    }
  }
  if (statement.trim()) {
    throw new Error(`Left over: ${statement}`);
  }
}

run()
  .catch(error => {
    process.stderr.write(`ERROR:  ${error.message}\n`);
    process.exitCode = valueOf('ON_ERROR_STOP') === '1' ? 3 : 0;
  })
  .finally(() => server.destroy());
