import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { makeFolder, writeFileAtomically } from '../lib/durable-files.ts'
import { nullIfMissing } from '../lib/missing-file.ts'
import type { IncomingFiles } from './incoming.ts'
import { checkedKey } from './keys.ts'
import { limitedTo } from './limited-to.ts'
import { MissingFileError } from './storage-error.ts'

/** Folder of parts: `.parts/<key>/<id>/<number>`. No key begins with a dot. */
export const partsFolder = '.parts'

/** Receives files in parts below a folder. Clients send the bytes to the API. */
export function folderParts(root: string, pathOf: (key: string) => Promise<string>): IncomingFiles {
  const folderOf = (key: string, id: string): string => join(root, partsFolder, checkedKey(key), checkedKey(`parts/${id}`).slice(6))
  const list = async (key: string, id: string): Promise<{ number: number; sizeBytes: number }[] | null> => {
    const folder = folderOf(key, id)
    const names = await readdir(folder).catch(nullIfMissing)
    if (names === null) return null
    const numbers = names.filter((name) => /^\d+$/.test(name)).map(Number)
    return Promise.all(
      numbers
        .toSorted((one, other) => one - other)
        .map(async (number) => ({ number, sizeBytes: (await stat(join(folder, String(number)))).size })),
    )
  }
  return {
    directOrigin: null,
    presign: async () => null,
    sentBytes: async () => null,
    accept: async () => false,
    discard: async () => undefined,
    async beginParts(key) {
      const id = randomUUID()
      await makeFolder(folderOf(key, id), root)
      return id
    },
    presignPart: async () => null,
    async writePart(key, id, number, content, maxBytes) {
      const folder = folderOf(key, id)
      if ((await stat(folder).catch(nullIfMissing)) === null) throw new MissingFileError(`the upload ${id} has ended`)
      const limit = limitedTo(maxBytes)
      await writeFileAtomically(join(folder, String(number)), Readable.from(content), limit.through)
      return limit.sizeBytes()
    },
    listParts: list,
    async joinParts(key, id) {
      const parts = await list(key, id)
      if (parts === null) return false
      const folder = folderOf(key, id)
      const content = async function* (): AsyncGenerator<Buffer> {
        for (const { number } of parts) yield* createReadStream(join(folder, String(number))) as AsyncIterable<Buffer>
      }
      await writeFileAtomically(await pathOf(key), Readable.from(content()))
      await rm(folder, { recursive: true, force: true })
      return true
    },
  }
}
