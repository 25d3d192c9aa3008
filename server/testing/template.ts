import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { connectDatabase, type Database } from '../db/database.ts'
import type { Connection } from '../db/pool.ts'
import { openEmbedded } from '../db/embedded/embedded.ts'
import { migrate } from '../db/migrate.ts'
import { openJobs } from '../jobs/jobs.ts'
import { queues } from '../queues.ts'
import { takeCopy, type EmbeddedCopy } from './embedded-pool.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of a migrated embedded database to copy; empty if the tests use a PostgreSQL server. */
    embeddedTemplate: string
    /** URL of the PostgreSQL server, which has the migrated database `groundwork_template`; empty with the embedded engine. */
    serverUrl: string
  }
}

/**
 * Creates a migrated database once per run; every test file gets a copy. Child processes find it in `TEST_TEMPLATE`, as a
 * folder or a database name, since e2e/ cannot import values from here.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const memoryFolder = await newMemoryFolder()
  if (memoryFolder === null) return createTemplate(project)
  process.env['TMPDIR'] = memoryFolder
  const cleanUp = await createTemplate(project)
  return async () => {
    await cleanUp()
    await rm(memoryFolder, { recursive: true, force: true })
  }
}

/** The mount point of Linux's disk in memory, and the space for the databases, files and browser profiles of a run. */
const [memoryDisk, neededBytes] = ['/dev/shm', 8e9]

/**
 * Returns a new folder on a disk in memory; null if there is none with enough space, or if TMPDIR is set. Kills of processes lose
 * nothing there, and flushes, for which tests wait a third of their time on a busy disk, are free.
 */
async function newMemoryFolder(): Promise<string | null> {
  if (process.env['TMPDIR'] !== undefined) return null
  const disk = await statfs(memoryDisk).catch(() => null) // other systems have none
  if (disk === null || disk.bavail * disk.bsize < neededBytes) return null
  // Short, because the path of a socket has at most 108 characters, and Chromium adds a hundred to that of the temporary folder.
  return mkdtemp(join(memoryDisk, 'gw-'))
}

async function createTemplate(project: TestProject): Promise<() => Promise<void>> {
  const serverUrl = process.env['TEST_DATABASE_URL'] ?? ''
  if (serverUrl !== '') {
    await recreate(serverUrl, 'groundwork_template')
    await prepare(connectDatabase({ connectionString: at(serverUrl, 'groundwork_template') }))
    process.env['TEST_TEMPLATE'] = 'groundwork_template'
    project.provide('serverUrl', serverUrl)
    project.provide('embeddedTemplate', '')
    return async () => undefined
  }
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-template-'))
  const engine = await openEmbedded({ dataDir: join(folder, 'db') })
  await prepare(connectDatabase({ stream: () => engine.stream() }))
  await engine.close()
  process.env['TEST_TEMPLATE'] = join(folder, 'db')
  project.provide('serverUrl', '')
  project.provide('embeddedTemplate', join(folder, 'db'))
  return () => rm(folder, { recursive: true, force: true })
}

async function prepare(database: Database): Promise<void> {
  await migrate(database.pool)
  const jobs = await openJobs(database.pool, { queues, worker: null, onError: (error) => console.error(error) })
  await jobs.stop()
  await database.close()
}

const at = (serverUrl: string, name: string): string => Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href

async function recreate(serverUrl: string, name: string, template?: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(`drop database if exists ${name}`)
  await client.query(`create database ${name}${template === undefined ? '' : ` template ${template}`}`)
  await client.end()
}

interface OpenOptions {
  serverUrl: string
  /** Called with the stream of each connection before its use, so that a test can break it. */
  onStream?: (stream: Duplex) => void
  onError?: (error: Error) => void
}

export interface CopyOptions extends OpenOptions {
  embeddedTemplate: string
}

export interface TestDatabase {
  database: Database
  /** How to open further connections. */
  connection: Connection
  /** The server's URL; null with the embedded engine. */
  url: string | null
  close: () => Promise<void>
}

/** Returns a new empty migrated database on the engine of this run. */
export const copyOfTemplate = ({ embeddedTemplate, ...options }: CopyOptions): Promise<TestDatabase> =>
  openDatabase(options, { name: 'groundwork_template', folder: embeddedTemplate })

/** Returns a new database without a schema on the engine of this run. */
export const emptyDatabase = (options: OpenOptions): Promise<TestDatabase> => openDatabase(options, null)

async function openDatabase(
  { serverUrl, onStream = () => undefined, onError }: OpenOptions,
  template: { name: string; folder: string } | null,
): Promise<TestDatabase> {
  const options = onError === undefined ? {} : { onError }
  const tapped = <Stream extends Duplex>(stream: Stream): Stream => {
    onStream(stream)
    return stream
  }
  if (serverUrl !== '') {
    const name = `test_${process.pid}_${Math.trunc(Math.random() * 1e9)}`
    await recreate(serverUrl, name, template?.name)
    const url = at(serverUrl, name)
    const connection = { connectionString: url, stream: () => tapped(new Socket()) }
    const database = connectDatabase(connection, options)
    return { database, connection, url, close: () => database.close() }
  }
  const { engine, giveBack } = await (template === null ? newDatabase() : takeCopy(template.folder))
  const connection = { stream: () => tapped(engine.stream()) }
  const database = connectDatabase(connection, options)
  return {
    database,
    connection,
    url: null,
    async close() {
      await database.close()
      await giveBack()
    },
  }
}

async function newDatabase(): Promise<EmbeddedCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-test-'))
  const engine = await openEmbedded({ dataDir: join(folder, 'db') })
  return {
    engine,
    async giveBack() {
      await engine.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
