import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The key kept in the data folder, made at the first start; two programs that start at once agree on one. */
export async function secretKeyIn(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const file = join(dataDir, 'secret.key')
  await writeFile(file, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return readFile(file, 'utf8')
}
