import { Client } from '@groundwork/e2e/client'
import { createToken, program, root } from '@groundwork/e2e/program'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { fillOrganizations } from './fill-organizations.ts'
import { percentile, printTable, withEnds } from './run.ts'

/** Backup and restore on PostgreSQL, beside pg_dump and pg_restore with the same rows. */

const organizations = Number(process.argv[2] ?? 500)
const size = { organizations, contacts: organizations * 50, sources: organizations * 50, chunks: organizations * 200 }
const rounds = 3
/** The restore is to have at least this fraction of the speed of pg_restore. */
const minSpeed = 0.5

const run = promisify(execFile)

async function secondsOf(command: string, words: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const began = performance.now()
  await run(command, words, { cwd: root, env, maxBuffer: 1e8 })
  return (performance.now() - began) / 1000
}

await withEnds(async (atEnd) => {
  const bin = process.env['PG_BIN']
  if (bin === undefined || process.env['TEST_DATABASE_URL'] === undefined)
    throw new Error('run it on PostgreSQL: .ci/with-postgres npm run bench:restore')
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-bench-restore-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const [dump, backup] = [join(folder, 'dump'), join(folder, 'backup.tar')]
  const source = await program(atEnd, {}, 'none')
  await source.start()
  await new Client(source.url, (await createToken(source)).token).createBase('Base')
  const url = source.env['DATABASE_URL'] ?? ''
  const database = new pg.Client({ connectionString: url })
  await database.connect()
  await fillOrganizations(database, size)
  await database.end()
  await source.stop()

  const cli = (env: NodeJS.ProcessEnv, ...words: string[]): Promise<number> =>
    secondsOf(process.execPath, ['cli/dist/main.js', ...words], env)
  const times = { dump: [] as number[], backup: [] as number[], pgRestore: [] as number[], restore: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    await rm(backup, { force: true })
    times.dump.push(await secondsOf(join(bin, 'pg_dump'), ['--format=custom', '--file', dump, url], process.env))
    times.backup.push(await cli(source.env, 'backup', backup))
    const [other, own] = [await program(atEnd, {}, 'none'), await program(atEnd, {}, 'none')]
    const words = ['--no-owner', '--no-comments', '--exit-on-error', '--dbname', other.env['DATABASE_URL'] ?? '', dump]
    times.pgRestore.push(await secondsOf(join(bin, 'pg_restore'), words, process.env))
    const { SECRET_KEY: _unset, ...env } = own.env
    times.restore.push(await cli(env, 'restore', backup, '--without-secret-key'))
  }
  const megabytes = async (file: string): Promise<string> => ((await stat(file)).size / 1e6).toFixed(0)
  const median = (of: readonly number[]): number => percentile(of, 0.5)
  const seconds = (of: readonly number[]): string => of.map((one) => one.toFixed(1)).join(', ')
  printTable(
    `Seconds of ${rounds} rounds: ${size.organizations} organizations, ${size.contacts} contacts, ${size.sources} sources, ${size.chunks} chunks (PostgreSQL)`,
    ['', 'PostgreSQL', 'Groundwork', 'median speed'],
    [
      ['backup', seconds(times.dump), seconds(times.backup), (median(times.dump) / median(times.backup)).toFixed(2)],
      ['restore', seconds(times.pgRestore), seconds(times.restore), (median(times.pgRestore) / median(times.restore)).toFixed(2)],
    ],
  )
  const speed = median(times.pgRestore) / median(times.restore)
  process.stdout.write(
    `The archives have ${await megabytes(dump)} MB and ${await megabytes(backup)} MB.\n` +
      `The restore has ${speed.toFixed(2)} of the speed of pg_restore: ${speed >= minSpeed ? 'at least' : 'NOT at least'} ${minSpeed}\n`,
  )
})
