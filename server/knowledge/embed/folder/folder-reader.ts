import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { issueMessage } from '../../../lib/issue-message.ts'
import { ModelFolderError } from './model-folder-error.ts'

/** A file that a model was read from. */
export interface UsedFile {
  /** Relative to the folder of the model. */
  readonly path: string
  readonly sha256: string
}

/** Reads files of a model's folder, and records them. */
export interface FolderReader {
  readonly folder: string
  /** The files that were read, in order of their paths. */
  used(): UsedFile[]
  /** @throws ModelFolderError if the file is missing */
  read(path: string): Promise<Buffer>
  /** Records a file that is too large to be read at once. @throws ModelFolderError if it is missing */
  record(path: string): Promise<void>
  /** Returns the parsed file. @throws ModelFolderError if it is missing, no JSON, or of another form */
  json<T extends z.ZodType>(path: string, schema: T): Promise<z.output<T>>
  /** Returns undefined if there is no such file. */
  optionalJson<T extends z.ZodType>(path: string, schema: T): Promise<z.output<T> | undefined>
}

export function readerOf(folder: string): FolderReader {
  const hashes = new Map<string, string>()

  async function read(path: string): Promise<Buffer> {
    const bytes = await readFile(join(folder, path)).catch((cause: unknown) => {
      throw new ModelFolderError(folder, path, isMissing(cause) ? 'is missing.' : 'cannot be read.', { cause })
    })
    hashes.set(path, createHash('sha256').update(bytes).digest('hex'))
    return bytes
  }

  async function json<T extends z.ZodType>(path: string, schema: T): Promise<z.output<T>> {
    const text = (await read(path)).toString()
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (cause) {
      throw new ModelFolderError(folder, path, 'is no valid JSON.', { cause })
    }
    const parsed = schema.safeParse(value, { error: issueMessage })
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    throw new ModelFolderError(folder, path, `is not as expected: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
  }

  return {
    folder,
    used: () => [...hashes].map(([path, sha256]) => ({ path, sha256 })).toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    read,
    async record(path) {
      hashes.set(
        path,
        await hashOf(join(folder, path)).catch((cause: unknown) => {
          throw new ModelFolderError(folder, path, isMissing(cause) ? 'is missing.' : 'cannot be read.', { cause })
        }),
      )
    },
    json,
    async optionalJson(path, schema) {
      try {
        return await json(path, schema)
      } catch (error) {
        if (error instanceof ModelFolderError && isMissing(error.cause)) return undefined
        throw error
      }
    },
  }
}

/** @throws ModelFolderError if a file is not the one that the model was read from */
export async function requireUnchanged(folder: string, files: readonly UsedFile[]): Promise<void> {
  for (const { path, sha256 } of files) {
    const found = await hashOf(join(folder, path)).catch(() => null)
    if (found !== sha256) throw new ModelFolderError(folder, path, 'was changed while the program was running. Restart the program.')
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash)
  return hash.digest('hex')
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR')
}
