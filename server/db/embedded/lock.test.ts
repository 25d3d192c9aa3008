import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EmbeddedLockedError, lockFolder } from './lock.ts'
import { line, openTemporary, run, temporaryFolder } from './testing.ts'

describe('two processes on one folder', () => {
  it('the second is told who has it; after a kill exactly one of several takes it over at once', async () => {
    const dataDir = await temporaryFolder()
    const first = run('./testing-process.ts', dataDir, 'stay')
    await line(first.child, (text) => text.startsWith('open'))
    await expect(openTemporary({}, dataDir)).rejects.toThrow(EmbeddedLockedError)
    await expect(openTemporary({}, dataDir)).rejects.toThrow(`pid ${first.child.pid}`)
    first.child.kill('SIGKILL')
    await first.ended
    const rivals = [1, 2].map(() => run('./testing-process.ts', dataDir, 'stay'))
    await Promise.all(rivals.map(({ child }) => line(child, (text) => /^(?:open|locked)/.test(text))))
    expect(rivals.filter(({ lines }) => lines[0]?.startsWith('open'))).toHaveLength(1)
    expect(rivals.filter(({ lines }) => lines[0]?.startsWith('locked'))).toHaveLength(1)
    for (const { child } of rivals) child.kill('SIGKILL')
    await Promise.all(rivals.map(({ ended }) => ended))
    await rm(join(dataDir, '..'), { recursive: true })
  })
})

describe('lockFolder', () => {
  let folder: string
  const never = (): void => {
    throw new Error('lost')
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'groundwork-lock-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('is held once, and free after release', async () => {
    for (let round = 0; round < 3; round++) {
      const lock = await lockFolder(folder, never)
      await expect(lockFolder(folder, never)).rejects.toThrow(EmbeddedLockedError)
      await lock.release()
    }
    expect(await readdir(folder)).toEqual(['lock-3'])
  })

  it('goes to one of many who want it when its owner is dead', async () => {
    for (let round = 0; round < 10; round++) {
      const path = join(folder, String(round))
      await mkdir(path)
      const lock = await lockFolder(path, never)
      const owner = JSON.parse(await readFile(join(path, 'lock-1'), 'utf8')) as object
      await lock.release()
      // The pid lives, but began at another time than the process that wrote this.
      await writeFile(join(path, 'lock-1'), JSON.stringify({ ...owner, started: 'long ago' }))
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(path, never)))
      const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
      expect(won).toHaveLength(1)
      for (const result of results) if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(EmbeddedLockedError)
      await won[0]?.release()
    }
  })

  it('waits for a sign of life of an owner whose processes it cannot see', async () => {
    const pace = { heartbeatMs: 100, staleMs: 600 }
    const elsewhere = JSON.stringify({ pid: 7, started: '1', place: 'another container', released: false })
    await writeFile(join(folder, 'lock-1'), elsewhere)
    const alive = setInterval(() => void utimes(join(folder, 'lock-1'), new Date(), new Date()), 100)
    await expect(lockFolder(folder, never, pace)).rejects.toThrow('pid 7')
    clearInterval(alive)
    const lock = await lockFolder(folder, never, pace)
    await lock.release()
  })

  it('takes a file that nobody lived to fill for nobody’s', async () => {
    await writeFile(join(folder, 'lock-1'), '')
    const lock = await lockFolder(folder, never)
    expect(await readdir(folder)).toEqual(['lock-2'])
    await lock.release()
  })

  it('tells an owner who stood still that another has taken the folder', async () => {
    const lost = new Promise<void>((resolve) => {
      void lockFolder(folder, resolve, { heartbeatMs: 50, staleMs: 500 })
    })
    await expect.poll(() => readdir(folder)).toEqual(['lock-1'])
    await writeFile(join(folder, 'lock-2'), JSON.stringify({ pid: 7, started: '1', place: 'another container', released: false }))
    await lost
  })
})
