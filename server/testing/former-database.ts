import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { localStorage } from '../storage/storage.ts'
import { packageFile } from '../lib/entry.ts'
import type { TestStore } from './app.ts'
import { emptyDatabase } from './template.ts'

/** The answer of a search by an earlier version. */
interface RecordedSearch {
  readonly query: string
  readonly scoredBy: string
  readonly degraded: readonly string[]
  readonly data: readonly Record<string, unknown>[]
}

/** Replies of the program that made the database of the former migrations, with its files. */
export interface Recorded {
  readonly secretKey: string
  readonly token: string
  /** Base64 by key in the file storage. */
  readonly files: Readonly<Record<string, string>>
  readonly reads: readonly { readonly path: string; readonly answer: unknown }[]
  readonly searches: readonly { readonly path: string; readonly body: object; readonly answer: RecordedSearch }[]
}

/** A time shortly after the recording. */
export const recordedAt = new Date('2026-11-23T02:20:00Z')

/**
 * Returns a store that a program with the former migrations made, before any migration of this version. The dump is from
 * pg_dump 18 with `--inserts --no-owner --no-comments`.
 */
export async function openFormerDatabase(serverUrl: string): Promise<{ store: TestStore; recorded: Recorded }> {
  const { database, close } = await emptyDatabase({ serverUrl })
  const client = await database.pool.connect()
  for (const role of ['groundwork_app', 'groundwork_identity']) {
    await client.query(`do $$ begin create role ${role} nologin; exception when duplicate_object or unique_violation then null; end $$`)
  }
  await client.query(await unpacked('database.sql.gz'))
  // The dump sets the search path and other parameters of the session.
  await client.query('reset all')
  client.release(true)
  const recorded = JSON.parse(await unpacked('recorded.json.gz')) as Recorded
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-former-'))
  for (const [key, base64] of Object.entries(recorded.files)) {
    await mkdir(dirname(join(folder, key)), { recursive: true })
    await writeFile(join(folder, key), Buffer.from(base64, 'base64'))
  }
  return {
    recorded,
    store: {
      database,
      files: await localStorage(folder),
      secretKey: { current: recorded.secretKey, previous: null },
      async close() {
        await close()
        await rm(folder, { recursive: true, force: true })
      },
    },
  }
}

async function unpacked(name: string): Promise<string> {
  return (await promisify(gunzip)(await readFile(packageFile(`db/former-database/${name}`)))).toString()
}
