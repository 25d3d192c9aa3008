import { spawn, type ChildProcess } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { inject } from 'vitest'
import { openEmbedded, type EmbeddedDatabase, type EmbeddedOptions } from './embedded.ts'

export interface TestDatabase {
  db: EmbeddedDatabase
  pool: pg.Pool
  dataDir: string
  close(): Promise<void>
}

/** A database folder of its own: a copy of the run's template where there is one, which is quicker than a fresh one. */
export async function temporaryFolder(): Promise<string> {
  const dataDir = join(await mkdtemp(join(tmpdir(), 'groundwork-embedded-')), 'db')
  const template = inject('embeddedTemplate')
  await mkdir(dataDir, { mode: 0o700 })
  if (template !== '') await cp(template, dataDir, { recursive: true })
  return dataDir
}

export async function openTemporary(options: Omit<EmbeddedOptions, 'dataDir'> = {}, dataDir?: string): Promise<TestDatabase> {
  const folder = dataDir ?? (await temporaryFolder())
  const db = await openEmbedded({ ...options, dataDir: folder })
  const pool = new pg.Pool({ stream: () => db.stream(), max: 10 })
  return {
    db,
    pool,
    dataDir: folder,
    async close() {
      await pool.end()
      await db.close()
      await rm(join(folder, '..'), { recursive: true, force: true })
    },
  }
}

export async function client(db: EmbeddedDatabase, config: pg.ClientConfig = {}): Promise<pg.Client> {
  const connection = new pg.Client({ ...config, stream: () => db.stream() })
  // Emitted when the database closes before the connection; statements report their own errors.
  connection.on('error', () => undefined)
  await connection.connect()
  return connection
}

/** Runs a module of this folder in another process; its lines of output as they come, and how it ended. */
export function run(module: string, ...args: string[]): { child: ChildProcess; lines: string[]; ended: Promise<number | null> } {
  const path = fileURLToPath(new URL(module, import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=source', path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
    for (const part of parts) child.emit('line', part)
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  return { child, lines, ended }
}

export function line(child: ChildProcess, wanted: (text: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    child.on('line', (text: string) => {
      if (wanted(text)) resolve(text)
    })
    child.once('close', () => reject(new Error('the process ended')))
  })
}

/** Returns the SQLSTATE of a refused statement. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'no error'
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}
