import { mkdir, open, readdir, readFile, readlink, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** Another process has the folder. */
export class EmbeddedLockedError extends Error {
  readonly dataDir: string
  readonly pid: number

  constructor(dataDir: string, pid: number) {
    super(`the database in ${dataDir} is in use by another process (pid ${pid}); one process at a time may open it`)
    this.name = 'EmbeddedLockedError'
    this.dataDir = dataDir
    this.pid = pid
  }
}

export interface FolderLock {
  release(): Promise<void>
}

interface Owner {
  pid: number
  /** When the process began, where the system tells: a pid may be given again. */
  started: string
  /** Host, boot and process namespace: within it a pid can be looked up. */
  place: string
  released: boolean
}

type Observer = Owner & { staleMs: number }

/** How long it takes a living process to fill the file it has made. */
const WRITING_MS = 1000
/** How often the owner shows that it lives, and after how long without it one elsewhere counts as dead. */
const PACE = { heartbeatMs: 1000, staleMs: 5000 }

/**
 * Locks the folder by a file with a number that only ever grows. Whoever finds the newest one without a living owner
 * makes the next, which the file system gives to exactly one; nobody ever removes a lock that could be another's, so
 * two that start at once after a crash cannot both win. A dead owner is known at once by its pid; one in another
 * container or host, whose pids cannot be seen, by five seconds without a heartbeat.
 * @param onLost called if another process took the folder, which can only happen to one that stood still for seconds
 * @throws EmbeddedLockedError
 */
export async function lockFolder(dataDir: string, onLost: () => void, pace = PACE): Promise<FolderLock> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const me = { ...(await self()), staleMs: pace.staleMs }
  for (;;) {
    const newest = (await generations(dataDir)).at(-1) ?? 0
    if (newest > 0) await refuseIfHeld(dataDir, newest, me)
    const mine = newest + 1
    if (!(await create(dataDir, mine, me))) continue
    if (await contested(dataDir, mine, me)) {
      await unlink(pathOf(dataDir, mine)).catch(ignoreMissing)
      await delay(Math.random() * 100)
      continue
    }
    for (const old of await generations(dataDir)) if (old < mine) await unlink(pathOf(dataDir, old)).catch(ignoreMissing)
    return hold(dataDir, mine, me, onLost, pace.heartbeatMs)
  }
}

/** @returns the pid of the process that has the folder, or null */
export async function lockedBy(dataDir: string): Promise<number | null> {
  const newest = (await generations(dataDir)).at(-1)
  return newest === undefined ? null : isHeld(dataDir, newest, { ...(await self()), staleMs: PACE.staleMs })
}

async function self(): Promise<Owner> {
  return { pid: process.pid, started: await startOf(process.pid), place: await place(), released: false }
}

function hold(dataDir: string, mine: number, me: Owner, onLost: () => void, heartbeatMs: number): FolderLock {
  const path = pathOf(dataDir, mine)
  const beat = async (): Promise<void> => {
    const now = new Date()
    await utimes(path, now, now)
    if (((await generations(dataDir)).at(-1) ?? 0) > mine) throw new Error('taken over')
  }
  const lose = (): void => {
    clearInterval(timer)
    onLost()
  }
  const timer = setInterval(() => void beat().catch(lose), heartbeatMs).unref()
  return {
    async release() {
      clearInterval(timer)
      // Not removed: numbers must not begin again while another may still act on what it read.
      const released = `${path}.released`
      await writeFile(released, JSON.stringify({ pid: me.pid, started: me.started, place: me.place, released: true }), { mode: 0o600 })
      await rename(released, path)
    },
  }
}

/** Both sides create first and look second, so that of two at least one sees the other. */
async function contested(dataDir: string, mine: number, me: Observer): Promise<boolean> {
  for (const other of await generations(dataDir)) {
    if (other > mine) return true
    if (other < mine && (await isHeld(dataDir, other, me)) !== null) return true
  }
  return false
}

async function refuseIfHeld(dataDir: string, generation: number, me: Observer): Promise<void> {
  const pid = await isHeld(dataDir, generation, me)
  if (pid !== null) throw new EmbeddedLockedError(dataDir, pid)
}

/** @returns the owner's pid, or null if nobody holds it */
async function isHeld(dataDir: string, generation: number, me: Observer): Promise<number | null> {
  const path = pathOf(dataDir, generation)
  const owner = await readOwner(path)
  if (owner === null || owner.released) return null
  if (owner.place === me.place) return (await startOf(owner.pid)) === owner.started ? owner.pid : null
  const before = await heartbeat(path)
  for (let waited = 0; waited < me.staleMs; waited += me.staleMs / 10) {
    await delay(me.staleMs / 10)
    if ((await heartbeat(path)) !== before) return owner.pid
  }
  return null
}

async function heartbeat(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.mtimeMs ?? 0
}

/** null for a file that is gone, or that its writer did not live to fill. */
async function readOwner(path: string): Promise<Owner | null> {
  for (let waited = 0; waited < WRITING_MS; waited += 50) {
    const text = await readFile(path, 'utf8').catch(() => null)
    if (text === null) return null
    const owner = parseOwner(text)
    if (owner !== null) return owner
    await delay(50)
  }
  return null
}

function parseOwner(text: string): Owner | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('started' in value) || !('place' in value)) return null
    return {
      pid: Number(value.pid),
      started: String(value.started),
      place: String(value.place),
      released: 'released' in value && value.released === true,
    }
  } catch {
    return null
  }
}

async function create(dataDir: string, generation: number, { pid, started, place: where }: Owner): Promise<boolean> {
  try {
    const handle = await open(pathOf(dataDir, generation), 'wx', 0o600)
    await handle.writeFile(JSON.stringify({ pid, started, place: where, released: false }))
    await handle.close()
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

async function generations(dataDir: string): Promise<number[]> {
  const names = await readdir(dataDir).catch(() => [])
  const numbers = names.flatMap((name) => /^lock-(\d+)$/.exec(name)?.[1] ?? [])
  return numbers.map(Number).toSorted((a, b) => a - b)
}

function pathOf(dataDir: string, generation: number): string {
  return join(dataDir, `lock-${generation}`)
}

/** When a process began, `alive` where the system does not tell, empty if there is no such process. */
async function startOf(pid: number): Promise<string> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return ''
  }
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name in parentheses may hold anything; the 20th field after it is the start time.
  return status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? 'alive'
}

async function place(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '')
  return [hostname(), boot.trim(), namespace].join(' ')
}

function ignoreMissing(error: unknown): void {
  if (codeOf(error) !== 'ENOENT') throw error
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
