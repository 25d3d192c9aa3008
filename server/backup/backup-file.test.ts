import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { archiveWriter } from './archive.ts'
import { localBackupFile } from './backup-file.ts'

it('a backup into a missing folder fails with the reason', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-backup-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = localBackupFile(join(folder, 'missing', 'x.tar'))
  const stored = file.store(async (target) => {
    const archive = archiveWriter(target, new Date())
    for (let n = 0; n < 5; n += 1) await archive.add(`${n}`, 2 ** 20, Buffer.alloc(2 ** 20))
  })
  await expect(stored).rejects.toThrow('ENOENT')
})
