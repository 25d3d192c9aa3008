import { once } from 'node:events'
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
    // A backup copies the database before it writes.
    await once(target, 'close').catch(() => 'its error is also the answer to the first write')
    await archiveWriter(target, new Date()).add('a', 1, Buffer.alloc(1))
  })
  await expect(stored).rejects.toThrow('ENOENT')
})
